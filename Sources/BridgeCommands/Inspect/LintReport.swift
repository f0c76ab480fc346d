import ChannelRecordings

/// The findings of a lint for people, or as JSON.
enum LintReport {
  static func lines(_ groups: [RecordingLint.Group], form: RecordingForm) -> [String] {
    if groups.isEmpty { return ["nothing found"] }
    var lines: [String] = []
    for group in groups {
      if !lines.isEmpty { lines.append("") }
      let count = group.count == 1 ? "" : " x\(group.count)"
      lines.append("\(group.rule.rawValue)\(count)  [\(group.rule.platform)]")
      lines.append("  \(group.rule.reason)")
      for finding in group.first { lines.append("    \(line(finding, form))") }
      let more = group.count - UInt64(group.first.count)
      if more > 0, !group.first.isEmpty { lines.append("    and \(more) more") }
    }
    return lines
  }

  private static func line(_ finding: LintFinding, _ form: RecordingForm) -> String {
    var line = form == .text ? "line \(finding.place): " : "byte \(finding.place): "
    switch finding.direction {
    case .dartToNative: line += "-> "
    case .nativeToDart: line += "<- "
    case nil: break
    }
    line += finding.channel
    if let method = finding.method { line += " \(method)" }
    line += ": \(finding.found)"
    if let path = finding.path { line += " at \(path)" }
    if let offset = finding.offset { line += " (byte \(offset))" }
    return line.safeForLine
  }

  static func json(_ groups: [RecordingLint.Group]) -> String {
    let rules = groups.map { group in
      let findings = group.first.map { finding in
        var members = ["\"place\":\(finding.place)"]
        if let direction = finding.direction { members.append("\"dir\":\"\(direction.text)\"") }
        members.append("\"channel\":\(CallLine.string(finding.channel))")
        if let method = finding.method { members.append("\"method\":\(CallLine.string(method))") }
        if let path = finding.path { members.append("\"path\":\(CallLine.string(path))") }
        if let offset = finding.offset { members.append("\"offset\":\(offset)") }
        members.append("\"found\":\(CallLine.string(finding.found))")
        return "{\(members.joined(separator: ","))}"
      }
      return "{\"rule\":\"\(group.rule.rawValue)\",\"count\":\(group.count),"
        + "\"platform\":\(CallLine.string(group.rule.platform)),"
        + "\"reason\":\(CallLine.string(group.rule.reason)),"
        + "\"findings\":[\(findings.joined(separator: ","))]}"
    }
    return "{\"lint\":[\(rules.joined(separator: ","))]}"
  }
}
