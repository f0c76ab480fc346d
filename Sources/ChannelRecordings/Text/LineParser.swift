import ChannelCodec
import ChannelRouter
import SystemInterface

/// Makes entries of lines. Keeps what one line has in common with the next.
struct LineParser {
  let maximumPayload: Int
  let keepsShown: Bool

  private let hex = HexTable()
  private var names = ChannelNameCache()
  private var nextSequence: UInt64 = 0
  private var lastMicroseconds: Int64 = 0

  init(maximumPayload: Int, keepsShown: Bool) {
    self.maximumPayload = maximumPayload
    self.keepsShown = keepsShown
  }

  /// What of a line has been read.
  private struct Parts {
    var seen: Fields = []
    var sequence: UInt64 = 0
    var microseconds: Int64 = 0
    var direction = RecordedEvent.Direction.dartToNative
    var channel: ChannelName?
    var id: UInt64 = 0
    var kind = KindWord.message
    var payload: [UInt8]?
    var isOneWay = false
    var connection: UInt64?
    var code = ""
    var text = ""
    var offset: Int?
    var unknown: [UInt8] = []
    var shown: [UInt8]?
  }

  private enum KindWord {
    case message
    case reply
    case dropped
    case refused
  }

  private struct Fields: OptionSet {
    let rawValue: UInt16
    static let seq = Fields(rawValue: 1)
    static let time = Fields(rawValue: 2)
    static let direction = Fields(rawValue: 4)
    static let channel = Fields(rawValue: 8)
    static let id = Fields(rawValue: 16)
    static let kind = Fields(rawValue: 32)
    static let hex = Fields(rawValue: 64)
    static let oneWay = Fields(rawValue: 128)
    static let connection = Fields(rawValue: 256)
    static let code = Fields(rawValue: 512)
    static let text = Fields(rawValue: 1024)
    static let offset = Fields(rawValue: 2048)
    static let shown = Fields(rawValue: 4096)

    static let usual: Fields = [.seq, .time, .direction, .channel, .id, .kind, .hex]
  }

  /// The entry that a line is, given without its end.
  mutating func event(_ line: UnsafeRawBufferPointer) throws(LineFault) -> RecordedEvent {
    var scanner = LineScanner(line)
    var parts = Parts()
    if try usualStart(&scanner, &parts) {
      if scanner.position &+ 1 == line.count, scanner.byte == UInt8(ascii: "}") {
        return try finish(&parts, line)
      }
    } else {
      scanner = LineScanner(line)
      parts = Parts()
      try scanner.beginObject()
    }
    while try scanner.nextMember(isFirst: parts.seen.isEmpty && parts.unknown.isEmpty) {
      try member(&scanner, &parts)
    }
    return try finish(&parts, line)
  }

  // MARK: - The usual order

  /// Reads the members in the order in which they are written here and in captures. False where a
  /// line has them otherwise, which is no fault.
  @inline(__always)
  private mutating func usualStart(
    _ scanner: inout LineScanner, _ parts: inout Parts
  ) throws(LineFault) -> Bool {
    guard scanner.take("{\"seq\":"), isDigit(scanner.byte) else { return false }
    parts.sequence = try scanner.unsigned("seq")
    guard scanner.take(",\"t_us\":"), isDigit(scanner.byte) else { return false }
    parts.microseconds = try scanner.signed("t_us")
    if scanner.take(",\"dir\":\"dart->native\"") {
      parts.direction = .dartToNative
    } else if scanner.take(",\"dir\":\"native->dart\"") {
      parts.direction = .nativeToDart
    } else {
      return false
    }
    guard scanner.take(",\"channel\":"), scanner.byte == UInt8(ascii: "\"") else { return false }
    parts.channel = try channel(&scanner)
    guard scanner.take(",\"id\":"), isDigit(scanner.byte) else { return false }
    parts.id = try scanner.unsigned("id")
    if scanner.take(",\"kind\":\"message\"") {
      parts.kind = .message
    } else if scanner.take(",\"kind\":\"reply\"") {
      parts.kind = .reply
    } else {
      return false
    }
    guard scanner.take(",\"hex\":") else { return false }
    try payload(&scanner, &parts)
    parts.seen = .usual
    return true
  }

  @inline(__always)
  private func isDigit(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return byte &- UInt8(ascii: "0") <= 9
  }

  // MARK: - Any order

