import TerminalSafety

/// Finds what a mistyped name was meant to be.
enum NearMiss {
  /// `; did you mean X?`, or `; there are A, B and C`.
  static func hint(for word: String, among names: [String]) -> String {
    if let near = nearest(to: word, among: names) { return "; did you mean \(near)?" }
    guard let last = names.last else { return "" }
    guard names.count > 1 else { return "; there is \(last)" }
    return "; there are \(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// The name nearest to `word`, case aside; nil where none is near.
  static func nearest(to word: String, among names: [String]) -> String? {
    // What is longer than any name resembles none, and comparing takes time.
    guard !word.isEmpty, word.utf8.count <= 64 else { return nil }
    let word = Array(word.lowercased().utf8)
    var best: (name: String, distance: Int)?
    for name in names {
      let other = Array(name.lowercased().utf8)
      let distance = distance(word, other)
      guard distance <= max(1, min(word.count, other.count) / 3) else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (name, distance) }
    }
    if let best { return best.name }
    let longer = names.filter { $0.lowercased().utf8.starts(with: word) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// How many letters to insert, drop or change turn one into the other.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        current.append(
          min(
            last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1))
      }
      last = current
    }
    return last[right.count]
  }

  /// Text from outside, for a message: short, on one line, in quotation marks.
  static func quoted(_ text: some StringProtocol) -> String {
    let most = 60
    var shown = ""
    for scalar in text.unicodeScalars.prefix(most) {
      shown.unicodeScalars.append(scalar.isSafeForTerminal ? scalar : "\u{fffd}")
    }
    return "\"\(shown)\(text.unicodeScalars.dropFirst(most).isEmpty ? "" : "…")\""
  }
}
