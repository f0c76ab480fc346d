import ChannelRecordings

/// The outcome of a replay as a table: a line for each channel and method.
enum ReplayTable {
  private static let widestName = 60

  static func lines(_ summary: ReplaySummary) -> [String] {
    let rows = summary.methods.map { (name: name(of: $0.tally), tally: $0.tally) }
    let width = min(rows.map { $0.name.count }.max() ?? 0, widestName)
    var lines: [String] = []
    if !rows.isEmpty { lines.append(line("", width, ["messages", "same", "differ"])) }
    for row in rows {
      let tally = row.tally
      let same = tally.same + tally.ignored + tally.sameInDart
      var line = line(
        row.name, width, ["\(tally.count + tally.extra)", "\(same)", "\(tally.different)"])
      var notes: [String] = []
      if tally.ignored > 0 { notes.append("\(tally.ignored) with ignored differences") }
      if tally.sameInDart > 0 { notes.append("\(tally.sameInDart) only to Dart") }
      if tally.missing > 0 { notes.append("\(tally.missing) missing") }
      if tally.extra > 0 { notes.append("\(tally.extra) not recorded") }
      if !notes.isEmpty { line += "  " + notes.joined(separator: ", ") }
      lines.append(line)
    }
    lines.append(total(summary))
    return lines
  }

  private static func total(_ summary: ReplaySummary) -> String {
    var parts = [
      "\(summary.sent) sent" + (summary.expected > 0 ? ", \(summary.expected) expected" : "")
    ]
    parts.append("\(summary.same + summary.ignored + summary.sameInDart) as recorded")
    parts.append(summary.different == 1 ? "1 differs" : "\(summary.different) differ")
    if summary.faults > 0 { parts.append("\(summary.faults) faults in the recording") }
    if summary.skipped > 0 { parts.append("\(summary.skipped) entries of other channels") }
    if summary.late > 0 { parts.append("\(summary.late) answers came too late") }
    return parts.joined(separator: ", ")
  }

  private static func name(of tally: ReplayTally) -> String {
    let method = tally.method.map { " \($0)" } ?? ""
    return "\(tally.channel)\(method)\(tally.isToDart ? " (to Dart)" : "")"
  }

  private static func line(_ name: String, _ width: Int, _ cells: [String]) -> String {
    let shown = name.count > width ? String(name.prefix(max(width - 1, 0))) + "…" : name
    var line = shown + String(repeating: " ", count: max(0, width - shown.count))
    for cell in cells {
      line += String(repeating: " ", count: max(2, 10 - cell.utf8.count)) + cell
    }
    return line
  }
}
