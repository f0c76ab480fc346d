import ChannelCodec
import ChannelRouter

/// Times as people write them: spans such as `200ms`, moments such as `2026-01-31T12:00:00Z`.
enum TimeText {
  private static let units: [(suffix: String, microseconds: Double)] = [
    ("us", 1), ("ms", 1e3), ("min", 6e7), ("s", 1e6), ("m", 6e7), ("h", 3.6e9), ("d", 8.64e10),
  ]
  /// A hundred years: no sum of two leaves an Int64.
  private static let longest = 3.16e15

  /// A span of at most a hundred years; a number without a unit is seconds.
  static func span(_ text: String) -> Duration? {
    let unit = units.first { text.hasSuffix($0.suffix) }
    let digits = text.dropLast(unit?.suffix.count ?? 0)
    guard let first = digits.utf8.first, first.isDigit || first == UInt8(ascii: "."),
      digits.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }),
      let number = Double(digits)
    else { return nil }
    return span(microseconds: number * (unit?.microseconds ?? 1e6))
  }

  /// From seconds as a number, or from text.
  static func span(_ value: Value) -> Duration? {
    if let text = value.string { return span(text) }
    let seconds = value.double ?? value.integer.map { Double($0) }
    return seconds.flatMap { span(microseconds: $0 * 1e6) }
  }

  static func span(microseconds: Double) -> Duration? {
    guard microseconds >= 0, microseconds <= longest else { return nil }
    return .microseconds(Int64(microseconds.rounded()))
  }

  /// The largest unit that takes a whole number.
  static func text(of span: Duration) -> String {
    let microseconds = span.wholeMicroseconds
    let hour: Int64 = 3_600_000_000
    if microseconds == 0 { return "0s" }
    if microseconds % hour == 0 { return "\(microseconds / hour)h" }
    if microseconds % 1_000_000 == 0 { return "\(microseconds / 1_000_000)s" }
    if microseconds % 1000 == 0 { return "\(microseconds / 1000)ms" }
    return "\(microseconds)us"
  }

  /// Seconds since 1970, or a date and time in UTC.
  static func time(_ text: String) -> DeviceTime? {
    if let seconds = Double(text) {
      guard seconds.isFinite, abs(seconds) * 1e6 <= 4 * longest else { return nil }
      return DeviceTime(seconds: seconds)
    }
    return calendarTime(Array(text.utf8))
  }

  /// In UTC, with as many digits behind the second as it takes.
  static func text(of time: DeviceTime) -> String {
    let day: Int64 = 86_400_000_000
    var days = time.microseconds / day
    var rest = time.microseconds % day
    if rest < 0 { (days, rest) = (days - 1, rest + day) }
    let date = Calendar.date(days)
    let seconds = rest / 1_000_000
    var text = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
    text += "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2))"
    text += ":\(padded(seconds % 60, 2))"
    var fraction = padded(rest % 1_000_000, 6)
    while fraction.last == "0" { fraction.removeLast() }
    return text + (fraction.isEmpty ? "" : ".\(fraction)") + "Z"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// `2026-01-31T12:00:00Z`, with a fraction of the second or without.
  private static func calendarTime(_ text: [UInt8]) -> DeviceTime? {
    var reader = Reader(text: text)
    guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2),
      reader.skip("-"), let day = reader.digits(2), (1...12).contains(month),
      (1...Calendar.days(in: month, year)).contains(day), reader.skip("T"),
      let hour = reader.digits(2), hour < 24, reader.skip(":"), let minute = reader.digits(2),
      minute < 60, reader.skip(":"), let second = reader.digits(2), second < 60
    else { return nil }
    var fraction: Int64 = 0
    if reader.skip(".") {
      guard let read = reader.fraction() else { return nil }
      fraction = read
    }
    guard reader.skip("Z"), reader.isAtEnd else { return nil }
    let days = Calendar.days(since1970: year, month, day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    return DeviceTime(microseconds: seconds * 1_000_000 + fraction)
  }

  private struct Reader {
    let text: [UInt8]
    var offset = 0
    var isAtEnd: Bool { offset == text.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard offset < text.count, text[offset] == UInt8(ascii: character) else { return false }
      offset += 1
      return true
    }

    mutating func digits(_ count: Int) -> Int64? {
      guard text.count - offset >= count else { return nil }
      var number: Int64 = 0
      for byte in text[offset..<offset + count] {
        guard byte.isDigit else { return nil }
        number = number * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      offset += count
      return number
    }

    /// Microseconds from one to six digits.
    mutating func fraction() -> Int64? {
      var number: Int64 = 0
      var count = 0
      while count < 6, let digit = digits(1) {
        number = number * 10 + digit
        count += 1
      }
      guard count > 0 else { return nil }
      for _ in count..<6 { number *= 10 }
      return number
    }
  }
}

/// The Gregorian calendar, by days since 1970-01-01.
private enum Calendar {
  static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  static func days(in month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Leap days up to the end of `year`, counted from the year 0.
  private static func leapDays(through year: Int64) -> Int64 {
    floorDivide(year, 4) - floorDivide(year, 100) + floorDivide(year, 400)
  }

  private static func floorDivide(_ left: Int64, _ right: Int64) -> Int64 {
    left >= 0 ? left / right : -((right - 1 - left) / right)
  }

  static func days(since1970 year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let years = (year - 1970) * 365 + leapDays(through: year - 1) - leapDays(through: 1969)
    let months = (1..<month).reduce(0) { $0 + days(in: $1, year) }
    return years + months + day - 1
  }

  static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Within one year of the right one; the loops do the rest.
    var year = 1970 + floorDivide(days * 400, 146_097)
    while Self.days(since1970: year, 1, 1) > days { year -= 1 }
    while Self.days(since1970: year + 1, 1, 1) <= days { year += 1 }
    var rest = days - Self.days(since1970: year, 1, 1)
    var month: Int64 = 1
    while rest >= Self.days(in: month, year) {
      rest -= Self.days(in: month, year)
      month += 1
    }
    return (year, month, rest + 1)
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
