// Values without contents: numbers, text and typed lists, and the sizes before them.

extension ProfileDecoder {
  // MARK: - Numbers

  mutating func int32(_ start: Int) throws(CodecError) {
    mark(start..<position, .type, "int32")
    let number = try fixed(Int32.self, "4 bytes of int32") ?? 0
    append(.int32(number))
  }

  mutating func int64(_ start: Int) throws(CodecError) {
    mark(start..<position, .type, "int64")
    if let refusal = platform.decoding.refusesInt64 {
      throw error(
        .unsupportedValue, at: start, expected: "a number that JavaScript has",
        found: "int64", platformError: refusal)
    }
    let number = try fixed(Int64.self, "8 bytes of int64") ?? 0
    append(platform.decoding.hasOneIntegerType ? .integer(number) : .int64(number))
  }

  mutating func float64(_ start: Int) throws(CodecError) {
    mark(start..<position, .type, "float64")
    try padding(to: 8, expected: "8 bytes of float64")
    let bits = try fixed(UInt64.self, "8 bytes of float64", from: start + 1) ?? 0
    append(.float64(Double(bitPattern: bits)))
  }

  /// A number of fixed width, or nil where a lenient platform goes on without it.
  mutating func fixed<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type, _ expected: String, from start: Int? = nil
  ) throws(CodecError) -> Number? {
    let width = MemoryLayout<Number>.size
    guard bytesLeft >= width else {
      try oddity(
        platform.decoding.shortNumber, .truncated, at: min(start ?? position, bytes.count),
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
  mutating func padding(to alignment: Int, expected: String) throws(CodecError) {
    let aligned = position.aligned(to: alignment)
    if aligned > bytes.count {
      try oddity(
        platform.decoding.shortPadding, .truncated, at: min(position, bytes.count),
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
  mutating func size(of what: String) throws(CodecError) -> Int {
    let start = position
    guard let first = position < bytes.count ? bytes[position] : nil else {
      try oddity(
        platform.decoding.shortSize, .truncated, at: min(start, bytes.count),
        expected: "the size of \(what)",
        found: "the end of the message")
      return 0
    }
    let length = WireSize.length(first: first)
    guard bytesLeft >= length else {
      try oddity(
        platform.decoding.shortSize, .truncated, at: start,
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

  func isNegative(_ size: Int) -> Bool {
    platform.decoding.signedSizes != nil && size >= 1 << 31
  }

  // MARK: - Text

  /// The bytes of a string, or nil where a lenient platform reads null.
  mutating func run(_ start: Int, name: String) throws(CodecError) -> Range<Int>? {
    mark(start..<position, .type, name)
    let sizeOffset = position
    let count = try size(of: "a \(name)")
    if isNegative(count) {
      throw error(
        .sizeTooLarge, at: sizeOffset, expected: "a size below 2147483648", found: "\(count)",
        platformError: platform.decoding.signedSizes?.array)
    }
    guard count <= bytesLeft else {
      try oddity(
        platform.decoding.longString, .sizeTooLarge, at: sizeOffset,
        expected: "a \(name) of \(count) bytes",
        found: "\(bytesLeft) left")
      if platform.decoding.skipsLongString { position += count }
      return nil
    }
    defer { position += count }
    return position..<position + count
  }

  mutating func string(_ start: Int, name: String) throws(CodecError) {
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
      switch platform.decoding.illFormedUTF8 {
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
    if platform.decoding.dropsByteOrderMark, bytes[range].starts(with: [0xef, 0xbb, 0xbf]) {
      range = range.lowerBound + 3..<range.upperBound
      note("the leading byte order mark is dropped")
    }
    if platform.decoding.cutsAtNUL, let end = bytes[range].firstIndex(of: 0) {
      range = range.lowerBound..<end
      note("the string ends at its NUL")
    }
    let run = Bytes(bytes, range)
    return Value.Text(storage: isWellFormed == nil ? .utf8(run) : .raw(run))
  }

  mutating func largeInteger(_ start: Int) throws(CodecError) {
    switch platform.decoding.largeInteger {
    case .unknownType: return try custom(start, WireType.largeInteger.rawValue)
    case .string: return try string(start, name: "large integer")
    case .checkedNumber, .bigInteger: break
    }
    guard let range = try run(start, name: "large integer") else { return append(.null) }
    let digits = Value.Text(storage: .utf8(Bytes(bytes, range)))
    let fault = digits.withUTF8 { Value.LargeInteger.firstError(in: $0) }
    if case .bigInteger(let malformed) = platform.decoding.largeInteger {
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

  mutating func typedList(_ start: Int, _ kind: TypedListKind) throws(CodecError) {
    mark(start..<position, .type, kind.name)
    let sizeOffset = position
    let count = try size(of: "a \(kind.name)")
    if isNegative(count) {
      throw error(
        .sizeTooLarge, at: sizeOffset, expected: "a size below 2147483648", found: "\(count)",
        platformError: platform.decoding.signedSizes?.array)
    }
    if let refusal = platform.decoding.refusesInt64, kind == .int64 {
      throw error(
        .unsupportedValue, at: start, expected: "a typed list that JavaScript has",
        found: kind.name, platformError: refusal)
    }
    let length = count * kind.width
    let aligned = position.aligned(to: kind.width)
    if count > 0 && aligned + length > bytes.count {
      // Whether the padding or the elements are cut makes a difference on some platforms.
      if case .accept = platform.decoding.longTypedList {
        if length > bytesLeft { return append(.null) }
        position = aligned
        note("a \(kind.name) whose padding pushes it past the end reads as zeros")
        return append(.zeros(count, kind))
      }
      let isPaddingCut = aligned > bytes.count
      try oddity(
        isPaddingCut ? platform.decoding.shortPadding : platform.decoding.longTypedList,
        .sizeTooLarge,
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
}
