/// How one extension type (type byte 15 to 255) is read and written: what a subclass of
/// StandardMessageCodec does in `readValueOfType` and `writeValue`.
public struct ExtensionType: Sendable {
  enum Layout: Sendable {
    case oneValue
    case procedure(read: Read, write: Write)
  }

  /// Reads what follows the type byte and answers with the value that stands for it.
  public typealias Read =
    @Sendable (inout StandardReader) throws(CodecError) -> Value

  /// Writes what follows the type byte.
  public typealias Write =
    @Sendable (Value, inout StandardWriter) throws(CodecError) -> Void

  let layout: Layout

  /// One standard value follows the type byte, as in every codec that Pigeon generates.
  public static let oneValue = ExtensionType(layout: .oneValue)

  /// Anything else: raw numbers, several values in a row. Readers and writers that ask for values
  /// with such types inside nest on the stack, at most 32 deep.
  public static func custom(
    read: @escaping Read, write: @escaping Write
  ) -> ExtensionType {
    ExtensionType(layout: .procedure(read: read, write: write))
  }
}

/// The extension types that a codec knows, by type byte.
public struct ExtensionTypes: Sendable {
  /// A set of type bytes that holds no reference: looking one up costs no retain.
  struct Plain: Sendable {
    private var low: (UInt64, UInt64) = (0, 0)
    private var high: (UInt64, UInt64) = (0, 0)

    var isEmpty: Bool { low.0 | low.1 | high.0 | high.1 == 0 }

    static let all: Plain = {
      var types = Plain()
      for type in UInt8(15)...255 { types.insert(type) }
      return types
    }()

    mutating func insert(_ type: UInt8) {
      let bit = UInt64(1) << UInt64(type & 63)
      switch type >> 6 {
      case 0: low.0 |= bit
      case 1: low.1 |= bit
      case 2: high.0 |= bit
      default: high.1 |= bit
      }
    }

    func contains(_ type: UInt8) -> Bool {
      let word =
        switch type >> 6 {
        case 0: low.0
        case 1: low.1
        case 2: high.0
        default: high.1
        }
      return word >> UInt64(type & 63) & 1 == 1
    }
  }

  /// Those that one standard value follows.
  private(set) var plain = Plain()
  private var procedures: [UInt8: (read: ExtensionType.Read, write: ExtensionType.Write)] = [:]

  public init() {}

  var isEmpty: Bool { plain.isEmpty && procedures.isEmpty }
  var hasProcedures: Bool { !procedures.isEmpty }

  /// No extension: every type byte above 14 is unknown, as in Flutter's own StandardMessageCodec.
  public static let none = ExtensionTypes()

  /// Type bytes 128 to 255, each followed by one value: what Pigeon's codecs write, whatever the
  /// file's own numbering (128 an instance of a ProxyApi, 129 on enums and then classes, 255 the
  /// overflow form).
  public static let pigeon: ExtensionTypes = {
    var types = ExtensionTypes()
    for type in UInt8(128)...255 { types[type] = .oneValue }
    return types
  }()

  public subscript(type: UInt8) -> ExtensionType? {
    get {
      if plain.contains(type) { return .oneValue }
      return procedures[type].map { .custom(read: $0.read, write: $0.write) }
    }
    set {
      precondition(type > 14, "type bytes 0 to 14 belong to the standard codec")
      var rest = Plain()
      for other in UInt8(15)...255 where other != type && plain.contains(other) {
        rest.insert(other)
      }
      plain = rest
      procedures[type] = nil
      switch newValue?.layout {
      case nil: break
      case .oneValue: plain.insert(type)
      case .procedure(let read, let write): procedures[type] = (read, write)
      }
    }
  }
}
