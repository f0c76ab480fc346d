/// Bytes for a value without contents that are equal exactly where a platform finds two such keys
/// equal, and that sort as `std::map` sorts them for ``KeyEquality/variant``. Of a list, map or
/// extension value it is the tag alone; what they contain is compared step by step
/// (``KeyOrder``).
struct KeySignature {
  private let equality: KeyEquality
  private let dropsByteOrderMark: Bool
  private(set) var bytes: [UInt8] = []
  /// The value equals nothing, not even itself.
  private(set) var isUnique = false

  init(of value: Value, equality: KeyEquality, dropsByteOrderMark: Bool) {
    self.equality = equality
    self.dropsByteOrderMark = dropsByteOrderMark
    put(value)
  }

  /// In the order of EncodableValue's variant; the Float32List came last there, too.
  private enum Tag {
    static let null: UInt8 = 0
    static let bool: UInt8 = 1
    static let int32: UInt8 = 2
    static let int64: UInt8 = 3
    static let float64: UInt8 = 4
    static let string: UInt8 = 5
    static let list: UInt8 = 10
    static let map: UInt8 = 11
    static let custom: UInt8 = 12
    static let float32List: UInt8 = 13
    static let largeInteger: UInt8 = 14

    static func typedList(_ kind: TypedListKind) -> UInt8 {
      switch kind {
      case .uint8: 6
      case .int32: 7
      case .int64: 8
      case .float64: 9
      case .float32: float32List
      }
    }
  }

  private mutating func put(_ value: Value) {
    switch value {
    case .null: bytes.append(Tag.null)
    case .bool(let bool):
      bytes.append(Tag.bool)
      bytes.append(bool ? 1 : 0)
    case .int32(let number): put(integer: Int64(number), isNarrow: true)
    case .int64(let number): put(integer: number, isNarrow: false)
    case .float64(let number): put(float64: number)
    case .largeInteger(let number): put(largeInteger: number)
    case .string(let text):
      bytes.append(Tag.string)
      put(text: text.utf8)
    case .uint8List(let list): put(list)
    case .int32List(let list): put(list)
    case .int64List(let list): put(list)
    case .float32List(let list): put(list)
    case .float64List(let list): put(list)
    case .list:
      bytes.append(Tag.list)
      isUnique = equality.comparesContainersByIdentity
    case .map:
      bytes.append(Tag.map)
      isUnique = equality.comparesContainersByIdentity
    case .custom(let custom):
      bytes.append(Tag.custom)
      bytes.append(custom.type)
      isUnique = equality != .dartView
    }
  }

  private mutating func put(integer number: Int64, isNarrow: Bool) {
    let keepsWidth = equality == .variant || equality == .java
    bytes.append(keepsWidth && isNarrow ? Tag.int32 : Tag.int64)
    put(sorting: UInt64(bitPattern: number) ^ (1 << 63))
  }

  /// A number to Java; text to platforms that read type 5 as a string; unknown to GObject.
  private mutating func put(largeInteger number: Value.LargeInteger) {
    let isText = equality != .java && equality != .gObject
    bytes.append(isText ? Tag.string : Tag.largeInteger)
    let normalized = equality == .java ? JDKText.bigInteger(number.text) : nil
    put(text: (normalized ?? number).text.utf8)
  }

  private mutating func put(float64 number: Double) {
    let isMerged = equality == .dart || equality == .nsNumber
    if isMerged, let integer = Int64(exactly: number) {
      return put(integer: integer, isNarrow: false)
    }
    bytes.append(Tag.float64)
    put(sorting: number)
  }

  private mutating func put(sorting number: Double) {
    if number.isNaN {
      if equality == .dart || equality == .gObject { isUnique = true }
      return put(sorting: .max)
    }
    let isZero = number == 0 && equality != .java
    let bits = isZero ? 0 : number.bitPattern
    put(sorting: bits >> 63 == 1 ? ~bits : bits | 1 << 63)
  }

  /// Elements, each behind a mark that sorts after the end.
  private mutating func put<Element>(_ list: Value.TypedList<Element>) {
    let kind = Element.listKind
    bytes.append(Tag.typedList(kind))
    if equality == .java || equality == .dart { isUnique = true }
    // FlutterStandardTypedData compares its bytes as NSData.
    if equality == .nsNumber { return list.withUnsafeBytes { bytes.append(contentsOf: $0) } }
    list.withUnsafeBytes { elements in
      for offset in stride(from: 0, to: elements.count, by: kind.width) {
        bytes.append(1)
        switch kind {
        case .uint8: bytes.append(elements[offset])
        case .int32:
          let number = elements.loadUnaligned(fromByteOffset: offset, as: Int32.self)
          put(sorting: UInt64(bitPattern: Int64(number)) ^ (1 << 63))
        case .int64:
          let number = elements.loadUnaligned(fromByteOffset: offset, as: Int64.self)
          put(sorting: UInt64(bitPattern: number) ^ (1 << 63))
        case .float32:
          put(sorting: Double(elements.loadUnaligned(fromByteOffset: offset, as: Float.self)))
        case .float64:
          put(sorting: elements.loadUnaligned(fromByteOffset: offset, as: Double.self))
        }
      }
    }
    bytes.append(0)
  }

  /// Big-endian, so that bytes sort as the number does.
  private mutating func put(sorting bits: UInt64) {
    withUnsafeBytes(of: bits.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Nothing follows the text of a value without contents: a shorter text sorts first as it is.
  private mutating func put(text utf8: [UInt8]) {
    var text = utf8[...]
    if equality == .gObject { text = text.prefix { $0 != 0 } }
    if dropsByteOrderMark && text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
    bytes.append(contentsOf: text)
  }
}
