import ChannelTransport
import Testing

struct FieldsTests {
  @Test func escapes() throws {
    let fields = Fields([("text", "a\nb\rc\\d\0e=f \u{e9}"), ("empty", ""), ("device.1-x", "y")])
    let expected = #"text=a\nb\rc\\d\0e=f é"# + "\nempty=\ndevice.1-x=y\n"
    #expect(String(decoding: fields.encoded, as: UTF8.self) == expected)
    #expect(try Fields(parsing: fields.encoded) == fields)
  }

  @Test func lastOneCounts() throws {
    let fields = try Fields(parsing: Array("a=1\nb=2\na=3\n".utf8))
    #expect(fields["a"] == "3")
    #expect(fields["b"] == "2")
    #expect(fields["c"] == nil)
    #expect(fields.all.count == 3)
  }

  @Test func nothing() throws { #expect(try Fields(parsing: []).all.isEmpty) }

  @Test func namesAreMadeToFit() throws {
    let fields = Fields([("Big Name", "1")])
    #expect(try Fields(parsing: fields.encoded)["-ig--ame"] == "1")
  }

  @Test(arguments: [
    ("a=1", 3), ("\n", 0), ("a=1\n\n", 4), ("a\n", 0), ("=1\n", 0), ("A=1\n", 0), ("a b=1\n", 1),
    ("a=1\r\n", 3), ("a=\0\n", 2), (#"a=\x"# + "\n", 2), (#"a=1\"# + "\n", 3),
    ("b=1\na=\\q\n", 6),
  ]) func malformed(text: String, offset: UInt64) {
    #expect(throws: FrameError(.fieldsMalformed, "", offset: offset)) {
      try Fields(parsing: Array(text.utf8))
    }
  }

  @Test func malformedUTF8() {
    #expect(throws: FrameError(.fieldsMalformed, "", offset: 2)) {
      try Fields(parsing: [0x61, 0x3d, 0xff, 0x0a])
    }
  }
}

struct HelloTests {
  private func parse(_ text: String) throws -> Hello {
    try Hello(Frame(.hello, id: Hello.magic, payload: Array(text.utf8)))
  }

  @Test func magicReadsPWBRIDGE() throws {
    #expect(try encodedHello()[8..<16].elementsEqual("PWBRIDGE".utf8))
  }

  @Test func smallest() throws {
    let hello = try parse("version=1\n")
    #expect(hello == Hello(capabilities: []))
    #expect(hello.limits == FrameLimits())
    #expect(hello.device == nil)
  }

  @Test func everything() throws {
    let hello = try parse(
      "version=1\nmax-payload=100\nmax-channel-name=20\nmax-open-calls=3\nnew-field=x\n"
        + "capabilities=log,dance\nsoftware=dart test 1\ndevice=shared\n"
        + "option.handler=answering\noption.clock=real\noption.handler=guide\n")
    #expect(
      hello.limits
        == FrameLimits(maximumPayload: 100, maximumChannelName: 20, maximumOpenCalls: 3))
    #expect(hello.has(.log) && !hello.has(.cancel))
    #expect(hello.capabilities == ["log", "dance"])
    #expect(hello.device == "shared")
    #expect(
      hello.options == [
        Hello.Option(name: "clock", value: "real"), Hello.Option(name: "handler", value: "guide"),
      ])
    #expect(hello.software == "dart test 1")
  }

  @Test func written() throws {
    let hello = Hello(
      limits: FrameLimits(maximumPayload: 5), capabilities: [.cancel], software: "a\nb",
      device: "d", options: [Hello.Option(name: "x", value: "y z")])
    let frame = try #require(
      readStream(try encodedHello(hello), expectsHello: true).frames.first)
    #expect(try Hello(frame) == hello)
  }

  @Test(arguments: [
    ("", FrameProblem.unsupportedVersion), ("version=2\n", .unsupportedVersion),
    ("version=01\n", .unsupportedVersion), ("version=\n", .unsupportedVersion),
    ("version=1\nmax-payload=0\n", .fieldsMalformed),
    ("version=1\nmax-payload=4294967296\n", .fieldsMalformed),
    ("version=1\nmax-payload=99999999999999999999\n", .fieldsMalformed),
    ("version=1\nmax-payload=+5\n", .fieldsMalformed),
    ("version=1\nmax-channel-name=65536\n", .fieldsMalformed),
    ("version=1\nmax-open-calls=none\n", .fieldsMalformed),
    ("version=1\ndevice=a\\nb\n", .deviceName),
    ("version=1\ndevice=" + String(repeating: "d", count: 129) + "\n", .deviceName),
  ]) func refused(text: String, problem: FrameProblem) {
    #expect(throws: FrameError(problem, "", isFatal: true)) { try parse(text) }
  }

  @Test func offsetsAreThoseOfTheStream() {
    #expect(throws: FrameError(.fieldsMalformed, "", offset: 26)) { try parse("version=1\nX=1\n") }
  }

  @Test func noHello() {
    #expect(throws: FrameError(.helloExpected, "", offset: 4)) { try Hello(.dropped(id: 1)) }
  }
}
