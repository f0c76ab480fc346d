/// What a stream is that does not begin with a hello, as far as its first bytes tell. Most of the
/// time something else has been connected, and naming it is more help than an offset.
public struct ForeignStream: Hashable, Sendable {
  /// What the first bytes look like.
  public enum Kind: String, Sendable, CaseIterable {
    case webSocket = "web-socket"
    case http
    case languageServer = "language-server"
    case tls
    case ssh
    case gzip
    case json
    case utf16Text = "utf-16-text"
    case hexadecimal
    case lines
    case text
    case zeroes
    case littleEndianPrefix = "little-endian-prefix"
    case bigEndianPrefix = "big-endian-prefix"
    case bareMessage = "bare-message"
    case almostHello = "almost-hello"
    case unknown
  }

  /// The best guess.
  public let kind: Kind
  /// One line: what was seen and what to do.
  public let line: String

  /// - Parameter bytes: the first bytes of the stream; some hundred are enough.
  public init(_ bytes: some Collection<UInt8>) {
    let start = Array(bytes.prefix(256))
    kind = Self.recognize(start)
    line = Self.line(kind, start)
  }

  /// The offset of the first byte that no stream of frames has there, which holds for a frame of
  /// any known kind: a missing hello is another problem.
  static func firstWrongByte(_ bytes: UnsafeRawBufferPointer, _ limits: FrameLimits) -> Int? {
    // A hello is at most 65,535 bytes.
    for position in 2..<4 where bytes.count > position && bytes[position] != 0 { return position }
    guard bytes.count > 4 else { return nil }
    guard FrameKind(rawValue: bytes[4]) != nil else { return 4 }
    if bytes.count > 5, bytes[5] & ~3 != 0 { return 5 }
    let isHello = bytes[4] == FrameKind.hello.rawValue
    if isHello {
      for position in 6..<8 where bytes.count > position && bytes[position] != 0 { return position }
      for position in 8..<16 where bytes.count > position {
        let expected = UInt8(truncatingIfNeeded: Hello.magic >> UInt64((position - 8) * 8))
        if bytes[position] != expected { return position }
      }
    } else if bytes.count > 7 {
      let length = Int(bytes[6]) | Int(bytes[7]) << 8
      if length > limits.maximumChannelName { return 6 }
    }
    return nil
  }

  // MARK: Recognizing

