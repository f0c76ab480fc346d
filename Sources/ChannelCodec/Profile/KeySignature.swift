/// Bytes that are equal exactly where a platform finds two keys equal, and that sort as
/// `std::map` sorts them for ``KeyEquality/variant``.
///
/// Every value is self-delimiting: a tag, then bytes without a length but with an end mark that
/// sorts before any element.
struct KeySignature {
  private let equality: KeyEquality
  private let isWholeValue: Bool
  private let orders: PairOrders
  private(set) var bytes: [UInt8] = []
  /// Something in the key equals nothing, not even itself.
  private var isUnique = false

  /// The signature of the key at `node`, or nil where it equals no other key.
  static func of(
    _ node: Int, in source: MessageSource, equality: KeyEquality, orders: PairOrders
  ) -> [UInt8]? {
    var signature = KeySignature(equality: equality, isWholeValue: false, orders: orders)
    signature.walk(node, source)
    return signature.isUnique ? nil : signature.bytes
  }

  /// The whole value as Dart sees it, for ``Value/isEqualInDart(to:)``.
  static func dartView(of value: Value) -> [UInt8] {
    var builder = ValueBuilder()
    builder.append(value)
    let source = builder.finishSource()
    let orders = PairOrders.make(
      for: source, node: 0, equality: .dart, repeated: .lastValue, sorts: .always)
    var signature = KeySignature(equality: .dart, isWholeValue: true, orders: orders)
    signature.walk(0, source)
    return signature.bytes
  }

  private init(equality: KeyEquality, isWholeValue: Bool, orders: PairOrders) {
    self.equality = equality
    self.isWholeValue = isWholeValue
    self.orders = orders
  }

  // MARK: - Tags, in the order of EncodableValue's variant

  private enum Tag {
    static let end: UInt8 = 0
    static let element: UInt8 = 1
    static let null: UInt8 = 2
    static let bool: UInt8 = 3
    static let int32: UInt8 = 4
    static let int64: UInt8 = 5
    static let float64: UInt8 = 6
    static let string: UInt8 = 7
    static let list: UInt8 = 14
    static let map: UInt8 = 15
    static let custom: UInt8 = 16
    static let float32List: UInt8 = 17
    static let largeInteger: UInt8 = 18

    static func typedList(_ kind: TypedListKind) -> UInt8 {
      switch kind {
      case .uint8: 8
      case .int32: 9
      case .int64: 10
      case .float64: 11
      case .float32: float32List
      }
    }
  }

  // MARK: - The walk

  private mutating func walk(_ root: Int, _ source: MessageSource) {
    var walker = OrderedWalker(source: source, root: root, orders: orders)
    while let step = walker.next() {
      switch step {
      case .begin(let node): begin(node, source)
      case .element: bytes.append(Tag.element)
      case .end: bytes.append(Tag.end)
      }
    }
  }

  private mutating func begin(_ node: Int, _ source: MessageSource) {
    switch source.type(of: node) {
    case WireType.list.rawValue:
      bytes.append(Tag.list)
      if !isWholeValue && equality == .dart { isUnique = true }
    case WireType.map.rawValue:
      bytes.append(Tag.map)
      if !isWholeValue && equality == .dart { isUnique = true }
    case let type where type > WireType.float32List.rawValue:
      bytes.append(Tag.custom)
      bytes.append(type)
      if !isWholeValue { isUnique = true }
    default: leaf(source.value(at: node))
    }
  }

  private mutating func leaf(_ value: Value) {
    switch value {
    case .null, .list, .map, .custom: bytes.append(Tag.null)
    case .bool(let bool):
      bytes.append(Tag.bool)
      bytes.append(bool ? 1 : 0)
    case .int32(let number): integer(Int64(number), isNarrow: true)
    case .int64(let number): integer(number, isNarrow: false)
    case .float64(let number): float64(number)
    case .largeInteger(let number):
      largeInteger(number)
    case .string(let text):
      bytes.append(Tag.string)
      string(text.utf8)
    case .uint8List(let list): typedList(list)
    case .int32List(let list): typedList(list)
    case .int64List(let list): typedList(list)
    case .float32List(let list): typedList(list)
    case .float64List(let list): typedList(list)
    }
  }

  private mutating func integer(_ number: Int64, isNarrow: Bool) {
    let keepsWidth = equality == .variant || equality == .java
    bytes.append(keepsWidth && isNarrow ? Tag.int32 : Tag.int64)
    ordered(UInt64(bitPattern: number) ^ (1 << 63))
  }

  /// A number to Java; text to platforms that read type 5 as a string; unknown to GObject.
  private mutating func largeInteger(_ number: Value.LargeInteger) {
    let isText = equality != .java && equality != .gObject
    bytes.append(isText ? Tag.string : Tag.largeInteger)
    let normalized = equality == .java ? JDKText.bigInteger(number.text) : nil
    string((normalized ?? number).text.utf8)
  }

  private mutating func float64(_ number: Double) {
    let isMerged = (equality == .dart && !isWholeValue) || equality == .nsNumber
    if isMerged, let integer = Int64(exactly: number) {
      return self.integer(integer, isNarrow: false)
    }
    if number.isNaN {
      let isEqualToNothing = equality == .dart || equality == .gObject
      if isEqualToNothing && !isWholeValue { isUnique = true }
      bytes.append(Tag.float64)
      return ordered(.max)
    }
    bytes.append(Tag.float64)
    let isZero = number == 0 && equality != .java
    let bits = isZero ? 0 : number.bitPattern
    ordered(bits >> 63 == 1 ? ~bits : bits | 1 << 63)
  }

  private mutating func typedList<Element>(_ list: Value.TypedList<Element>) {
    bytes.append(Tag.typedList(Element.listKind))
    if equality == .java || (equality == .dart && !isWholeValue) { isUnique = true }
    for element in list {
      bytes.append(Tag.element)
      switch element {
      case let byte as UInt8: bytes.append(byte)
      case let number as Int32: ordered(UInt64(bitPattern: Int64(number)) ^ (1 << 63))
      case let number as Int64: ordered(UInt64(bitPattern: number) ^ (1 << 63))
      case let number as Float: orderedDouble(Double(number))
      case let number as Double: orderedDouble(number)
      default: break
      }
    }
    bytes.append(Tag.end)
  }

  private mutating func orderedDouble(_ number: Double) {
    if number.isNaN { return ordered(.max) }
    let bits = number == 0 ? 0 : number.bitPattern
    ordered(bits >> 63 == 1 ? ~bits : bits | 1 << 63)
  }

  /// Big-endian, so that bytes sort as the number does.
  private mutating func ordered(_ bits: UInt64) {
    withUnsafeBytes(of: bits.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Bytes with an end that sorts before any byte: 0 is written as 0 1, the end as 0 0.
  private mutating func string(_ utf8: [UInt8]) {
    var text = utf8[...]
    if equality == .gObject { text = text.prefix { $0 != 0 } }
    if isWholeValue && text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
    for byte in text {
      bytes.append(byte)
      if byte == 0 { bytes.append(1) }
    }
    bytes.append(0)
    bytes.append(0)
  }
}
