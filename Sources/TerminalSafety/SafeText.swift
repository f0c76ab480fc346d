extension String {
  /// The text in quotes, fit for a terminal: what could move the cursor, change colours or turn the
  /// direction of writing is escaped, and a long text is cut.
  public var quotedForTerminal: String {
    let limit = 60
    let isCut = unicodeScalars.dropFirst(limit).first != nil
    let shown = String(String.UnicodeScalarView(unicodeScalars.prefix(limit)))
    return "\"" + shown.safeForTerminal(escaping: ["\"", "\\"]) + (isCut ? "…\"" : "\"")
  }

  /// The whole text without quotes, fit for one line of a terminal.
  public var safeForTerminal: String {
    if utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return self }
    return safeForTerminal(escaping: [])
  }

  private func safeForTerminal(escaping marks: Set<Unicode.Scalar>) -> String {
    var safe = ""
    for scalar in unicodeScalars {
      if marks.contains(scalar) {
        safe += "\\\(scalar)"
      } else if scalar.isSafeForTerminal {
        safe.unicodeScalars.append(scalar)
      } else {
        safe += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return safe
  }
}
