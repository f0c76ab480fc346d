import ChannelCodec
import Testing

@Suite("ValueVisitor")
struct VisitorTests {
  /// Writes down what it is told.
  private struct Recorder: ValueVisitor {
    var told: [String] = []
    var passesOver = false
    mutating func visitNull() { told.append("null") }
    mutating func visit(bool: Bool) { told.append("\(bool)") }
    mutating func visit(int32: Int32) { told.append("int32 \(int32)") }
    mutating func visit(int64: Int64) { told.append("int64 \(int64)") }
    mutating func visit(largeInteger text: UnsafeRawBufferPointer) {
      told.append("large \(String(decoding: text, as: UTF8.self))")
    }
    mutating func visit(float64Bits: UInt64) { told.append("bits \(float64Bits)") }
    mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {
      told.append("string \(Array(string)) \(isValidUTF8)")
    }
    mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) {
      told.append("\(kind.name) \(Array(typedList))")
    }
    mutating func visit(listCount: Int) { told.append("list \(listCount)") }
    mutating func visit(mapCount: Int) { told.append("map \(mapCount)") }
    mutating func visit(customType: UInt8, payload: () -> Value) -> Bool {
      told.append("custom \(customType)")
      if passesOver { told.append("payload \(payload().shortText)") }
      return !passesOver
    }
  }

  private static let value: Value = [
    nil, true, false, 1, .int64(2), .largeInteger(Value.LargeInteger(-255)), 0.0, "a",
    ["k": [:]], .uint8List([1]), .int32List([2]), .int64List([]), .float32List([1]),
    .float64List([]), .custom(128, ["inside"]), "end",
  ]

  @Test("tells every value once, in the order of the message")
  func order() {
    var recorder = Recorder()
    Self.value.visit(with: &recorder)
    #expect(
      recorder.told == [
        "list 16", "null", "true", "false", "int32 1", "int64 2", "large -ff", "bits 0",
        "string [97] true", "map 1", "string [107] true", "map 0", "Uint8List [1]",
        "Int32List [2, 0, 0, 0]", "Int64List []", "Float32List [0, 0, 128, 63]", "Float64List []",
        "custom 128", "list 1", "string [105, 110, 115, 105, 100, 101] true",
        "string [101, 110, 100] true",
      ])
  }

  @Test("leaves tell the same alone as inside a list")
  func leaves() throws {
    for leaf in try #require(Self.value.list) {
      var alone = Recorder()
      leaf.visit(with: &alone)
      var inside = Recorder()
      ([leaf] as Value).visit(with: &inside)
      #expect(["list 1"] + alone.told == inside.told)
    }
  }

  @Test("an extension's payload may be passed over")
  func passingOver() {
    var recorder = Recorder()
    recorder.passesOver = true
    Self.value.visit(with: &recorder)
    #expect(
      recorder.told.suffix(3) == ["custom 128", "payload list of 1", "string [101, 110, 100] true"])
    var nested = Recorder()
    nested.passesOver = true
    ([.custom(128, .custom(129, [1])), 7] as Value).visit(with: &nested)
    #expect(nested.told == ["list 2", "custom 128", "payload custom type 129", "int32 7"])
  }

  @Test("a visitor's error ends the visit")
  func failing() {
    struct Stop: Error {}
    struct Counter: ValueVisitor {
      typealias Failure = Stop
      var count = 0
      mutating func visitNull() throws(Stop) { try tick() }
      mutating func visit(bool: Bool) throws(Stop) { try tick() }
      mutating func visit(int32: Int32) throws(Stop) { try tick() }
      mutating func visit(int64: Int64) throws(Stop) { try tick() }
      mutating func visit(largeInteger text: UnsafeRawBufferPointer) throws(Stop) { try tick() }
      mutating func visit(float64Bits: UInt64) throws(Stop) { try tick() }
      mutating func visit(
        string: UnsafeRawBufferPointer, isValidUTF8: Bool
      ) throws(Stop) { throw Stop() }
      mutating func visit(
        typedList: UnsafeRawBufferPointer, kind: TypedListKind
      ) throws(Stop) { try tick() }
      mutating func visit(listCount: Int) throws(Stop) { try tick() }
      mutating func visit(mapCount: Int) throws(Stop) { try tick() }
      mutating func visit(customType: UInt8, payload: () -> Value) throws(Stop) -> Bool {
        try tick()
        return true
      }
      private mutating func tick() throws(Stop) { count += 1 }
    }
    var counter = Counter()
    #expect(throws: Stop.self) { try Self.value.visit(with: &counter) }
    #expect(counter.count == 8)
    #expect(throws: Stop.self) { try ("text" as Value).visit(with: &counter) }
  }

  @Test("ill-formed text is told as such")
  func illFormed() {
    let raw = Value.string(Value.Text(bytes: [0xff]))
    var alone = Recorder()
    raw.visit(with: &alone)
    #expect(alone.told == ["string [255] false"])
    var inside = Recorder()
    ([raw] as Value).visit(with: &inside)
    #expect(inside.told == ["list 1", "string [255] false"])
  }
}
