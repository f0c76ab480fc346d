import ChannelRouter
import ChannelTransport
import Testing

/// Frames byte by byte, both ways. The bytes are written by hand from the layout.
struct FrameBytesTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let hex: String
    let frame: Frame
    var testDescription: String { name }

    init(_ name: String, _ hex: String, _ frame: Frame) {
      self.name = name
      self.hex = hex
      self.frame = frame
    }
  }

  static let samples = [
    Sample(
      "message", "05000000 02 00 0200 0700000000000000 5057000000000000 0102030405000000",
      .message("PW", id: 7, payload: [1, 2, 3, 4, 5])),
    Sample(
      "message of eight bytes, no padding",
      "08000000 02 00 0800 0100000000000000 7077627269646765 0102030405060708",
      .message("pwbridge", id: 1, payload: [1, 2, 3, 4, 5, 6, 7, 8])),
    Sample(
      "message without payload", "00000000 02 01 0200 0100000000000000 5057000000000000",
      .message("PW", id: 1, payload: nil)),
    Sample(
      "message with an empty payload", "00000000 02 00 0200 0100000000000000 5057000000000000",
      .message("PW", id: 1, payload: [])),
    Sample(
      "message that wants no reply",
      "01000000 02 00 0300 0000000000000000 c3a92f0000000000 0000000000000000",
      .message("\u{e9}/", id: 0, payload: [0])),
    Sample(
      "message with the largest id",
      "01000000 02 00 0900 ffffffffffffffff 6162636465666768 6900000000000000 ff00000000000000",
      .message("abcdefghi", id: .max, payload: [0xff])),
    Sample(
      "reply", "02000000 03 00 0000 0700000000000000 0000000000000000",
      .reply(id: 7, payload: [0, 0])),
    Sample(
      "reply without payload", "00000000 03 01 0000 0700000000000000", .reply(id: 7, payload: nil)),
    Sample("empty reply", "00000000 03 00 0000 0700000000000000", .reply(id: 7, payload: [])),
    Sample("dropped", "00000000 04 01 0000 0700000000000000", .dropped(id: 7)),
    Sample("cancel", "00000000 05 01 0000 0700000000000000", .cancel(id: 7)),
    Sample(
      "error",
      "20000000 06 00 0000 0900000000000000"
        + "636f64653d69642d756e6b6e6f776e0a 746578743d6e6f20737563682069640a",
      Frame(.error, id: 9, payload: Array("code=id-unknown\ntext=no such id\n".utf8))),
    Sample(
      "log",
      "0b000000 07 02 0200 0300000000000000 5057000000000000 6c6576656c3d696e666f0a 0000000000",
      Frame(
        .log, flags: .optional, channel: "PW", id: 3, payload: Array("level=info\n".utf8))),
    Sample("bye", "00000000 08 00 0000 0000000000000000", Frame(.bye, payload: [])),
    Sample("bye without payload", "00000000 08 01 0000 0000000000000000", Frame(.bye)),
  ]

  @Test(arguments: samples) func reading(sample: Sample) {
    let outcome = readStream(wireBytes(sample.hex))
    #expect(outcome.error == nil)
    #expect(outcome.events == [.frame(sample.frame)])
  }

  /// What never has a payload may leave out the flag that says so, and is the same frame.
  @Test(arguments: [
    ("00000000 04 00 0000 0700000000000000", Frame.dropped(id: 7)),
    ("00000000 05 00 0000 0700000000000000", Frame.cancel(id: 7)),
  ])
  func withoutTheFlag(hex: String, frame: Frame) {
    #expect(frame.flags == .noPayload)
    #expect(readStream(wireBytes(hex)).events == [.frame(frame)])
  }

  @Test(arguments: samples) func writing(sample: Sample) throws {
    #expect(try encodedFrame(sample.frame).hexText == wireBytes(sample.hex).hexText)
  }

  @Test func helloBytes() throws {
    let hello = Hello(capabilities: [.log], software: "sample 1")
    let payload =
      "version=1\nmax-payload=16777216\nmax-channel-name=4096\n"
      + "max-open-calls=1024\ncapabilities=log\nsoftware=sample 1\n"
    var expected = wireBytes("00000000 01 00 0000") + Array("PWBRIDGE".utf8)
    expected[0] = UInt8(payload.utf8.count)
    expected += payload.utf8
    expected += [UInt8](repeating: 0, count: (8 - payload.utf8.count % 8) % 8)
    #expect(try encodedHello(hello).hexText == expected.hexText)
    let outcome = readStream(expected, expectsHello: true)
    #expect(outcome.error == nil)
    let frame = try #require(outcome.frames.first)
    #expect(try Hello(frame) == hello)
  }

  /// The dedicated calls of the writer and the general one write the same.
  @Test func writerCalls() throws {
    let writer = FrameWriter()
    try writer.message("PW", id: 3, payload: [7])
    try writer.reply(id: 4, payload: nil)
    writer.dropped(id: 5)
    writer.cancel(id: 6)
    writer.error(FrameError(.idUnknown, "what\nis 7?", offset: 12, id: 7))
    writer.error(FrameError(.paddingNotZero, "x"))
    writer.log(.warning, "careful", channel: "PW", id: 8)
    writer.bye()
    writer.bye(reason: "done")
    let outcome = readStream(writer.takePending())
    #expect(outcome.error == nil)
    func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    #expect(
      outcome.frames == [
        .message("PW", id: 3, payload: [7]), .reply(id: 4, payload: nil), .dropped(id: 5),
        .cancel(id: 6),
        Frame(.error, id: 7, payload: text("code=id-unknown\ntext=what\\nis 7?\noffset=12\n")),
        Frame(.error, payload: text("code=padding-not-zero\ntext=x\nfatal=true\n")),
        Frame(
          .log, flags: .optional, channel: "PW", id: 8,
          payload: text("level=warning\ntext=careful\n")),
        Frame(.bye, payload: []), Frame(.bye, payload: text("reason=done\n")),
      ])
    #expect(writer.pendingCount == 0)
  }

  @Test func writerRefusals() throws {
    let writer = FrameWriter(limits: FrameLimits(maximumPayload: 8, maximumChannelName: 4))
    #expect(throws: FrameError(.payloadTooLong, "", id: 2)) {
      try writer.message("PW", id: 2, payload: [UInt8](repeating: 0, count: 9))
    }
    #expect(throws: FrameError(.payloadTooLong, "", id: 2)) {
      try writer.reply(id: 2, payload: [UInt8](repeating: 0, count: 9))
    }
    #expect(throws: FrameError(.channelNameTooLong, "", id: 2, isFatal: false)) {
      try writer.message("PW.PW", id: 2, payload: nil)
    }
    #expect(throws: FrameError(.channelNameMissing, "", id: 2, isFatal: false)) {
      try writer.message("", id: 2, payload: nil)
    }
    let options = [Hello.Option(name: "big", value: String(repeating: "x", count: 65_536))]
    #expect(throws: FrameError(.payloadTooLong, "", isFatal: true)) {
      try writer.hello(Hello(options: options))
    }
    #expect(writer.pendingCount == 0)
    writer.error(FrameError(.internal, "longer than the other side accepts"))
    #expect(readStream(writer.takePending()).error == nil)
  }

  @Test func pendingBytesStayUntilConsumed() throws {
    let writer = FrameWriter()
    var expected: [UInt8] = []
    var written: [UInt8] = []
    for id in UInt64(1)...3000 {
      let frame = Frame.message("PW", id: id, payload: [UInt8](repeating: 5, count: Int(id % 90)))
      try writer.append(frame)
      expected += try encodedFrame(frame)
      let part = writer.withPending { Array($0.prefix(Int(id % 70))) }
      writer.consumed(part.count)
      written += part
    }
    written += writer.takePending()
    #expect(written == expected)
  }
}
