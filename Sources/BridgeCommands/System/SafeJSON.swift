import CommandLineFlags
import TerminalSafety

extension String {
  /// JSON with the characters that are unfit for a terminal escaped. They can only stand inside
  /// string literals, where an escape means the same.
  var jsonSafeForTerminal: String {
    if utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return self }
    var safe = ""
    for scalar in unicodeScalars {
      if scalar.isSafeForTerminal {
        safe.unicodeScalars.append(scalar)
      } else {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let digits = String(unit, radix: 16)
          safe += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return safe
  }
}
