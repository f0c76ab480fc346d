extension Value {
  /// The value as a platform holds it before writing JSON: names merged that its maps cannot have
  /// twice, strings cut where its strings end.
  func held(by rules: JSONRules) throws(CodecError) -> Value {
    guard !rules.repeatedNames.areKept else { return self }
    var finder = RepeatedNameFinder()
    visit(with: &finder)
    let isCut = rules.cutsAtNUL && finder.hasNUL
    guard finder.names.mayRepeat || isCut else { return self }
    let value = isCut ? cuttingStringsAtNUL() : self
    let merged = value.settlingMaps(equality: .dart, repeated: .lastValue, sorts: false)
    if case .unspecified(let text) = rules.repeatedNames, merged != value {
      throw JSONRules.blame(
        .unspecified(text),
        CodecError(.unsupportedValue, expected: "names once each", found: "a name again"))
    }
    return merged
  }
}

/// Watches for names that stand twice in one map, by their hashes alone: false alarms are possible
/// and harmless, since whoever is told then compares the names themselves.
struct RepeatedNames {
  private var hashes: [Int] = []
  private var starts: [Int] = []
  private(set) var mayRepeat = false

  mutating func begin() { starts.append(hashes.count) }

  mutating func add(_ name: UnsafeRawBufferPointer) {
    if mayRepeat { return }
    var hasher = Hasher()
    hasher.combine(bytes: name)
    hashes.append(hasher.finalize())
  }

  mutating func end() {
    guard let start = starts.popLast(), !mayRepeat else { return }
    if hashes.count - start > 1 {
      hashes[start...].sort()
      for place in start + 1..<hashes.count where hashes[place] == hashes[place - 1] {
        mayRepeat = true
      }
    }
    hashes.removeSubrange(start...)
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