  private mutating func member(
    _ scanner: inout LineScanner, _ parts: inout Parts
  ) throws(LineFault) {
    let start = scanner.position
    let name = try scanner.name()
    let field = Self.field(UnsafeRawBufferPointer(rebasing: scanner.line[name]))
    guard let field else {
      let value = try scanner.anyValue()
      if !parts.unknown.isEmpty { parts.unknown.append(UInt8(ascii: ",")) }
      parts.unknown += scanner.line[(name.lowerBound - 1)...name.upperBound]
      parts.unknown.append(UInt8(ascii: ":"))
      parts.unknown += scanner.line[value]
      return
    }
    guard parts.seen.insert(field).inserted else {
      let text = String(decoding: scanner.line[name], as: UTF8.self)
      throw LineFault(.fieldRepeated, at: start, "\"\(text)\" stands here twice")
    }
    switch field {
    case .seq: parts.sequence = try scanner.unsigned("seq")
    case .time: parts.microseconds = try scanner.signed("t_us")
    case .direction: parts.direction = try direction(&scanner)
    case .channel: parts.channel = try channel(&scanner)
    case .id: parts.id = try scanner.unsigned("id")
    case .kind: parts.kind = try kind(&scanner)
    case .hex: try payload(&scanner, &parts)
    case .oneWay: parts.isOneWay = try scanner.bool("oneway")
    case .connection: parts.connection = try scanner.unsigned("conn")
    case .code: parts.code = String(decoding: try scanner.text("code"), as: UTF8.self)
    case .text: parts.text = String(decoding: try scanner.text("text"), as: UTF8.self)
    case .offset:
      let place = scanner.position
      guard let offset = Int(exactly: try scanner.unsigned("offset")) else {
        throw LineFault(.numberTooLarge, at: place, "\"offset\" does not fit in 63 bits")
      }
      parts.offset = offset
    default:
      let value = try scanner.anyValue()
      if keepsShown { parts.shown = Array(scanner.line[value]) }
    }
  }

