import ChannelCodec
import Testing

@Suite("ValueBuilder")
struct ValueBuilderTests {
  @Test("builds what a literal says")
  func build() {
    var builder = ValueBuilder()
    #expect(builder.depth == 0)
    #expect(builder.byteCount == 0)
    builder.beginMap()
    builder.append("list")
    builder.beginList()
    builder.append(1)
    builder.append(["moved": [.int64(2), 1.5]])
    builder.beginList()
    builder.end()
    #expect(builder.depth == 2)
    builder.end()
    builder.append("custom")
    builder.beginCustom(255)
    builder.beginMap()
    builder.end()
    builder.end()
    builder.end()
    #expect(builder.depth == 0)
    #expect(builder.byteCount > 20)
    let value = builder.finish()
    let literal: Value = [
      "list": [1, ["moved": [.int64(2), 1.5]], []], "custom": .custom(255, [:]),
    ]
    #expect(value == literal)
  }

  @Test("a single value needs no container")
  func leaf() {
    var builder = ValueBuilder()
    builder.append(.float64List([1.5]))
    #expect(builder.finish() == .float64List([1.5]))
  }

  @Test("strings are taken by their bytes")
  func strings() throws {
    var builder = ValueBuilder()
    builder.beginList()
    wire("61 c3 a9").withUnsafeBytes { builder.append(utf8: $0) }
    wire("61 ff").withUnsafeBytes { builder.append(utf8: $0) }
    wire("62").withUnsafeBytes { builder.append(utf8: $0) }
    builder.append(.string(Value.Text(bytes: [0xc0])))
    builder.end()
    let value = builder.finish()
    #expect(value[0]?.string == "aé")
    #expect(value[1]?.string == nil)
    #expect(value[1]?.text?.utf8 == [0x61, 0xff])
    #expect(value[2]?.string == "b", "only the text itself decides whether it is UTF-8")
    #expect(value[3]?.text?.isValidUTF8 == false)
    // Moved once more, the bytes are still known to be ill-formed.
    let moved: Value = [value, "valid"]
    #expect(moved[0]?[1]?.text?.isValidUTF8 == false)
    #expect(moved[1]?.text?.isValidUTF8 == true)
    #expect(moved[0]?[0]?.text?.isValidUTF8 == true)
  }

  @Test("counts over the short size forms", arguments: [253, 254, 65_535, 65_536])
  func counts(_ count: Int) throws {
    var builder = ValueBuilder()
    builder.beginList()
    for _ in 0..<count { builder.append(nil) }
    builder.end()
    let value = builder.finish()
    #expect(value.list?.count == count)
    let bytes = try #require(try StandardMessageCodec().encode(value))
    let tree = ValueTree.list([ValueTree](repeating: .leaf(nil), count: count))
    #expect(bytes == ReferenceWriter.bytes(of: tree))
  }

  @Test("misuse traps: finish without a value")
  func finishEmpty() async {
    await #expect(processExitsWith: .failure) { _ = ValueBuilder().finish() }
  }

  @Test("misuse traps: finish inside a container")
  func finishOpen() async {
    await #expect(processExitsWith: .failure) {
      var builder = ValueBuilder()
      builder.beginList()
      _ = builder.finish()
    }
  }

  @Test("misuse traps: end without begin")
  func endWithoutBegin() async {
    await #expect(processExitsWith: .failure) {
      var builder = ValueBuilder()
      builder.append(1)
      builder.end()
    }
  }

  @Test("misuse traps: a second value")
  func secondValue() async {
    await #expect(processExitsWith: .failure) {
      var builder = ValueBuilder()
      builder.append(1)
      builder.append(2)
    }
    await #expect(processExitsWith: .failure) {
      var builder = ValueBuilder()
      builder.append([])
      builder.append([])
    }
  }

  @Test("misuse traps: a key without a value")
  func oddMap() async {
    await #expect(processExitsWith: .failure) {
      var builder = ValueBuilder()
      builder.beginMap()
      builder.append("key")
      builder.end()
    }
  }

  @Test("misuse traps: an extension value of none or two")
  func customCounts() async {
    await #expect(processExitsWith: .failure) {
      var builder = ValueBuilder()
      builder.beginCustom(200)
      builder.end()
    }
    await #expect(processExitsWith: .failure) {
      var builder = ValueBuilder()
      builder.beginCustom(200)
      builder.append(1)
      builder.append(2)
      builder.end()
    }
  }

  @Test("misuse traps: an extension value with a type byte of the standard codec")
  func standardTypeBytes() async {
    await #expect(processExitsWith: .failure) { _ = Value.custom(14, nil) }
    await #expect(processExitsWith: .failure) {
      var types = ExtensionTypes()
      types[14] = .oneValue
    }
    await #expect(processExitsWith: .failure) {
      var builder = ValueBuilder()
      builder.beginCustom(3)
    }
  }
}
