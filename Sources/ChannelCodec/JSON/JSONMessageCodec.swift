/// Messages as UTF-8 JSON text, as Flutter's JSONMessageCodec
/// (`packages/flutter/lib/src/services/message_codecs.dart`).
///
/// Integers that fit 64 bits come back as the narrowest integer value, all other numbers as
/// doubles. JSON has no typed lists, large integers or extension values: a profile that writes
/// typed lists at all writes lists of numbers.
public struct JSONMessageCodec: MessageCodec {
  public let profile: Profile
  public let maximumDepth: Int
  let rules: JSONRules

  /// - Parameters:
  ///   - profile: whose text is written, and whose parser is followed.
  ///   - maximumDepth: how deep lists and maps may nest in a message that is read.
  public init(profile: Profile = .strict, maximumDepth: Int = 512) {
    self.profile = profile
    self.maximumDepth = maximumDepth
    rules = JSONRules.of(profile)
  }

  /// The text of `value`; nil where the platform sends no message for it.
  ///
  /// Throws `unsupportedValue` for what JSON cannot say, and `invalidUTF8` for a string that is no
  /// text, with the path of the value.
  public func encode(_ value: Value?) throws(CodecError) -> [UInt8]? {
    switch (value, rules.nullMessage) {
    case (nil, .nullByte): return Array("null".utf8)
    case (nil, _), (.null, .noMessage): return nil
    case (let value?, _):
      var writer = JSONWriter(rules: rules)
      try writer.append(value)
      return writer.text
    }
  }

  /// The value that `message` holds; nil for no message.
  ///
  /// Throws `emptyMessage`, `invalidUTF8`, `invalidJSON` or `depthExceeded` with the offset of the
  /// first byte that does not fit. What a profile's parser is not known to do is an error with
  /// ``CodecError/Consequence/unspecified``.
  public func decode(_ message: [UInt8]?) throws(CodecError) -> Value? {
    guard let message else { return nil }
    return try JSONValueReader(rules: rules, maximumDepth: maximumDepth).read(message).value
  }
}

extension JSONWriter {
  /// Writes a whole value as the platform holds it: repeated names are merged where its maps cannot
  /// have them. `part` begins the path of an error.
  mutating func append(_ value: Value, part: String? = nil) throws(CodecError) {
    let held = try JSONWriter.held(value, rules: rules)
    do throws(CodecError) {
      try held.visit(with: &self)
    } catch {
      var located = error
      located.path = ValuePath(
        (part.map { [.part($0)] } ?? []) + path(in: held).components)
      throw located
    }
  }

  private static func held(_ value: Value, rules: JSONRules) throws(CodecError) -> Value {
    guard !rules.repeatedNames.areKept else { return value }
    var finder = RepeatedNameFinder()
    value.visit(with: &finder)
    var value = value
    if rules.cutsAtNUL && finder.hasNUL { value = value.cuttingStringsAtNUL() }
    guard finder.names.mayRepeat || finder.hasNUL else { return value }
    let merged = value.settlingMaps(equality: .dart, repeated: .lastValue, sorts: false)
    if case .unspecified(let text) = rules.repeatedNames, merged != value {
      throw JSONRules.blame(
        .unspecified(text),
        CodecError(.unsupportedValue, expected: "names once each", found: "a name again"))
    }
    return merged
  }
}

extension JSONRules.RepeatedNames {
  var areKept: Bool {
    if case .keepAll = self { return true }
    return false
  }
}

/// Finds whether a value has a map with the same string twice among its keys, and NULs in strings.
struct RepeatedNameFinder: ValueVisitor {
  private struct Container {
    let isMap: Bool
    var remaining: Int
  }

  private(set) var names = RepeatedNames()
  private(set) var hasNUL = false
  private var open: [Container] = []

  private mutating func end() {
    guard let last = open.indices.last else { return }
    open[last].remaining -= 1
    close()
  }

  private mutating func close() {
    while let last = open.indices.last, open[last].remaining == 0 {
      open.removeLast()
      names.end()
      if let outer = open.indices.last { open[outer].remaining -= 1 }
    }
  }

  private mutating func begin(isMap: Bool, values: Int) {
    names.begin()
    open.append(Container(isMap: isMap, remaining: values))
    close()
  }

  mutating func visitNull() { end() }
  mutating func visit(bool: Bool) { end() }
  mutating func visit(int32: Int32) { end() }
  mutating func visit(int64: Int64) { end() }
  mutating func visit(largeInteger text: UnsafeRawBufferPointer) { end() }
  mutating func visit(float64Bits: UInt64) { end() }
  mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {
    if !hasNUL && string.contains(0) { hasNUL = true }
    if let container = open.last, container.isMap, container.remaining.isMultiple(of: 2) {
      names.add(string)
    }
    end()
  }
  mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) { end() }
  mutating func visit(listCount: Int) { begin(isMap: false, values: listCount) }
  mutating func visit(mapCount: Int) { begin(isMap: true, values: mapCount * 2) }
  mutating func visit(customType: UInt8, payload: () -> Value) -> Bool {
    end()
    return false
  }
}

extension Value {
  /// The value with every string ending before its first NUL, as C strings do.
  func cuttingStringsAtNUL() -> Value {
    var cutter = StringCutter()
    visit(with: &cutter)
    return cutter.builder.finish()
  }

  private struct StringCutter: ValueVisitor {
    var builder = ValueBuilder()
    private var remaining: [Int] = []

    private mutating func append(_ value: Value) {
      builder.append(value)
      end()
    }

    private mutating func end() {
      guard let last = remaining.indices.last else { return }
      remaining[last] -= 1
      close()
    }

    private mutating func close() {
      while remaining.last == 0 {
        remaining.removeLast()
        builder.end()
        if let outer = remaining.indices.last { remaining[outer] -= 1 }
      }
    }

    mutating func visitNull() { append(.null) }
    mutating func visit(bool: Bool) { append(.bool(bool)) }
    mutating func visit(int32: Int32) { append(.int32(int32)) }
    mutating func visit(int64: Int64) { append(.int64(int64)) }
    mutating func visit(largeInteger text: UnsafeRawBufferPointer) {
      append(.largeInteger(LargeInteger(Text(bytes: text))))
    }
    mutating func visit(float64Bits: UInt64) { append(.float64(Double(bitPattern: float64Bits))) }
    mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {
      append(.string(Text(bytes: string.prefix { $0 != 0 })))
    }
    mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) {
      switch kind {
      case .uint8: append(.uint8List(TypedList(Array(typedList))))
      case .int32: append(.int32List(TypedList(elements(of: typedList))))
      case .int64: append(.int64List(TypedList(elements(of: typedList))))
      case .float32: append(.float32List(TypedList(elements(of: typedList))))
      case .float64: append(.float64List(TypedList(elements(of: typedList))))
      }
    }
    mutating func visit(listCount: Int) {
      builder.beginList()
      remaining.append(listCount)
      close()
    }
    mutating func visit(mapCount: Int) {
      builder.beginMap()
      remaining.append(mapCount * 2)
      close()
    }
    mutating func visit(customType: UInt8, payload: () -> Value) -> Bool {
      builder.beginCustom(customType)
      remaining.append(1)
      return true
    }

    private func elements<Element: TypedListElement>(
      of bytes: UnsafeRawBufferPointer
    ) -> [Element] {
      stride(from: 0, to: bytes.count, by: MemoryLayout<Element>.size).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: Element.self)
      }
    }
  }
}
