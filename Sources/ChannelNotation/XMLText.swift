/// Text in XML 1.0, for the reports that other programs read.
public enum XMLText {
  /// `text` for an attribute's value or for content. XML has no way to write most control
  /// characters, so they show as what they are called.
  public static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n": escaped += "&#10;"
      case "\t": escaped += "&#9;"
      default:
        if scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
          || (0xfffe...0xffff).contains(scalar.value)
        {
          escaped += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          escaped.unicodeScalars.append(scalar)
        }
      }
    }
    return escaped
  }
}
