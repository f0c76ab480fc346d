/// Makes an input that shows a fault as small as it gets by trying.
enum Minimizer {
  static func smallest(_ input: [UInt8], _ shows: ([UInt8]) -> Bool) -> [UInt8] {
    var best = input
    var tries = 6000
    func attempt(_ candidate: [UInt8]) -> Bool {
      guard tries > 0, candidate != best else { return false }
      tries -= 1
      guard shows(candidate) else { return false }
      best = candidate
      return true
    }
    var isSmaller = true
    while isSmaller && tries > 0 {
      isSmaller = false
      var length = max(1, best.count / 2)
      while length > 0 {
        var at = 0
        while at + length <= best.count {
          if attempt(Array(best[..<at] + best[(at + length)...])) {
            isSmaller = true
          } else {
            at += length
          }
        }
        length /= 2
      }
      for at in best.indices where best[at] != 0 {
        for smaller in [0, 1, best[at] >> 1, best[at] - 1] where smaller < best[at] {
          var candidate = best
          candidate[at] = smaller
          if attempt(candidate) {
            isSmaller = true
            break
          }
        }
      }
    }
    return best
  }
}
