/// A number that a typed list may hold: UInt8, Int32, Int64, Float or Double.
public protocol TypedListElement: BitwiseCopyable, Sendable {
  /// The typed list of these numbers.
  static var listKind: TypedListKind { get }
}

extension UInt8: TypedListElement {
  public static var listKind: TypedListKind { .uint8 }
}
extension Int32: TypedListElement {
  public static var listKind: TypedListKind { .int32 }
}
extension Int64: TypedListElement {
  public static var listKind: TypedListKind { .int64 }
}
extension Float: TypedListElement {
  public static var listKind: TypedListKind { .float32 }
}
extension Double: TypedListElement {
  public static var listKind: TypedListKind { .float64 }
}

extension Value {
  /// Numbers of one width, viewed in the bytes of the message (little-endian, as every shipped
  /// Flutter host is). Elements are loaded one by one; their bits are never changed.
  public struct TypedList<Element: TypedListElement>: Sendable {
    @usableFromInline let bytes: Bytes

    @inlinable
    init(bytes: Bytes) { self.bytes = bytes }

    public init(_ elements: some Collection<Element>) {
      let elements = Array(elements)
      bytes = Bytes(elements.withUnsafeBytes { Array($0) })
    }

    /// The numbers' bytes, little-endian, for the duration of `body`.
    @inlinable
    public func withUnsafeBytes<Result, Failure: Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try bytes.withUnsafeBytes(body)
    }
  }
}

extension Value {
  /// The typed list of this kind over little-endian elements.
  static func typedList(_ bytes: Bytes, _ kind: TypedListKind) -> Value {
    switch kind {
    case .uint8: .uint8List(TypedList(bytes: bytes))
    case .int32: .int32List(TypedList(bytes: bytes))
    case .int64: .int64List(TypedList(bytes: bytes))
    case .float32: .float32List(TypedList(bytes: bytes))
    case .float64: .float64List(TypedList(bytes: bytes))
    }
  }

  static func zeros(_ count: Int, _ kind: TypedListKind) -> Value {
    typedList(Bytes([UInt8](repeating: 0, count: count * kind.width)), kind)
  }
}

extension Value.TypedList: RandomAccessCollection {
  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { bytes.count / MemoryLayout<Element>.size }

  @inlinable
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < endIndex, "typed list index out of range")
    return bytes.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: position * MemoryLayout<Element>.size, as: Element.self)
    }
  }
}

extension Value.TypedList: Hashable {
  /// Equal bits: NaN equals the same NaN, 0.0 differs from -0.0.
  public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension Value.TypedList: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}
