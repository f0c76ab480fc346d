/// The shortest decimal digits that read back as a number, and where their point stands:
/// `0.digits × 10^point`.
package struct DecimalDigits {
  /// ASCII, without zeros at either end; "0" for zero.
  package var digits: [UInt8] = []
  package var point = 0

  /// Takes the digits from a number as Swift prints it, which is the shortest text that reads back
  /// as the same number.
  package init(description: String) {
    var hasPoint = false
    var exponent = 0
    var isInExponent = false
    var isExponentNegative = false
    for byte in description.utf8 {
      switch byte {
      case UInt8(ascii: "."): hasPoint = true
      case UInt8(ascii: "e"): isInExponent = true
      case UInt8(ascii: "-"): isExponentNegative = isInExponent
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if isInExponent {
          exponent = exponent * 10 + Int(byte & 0xf)
        } else if digits.isEmpty && byte == UInt8(ascii: "0") {
          if hasPoint { point -= 1 }
        } else {
          digits.append(byte)
          if !hasPoint { point += 1 }
        }
      default: break
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.isEmpty {
      digits = [UInt8(ascii: "0")]
      point = 1
    } else {
      point += isExponentNegative ? -exponent : exponent
    }
  }

  /// Writes the number as Dart prints it: `1.0`, `0.000001`, `1e-7`, `1e+21`.
  package func appendAsDart(to text: inout [UInt8]) {
    // The digits have no sign; Dart's layout asks the number for nothing else.
    NumberText(style: .dart, isAlone: false).append(self, of: 1, to: &text)
  }

  init(digits: [UInt8], point: Int) {
    self.digits = digits
    self.point = point
  }
}

/// A finite double as the platforms print it in JSON.
struct NumberText {
  let style: JSONRules.NumberStyle
  /// The number is the whole message rather than inside a list or map.
  let isAlone: Bool

  private static let zero = UInt8(ascii: "0")
  private static let dot = UInt8(ascii: ".")

  func append(_ number: Double, to text: inout [UInt8]) {
    if case .java = style, !isAlone, let whole = NumberText.javaLong(number) {
      return text.append(contentsOf: (number.sign == .minus && whole == 0 ? "-0" : "\(whole)").utf8)
    }
    switch style {
    case .rapidjson where number != 0:
      append(RapidJSONNumber.digits(number.magnitude), of: number, to: &text)
    case .java where number.magnitude == .leastNonzeroMagnitude:
      // Java shows two digits and takes the pair nearest to the number, here 4.9 rather than 5.0.
      append(DecimalDigits(digits: Array("49".utf8), point: -323), of: number, to: &text)
    default:
      append(DecimalDigits(description: "\(number.magnitude)"), of: number, to: &text)
    }
  }

  /// Writes `number` with digits that were found for it.
  func append(_ digits: DecimalDigits, of number: Double, to text: inout [UInt8]) {
    if number.sign == .minus { text.append(UInt8(ascii: "-")) }
    let plain: ClosedRange<Int>
    let keepsFraction: Bool
    switch style {
    case .dart, .rapidjson: (plain, keepsFraction) = (-5...21, true)
    case .javaScript: (plain, keepsFraction) = (-5...21, number == 0 && number.sign == .minus)
    case .java: (plain, keepsFraction) = (-2...7, true)
    // Swift's own text, which Foundation takes: plain up to 2^53.
    case .foundation: (plain, keepsFraction) = (-3...(number.magnitude <= 0x1p53 ? 16 : 15), false)
    }
    if plain.contains(digits.point) {
      appendPlain(digits, keepsFraction: keepsFraction, to: &text)
    } else {
      appendScientific(digits, to: &text)
    }
  }

  private func appendPlain(
    _ number: DecimalDigits, keepsFraction: Bool, to text: inout [UInt8]
  ) {
    let (digits, point) = (number.digits, number.point)
    if point <= 0 {
      text += [NumberText.zero, NumberText.dot]
      text.append(contentsOf: repeatElement(NumberText.zero, count: -point))
      text += digits
    } else if digits.count <= point {
      text += digits
      text.append(contentsOf: repeatElement(NumberText.zero, count: point - digits.count))
      if keepsFraction { text += [NumberText.dot, NumberText.zero] }
    } else {
      text += digits[..<point]
      text.append(NumberText.dot)
      text += digits[point...]
    }
  }

  private func appendScientific(_ number: DecimalDigits, to text: inout [UInt8]) {
    let exponent = number.point - 1
    text.append(number.digits[0])
    if number.digits.count > 1 {
      text.append(NumberText.dot)
      text += number.digits[1...]
    } else if style == .java {
      text += [NumberText.dot, NumberText.zero]
    }
    text.append(UInt8(ascii: style == .java ? "E" : "e"))
    if exponent < 0 {
      text.append(UInt8(ascii: "-"))
    } else if style != .java && style != .rapidjson {
      text.append(UInt8(ascii: "+"))
    }
    if style == .foundation && exponent.magnitude < 10 { text.append(NumberText.zero) }
    text.append(contentsOf: "\(exponent.magnitude)".utf8)
  }

  /// The 64-bit integer that org.json prints instead of a double. Java's conversion saturates, so
  /// that 2^63 passes for the largest integer.
  static func javaLong(_ number: Double) -> Int64? {
    if let whole = Int64(exactly: number) { return whole }
    return number == 0x1p63 ? .max : nil
  }
}