  private static func recognize(_ bytes: [UInt8]) -> Kind {
    if isHelloHead(bytes) { return .almostHello }
    if matches(bytes, httpMethods) {
      return contains(bytes, "upgrade: websocket") ? .webSocket : .http
    }
    if matches(bytes, ["HTTP/"]) { return .http }
    if matches(bytes, ["Content-Length", "Content-Type"]) { return .languageServer }
    if matches(bytes, ["SSH-"]) { return .ssh }
    if bytes.count >= 3, bytes[0] == 0x16, bytes[1] == 3, bytes[2] <= 4 { return .tls }
    if bytes.count >= 3, bytes[0] == 0x1f, bytes[1] == 0x8b { return .gzip }
    if bytes.count >= 2, bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
      return .utf16Text
    }
    if let kind = recognizeText(bytes) { return kind }
    return recognizeBinary(bytes)
  }

  private static let httpMethods = [
    "GET /", "POST /", "PUT /", "HEAD /", "DELETE /", "OPTIONS ", "CONNECT ", "PATCH /",
    "PRI * HTTP",
  ]

  /// No payload and an empty one, in the text framing.
  private static let marks = ["-", "\"\""]

  private static func isHelloHead(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 16 && bytes[4...7].elementsEqual([FrameKind.hello.rawValue, 0, 0, 0])
      && bytes[8..<16].elementsEqual("PWBRIDGE".utf8)
  }

  private static func recognizeText(_ bytes: [UInt8]) -> Kind? {
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    let isText = text.allSatisfy { $0 >= 0x20 && $0 != 0x7f || [0x09, 0x0a, 0x0d].contains($0) }
    guard isText, !text.isEmpty else { return nil }
    let shown = text.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    guard let first = shown.first else { return .text }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .json }
    let line = shown.prefix { $0 != 0x0a && $0 != 0x0d }
    let words = line.split(separator: UInt8(ascii: " "))
    if line.count >= 4, words.allSatisfy(isHex) { return .hexadecimal }
    if words.count >= 2, !isHex(words[0]) {
      let rest = words.dropFirst()
      let isPayload = rest.allSatisfy { isHex($0) && $0.count % 2 == 0 }
      let isMark = rest.count == 1 && marks.contains { words[1].elementsEqual($0.utf8) }
      if isPayload || isMark { return .lines }
    }
    return .text
  }

  private static func recognizeBinary(_ bytes: [UInt8]) -> Kind {
    if bytes.allSatisfy({ $0 == 0 }) { return .zeroes }
    guard bytes.count >= 3 else { return .unknown }
    // Two numbers below 65,536, read from either end; what follows decides.
    if bytes.count >= 4, bytes[2] == 0, bytes[3] == 0, bytes[0] != 0 || bytes[1] != 0 {
      return .littleEndianPrefix
    }
    if bytes[0] == 0, bytes[1] == 0 || bytes[1] <= 0x0f {
      // `00` and a value is also a success envelope; a prefix counts what follows.
      if bytes.count >= 4, bigEndian(bytes) >= max(bytes.count - 4, 1) || bytes[1] == 0 {
        return .bigEndianPrefix
      }
      return bytes.count >= 4 ? .bareMessage : .unknown
    }
    return startsLikeMessage(bytes) ? .bareMessage : .unknown
  }

  /// A standard-codec value that can only be a method call, a list or a map, or an envelope.
  private static func startsLikeMessage(_ bytes: [UInt8]) -> Bool {
    switch bytes[0] {
    case 0x07:
      let length = Int(bytes[1])
      return length > 0 && length < 254
        && bytes.dropFirst(2).prefix(length).allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    case 0x0c, 0x0d: return bytes[1] < 254 && bytes[2] <= 0x0e
    case 0x00, 0x01: return bytes[1] <= 0x0e
    default: return false
    }
  }

  private static func bigEndian(_ bytes: [UInt8]) -> Int {
    bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  private static func littleEndian(_ bytes: [UInt8]) -> Int {
    bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Whether the bytes begin with a marker, or are the beginning of one and too few to tell.
  private static func matches(_ bytes: [UInt8], _ markers: [String]) -> Bool {
    markers.contains { marker in
      bytes.starts(with: marker.utf8) || (bytes.count >= 3 && marker.utf8.starts(with: bytes))
    }
  }

  private static func contains(_ bytes: [UInt8], _ lowercased: String) -> Bool {
    let needle = Array(lowercased.utf8)
    let text = bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    guard text.count >= needle.count else { return false }
    return (0...(text.count - needle.count)).contains { text[$0...].starts(with: needle) }
  }

  private static func isHex(_ word: ArraySlice<UInt8>) -> Bool {
    !word.isEmpty
      && word.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || (0x41...0x46).contains($0)
      }
  }

  // MARK: Words

  private static func line(_ kind: Kind, _ bytes: [UInt8]) -> String {
    let (what, advice) = words(kind, bytes)
    return "this is no stream of frames: it begins with \(shown(bytes)), \(what); \(advice)"
  }

  private static func words(_ kind: Kind, _ bytes: [UInt8]) -> (what: String, advice: String) {
    let frames = "a client sends a hello frame first (Protocol/frames.md)"
    switch kind {
    case .webSocket:
      return (
        "a WebSocket handshake, as the Dart VM service gets it",
        "frames go over stdin and stdout or a Unix socket, without HTTP"
      )
    case .http:
      return ("HTTP", "there is no HTTP here; \(frames)")
    case .languageServer:
      return ("the header of an LSP or DAP message", "frames have a binary head instead; \(frames)")
    case .tls: return ("a TLS handshake", "the socket is plain, with no TLS on it")
    case .ssh: return ("an SSH greeting", "frames go through an SSH tunnel, not to SSH itself")
    case .gzip: return ("gzip data", "decompress it first")
    case .json:
      return ("JSON", "payloads are codec bytes inside frames; `pwbridge call` takes JSON")
    case .utf16Text: return ("UTF-16 text", "frames are binary; for text give --framing lines")
    case .hexadecimal:
      return ("hexadecimal text", "frames are binary: turn it into bytes first (xxd -r -p)")
    case .lines: return ("a line of the text framing", "give --framing lines")
    case .text: return ("text", "frames are binary; to type messages give --framing lines")
    case .zeroes: return ("zeroes only", "\(frames)")
    case .littleEndianPrefix:
      return (
        "perhaps a little-endian length of \(littleEndian(bytes)) before a message",
        "a frame has a head of 16 bytes, and \(frames)"
      )
    case .bigEndianPrefix:
      return (
        "perhaps a big-endian length of \(bigEndian(bytes)) before a message",
        "a frame has a little-endian head of 16 bytes, and \(frames)"
      )
    case .bareMessage:
      return ("a channel message without a frame", "put it into a message frame; \(frames)")
    case .almostHello:
      return (
        "a hello of \(littleEndian(bytes)) bytes",
        "a hello has \(FrameLimits.largestHello) at most"
      )
    case .unknown: return ("nothing known", "\(frames)")
    }
  }

  /// The first bytes: as text where they are printable, otherwise in hexadecimal.
  private static func shown(_ bytes: [UInt8]) -> String {
    let printable = bytes.prefix { $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") }
    if printable.count >= 3 || (!bytes.isEmpty && printable.count == bytes.count) {
      return "\"" + String(decoding: printable.prefix(24), as: UTF8.self) + "\""
    }
    let digits = bytes.prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return digits.joined(separator: " ")
  }
}
