import TerminalSafety

/// Areas and how their cases ended, one line each; columns in which nothing would stand are left
/// out.
struct AreaTable {
  let rows: [(area: String, tally: ResultTally)]
  let total: ResultTally
  let style: TerminalStyle

  private struct Column: Sendable {
    let title: String
    let group: String
    let number: @Sendable (ResultTally) -> Int
    var isBad = true
  }

  private static let columns: [Column] = [
    Column(title: "pass", group: "required", number: { $0.requiredPass }, isBad: false),
    Column(title: "fail", group: "required", number: { $0.requiredFail }),
    Column(title: "pass", group: "recommended", number: { $0.recommendedPass }, isBad: false),
    Column(title: "fail", group: "recommended", number: { $0.recommendedFail }),
    Column(title: "skip", group: "", number: { $0.skipped }, isBad: false),
    Column(title: "crash", group: "", number: { $0.crash }),
    Column(title: "hang", group: "", number: { $0.timeout }),
    Column(title: "proto", group: "", number: { $0.protocolError }),
    Column(title: "known", group: "", number: { $0.known }, isBad: false),
  ]

  var lines: [String] {
    let columns = Self.columns.filter { !$0.group.isEmpty || $0.number(total) > 0 }
    let widths = columns.map { column in
      max(column.title.count + 1, 6, "\(column.number(total))".count + 1)
    }
    let rest = TerminalReport.width - widths.reduce(0, +)
    let longest = rows.map { $0.area.safeForTerminal.count }.max() ?? 0
    let nameWidth = max(8, min(rest, max(longest, 5)))
    var groups = TerminalText.left("", nameWidth)
    var titles = TerminalText.left("area", nameWidth)
    var place = 0
    while place < columns.count {
      let group = columns[place].group
      var width = 0
      while place < columns.count, columns[place].group == group {
        titles += TerminalText.right(columns[place].title, widths[place])
        width += widths[place]
        place += 1
      }
      groups += TerminalText.right(group, width)
    }
    while groups.last == " " { groups.removeLast() }
    let body = (rows + [("total", total)]).map { row in
      let name = Words.clipped(row.area.safeForTerminal, limit: nameWidth)
      return zip(columns, widths).reduce(TerminalText.left(name, nameWidth)) { line, column in
        let number = column.0.number(row.tally)
        let text = TerminalText.right(number == 0 ? "." : "\(number)", column.1)
        return line + (number > 0 && column.0.isBad ? style.red(text) : text)
      }
    }
    return [groups, titles] + body
  }
}
