// Lists, maps and extension values.

extension ProfileDecoder {
  // MARK: - Containers

  mutating func container(_ start: Int, _ kind: PathTracker.Kind) throws(CodecError) {
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
          platformError: platform.decoding.signedSizes?.list)
      }
      note("a map size from 2^31 reads as negative: no pair is read")
      count = 0
    }
    if let refusal = platform.decoding.hugeList, !isMap, count >= 1 << 31 {
      throw error(
        .sizeTooLarge, at: sizeOffset, expected: "a list that fits in memory", found: "\(count)",
        platformError: refusal)
    }
    let values = isMap ? count * 2 : count
    if let longContainer = platform.decoding.longContainer {
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
  var inventable: Int {
    if case .accept = platform.decoding.missingValue { return Int.max }
    return 0
  }

  mutating func invent() throws(CodecError) {
    inventedCount += 1
    guard inventedCount <= bytes.count + 1024 else {
      throw error(
        .expansionLimit, at: bytes.count, expected: "about as many values as bytes",
        found: "sizes that promise far more; the platform would allocate them all",
        consequence: .unspecified, platformError: "memory exhaustion")
    }
    if inventedCount == 1 { note("values behind the end read as null") }
  }

  func checkDepth(_ start: Int, _ name: String) throws(CodecError) {
    guard tracker.depth + outerDepth < maximumDepth else {
      throw error(
        .depthExceeded, at: start, expected: "at most \(maximumDepth) nested containers",
        found: "a \(name) in level \(maximumDepth + 1)")
    }
  }

  mutating func custom(_ start: Int, _ type: UInt8) throws(CodecError) {
    let hex = Hexadecimal.byte(type)
    guard type > WireType.float32List.rawValue, let known = extensions[type] else {
      try oddity(
        platform.decoding.unknownType, .unknownType, at: start,
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
      guard procedureDepth < Platform.deepestProcedure else {
        throw error(
          .depthExceeded, at: start,
          expected: "at most \(Platform.deepestProcedure) nested extension readers",
          found: "one more")
      }
      let offset = position
      var reader = StandardReader(nested(in: .payload(type)))
      let payload: Value
      do throws(CodecError) {
        payload = try read(&reader)
      } catch {
        throw located(error, at: offset, in: .payload(type))
      }
      adopt(reader.decoder)
      mark(offset..<position, .content, "read by the extension")
      append(.custom(type, payload))
    }
  }

  // MARK: - Extension readers

  /// A decoder at the same place for an extension's reader, which may ask for values of its own.
  func nested(in component: ValuePath.Component) -> ProfileDecoder {
    var decoder = self
    decoder.builder = ValueBuilder()
    decoder.tracker = PathTracker(base: ValuePath(path.components + [component]))
    decoder.outerDepth = outerDepth + tracker.depth + 1
    decoder.procedureDepth = procedureDepth + 1
    decoder.spans = nil
    return decoder
  }

  mutating func adopt(_ decoder: ProfileDecoder) {
    position = decoder.position
    notes = decoder.notes
    inventedCount = decoder.inventedCount
  }

  /// An extension's own error knows neither offset nor path.
  private func located(
    _ error: CodecError, at offset: Int, in component: ValuePath.Component
  ) -> CodecError {
    var located = error
    if located.offset == nil { located.offset = offset }
    if located.path.isRoot { located.path.components = path.components + [component] }
    return located
  }

  /// The next value, for an extension's reader.
  mutating func nestedValue() throws(CodecError) -> Value { try value(at: tracker.base) }

  /// The value without contents whose type byte was just read, for a reader that goes element by
  /// element.
  mutating func nestedLeaf(ofType type: UInt8) throws(CodecError) -> Value {
    builder = ValueBuilder()
    tracker = PathTracker(base: tracker.base)
    try element(ofType: type, at: max(0, position - 1))
    return builder.finish()
  }

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
}
