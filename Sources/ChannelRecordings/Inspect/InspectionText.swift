/// An inspection as a table for people.
public struct InspectionText {
  private let inspection: RecordingInspection

  /// - Parameter inspection: with channels brought together or not, as it is to be shown.
  public init(_ inspection: RecordingInspection) { self.inspection = inspection }

  /// The lines: sums first, then a line for each channel and below it one for each of its methods.
  public func lines() -> [String] {
    summary() + (inspection.rows.isEmpty ? [] : [""] + table()) + remarks()
  }

  /// `1,234,567`.
  static func grouped(_ number: UInt64) -> String {
    let digits = Array(String(number))
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// Microseconds in a unit that keeps them short: `834us`, `12.4ms`, `2.50s`.
  static func duration(_ microseconds: UInt64) -> String {
    switch microseconds {
    case ..<1_000: "\(microseconds)us"
    case ..<1_000_000: tenths(microseconds, 100) + "ms"
    case ..<1_000_000_000: tenths(microseconds, 100_000) + "s"
    default: grouped(microseconds / 1_000_000) + "s"
    }
  }

  /// Bytes in a unit that keeps them short: `834`, `12.4k`, `2.5M`.
  static func size(_ bytes: UInt64) -> String {
    switch bytes {
    case ..<10_000: "\(bytes)"
    case ..<10_000_000: tenths(bytes, 100) + "k"
    case ..<10_000_000_000: tenths(bytes, 100_000) + "M"
    default: tenths(bytes, 100_000_000) + "G"
    }
  }

  private static func tenths(_ number: UInt64, _ tenth: UInt64) -> String {
    let tenths = number / tenth
    return "\(tenths / 10).\(tenths % 10)"
  }

  static func plural(_ count: UInt64, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? one : many ?? one + "s")"
  }

  // MARK: - Sums

  private func summary() -> [String] {
    let total = inspection.total
    let span = UInt64(
      max(0, (inspection.lastTime ?? 0).subtractingReportingOverflow(inspection.firstTime ?? 0).0))
    var lines = [
      Self.plural(total.messages, "message") + ", "
        + Self.plural(total.answers, "reply", "replies") + " in \(Self.duration(span)) on "
        + Self.plural(UInt64(inspection.channelCount), "channel") + groupNote()
    ]
    var facts: [String] = []
    func fact(_ count: UInt64, _ one: String, _ many: String) {
      if count > 0 { facts.append(Self.plural(count, one, many)) }
    }
    fact(total.nullReplies, "null reply", "null replies")
    fact(total.errors, "error", "errors")
    fact(total.dropped, "dropped", "dropped")
    fact(total.refused, "refused", "refused")
    fact(total.doubleReplies, "double reply", "double replies")
    fact(total.overtaken, "reply out of order", "replies out of order")
    fact(inspection.answersWithoutMessage, "reply without a message", "replies without a message")
    if !facts.isEmpty { lines.append(facts.joined(separator: ", ")) }
    if total.unanswered > 0 {
      var kinds: [String] = []
      if total.neverAnswered > 0 {
        kinds.append("\(Self.grouped(total.neverAnswered)) never answered")
      }
      if total.openAtEnd > 0 { kinds.append("\(Self.grouped(total.openAtEnd)) open at the end") }
      if total.unheeded > 0 {
        kinds.append(
          "\(Self.grouped(total.unheeded)) of a kind that never is (events)")
      }
      lines.append(
        Self.plural(total.unanswered, "message") + " without an answer: "
          + kinds.joined(separator: ", "))
    }
    return lines
  }

  private func groupNote() -> String {
    let shown = inspection.channels.count
    guard shown < inspection.channelCount else { return "" }
    return " (\(Self.grouped(UInt64(shown))) but for ids in names)"
  }

  // MARK: - The table

  private static let heads = [
    "messages", "bytes", "largest", "replies", "null", "error", "none", "again", "late", "p50",
    "p90", "p99", "max",
  ]

  private func table() -> [String] {
    var cells: [(label: String, figures: [String])] = []
    for (number, channel) in inspection.channels.enumerated() {
      let rows = inspection.rows.filter { $0.channel == number }
      var sum = MethodRow(channel: number, direction: .dartToNative, shape: .other, method: nil)
      for row in rows { sum.add(row) }
      cells.append((channelLabel(channel), Self.figures(sum)))
      for row in rows {
        let arrow = row.direction == .dartToNative ? "->" : "<-"
        cells.append(("  \(arrow) \(row.label)", rows.count == 1 ? [] : Self.figures(row)))
      }
    }
    var widths = Self.heads.map(\.count)
    for cell in cells {
      for (column, figure) in cell.figures.enumerated() {
        widths[column] = max(widths[column], figure.count)
      }
    }
    let labelWidth = min(60, cells.map { $0.label.count }.max() ?? 0)
    func line(_ label: String, _ figures: [String]) -> String {
      var line = label
      if figures.isEmpty { return line }
      line += String(repeating: " ", count: max(0, labelWidth - label.count))
      for (column, figure) in figures.enumerated() {
        line += String(repeating: " ", count: widths[column] - figure.count + 2) + figure
      }
      return line
    }
    return [line("-> from Dart, <- to Dart", Self.heads)]
      + cells.map { line($0.label, $0.figures) }
  }

  private func channelLabel(_ channel: RecordingInspection.Channel) -> String {
    var label = channel.name
    if channel.members > 1 { label += " x\(channel.members)" }
    if let codec = channel.codec {
      label += " \(codec.rawValue)"
      if !channel.isGiven { label += " \(Int((channel.confidence * 100).rounded(.down)))%" }
    }
    return label
  }

  private static func figures(_ row: MethodRow) -> [String] {
    func time(_ share: Double) -> String { row.latency.percentile(share).map(duration) ?? "" }
    func count(_ number: UInt64) -> String { number == 0 ? "" : grouped(number) }
    return [
      grouped(row.messages), size(row.messageBytes + row.answerBytes),
      size(max(row.largestMessage, row.largestAnswer)), count(row.answers),
      count(row.nullReplies), count(row.errors), count(row.unanswered), count(row.doubleReplies),
      count(row.overtaken), time(0.5), time(0.9), time(0.99),
      row.latency.count == 0 ? "" : duration(row.latency.maximum),
    ]
  }

  // MARK: - What else there is to say

  private func remarks() -> [String] {
    var lines: [String] = []
    func remark(_ count: UInt64, _ one: String, _ many: String, _ text: String) {
      if count > 0 { lines.append(Self.plural(count, one, many) + " " + text) }
    }
    remark(
      inspection.reusedIDs, "message", "messages", "whose id was used again before an answer came")
    remark(
      inspection.givenUp, "message", "messages",
      "waited longer than memory allows: counted as unanswered, and an answer that comes still as "
        + "one without a message")
    remark(
      inspection.timesBackwards, "entry", "entries",
      "with a time before that of the entry in front")
    remark(inspection.malformed, "entry", "entries", "could not be read")
    if inspection.hasOtherMethods {
      lines.append("methods beyond \(RowTable.limit) are counted together for each channel")
    }
    if inspection.channelCount > ChannelTable.limit {
      lines.append("channels beyond \(ChannelTable.limit) are counted together")
    }
    return lines.isEmpty ? [] : [""] + lines
  }
}