  private static func field(_ name: UnsafeRawBufferPointer) -> Fields? {
    func isName(_ text: StaticString) -> Bool {
      name.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
    if isName("shown") { return .shown }
    if isName("seq") { return .seq }
    if isName("t_us") { return .time }
    if isName("dir") { return .direction }
    if isName("channel") { return .channel }
    if isName("id") { return .id }
    if isName("kind") { return .kind }
    if isName("hex") { return .hex }
    if isName("oneway") { return .oneWay }
    if isName("conn") { return .connection }
    if isName("code") { return .code }
    if isName("text") { return .text }
    if isName("offset") { return .offset }
    return nil
  }

  private func direction(
    _ scanner: inout LineScanner
  ) throws(LineFault) -> RecordedEvent.Direction {
    if scanner.take("\"dart->native\"") { return .dartToNative }
    if scanner.take("\"native->dart\"") { return .nativeToDart }
    let start = scanner.position
    let text = scanner.byte == UInt8(ascii: "\"") ? try scanner.text("dir") : []
    if text == Array("dart->native".utf8) { return .dartToNative }
    if text == Array("native->dart".utf8) { return .nativeToDart }
    throw LineFault(
      .fieldInvalid, at: start,
      "\"dir\" is \(scanner.found(at: start)); it has to be \"dart->native\" or \"native->dart\"")
  }

  private func kind(_ scanner: inout LineScanner) throws(LineFault) -> KindWord {
    if scanner.take("\"message\"") { return .message }
    if scanner.take("\"reply\"") { return .reply }
    if scanner.take("\"dropped\"") { return .dropped }
    if scanner.take("\"refused\"") { return .refused }
    throw LineFault(
      .fieldInvalid, at: scanner.position,
      "\"kind\" is \(scanner.found(at: scanner.position)); "
        + "it has to be \"message\", \"reply\", \"dropped\" or \"refused\"")
  }

  private mutating func channel(_ scanner: inout LineScanner) throws(LineFault) -> ChannelName {
    let start = scanner.position
    guard scanner.byte == UInt8(ascii: "\"") else {
      throw LineFault(
        .fieldInvalid, at: start,
        "\"channel\" is \(scanner.found(at: start)); it has to be a string")
    }
    let range = try scanner.plainString()
    let plain = UnsafeRawBufferPointer(rebasing: scanner.line[range])
    if plain.contains(UInt8(ascii: "\\")) {
      scanner.position = start
      let bytes = try scanner.text("channel")
      if !bytes.isEmpty, let name = ChannelName(validating: bytes) { return name }
    } else if let name = names.name(of: plain) {
      return name
    }
    throw LineFault(
      .fieldInvalid, at: start,
      plain.isEmpty ? "\"channel\" is empty" : "\"channel\" has to be UTF-8 without NUL")
  }

  @inline(__always)
  private func payload(
    _ scanner: inout LineScanner, _ parts: inout Parts
  ) throws(LineFault) {
    if scanner.take("null") { return }
    let start = scanner.position
    guard scanner.byte == UInt8(ascii: "\"") else {
      throw LineFault(
        .fieldInvalid, at: start,
        "\"hex\" is \(scanner.found(at: start)); it has to be hexadecimal digits in quotes, "
          + "or null for no payload")
    }
    let rest = UnsafeRawBufferPointer(rebasing: scanner.line[(start &+ 1)...])
    if let count = SystemCalls.firstIndex(of: UInt8(ascii: "\""), in: rest), count & 1 == 0,
      count / 2 <= maximumPayload,
      let bytes = hex.bytes(of: UnsafeRawBufferPointer(rebasing: rest[..<count]))
    {
      parts.payload = bytes
      scanner.position = start &+ count &+ 2
      return
    }
    throw hexFault(scanner, try scanner.plainString())
  }

  @inline(never)
  private func hexFault(_ scanner: LineScanner, _ range: Range<Int>) -> LineFault {
    if range.count / 2 > maximumPayload {
      return LineFault(
        .payloadTooLong, at: range.lowerBound,
        "a payload of \(range.count / 2) bytes; at most \(maximumPayload) are read")
    }
    let text = UnsafeRawBufferPointer(rebasing: scanner.line[range])
    if let place = hex.firstFault(in: text) {
      let offset = range.lowerBound + place
      return LineFault(
        .invalidHex, at: offset,
        "\"hex\" has \(scanner.found(at: offset).prefix(1)), which is no hexadecimal digit")
    }
    return LineFault(
      .invalidHex, at: range.upperBound,
      "\"hex\" has an odd number of digits: the last byte lacks its second digit")
  }

  // MARK: -

  @inline(__always)
  private mutating func finish(
    _ parts: inout Parts, _ line: UnsafeRawBufferPointer
  ) throws(LineFault) -> RecordedEvent {
    guard parts.seen.isSuperset(of: .usual) || isComplete(parts), let channel = parts.channel,
      parts.kind == .message || parts.kind == .reply || parts.payload == nil
    else { throw incomplete(parts) }
    let sequence = parts.seen.contains(.seq) ? parts.sequence : nextSequence
    let time = parts.seen.contains(.time) ? parts.microseconds : lastMicroseconds
    nextSequence = sequence &+ 1
    lastMicroseconds = time
    let kind: RecordedEvent.Kind =
      switch parts.kind {
      case .message: .message
      case .reply: .reply
      case .dropped: .dropped
      case .refused:
        .refused(Refusal(code: parts.code, text: parts.text, offset: parts.offset))
      }
    var event = RecordedEvent(
      sequence: sequence, microseconds: time, direction: parts.direction, channel: channel,
      id: parts.id, kind: kind, payload: parts.payload, isOneWay: parts.isOneWay,
      connection: parts.connection)
    event.unknownFields = parts.unknown
    event.shown = parts.shown
    return event
  }

  /// Whether all is there that a line has to have: `seq` and `t_us` go on from the line before, and
  /// what was not answered has no payload.
  private func isComplete(_ parts: Parts) -> Bool {
    let needed: Fields =
      parts.kind == .message || parts.kind == .reply
      ? [.direction, .channel, .id, .kind, .hex] : [.direction, .channel, .id, .kind]
    return parts.seen.isSuperset(of: needed)
  }

  @inline(never)
  private func incomplete(_ parts: Parts) -> LineFault {
    if isComplete(parts), parts.payload != nil {
      return LineFault(
        .fieldInvalid, at: nil, "\"hex\" has to be null where nothing was answered")
    }
    let needed: [(Fields, String)] = [
      (.direction, "dir"), (.channel, "channel"), (.id, "id"), (.kind, "kind"), (.hex, "hex"),
    ]
    let missing = needed.filter { !parts.seen.contains($0.0) }.map { "\"\($0.1)\"" }
    return LineFault(
      .fieldMissing, at: nil, "the line lacks \(missing.joined(separator: ", "))")
  }
}
