/// Reads a message as one platform's decoder does, odd input included. It follows
/// ``DecodingRules``, tells errors with offset and path, and can note what every byte is.
///
/// The fast reader, ``MessageIndexer``, is for messages with nothing odd about them; this one is the
/// reference that it must agree with.
struct ProfileDecoder {
  /// 512 MiB. A value written anew takes up to four times the bytes that it was read from (`0.0,` in
  /// JSON is a double behind padding), and offsets in a value are 32 bits wide.
  static let largestMessage = 1 << 29

  let bytes: [UInt8]
  let platform: Platform
  let extensions: ExtensionTypes
  let maximumDepth: Int
  var position = 0
  var notes: [String] = []
  /// What every byte is; nil where nobody asks.
  var spans: [MessageSpan]?

  var builder = ValueBuilder()
  var tracker = PathTracker()
  var procedureDepth = 0
  var outerDepth = 0
  /// Values taken for granted behind the end of the message.
  var inventedCount = 0

  init(
    _ bytes: [UInt8], profile: Profile, extensions: ExtensionTypes, maximumDepth: Int,
    isAnnotating: Bool = false
  ) {
    self.bytes = bytes
    self.platform = Platform.of(profile)
    self.extensions = extensions
    self.maximumDepth = maximumDepth
    self.spans = isAnnotating ? [] : nil
  }

  var bytesLeft: Int { max(0, bytes.count - position) }
  var isAtEnd: Bool { position >= bytes.count }

  // MARK: - Values

  /// Reads the next value; `part` names it in paths.
  mutating func value(_ part: String? = nil) throws(CodecError) -> Value {
    try value(at: ValuePath(part.map { [.part($0)] } ?? []))
  }

  mutating func value(at base: ValuePath) throws(CodecError) -> Value {
    guard bytes.count <= ProfileDecoder.largestMessage else {
      throw ProfileDecoder.tooLarge(bytes.count)
    }
    builder = ValueBuilder()
    tracker = PathTracker(base: base)
    repeat {
      try element()
      for _ in 0..<tracker.endFinished() { builder.end() }
    } while tracker.depth > 0
    let settled = builder.finish().settlingMaps(
      equality: platform.decoding.keys, repeated: platform.decoding.repeatedKeys,
      sorts: platform.decoding.mapOrder.isSorted)
    if case .unspecified(let table) = platform.decoding.mapOrder, settled.hasMapOrder {
      note("map order unspecified (\(table))")
    }
    return settled
  }

  static func tooLarge(_ count: Int) -> CodecError {
    CodecError(
      .messageTooLarge, offset: 0, expected: "at most \(largestMessage) bytes", found: "\(count)")
  }

  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  var path: ValuePath { tracker.path }

  mutating func element() throws(CodecError) {
    if isAtEnd {
      try oddity(
        platform.decoding.missingValue, .truncated, at: bytes.count, expected: "a type byte",
        found: "the end of the message")
      try invent()
      return append(.null)
    }
    let start = position
    let type = bytes[start]
    position += 1
    try element(ofType: type, at: start)
  }

  /// What follows the type byte at `start`.
  mutating func element(ofType type: UInt8, at start: Int) throws(CodecError) {
    switch WireType(rawValue: type) {
    case .null: leaf(start, "null", .null)
    case .true: leaf(start, "true", .bool(true))
    case .false: leaf(start, "false", .bool(false))
    case .int32: try int32(start)
    case .int64: try int64(start)
    case .float64: try float64(start)
    case .largeInteger: try largeInteger(start)
    case .string: try string(start, name: "string")
    case .uint8List: try typedList(start, .uint8)
    case .int32List: try typedList(start, .int32)
    case .int64List: try typedList(start, .int64)
    case .float32List: try typedList(start, .float32)
    case .float64List: try typedList(start, .float64)
    case .list: try container(start, .list)
    case .map: try container(start, .map)
    case nil: try custom(start, type)
    }
  }

  mutating func append(_ value: Value) {
    builder.append(value)
    tracker.leaf(value)
  }

  mutating func leaf(_ start: Int, _ name: String, _ value: Value) {
    mark(start..<position, .type, name)
    append(value)
  }

  // MARK: - Errors and spans

  func error(
    _ code: CodecError.Code, at offset: Int, expected: String, found: String,
    consequence: CodecError.Consequence = .refusal, platformError: String? = nil
  ) -> CodecError {
    CodecError(
      code, offset: offset, path: path, expected: expected, found: found,
      consequence: consequence, platformError: platformError)
  }

  /// Throws what the platform does at an oddity, or returns where it goes on.
  mutating func oddity(
    _ oddity: DecodingRules.Oddity, _ code: CodecError.Code, at offset: Int, expected: String,
    found: String
  ) throws(CodecError) {
    let (consequence, text): (CodecError.Consequence, String?)
    switch oddity {
    case .accept: return
    case .refuse(let platformError): (consequence, text) = (.refusal, platformError)
    case .crash(let what): (consequence, text) = (.crash, what)
    case .unspecified(let what): (consequence, text) = (.unspecified, what)
    }
    throw error(
      code, at: offset, expected: expected, found: found, consequence: consequence,
      platformError: text)
  }

  /// Notes what bytes are; the words are made only where somebody asked.
  mutating func mark(
    _ range: Range<Int>, _ role: MessageSpan.Role, _ meaning: @autoclosure () -> String
  ) {
    guard spans != nil else { return }
    let span = MessageSpan(
      range: range, role: role, meaning: meaning(), path: path, depth: tracker.depth)
    spans?.append(span)
  }
}
