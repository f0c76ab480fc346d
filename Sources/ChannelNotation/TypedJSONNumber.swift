import ChannelCodec

/// Numbers of a ``TypedJSON`` text, as JSON numbers or as strings that say more.
struct TypedJSONNumber {
  private let document: JSONDocument

  init(_ document: JSONDocument) { self.document = document }

  /// An integer of the wanted width. `thing` names what takes it.
  func integer<Number: FixedWidthInteger>(
    _ node: Int, _ thing: String
  ) throws(CodecError) -> Number {
    let text: String?
    switch document.nodes[node].kind {
    case .number(let range, true): text = document.digits(range)
    case .string:
      text = document.string(at: node).flatMap { $0.utf8.first == UInt8(ascii: "+") ? nil : $0 }
    default: text = nil
    }
    if let text, let number = Number(text) { return number }
    throw document.error(
      node, "an integer from \(Number.min) to \(Number.max) for \(thing)")
  }

  /// A double: nearest to a decimal number, or with exactly the bits that a string gives.
  func float64(_ node: Int, _ thing: String) throws(CodecError) -> Double {
    if case .string = document.nodes[node].kind {
      switch special(node, digits: 16) {
      case .bits(let bits): return Double(bitPattern: bits)
      case .named(let number): return number
      case nil: break
      }
    } else if let text = decimal(node), let number = Double(text), number.isFinite {
      return number
    }
    throw document.error(node, expected(thing, digits: 16))
  }

  /// A float, likewise.
  func float32(_ node: Int, _ thing: String) throws(CodecError) -> Float {
    if case .string = document.nodes[node].kind {
      switch special(node, digits: 8) {
      case .bits(let bits): return Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      case .named(let number):
        return number.isNaN ? Float(bitPattern: 0x7fc0_0000) : Float(number)
      case nil: break
      }
    } else if let text = decimal(node), let number = Float(text), number.isFinite {
      return number
    }
    throw document.error(node, expected(thing, digits: 8))
  }

  // MARK: - Lists

  func integers<Number: FixedWidthInteger>(
    _ nodes: [Int], _ thing: String
  ) throws(CodecError) -> [Number] {
    var numbers: [Number] = []
    numbers.reserveCapacity(nodes.count)
    for node in nodes { numbers.append(try integer(node, thing)) }
    return numbers
  }

  func float64s(_ nodes: [Int], _ thing: String) throws(CodecError) -> [Double] {
    var numbers: [Double] = []
    numbers.reserveCapacity(nodes.count)
    for node in nodes { numbers.append(try float64(node, thing)) }
    return numbers
  }

  func float32s(_ nodes: [Int], _ thing: String) throws(CodecError) -> [Float] {
    var numbers: [Float] = []
    numbers.reserveCapacity(nodes.count)
    for node in nodes { numbers.append(try float32(node, thing)) }
    return numbers
  }

  // MARK: -

  private func expected(_ thing: String, digits: Int) -> String {
    "for \(thing) a finite number, \"nan\", \"inf\", \"-inf\", \"-0.0\" or \"0x\" and "
      + "\(digits) hexadecimal digits"
  }

  private func decimal(_ node: Int) -> String? {
    guard case .number(let range, _) = document.nodes[node].kind else { return nil }
    return document.digits(range)
  }

  private enum Special {
    case bits(UInt64)
    case named(Double)
  }

  private func special(_ node: Int, digits: Int) -> Special? {
    guard let text = document.string(at: node) else { return nil }
    switch text {
    case "nan": return .named(Double(bitPattern: 0x7ff8_0000_0000_0000))
    case "inf": return .named(.infinity)
    case "-inf": return .named(-.infinity)
    case "-0.0": return .named(-0.0)
    default:
      guard text.hasPrefix("0x"), text.utf8.count == digits + 2,
        text.utf8.dropFirst(2).allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
      else { return nil }
      return UInt64(text.dropFirst(2), radix: 16).map { .bits($0) }
    }
  }
}
