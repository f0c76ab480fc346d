/// Reads a message as one platform's decoder does, odd input included. It follows
/// ``DecodingRules``, tells errors with offset and path, and can note what every byte is.
///
/// The fast reader, ``MessageIndexer``, is for messages with nothing odd about them; this one is the
/// reference that it must agree with.
struct ProfileDecoder {
  /// Offsets and index words are 32 bits wide.
  static let largestMessage = Int(Int32.max)
  /// Readers of extension types may nest only this deep: they call each other on the stack.
  private static let deepestProcedure = 200

  let bytes: [UInt8]
  let rules: DecodingRules
  let extensions: ExtensionTypes
  let maximumDepth: Int
  var position = 0
  private(set) var notes: [String] = []
  /// What every byte is; nil where nobody asks.
  var spans: [MessageSpan]?

  private var builder = ValueBuilder()
  private var tracker = PathTracker()
  private var procedureDepth = 0
  private var outerDepth = 0
  /// Values taken for granted behind the end of the message.
  private var inventedCount = 0

  init(
    _ bytes: [UInt8], profile: Profile, extensions: ExtensionTypes, maximumDepth: Int,
    isAnnotating: Bool = false
  ) {
    self.bytes = bytes
    self.rules = DecodingRules.of(profile)
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

  private mutating func value(at base: ValuePath) throws(CodecError) -> Value {
    guard bytes.count <= ProfileDecoder.largestMessage else {
      throw CodecError(
        .messageTooLarge, offset: 0, expected: "at most \(ProfileDecoder.largestMessage) bytes",
        found: "\(bytes.count)")
    }
    builder = ValueBuilder()
    tracker = PathTracker(base: base)
    repeat {
      try element()
      for _ in 0..<tracker.endFinished() { builder.end() }
    } while tracker.depth > 0
    let settled = builder.finish().settlingMaps(
      equality: rules.keys, repeated: rules.repeatedKeys, sorts: rules.mapOrder.isSorted)
    if case .unspecified(let table) = rules.mapOrder, settled.hasMapOrder {
      note("map order unspecified (\(table))")
    }
    return settled
  }

  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  private var path: ValuePath { tracker.path }

  private mutating func element() throws(CodecError) {
    if isAtEnd {
      try oddity(
        rules.missingValue, .truncated, at: bytes.count, expected: "a type byte",
        found: "the end of the message")
      try invent()
      return append(.null)
    }
    let start = position
    let type = bytes[start]
    position += 1
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

  private mutating func append(_ value: Value) {
    builder.append(value)
    tracker.leaf(value)
  }

  private mutating func leaf(_ start: Int, _ name: String, _ value: Value) {
    mark(start..<position, .type, name)
    append(value)
  }

  // MARK: - Numbers

  private mutating func int32(_ start: Int) throws(CodecError) {
    mark(start..<position, .type, "int32")
    let number = try fixed(Int32.self, "4 bytes of int32") ?? 0
    append(.int32(number))
  }

  private mutating func int64(_ start: Int) throws(CodecError) {
    mark(start..<position, .type, "int64")
    if let refusal = rules.refusesInt64 {
      throw error(
        .unsupportedValue, at: start, expected: "a number that JavaScript has",
        found: "int64", platformError: refusal)
    }
    let number = try fixed(Int64.self, "8 bytes of int64") ?? 0
    append(rules.hasOneIntegerType ? .integer(number) : .int64(number))
  }

  private mutating func float64(_ start: Int) throws(CodecError) {
    mark(start..<position, .type, "float64")
    try padding(to: 8, expected: "8 bytes of float64")
    let bits = try fixed(UInt64.self, "8 bytes of float64", from: start + 1) ?? 0
    append(.float64(Double(bitPattern: bits)))
  }

  /// A number of fixed width, or nil where a lenient platform goes on without it.
  private mutating func fixed<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type, _ expected: String, from start: Int? = nil
  ) throws(CodecError) -> Number? {
    let width = MemoryLayout<Number>.size
    guard bytesLeft >= width else {
      try oddity(
        rules.shortNumber, .truncated, at: min(start ?? position, bytes.count),
        expected: "\(expected) from byte \(position)", found: "\(bytesLeft)")
      return nil
    }
    let offset = position
    let number = bytes.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: offset, as: Number.self)
    }
    position += width
    if Number.isSigned {
      mark(offset..<position, .content, "\(number)")
    } else {
      let bits = UInt64(truncatingIfNeeded: number)
      mark(offset..<position, .content, "\(Double(bitPattern: bits))")
    }
    return number
  }

  /// Moves to the next multiple of `alignment` from byte 0 of the message.
  private mutating func padding(to alignment: Int, expected: String) throws(CodecError) {
    let aligned = position.aligned(to: alignment)
    if aligned > bytes.count {
      try oddity(
        rules.shortPadding, .truncated, at: min(position, bytes.count),
        expected: "padding to byte \(aligned), then \(expected)",
        found: "the end of the message at byte \(bytes.count)")
    }
    let end = min(aligned, bytes.count)
    if end > position {
      let isZero = bytes[position..<end].allSatisfy { $0 == 0 }
      mark(
        position..<end, .padding,
        "padding to a multiple of \(alignment)\(isZero ? "" : ", not zero; nobody looks")")
    }
    position = aligned
  }

  // MARK: - Sizes

  /// Reads a size field.
  private mutating func size(of what: String) throws(CodecError) -> Int {
    let start = position
    guard let first = position < bytes.count ? bytes[position] : nil else {
      try oddity(
        rules.shortSize, .truncated, at: min(start, bytes.count), expected: "the size of \(what)",
        found: "the end of the message")
      return 0
    }
    let length = WireSize.length(first: first)
    guard bytesLeft >= length else {
      try oddity(
        rules.shortSize, .truncated, at: start,
        expected: "a size of \(what) in \(length) bytes", found: "\(bytesLeft)")
      position = start + 1
      return 0
    }
    let size = bytes.withUnsafeBytes { WireSize.read($0, at: start) }
    position = size.end
    let isCanonical = WireSize.length(of: size.value) == length
    mark(
      start..<position, .size,
      "size \(size.value)\(isCanonical ? "" : ", longer than it needs to be")")
    return size.value
  }

  private func isNegative(_ size: Int) -> Bool {
    rules.signedSizes != nil && size >= 1 << 31
  }

  // MARK: - Text

  /// The bytes of a string, or nil where a lenient platform reads null.
  private mutating func run(_ start: Int, name: String) throws(CodecError) -> Range<Int>? {
    mark(start..<position, .type, name)
    let sizeOffset = position
    let count = try size(of: "a \(name)")
    if isNegative(count) {
      throw error(
        .sizeTooLarge, at: sizeOffset, expected: "a size below 2147483648", found: "\(count)",
        platformError: rules.signedSizes?.array)
    }
    guard count <= bytesLeft else {
      try oddity(
        rules.longString, .sizeTooLarge, at: sizeOffset, expected: "a \(name) of \(count) bytes",
        found: "\(bytesLeft) left")
      if rules.skipsLongString { position += count }
      return nil
    }
    defer { position += count }
    return position..<position + count
  }

  private mutating func string(_ start: Int, name: String) throws(CodecError) {
    guard let range = try run(start, name: name) else {
      note("a \(name) longer than the message reads as null")
      return append(.null)
    }
    append(.string(try text(range)))
  }

  mutating func text(_ range: Range<Int>) throws(CodecError) -> Value.Text {
    var range = range
    let isWellFormed = bytes.withUnsafeBytes {
      UTF8Check.firstError(in: UnsafeRawBufferPointer(rebasing: $0[range]))
    }
    if let fault = isWellFormed {
      switch rules.illFormedUTF8 {
      case .keepBytes: break
      case .replaceAsJDK:
        let repaired = bytes.withUnsafeBytes {
          JDKText.decode(UnsafeRawBufferPointer(rebasing: $0[range]))
        }
        mark(range, .content, "text, ill-formed at byte \(range.lowerBound + fault)")
        return repaired
      case .oddity(let oddity):
        let byte = Hexadecimal.byte(bytes[range.lowerBound + fault])
        try self.oddity(
          oddity, .invalidUTF8, at: range.lowerBound + fault, expected: "UTF-8",
          found: "the byte \(byte)")
      }
    }
    let whole = Bytes(bytes, range)
    mark(range, .content, Value.Text(storage: .raw(whole)).quoted)
    if rules.dropsByteOrderMark, bytes[range].starts(with: [0xef, 0xbb, 0xbf]) {
      range = range.lowerBound + 3..<range.upperBound
      note("the leading byte order mark is dropped")
    }
    if rules.cutsAtNUL, let end = bytes[range].firstIndex(of: 0) {
      range = range.lowerBound..<end
      note("the string ends at its NUL")
    }
    let run = Bytes(bytes, range)
    return Value.Text(storage: isWellFormed == nil ? .utf8(run) : .raw(run))
  }

  private mutating func largeInteger(_ start: Int) throws(CodecError) {
    switch rules.largeInteger {
    case .unknownType: return try custom(start, WireType.largeInteger.rawValue)
    case .string: return try string(start, name: "large integer")
    case .checkedNumber, .bigInteger: break
    }
    guard let range = try run(start, name: "large integer") else { return append(.null) }
    let digits = Value.Text(storage: .utf8(Bytes(bytes, range)))
    let fault = digits.withUTF8 { Value.LargeInteger.firstError(in: $0) }
    if case .bigInteger(let malformed) = rules.largeInteger {
      guard let number = JDKText.bigInteger(digits) else {
        throw error(
          .invalidLargeInteger, at: range.lowerBound + (fault ?? 0),
          expected: "hexadecimal digits", found: digits.quoted, platformError: malformed)
      }
      mark(range, .content, number.description)
      return append(.largeInteger(number))
    }
    if let fault {
      throw error(
        .invalidLargeInteger, at: range.lowerBound + fault,
        expected: "hexadecimal digits, with - before a negative number",
        found: Value.Text(bytes: bytes[range]).quoted)
    }
    mark(range, .content, digits.description)
    append(.largeInteger(Value.LargeInteger(digits)))
  }

  // MARK: - Typed lists

  private mutating func typedList(_ start: Int, _ kind: TypedListKind) throws(CodecError) {
    mark(start..<position, .type, kind.name)
    let sizeOffset = position
    let count = try size(of: "a \(kind.name)")
    if isNegative(count) {
      throw error(
        .sizeTooLarge, at: sizeOffset, expected: "a size below 2147483648", found: "\(count)",
        platformError: rules.signedSizes?.array)
    }
    if let refusal = rules.refusesInt64, kind == .int64 {
      throw error(
        .unsupportedValue, at: start, expected: "a typed list that JavaScript has",
        found: kind.name, platformError: refusal)
    }
    let length = count * kind.width
    let aligned = position.aligned(to: kind.width)
    if count > 0 && aligned + length > bytes.count {
      // Whether the padding or the elements are cut makes a difference on some platforms.
      if case .accept = rules.longTypedList {
        if length > bytesLeft { return append(.null) }
        position = aligned
        note("a \(kind.name) whose padding pushes it past the end reads as zeros")
        return append(.zeros(count, kind))
      }
      let isPaddingCut = aligned > bytes.count
      try oddity(
        isPaddingCut ? rules.shortPadding : rules.longTypedList, .sizeTooLarge,
        at: sizeOffset, expected: "\(count) elements of \(kind.width) bytes from byte \(aligned)",
        found: "the end of the message at byte \(bytes.count)")
    }
    try padding(to: kind.width, expected: "\(count) elements")
    let end = min(position + length, bytes.count)
    let elements = min(position, end)..<end
    if !elements.isEmpty { mark(elements, .content, "\(count) × \(kind.width) bytes") }
    append(.typedList(Bytes(bytes, elements), kind))
    position += length
  }

  // MARK: - Containers

  private mutating func container(_ start: Int, _ kind: PathTracker.Kind) throws(CodecError) {
    let isMap = if case .map = kind { true } else { false }
    let name = isMap ? "map" : "list"
    mark(start..<position, .type, name)
    try checkDepth(start, name)
    let sizeOffset = position
    var count = try size(of: "a \(name)")
    if isNegative(count) {
      guard isMap else {
        throw error(
          .sizeTooLarge, at: sizeOffset, expected: "a size below 2147483648", found: "\(count)",
          platformError: rules.signedSizes?.list)
      }
      note("a map size from 2^31 reads as negative: no pair is read")
      count = 0
    }
    if let refusal = rules.hugeList, !isMap, count >= 1 << 31 {
      throw error(
        .sizeTooLarge, at: sizeOffset, expected: "a list that fits in memory", found: "\(count)",
        platformError: refusal)
    }
    let values = isMap ? count * 2 : count
    if let longContainer = rules.longContainer {
      let comparesValues = if case .accept = longContainer { count } else { values }
      if comparesValues > bytesLeft {
        try oddity(
          longContainer, .sizeTooLarge, at: sizeOffset,
          expected: "\(count) \(isMap ? "pairs" : "elements")", found: "\(bytesLeft) bytes left")
        note("a \(name) with more elements than bytes are left reads as null")
        return append(.null)
      }
    }
    isMap ? builder.beginMap() : builder.beginList()
    // More values than bytes cannot come: the data ends first, whatever the size says.
    tracker.begin(kind, values: min(values, max(bytesLeft + 1, inventable)))
  }

  /// How many values a lenient platform may still make up behind the end.
  private var inventable: Int {
    if case .accept = rules.missingValue { return Int.max }
    return 0
  }

  private mutating func invent() throws(CodecError) {
    inventedCount += 1
    guard inventedCount <= bytes.count + 1024 else {
      throw error(
        .expansionLimit, at: bytes.count, expected: "about as many values as bytes",
        found: "sizes that promise far more; the platform would allocate them all",
        consequence: .unspecified, platformError: "memory exhaustion")
    }
    if inventedCount == 1 { note("values behind the end read as null") }
  }

  private func checkDepth(_ start: Int, _ name: String) throws(CodecError) {
    guard tracker.depth + outerDepth < maximumDepth else {
      throw error(
        .depthExceeded, at: start, expected: "at most \(maximumDepth) nested containers",
        found: "a \(name) in level \(maximumDepth + 1)")
    }
  }

  private mutating func custom(_ start: Int, _ type: UInt8) throws(CodecError) {
    let hex = Hexadecimal.byte(type)
    guard type > WireType.float32List.rawValue, let known = extensions[type] else {
      try oddity(
        rules.unknownType, .unknownType, at: start,
        expected: "a type from 0 to 14\(extensions.isEmpty ? "" : " or a registered extension")",
        found: "0x\(hex)")
      mark(start..<position, .type, "unknown type 0x\(hex), read as null")
      note("an unknown type reads as null, its payload as further values")
      return append(.null)
    }
    mark(start..<position, .type, "custom type \(type)")
    try checkDepth(start, "custom type")
    switch known.layout {
    case .oneValue:
      builder.beginCustom(type)
      tracker.begin(.custom(type), values: 1)
    case .procedure(let read, _):
      guard procedureDepth < ProfileDecoder.deepestProcedure else {
        throw error(
          .depthExceeded, at: start,
          expected: "at most \(ProfileDecoder.deepestProcedure) nested extension readers",
          found: "one more")
      }
      let offset = position
      var reader = StandardReader(nested(in: .payload(type)))
      let payload = try read(&reader)
      adopt(reader.decoder)
      mark(offset..<position, .content, "read by the extension")
      append(.custom(type, payload))
    }
  }

  // MARK: - Extension readers

  /// A decoder at the same place for an extension's reader, which may ask for values of its own.
  private func nested(in component: ValuePath.Component) -> ProfileDecoder {
    var decoder = self
    decoder.builder = ValueBuilder()
    decoder.tracker = PathTracker(base: ValuePath(path.components + [component]))
    decoder.outerDepth = outerDepth + tracker.depth + 1
    decoder.procedureDepth = procedureDepth + 1
    decoder.spans = nil
    return decoder
  }

  private mutating func adopt(_ decoder: ProfileDecoder) {
    position = decoder.position
    notes = decoder.notes
    inventedCount = decoder.inventedCount
  }

  /// The next value, for an extension's reader.
  mutating func nestedValue() throws(CodecError) -> Value { try value(at: tracker.base) }

  /// Takes raw bytes, for an extension's reader.
  mutating func take(_ count: Int, alignedTo alignment: Int) throws(CodecError) -> Range<Int> {
    let start = position.aligned(to: alignment)
    guard count >= 0, start <= bytes.count, count <= bytes.count - start else {
      throw error(
        .truncated, at: min(position, bytes.count),
        expected: "\(count) bytes from byte \(start)",
        found: "the end of the message at byte \(bytes.count)")
    }
    position = start + count
    return start..<start + count
  }

  mutating func takeSize() throws(CodecError) -> Int { try size(of: "an extension's payload") }

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
