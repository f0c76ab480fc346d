/// Reads a message of the standard codec token by token, making one mistake on purpose.
struct WireReader {
  /// The message does not hold what is read next.
  struct Broken: Error {}

  let bytes: [UInt8]
  let bug: CodecBug?
  private(set) var position = 0
  /// Where the arguments or the value of an envelope begin.
  var part = 0

  init(_ bytes: [UInt8], bug: CodecBug?) {
    self.bytes = bytes
    self.bug = bug
  }

  var isAtEnd: Bool { position >= bytes.count }

  mutating func byte() throws(Broken) -> UInt8 {
    guard position < bytes.count else { throw Broken() }
    position += 1
    return bytes[position - 1]
  }

  mutating func token() throws(Broken) -> WireToken {
    let start = position
    let type = try byte()
    switch type {
    case 0x00: return .null
    case 0x01: return .bool(true)
    case 0x02: return .bool(false)
    case 0x03: return .int32(UInt32(truncatingIfNeeded: try number(4)))
    case 0x04: return .int64(try number(8))
    case 0x06:
      try skipPadding(width: 8, isEmpty: false, value: start)
      return .float64(try number(8))
    case 0x05, 0x07: return .text(type: type, try text())
    case 0x08, 0x09, 0x0a, 0x0b, 0x0e: return try typedList(type, start)
    case 0x0c: return .list(try count())
    case 0x0d: return .map(try count())
    case 0x80...0xff: return .custom(type)
    default: throw Broken()
    }
  }

  // MARK: -

  private mutating func take(_ count: Int) throws(Broken) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - position else { throw Broken() }
    position += count
    return bytes[position - count..<position]
  }

  private mutating func number(_ width: Int) throws(Broken) -> UInt64 {
    let digits = try take(width)
    return bug == .bigEndianNumbers
      ? digits.reduce(0) { $0 << 8 | UInt64($1) } : WireToken.littleEndian(digits)
  }

  private mutating func skipPadding(width: Int, isEmpty: Bool, value: Int) throws(Broken) {
    let count =
      bug?.padding(at: position, width: width, isEmpty: isEmpty, part: part, value: value)
      ?? CodecBug.padding(at: position, width: width)
    _ = try take(count)
  }

  private mutating func count() throws(Broken) -> Int {
    if bug == .leavesOutCount { throw Broken() }
    let count = try size()
    // A container that claims more values than bytes are left cannot be read.
    guard count <= bytes.count - position else { throw Broken() }
    return count
  }

  private mutating func size() throws(Broken) -> Int {
    if bug == .sizeOf32Bits { return Int(WireToken.littleEndian(try take(4))) }
    let first = try byte()
    let width: Int
    switch (first, bug) {
    case (_, .ignoresSizeEscape), (254, .shortSizeUpTo254): return Int(first)
    case (254, _), (255, .sizeOf16Bits): width = 2
    case (255, _): width = 4
    default: return Int(first)
    }
    let digits = try take(width)
    if bug == .bigEndianSize { return digits.reduce(0) { $0 << 8 | Int($1) } }
    let size = Int(truncatingIfNeeded: WireToken.littleEndian(digits))
    if bug == .signedSize, width == 2, size > 0x7fff { throw Broken() }
    return size
  }

  private mutating func text() throws(Broken) -> [UInt8] {
    let size = try size()
    guard bug == .countsUTF16 || bug == .countsCharacters else { return Array(try take(size)) }
    // As many bytes as it takes to have so many units.
    var text: [UInt8] = []
    var units = 0
    while units < size {
      let lead = try byte()
      let length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
      text.append(lead)
      text += try take(length - 1)
      units += bug == .countsUTF16 && length == 4 ? 2 : 1
    }
    return text
  }

  private mutating func typedList(_ type: UInt8, _ start: Int) throws(Broken) -> WireToken {
    var width = WireToken.width(ofList: type)
    var shown = type
    if type == 0x0e, bug == .widensFloat32 { (width, shown) = (8, 0x0b) }
    let size = try size()
    try skipPadding(width: width, isEmpty: size == 0, value: start)
    let (length, isTooLong) = size.multipliedReportingOverflow(by: width)
    guard !isTooLong else { throw Broken() }
    var elements = Array(try take(length))
    if bug == .bigEndianNumbers { elements = WireWriter.swapped(elements, width) }
    return .typedList(type: shown, elements)
  }
}
