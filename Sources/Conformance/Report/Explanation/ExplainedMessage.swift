import ChannelCodec
import ChannelNotation

/// A right message with the meaning of each of its bytes.
struct ExplainedMessage {
  let bytes: [UInt8]
  let lines: [AnnotatedDump.Line]

  /// Of a longer message the bytes are shown without their meaning.
  static let longestMessage = 1 << 20

  init(_ bytes: [UInt8], codec: NamedCodec.Name) {
    self.bytes = bytes
    lines =
      bytes.count > Self.longestMessage
      ? [] : AnnotatedDump.lines(of: bytes, codec: NamedCodec(codec, extensions: .pigeon))
  }

  /// The line about a byte; nil behind the end.
  func index(at offset: Int) -> Int? {
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].offset + lines[middle].bytes.count <= offset {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < lines.count, lines[low].bytes.indices.contains(offset) else { return nil }
    return low
  }

  /// What a byte belongs to, such as "padding before the float64 at $[1]".
  func meaning(at offset: Int) -> String? {
    guard let index = index(at: offset) else { return nil }
    let line = lines[index]
    let type = lines[...index].last { $0.role == .type }?.meaning ?? "value"
    let place = Self.place(line.path)
    return switch line.role {
    case .type: "the type byte of the \(type) \(place)"
    case .size: "the size of the \(type) \(place)"
    case .padding: "padding before the \(type) \(place)"
    case .content: "the content of the \(type) \(place) (\(line.meaning))"
    case .flag: "the first byte of the envelope, which says success (00) or error (01)"
    case .trailing, .fault: line.meaning
    }
  }

  /// What a byte of padding belongs to, where the padding itself may have no bytes.
  func owner(at offset: Int) -> String {
    let line = lines.last { $0.offset < offset && $0.role == .type }
    return "the \(line?.meaning ?? "value") \(Self.place(line?.path ?? ""))"
  }

  /// `at $[1]`; `at the top` for the value itself.
  static func place(_ path: String) -> String {
    if path.isEmpty { return "at the top ($)" }
    return "at " + (path.hasPrefix("[") ? "$" + path : path)
  }
}

/// Small texts that the explanations share.
enum Words {
  static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

  /// At most `limit` bytes as hex with spaces.
  static func hex(_ bytes: some Collection<UInt8>, limit: Int = 16) -> String {
    let shown = bytes.prefix(limit).map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }
    return shown.joined(separator: " ") + (bytes.count > limit ? " …" : "")
  }

  /// A number with a comma before every third digit.
  static func grouped(_ number: Int) -> String {
    let digits = Array("\(number.magnitude)")
    var text = number < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// The text, or its beginning where it is longer than `limit` characters.
  static func clipped(_ text: String, limit: Int = 120) -> String {
    if text.utf8.count <= limit { return text }
    let scalars = text.unicodeScalars
    guard scalars.dropFirst(limit).first != nil else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(limit - 1))) + "…"
  }

  static func text(of payload: Payload) -> String {
    switch payload {
    case .bytes(let bytes):
      bytes.isEmpty ? "an empty message (0 bytes)" : "the bytes \(hex(bytes)) (\(bytes.count))"
    case .noMessage, .value("null"): "no message at all (null)"
    case .value(let text): clipped(text)
    case .refusal(let text): text.isEmpty ? "an error" : "an error (\(clipped(text)))"
    }
  }
}
