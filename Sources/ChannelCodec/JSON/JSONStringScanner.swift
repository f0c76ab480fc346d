/// Reads one string of JSON text from its opening quote.
struct JSONStringScanner {
  let bytes: UnsafeRawBufferPointer
  var position: Int
  let loneSurrogates: JSONLoneSurrogates
  /// The string with its escapes resolved, where it has any.
  var scratch: [UInt8]
  private(set) var isValidUTF8 = true

  init(
    bytes: UnsafeRawBufferPointer, position: Int, loneSurrogates: JSONLoneSurrogates,
    scratch: [UInt8]
  ) {
    self.bytes = bytes
    self.position = position
    self.loneSurrogates = loneSurrogates
    self.scratch = scratch
  }

  /// The range of a string without escapes, or nil for one that now stands in `scratch`. Leaves
  /// `position` behind the closing quote.
  mutating func scan() throws(CodecError) -> Range<Int>? {
    position += 1
    var start = position
    var hasEscapes = false
    while true {
      try plainRun()
      let run = start..<position
      switch position < bytes.count ? bytes[position] : 0 {
      case UInt8(ascii: "\""):
        position += 1
        if !hasEscapes { return run }
        scratch.append(contentsOf: bytes[run])
        return nil
      case UInt8(ascii: "\\"):
        if !hasEscapes { scratch.removeAll(keepingCapacity: true) }
        hasEscapes = true
        scratch.append(contentsOf: bytes[run])
        try escape()
        start = position
      default:
        let isControl = position < bytes.count
        throw JSONFault.error(
          in: bytes, at: position,
          expected: isControl ? "control characters as escapes" : "the string's closing quote")
      }
    }
  }

  /// Moves to the next quote, backslash or control character, over well-formed UTF-8.
  private mutating func plainRun() throws(CodecError) {
    let start = position
    var seen: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      seen |= byte
      position += 1
    }
    guard seen >= 0x80 else { return }
    let run = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    guard let fault = UTF8Check.firstError(in: run) else { return }
    position = start + fault
    throw CodecError(
      .invalidUTF8, offset: position, expected: "UTF-8",
      found: "the byte \(String(bytes[position], radix: 16))")
  }

  private mutating func escape() throws(CodecError) {
    position += 1
    let character: UInt8
    switch position < bytes.count ? bytes[position] : 0 {
    case UInt8(ascii: "\""): character = UInt8(ascii: "\"")
    case UInt8(ascii: "\\"): character = UInt8(ascii: "\\")
    case UInt8(ascii: "/"): character = UInt8(ascii: "/")
    case UInt8(ascii: "b"): character = 0x08
    case UInt8(ascii: "f"): character = 0x0c
    case UInt8(ascii: "n"): character = 0x0a
    case UInt8(ascii: "r"): character = 0x0d
    case UInt8(ascii: "t"): character = 0x09
    case UInt8(ascii: "u"): return try unicodeEscape()
    default:
      throw JSONFault.error(in: bytes, at: position, expected: "one of \"\\/bfnrtu after \\")
    }
    position += 1
    scratch.append(character)
  }

  private mutating func unicodeEscape() throws(CodecError) {
    let start = position - 1
    position += 1
    let unit = try hexUnit()
    guard 0xd800..<0xe000 ~= unit else { return append(unit) }
    let isHigh = unit < 0xdc00
    if isHigh, bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
      let second = position
      position += 2
      let low = try hexUnit()
      if 0xdc00..<0xe000 ~= low {
        return append(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
      }
      position = second
    }
    guard loneSurrogates == .kept || (loneSurrogates == .keptIfLow && !isHigh) else {
      throw CodecError(
        .invalidJSON, offset: start, expected: "both halves of a surrogate pair",
        found: isHigh ? "a high surrogate alone" : "a low surrogate alone")
    }
    isValidUTF8 = false
    append(unit)
  }

  private mutating func hexUnit() throws(CodecError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count, let digit = Hexadecimal.digit(bytes[position]) else {
        throw JSONFault.error(in: bytes, at: position, expected: "four hexadecimal digits")
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }

  /// Generalised UTF-8: surrogates, too, have a three-byte form.
  private mutating func append(_ scalar: UInt32) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | scalar >> shift & 0x3f) }
    switch scalar {
    case ..<0x80: scratch.append(UInt8(scalar))
    case ..<0x800: scratch += [UInt8(0xc0 | scalar >> 6), tail(0)]
    case ..<0x10000: scratch += [UInt8(0xe0 | scalar >> 12), tail(6), tail(0)]
    default: scratch += [UInt8(0xf0 | scalar >> 18), tail(12), tail(6), tail(0)]
    }
  }
}
