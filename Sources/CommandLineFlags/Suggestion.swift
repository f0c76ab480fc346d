/// Finds what a mistyped word was meant to be.
enum Suggestion {
  /// The candidate nearest to `word`, or nil where none is near enough to be worth offering.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    // A hostile argument may be long; what is longer than any name resembles none.
    guard word.utf8.count <= 40, !word.isEmpty else { return nil }
    let folded = Array(word.lowercased())
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let name = Array(candidate.lowercased())
      let distance = distance(folded, name)
      guard distance <= max(1, min(folded.count, name.count) / 3) else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    if let best { return best.name }
    let longer = candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// How many letters to insert, drop, change or swap with their neighbour turn `left` into `right`
  /// (optimal string alignment).
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return left.count + right.count }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        var cost = min(
          last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          cost = min(cost, beforeLast[column - 2] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
