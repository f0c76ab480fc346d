/// When output is coloured.
public enum ColorChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never

  /// `NO_COLOR` counts when it is set and not empty (https://no-color.org); an explicit `always`
  /// overrules it.
  func resolved(isTerminal: Bool, noColor: String?, term: String?) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: isTerminal && (noColor ?? "").isEmpty && term != nil && term != "dumb"
    }
  }
}

/// The colours of a terminal's own palette, which follow the user's theme.
enum Color: Int {
  case red = 31
  case green = 32
  case yellow = 33
  case blue = 34
  case magenta = 35
  case cyan = 36
  case grey = 90

  func paint(_ text: String) -> String { "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" }
}
