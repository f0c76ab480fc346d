extension Value {
  /// The text of a string value: bytes first, a Swift `String` when asked.
  ///
  /// Two texts are equal when their bytes are. Swift's own `String` merges "é" (U+00E9) with
  /// "e" + U+0301; no Flutter implementation does, so map keys must not either.
  ///
  /// Some platforms accept strings that are not UTF-8; their bytes are kept as they came. A lone
  /// surrogate of a Dart or Java string stands as its three-byte form (`ed a0 80` …).
  public struct Text: Sendable {
    @usableFromInline
    enum Storage: Sendable {
      case swift(String)
      case utf8(Bytes)
      case raw(Bytes)
    }

    @usableFromInline let storage: Storage

    @inlinable
    init(storage: Storage) { self.storage = storage }

    public init(_ string: some StringProtocol) {
      var string = String(string)
      string.makeContiguousUTF8()
      storage = .swift(string)
    }

    /// Text of any bytes, valid UTF-8 or not.
    public init(bytes: some Sequence<UInt8>) {
      let bytes = Bytes(Array(bytes))
      let isValid = bytes.withUnsafeBytes { UTF8Check.firstError(in: $0) == nil }
      storage = isValid ? .utf8(bytes) : .raw(bytes)
    }

    /// Whether the bytes are well-formed UTF-8.
    public var isValidUTF8: Bool {
      if case .raw = storage { return false }
      return true
    }

    /// The text, or nil where the bytes are not UTF-8.
    public var string: String? {
      isValidUTF8 ? description : nil
    }

    /// The bytes as they stand in a message.
    public var utf8: [UInt8] {
      withUTF8 { Array($0) }
    }

    /// Bytes, not characters.
    public var utf8Count: Int {
      switch storage {
      case .swift(let string): string.utf8.count
      case .utf8(let bytes), .raw(let bytes): bytes.count
      }
    }

    /// The bytes for the duration of `body`.
    @inlinable
    public func withUTF8<Result, Failure: Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      switch storage {
      case .swift(var string):
        // withUTF8 rethrows any error; the type is kept by carrying the outcome out as a value.
        return try string.withUTF8 { utf8 in
          Swift.Result { () throws(Failure) -> Result in try body(UnsafeRawBufferPointer(utf8)) }
        }.get()
      case .utf8(let bytes), .raw(let bytes):
        return try bytes.withUnsafeBytes(body)
      }
    }
  }
}

extension Value.Text: Hashable {
  public static func == (left: Value.Text, right: Value.Text) -> Bool {
    left.withUTF8 { left in right.withUTF8 { left.elementsEqual($0) } }
  }

  public func hash(into hasher: inout Hasher) {
    withUTF8 {
      hasher.combine(bytes: $0)
      hasher.combine($0.count)
    }
  }
}

extension Value.Text: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral value: String) { self.init(value) }

  /// The text; ill-formed bytes show as U+FFFD.
  public var description: String {
    switch storage {
    case .swift(let string): string
    case .utf8(let bytes), .raw(let bytes):
      bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
  }
}

extension Value {
  /// An integer of any size as the hexadecimal text that type 5 carries: no `0x`, `-` before a
  /// negative one (Java's `BigInteger.toString(16)`). Only Android writes and reads it as a number;
  /// Dart, C++ and iOS read a string, Linux refuses it.
  public struct LargeInteger: Sendable, Hashable, CustomStringConvertible,
    ExpressibleByStringLiteral
  {
    /// The text as it stands in the message.
    public let text: Text

    /// Takes any text; a codec with profile `strict` refuses what is no hexadecimal number.
    public init(_ text: Text) { self.text = text }

    /// The hexadecimal text of `number`.
    public init(_ number: some BinaryInteger) {
      text = Text(String(number, radix: 16))
    }

    public init(stringLiteral value: String) { self.init(Text(value)) }

    public var description: String { text.description }

    /// The offset of the first byte that does not belong to `-?[0-9a-fA-F]+`, or nil.
    static func firstError(in text: UnsafeRawBufferPointer) -> Int? {
      let digits = text.first == UInt8(ascii: "-") ? 1 : 0
      for (offset, byte) in text.enumerated().dropFirst(digits) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          continue
        default: return offset
        }
      }
      return text.count > digits ? nil : text.count
    }
  }
}
