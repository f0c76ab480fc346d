/// Whether tags of an XML or HTML text open and close as they should, and which elements and texts
/// there are. Knows just enough for our own files.
struct MarkupCheck {
  private(set) var elements: [String: Int] = [:]
  private(set) var text = ""
  /// What is wrong; empty when all is well.
  private(set) var faults: [String] = []

  private static let empty: Set<String> = ["meta", "link", "input", "br", "wbr"]

  /// - Parameter isHTML: some elements have no end, list items need none, and the contents of style
  ///   and script are no markup.
  init(_ markup: String, isHTML: Bool) {
    var open: [String] = []
    var rest = Substring(markup)
    while let start = rest.firstIndex(of: "<") {
      text += rest[..<start]
      guard let end = Self.end(of: rest[start...]) else {
        faults.append("a tag without end: \(rest[start...].prefix(40))")
        return
      }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("?") || tag.hasPrefix("!doctype") { continue }
      if tag.hasPrefix("/") {
        let name = String(tag.dropFirst())
        if isHTML, name != "li", open.last == "li" { open.removeLast() }
        if open.popLast() != name { faults.append("</\(name)> closes nothing") }
        continue
      }
      let name = String(tag.prefix { $0.isLetter || $0.isNumber })
      elements[name, default: 0] += 1
      if name.isEmpty { faults.append("no tag: <\(tag.prefix(40))>") }
      if tag.hasSuffix("/") || (isHTML && Self.empty.contains(name)) { continue }
      if isHTML, name == "li", open.last == "li" { open.removeLast() }
      open.append(name)
      if isHTML, name == "style" || name == "script" {
        guard let close = rest.firstRange(of: "</\(name)>") else {
          faults.append("no end of \(name)")
          return
        }
        rest = rest[close.lowerBound...]
      }
    }
    text += rest
    if !open.isEmpty { faults.append("open at the end: \(open)") }
    for piece in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
      let name = piece.prefix { $0 != ";" }
      let isReference = ["amp", "lt", "gt", "quot", "#39", "#10", "#9"].contains(String(name))
      if !isReference { faults.append("a bare &: \(piece.prefix(20))") }
    }
  }

  /// Where a tag ends, quoted attributes apart.
  private static func end(of tag: Substring) -> Substring.Index? {
    var isQuoted = false
    for index in tag.indices {
      if tag[index] == "\"" { isQuoted.toggle() }
      if tag[index] == ">", !isQuoted { return index }
    }
    return nil
  }
}
