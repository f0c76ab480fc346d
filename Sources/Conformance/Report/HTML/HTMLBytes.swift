import ChannelNotation

extension HTMLWriter {
  /// Expected and actual bytes next to each other, and what the expected ones mean.
  mutating func bytes(_ pair: SideBySide) {
    raw("<div class=\"bytes\">")
    column("expected", pair, isExpected: true)
    column("actual", pair, isExpected: false)
    raw("</div>\n")
    guard !pair.meanings.isEmpty else { return }
    raw("<div class=\"scroll\"><table class=\"dump\"><caption>The expected bytes</caption>\n")
    for line in pair.meanings {
      raw(pair.isWrong(line) ? "<tr class=\"here\">" : "<tr>")
      raw("<td>\(line.offset)</td><td><code>")
      text(Words.hex(line.bytes, limit: 8))
      raw("</code></td><td>")
      text(line.meaning)
      if !line.path.isEmpty {
        raw(" ")
        element("small", line.path)
      }
      raw("</td></tr>\n")
    }
    raw("</table></div>\n")
  }

  private mutating func column(_ title: String, _ pair: SideBySide, isExpected: Bool) {
    raw("<figure><figcaption>\(title)</figcaption><pre>")
    if pair.leftOutBefore > 0 {
      raw("<span class=\"gap\">… \(pair.leftOutBefore) bytes …</span>\n")
    }
    for row in pair.rows {
      let bytes = isExpected ? row.expected : row.actual
      let offset = TerminalText.right("\(row.offset)", 5)
      raw("<span class=\"at\">\(offset)</span>")
      for (place, byte) in bytes.enumerated() {
        let hex = SideBySide.hex(CollectionOfOne(byte))
        raw(row.differing.contains(place) ? " <b>\(hex)</b>" : " \(hex)")
      }
      // Bytes that only the other column has show as gaps.
      for place in bytes.count..<SideBySide.rowLength where row.differing.contains(place) {
        raw(" <s>··</s>")
      }
      raw("\n")
    }
    if pair.leftOutBehind > 0 { raw("<span class=\"gap\">… \(pair.leftOutBehind) bytes …</span>") }
    raw("</pre></figure>")
  }
}
