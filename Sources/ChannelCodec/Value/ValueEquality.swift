extension Value: Hashable {
  /// Exactly the same value: type, width, bits, bytes, order of pairs. NaN equals the same NaN,
  /// 0.0 differs from -0.0, int32 5 from int64 5, "é" from "e" + U+0301.
  ///
  /// How the values were written does not matter: sizes and padding are not part of a value.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int32(let left), .int32(let right)): left == right
    case (.int64(let left), .int64(let right)): left == right
    case (.largeInteger(let left), .largeInteger(let right)): left == right
    case (.float64(let left), .float64(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left == right
    case (.uint8List(let left), .uint8List(let right)): left == right
    case (.int32List(let left), .int32List(let right)): left == right
    case (.int64List(let left), .int64List(let right)): left == right
    case (.float32List(let left), .float32List(let right)): left == right
    case (.float64List(let left), .float64List(let right)): left == right
    case (.list, .list), (.map, .map), (.custom, .custom):
      left.canonicalBytes == right.canonicalBytes
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    canonicalBytes.hash(into: &hasher)
  }

  /// The value in the one form that equal values share.
  var canonicalBytes: [UInt8] {
    var counter = WireWriter(sink: CountingSink())
    visit(with: &counter)
    return [UInt8](unsafeUninitializedCapacity: counter.sink.position) { memory, count in
      var writer = WireWriter(sink: MemorySink(UnsafeMutableRawBufferPointer(memory)))
      visit(with: &writer)
      count = writer.sink.position
    }
  }
}

extension Value.List: Hashable {
  public static func == (left: Self, right: Self) -> Bool { Value.list(left) == .list(right) }
  public func hash(into hasher: inout Hasher) { Value.list(self).hash(into: &hasher) }
}

extension Value.Map: Hashable {
  public static func == (left: Self, right: Self) -> Bool { Value.map(left) == .map(right) }
  public func hash(into hasher: inout Hasher) { Value.map(self).hash(into: &hasher) }
}

extension Value.Custom: Hashable {
  public static func == (left: Self, right: Self) -> Bool { Value.custom(left) == .custom(right) }
  public func hash(into hasher: inout Hasher) { Value.custom(self).hash(into: &hasher) }
}
