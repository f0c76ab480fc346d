import ChannelRouter
import ChannelTransport
import Testing

/// What is refused, with code and offset; and what is skipped.
struct FrameErrorTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    let hex: String
    let problem: FrameProblem
    let offset: UInt64
    var id: UInt64 = 0
    var testDescription: String { "\(problem.rawValue): \(hex)" }
  }

  /// A good frame stands before each fault, so that offsets in the stream differ from those in the
  /// frame.
  static let prefix = "00000000 04 01 0000 0100000000000000"

  static let faults = [
    Fault(hex: "00000000 00 00 0000 0000000000000000", problem: .unknownKind, offset: 20),
    Fault(hex: "00000000 00 02 0000 0000000000000000", problem: .unknownKind, offset: 20),
    Fault(hex: "00000000 09 00 0000 0000000000000000", problem: .unknownKind, offset: 20),
    Fault(hex: "00000000 ff 01 0000 0000000000000000", problem: .unknownKind, offset: 20),
    Fault(hex: "00000000 03 05 0000 0000000000000000", problem: .reservedFlags, offset: 21),
    Fault(hex: "00000000 02 80 0200 0100000000000000", problem: .reservedFlags, offset: 21),
    Fault(
      hex: "00000000 02 01 0000 0300000000000000", problem: .channelNameMissing, offset: 22, id: 3),
    Fault(
      hex: "00000000 02 01 0110 0300000000000000", problem: .channelNameTooLong, offset: 22, id: 3),
    Fault(hex: "00000000 07 02 ffff 0300000000000000", problem: .channelNameTooLong, offset: 22),
    Fault(
      hex: "00000000 02 01 0200 0300000000000000 c328000000000000", problem: .channelNameMalformed,
      offset: 32, id: 3),
    Fault(
      hex: "00000000 02 01 0300 0300000000000000 5000570000000000", problem: .channelNameMalformed,
      offset: 32, id: 3),
    Fault(
      hex: "00000000 03 01 0200 0300000000000000 5057000000000000",
      problem: .channelNameUnexpected, offset: 22),
    Fault(hex: "00000000 08 01 0800 0000000000000000", problem: .channelNameUnexpected, offset: 22),
    Fault(
      hex: "00000000 02 01 0200 0300000000000000 5057570000000000", problem: .paddingNotZero,
      offset: 34),
    Fault(
      hex: "00000000 02 01 0200 0300000000000000 5057000000000001", problem: .paddingNotZero,
      offset: 39),
    Fault(
      hex: "01000000 03 00 0000 0300000000000000 0001000000000000", problem: .paddingNotZero,
      offset: 33),
    Fault(
      hex: "07000000 03 00 0000 0300000000000000 0000000000000001", problem: .paddingNotZero,
      offset: 39),
    Fault(
      hex: "01000000 02 01 0200 0300000000000000 5057000000000000 0000000000000000",
      problem: .payloadUnexpected, offset: 16, id: 3),
    Fault(hex: "01000000 04 00 0000 0300000000000000", problem: .payloadUnexpected, offset: 16),
    Fault(hex: "ffffffff 05 00 0000 0300000000000000", problem: .payloadUnexpected, offset: 16),
    Fault(
      hex: "00000000 01 00 0000 5057425249444745", problem: .helloExpected, offset: 20),
    Fault(hex: "00", problem: .frameIncomplete, offset: 17),
    Fault(hex: "0100000003000000030000000000000000", problem: .frameIncomplete, offset: 33),
  ]

  @Test(arguments: faults) func refused(fault: Fault) {
    let bytes = wireBytes(Self.prefix + fault.hex)
    let expected = FrameError(fault.problem, "", offset: fault.offset, id: fault.id)
    let whole = readStream(bytes)
    #expect(whole.events == [.frame(.dropped(id: 1))])
    #expect(whole.error == expected)
    #expect(whole.error?.text.isEmpty == false)
    #expect(readStream(bytes.map { [$0] }) == whole)
  }

  @Test(arguments: 1...9, 0...9) func everyByteOfThePaddingIsChecked(
    nameSize: Int, size: Int
  ) throws {
    let name = ChannelName(String(repeating: "~", count: nameSize))
    let payload = [UInt8](repeating: 0xff, count: size)
    let frame = try encodedFrame(.message(name, id: 1, payload: payload))
    let payloadStart = 16 + (nameSize + 7) / 8 * 8
    #expect(frame.count == payloadStart + (size + 7) / 8 * 8)
    // In the queue the second frame stands behind the first.
    #expect(readStream(frame + frame).frames.count == 2)
    let padding =
      Array(16 + nameSize..<payloadStart) + Array(payloadStart + size..<frame.count)
    for position in padding {
      for bit in [1, 0x80] as [UInt8] {
        var bad = frame
        bad[position] = bit
        let outcome = readStream(frame + bad)
        #expect(outcome.frames.count == 1)
        let offset = UInt64(frame.count + position)
        #expect(outcome.error == FrameError(.paddingNotZero, "", offset: offset))
      }
    }
  }

  @Test func refusedForGood() throws {
    let reader = FrameReader(expectsHello: false)
    reader.feed(wireBytes("00000000 09 00 0000 0000000000000000"))
    let expected = FrameError(.unknownKind, "", offset: 4)
    #expect(throws: expected) { try reader.next() }
    reader.feed(wireBytes(Self.prefix))
    #expect(throws: expected) { try reader.next() }
    #expect(throws: expected) { try reader.finish() }
  }

  @Test func flagsAreFreeInUnknownOptionalFrames() {
    let bytes = wireBytes(
      "03000000 63 fe 0100 0300000000000000 ff00000000000000 0102030000000000" + Self.prefix)
    let expected: [FrameReader.Event] = [.skippedOptional(kind: 99), .frame(.dropped(id: 1))]
    #expect(readStream(bytes) == StreamOutcome(events: expected))
    #expect(readStream(bytes.map { [$0] }) == StreamOutcome(events: expected))
  }

  @Test func unknownOptionalFrameCutShort() {
    let outcome = readStream(wireBytes("10000000 63 02 0000 0000000000000000 00000000"))
    #expect(outcome.events == [.skippedOptional(kind: 99)])
    #expect(outcome.error == FrameError(.frameIncomplete, "", offset: 20))
    #expect(outcome.error?.text.contains("20 of 32 bytes") == true)
  }

  @Test func optionalIsAllowedOnKnownKinds() {
    let outcome = readStream(wireBytes("00000000 04 03 0000 0100000000000000"))
    #expect(outcome.frames == [Frame(.dropped, flags: .optional, id: 1)])
  }

  /// A client that leaves the flag out of a frame without payload is understood.
  @Test func droppedWithoutItsFlag() {
    let outcome = readStream(wireBytes("00000000 04 00 0000 0100000000000000"))
    #expect(outcome.error == nil)
    #expect(outcome.frames.map(\.payload) == [nil])
  }

  // MARK: Limits

  @Test func payloadOverTheLimitIsSkipped() {
    let limits = FrameLimits(maximumPayload: 8)
    let bytes = wireBytes(
      "08000000 02 00 0200 0100000000000000 5057000000000000 0102030405060708"
        + "09000000 02 00 0200 0200000000000000 5057000000000000 0102030405060708 0900000000000000"
        + "0a000000 03 00 0000 0300000000000000 0102030405060708 090a000000000000" + Self.prefix)
    let expected: [FrameReader.Event] = [
      .frame(.message("PW", id: 1, payload: [1, 2, 3, 4, 5, 6, 7, 8])),
      .tooLong(FrameHead(kind: .message, flags: [], channel: "PW", id: 2, payloadLength: 9)),
      .tooLong(FrameHead(kind: .reply, flags: [], channel: nil, id: 3, payloadLength: 10)),
      .frame(.dropped(id: 1)),
    ]
    #expect(readStream(bytes, limits: limits) == StreamOutcome(events: expected))
    #expect(readStream(bytes.map { [$0] }, limits: limits) == StreamOutcome(events: expected))
  }

  /// 4 GiB are announced: the refusal comes with the head, before any of it, and nothing is kept of
  /// the payload while it streams by.
  @Test func announcedPayloadTakesNoMemory() throws {
    let reader = FrameReader(expectsHello: false)
    reader.feed(wireBytes("ffffffff 02 00 0200 0500000000000000 5057000000000000"))
    let head = FrameHead(
      kind: .message, flags: [], channel: "PW", id: 5, payloadLength: 0xffff_ffff)
    #expect(try reader.next() == .tooLong(head))
    var left = 0x1_0000_0000
    while left > 0 {
      let count = reader.withSpace(atLeast: 1 << 16) { space in
        #expect(space.count <= 1 << 20)
        return min(space.count, left)
      }
      left -= count
      #expect(try reader.next() == nil)
    }
    try reader.finish()
    reader.feed(wireBytes(Self.prefix))
    #expect(try reader.next() == .frame(.dropped(id: 1)))
  }

  /// Within the limit memory follows what has come, not what is announced.
  @Test func memoryFollowsTheBytes() throws {
    let reader = FrameReader(
      limits: FrameLimits(maximumPayload: FrameLimits.largestPayload), expectsHello: false)
    reader.feed(wireBytes("ffffffff 02 00 0200 0500000000000000 5057000000000000"))
    #expect(try reader.next() == nil)
    var received = 0
    for _ in 0..<64 {
      let count = reader.withSpace(atLeast: 1) { space in
        #expect(space.count <= max(512 << 10, received * 4))
        return min(space.count, 16 << 10)
      }
      received += count
      #expect(try reader.next() == nil)
    }
    #expect(throws: FrameError(.frameIncomplete, "", offset: UInt64(24 + received))) {
      try reader.finish()
    }
  }

  // MARK: Codes

  @Test func everyCodeTravels() throws {
    for problem in FrameProblem.allCases {
      let error = FrameError(problem, "line one\nline two \\ \u{e9}", offset: 77, id: 12)
      let writer = FrameWriter()
      writer.error(error)
      let frame = try #require(readStream(writer.takePending()).frames.first)
      let received = try ReceivedError(frame)
      #expect(received.problem == problem)
      #expect(received.text == error.text)
      #expect(received.offset == 77)
      #expect(received.id == 12)
      #expect(received.isFatal == error.isFatal)
    }
  }

  @Test func unknownCode() throws {
    let payload = Array("code=from-the-future\ntext=x\nmore=y\n".utf8)
    let received = try ReceivedError(Frame(.error, payload: payload))
    #expect(received.problem == nil)
    #expect(received.code == "from-the-future")
    #expect(!received.isFatal)
    #expect(throws: FrameError(.fieldsMalformed, "", offset: 0)) {
      try ReceivedError(Frame(.error, payload: [0x41, 0x0a]))
    }
  }
}
