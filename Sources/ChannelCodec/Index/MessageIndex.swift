/// Where every value of a message starts: one pass over the bytes leaves this behind, and values are
/// read from it as views, without an allocation for each.
///
/// The index is a list of 32-bit words in the order of the message. A leaf is one word, the offset
/// of its type byte. A list, map or extension value is three words, followed by its contents:
///
///     offset of the type byte | index of the word after its contents | number of elements or pairs
///
/// The bytes are always well formed: whatever a profile repairs is written anew before indexing.
/// Nothing changes after `make`, which is why the views that hold an index may be sent anywhere.
@usableFromInline
final class MessageIndex: ManagedBuffer<MessageIndex.Header, UInt32> {
  @usableFromInline
  struct Header {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline let wordCount: Int
    /// Every string was found to be UTF-8.
    @usableFromInline let isValidUTF8: Bool
  }

  @usableFromInline static let containerWords = 3

  /// Copies `words`, which must describe `bytes`.
  static func make(
    bytes: [UInt8], words: UnsafeBufferPointer<UInt32>, isValidUTF8: Bool
  ) -> MessageIndex {
    let index = MessageIndex.create(minimumCapacity: words.count) { _ in
      Header(bytes: bytes, wordCount: words.count, isValidUTF8: isValidUTF8)
    }
    index.withUnsafeMutablePointerToElements {
      if let source = words.baseAddress { $0.update(from: source, count: words.count) }
    }
    return unsafeDowncast(index, to: MessageIndex.self)
  }

  /// The header without the check for exclusive access that a class's variable costs.
  @inlinable
  var contents: Header { withUnsafeMutablePointerToHeader { $0.pointee } }

  @inlinable var bytes: [UInt8] { contents.bytes }
  @inlinable var isValidUTF8: Bool { withUnsafeMutablePointerToHeader { $0.pointee.isValidUTF8 } }
  @inlinable var wordCount: Int { withUnsafeMutablePointerToHeader { $0.pointee.wordCount } }

  @inlinable
  func word(_ position: Int) -> Int {
    precondition(position < wordCount)
    return withUnsafeMutablePointerToElements { Int($0[position]) }
  }

  /// The type byte of the value at `node`.
  @inlinable
  func type(of node: Int) -> UInt8 {
    let offset = word(node)
    return withUnsafeMutablePointerToHeader { $0.pointee.bytes[offset] }
  }

  @inlinable
  func isContainer(_ node: Int) -> Bool {
    MessageSource.isContainer(type: type(of: node))
  }

  /// The node after `node` and all it contains.
  @inlinable
  func next(after node: Int) -> Int {
    isContainer(node) ? word(node + 1) : node + 1
  }
}

extension Value {
  /// The value without contents whose type byte stands at `offset` of well-formed `bytes`.
  static func leaf(at offset: Int, in bytes: [UInt8], isValidUTF8: Bool) -> Value {
    func run() -> Bytes {
      bytes.withUnsafeBytes {
        let size = WireSize.read($0, at: offset + 1)
        return Bytes(bytes, lower: size.end, count: size.value)
      }
    }
    func text() -> Text {
      isValidUTF8 ? Text(storage: .utf8(run())) : Text(checking: run())
    }
    func elements<Element>(_: Element.Type) -> TypedList<Element> {
      bytes.withUnsafeBytes {
        let width = MemoryLayout<Element>.size
        let size = WireSize.read($0, at: offset + 1)
        let start = size.end.aligned(to: width)
        return TypedList(bytes: Bytes(bytes, lower: start, count: size.value * width))
      }
    }
    func number<Number: BitwiseCopyable>(at start: Int, as type: Number.Type) -> Number {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: type) }
    }
    switch WireType(rawValue: bytes[offset]) {
    case .null, .list, .map, nil: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .int32: return .int32(number(at: offset + 1, as: Int32.self))
    case .int64: return .int64(number(at: offset + 1, as: Int64.self))
    case .float64:
      return .float64(number(at: (offset + 1).aligned(to: 8), as: Double.self))
    case .largeInteger: return .largeInteger(LargeInteger(text()))
    case .string: return .string(text())
    case .uint8List: return .uint8List(TypedList(bytes: run()))
    case .int32List: return .int32List(elements(Int32.self))
    case .int64List: return .int64List(elements(Int64.self))
    case .float64List: return .float64List(elements(Double.self))
    case .float32List: return .float32List(elements(Float.self))
    }
  }
}

extension Value.Text {
  init(checking bytes: Bytes) {
    let isValid = bytes.withUnsafeBytes { UTF8Check.firstError(in: $0) == nil }
    storage = isValid ? .utf8(bytes) : .raw(bytes)
  }
}

extension Int {
  /// The next multiple of `alignment`, a power of two.
  @inlinable
  func aligned(to alignment: Int) -> Int { (self &+ alignment &- 1) & ~(alignment &- 1) }
}
