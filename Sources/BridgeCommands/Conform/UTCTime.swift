/// A moment in the way of ISO 8601.
enum UTCTime {
  /// `2026-01-31T12:00:00Z`; the calendar is counted back from days, with years that begin in March.
  static func text(microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    let (days, rest) = (seconds / 86_400, seconds % 86_400)
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return "\(year)-\(two(month))-\(two(day))T\(two(rest / 3600)):\(two(rest % 3600 / 60)):"
      + "\(two(rest % 60))Z"
  }
}
