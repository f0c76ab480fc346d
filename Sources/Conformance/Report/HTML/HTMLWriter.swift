import TerminalSafety

/// HTML as bytes. Whatever comes from outside goes through ``text(_:)``, never through ``raw(_:)``.
struct HTMLWriter {
  private(set) var bytes: [UInt8] = []

  /// Markup of our own.
  mutating func raw(_ markup: String) { bytes += markup.utf8 }

  /// Text, in an element or in a quoted attribute. What turns the direction of writing, and
  /// controls other than the line end, show as escapes.
  mutating func text(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": raw("&amp;")
      case "<": raw("&lt;")
      case ">": raw("&gt;")
      case "\"": raw("&quot;")
      case "'": raw("&#39;")
      case "\n": raw("\n")
      default:
        if scalar.isSafeForTerminal {
          bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        } else {
          raw("\\u{\(String(scalar.value, radix: 16))}")
        }
      }
    }
  }

  /// An element with text in it.
  mutating func element(_ name: String, _ text: String, class style: String? = nil) {
    raw("<\(name)")
    if let style { raw(" class=\"\(style)\"") }
    raw(">")
    self.text(text)
    raw("</\(name)>")
  }

  /// ` name="text"`.
  mutating func attribute(_ name: String, _ text: String) {
    raw(" \(name)=\"")
    self.text(text)
    raw("\"")
  }

  /// A name for the place of a case or area in the page: one word, as ids have no spaces.
  static func anchor(_ text: String) -> String {
    String(text.map { $0.isWhitespace ? "_" : $0 })
  }
}
