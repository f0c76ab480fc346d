import ChannelRouter
import ChannelTransport
import Testing

/// The text framing.
struct LineTests {
  private func events(_ text: String, limits: FrameLimits = FrameLimits()) -> [LineReader.Event] {
    let reader = LineReader(limits: limits)
    var events: [LineReader.Event] = []
    for byte in text.utf8 {
      reader.feed([byte])
      while let event = reader.next() { events.append(event) }
    }
    if let event = reader.finish() { events.append(event) }
    return events
  }

  @Test(arguments: [
    ("PW 0705", LineRequest.message(channel: "PW", payload: [7, 5])),
    ("PW 07 0 5", .message(channel: "PW", payload: [7, 5])),
    ("  PW\tfFaB  ", .message(channel: "PW", payload: [0xff, 0xab])),
    ("PW -", .message(channel: "PW", payload: nil)),
    ("PW \"\"", .message(channel: "PW", payload: [])),
    (
      "dev.flutter/channel-buffers 00\r",
      .message(channel: "dev.flutter/channel-buffers", payload: [0])
    ),
    ("caf\u{e9} -", .message(channel: "caf\u{e9}", payload: nil)),
    (
      #""a b\n\"\\\/\t\u00e9\ud83d\ude00" -"#,
      .message(channel: "a b\n\"\\/\t\u{e9}\u{1f600}", payload: nil)
    ),
    (#""<" 00"#, .message(channel: "<", payload: [0])),
    ("< 00", .answer(payload: [0])), ("< -", .answer(payload: nil)),
    ("<\t\"\"", .answer(payload: [])),
  ]) func request(line: String, request: LineRequest) {
    #expect(events(line + "\n") == [.request(request, line: 1)])
    #expect(events(line) == [.request(request, line: 1)])
  }

  @Test func linesThatAskForNothing() {
    #expect(
      events("\n \t\r\n# PW 00\n  # x\n\nPW -\n# end") == [
        .request(.message(channel: "PW", payload: nil), line: 6)
      ])
  }

  @Test(arguments: [
    ("PW", 3), ("PW ", 4), ("PW 0", 5), ("PW 0x05", 5), ("PW 05 zz", 7), ("PW - -", 6),
    ("PW \"00\"", 4), ("PW \"\" 0", 7), ("\"PW 00", 1), ("\"PW\"00", 5), ("\"\" 00", 1),
    ("\"\\x\" 00", 2), ("\"\\ud800\" 00", 2), ("\"\\ud800\\u0041\" 00", 2), ("\"\\udc00\" 00", 2),
    ("\"\\u12\" 00", 2), ("\"\\", 2), ("\"\\u0000\" 00", 1), ("> PW 00", 1), ("! no", 1),
    ("<00", 2),
    ("<", 2), ("\u{e9}\u{e9} 0g", 5),
  ]) func refused(line: String, column: Int) {
    let events = events("\n" + line + "\nPW -")
    guard case .refused(let error) = events.first else {
      Issue.record("\(line) gave \(events)")
      return
    }
    #expect(error.line == 2)
    #expect(error.column == column, "\(error)")
    #expect(!error.text.isEmpty)
    #expect(events.dropFirst() == [.request(.message(channel: "PW", payload: nil), line: 3)])
  }

  @Test func limits() {
    let limits = FrameLimits(maximumPayload: 2, maximumChannelName: 3)
    #expect(
      events("abc 0102", limits: limits) == [
        .request(.message(channel: "abc", payload: [1, 2]), line: 1)
      ])
    for line in ["abcd 01", "abc 010203", String(repeating: "x", count: 500)] {
      let events = events(line + "\nabc -\n", limits: limits)
      #expect(events.count == 2)
      guard case .refused = events.first else {
        Issue.record("\(line) gave \(events)")
        continue
      }
      #expect(events.last == .request(.message(channel: "abc", payload: nil), line: 2))
    }
  }

  /// A line without an end is thrown away as it comes.
  @Test func endlessLine() {
    let reader = LineReader(limits: FrameLimits(maximumPayload: 1000))
    var refusals = 0
    for _ in 0..<1000 {
      let count = reader.withSpace(atLeast: 1000) { space in
        #expect(space.count < 64 << 10)
        UnsafeMutableRawBufferPointer(rebasing: space[..<1000]).initializeMemory(
          as: UInt8.self, repeating: 0x61)
        return 1000
      }
      #expect(count == 1000)
      while let event = reader.next() {
        if case .refused = event { refusals += 1 }
      }
    }
    #expect(refusals == 1)
    #expect(reader.finish() == nil)
  }

  @Test(arguments: [
    (LineReply.reply([0, 0xab]), "00ab\n"), (.reply(nil), "-\n"), (.reply([]), "\"\"\n"),
    (.refusal("dropped: no\nanswer"), "! dropped: no\\u{a}answer\n"),
    (.message(channel: "PW", payload: [1]), "> PW 01\n"),
    (.message(channel: "a b", payload: nil), "> \"a b\" -\n"),
    (.message(channel: "#\u{7}\"\\", payload: []), "> \"#\\u0007\\\"\\\\\" \"\"\n"),
    (.message(channel: "\u{202e}\u{e0001}", payload: nil), "> \"\\u202e\\udb40\\udc01\" -\n"),
    // Joiners steer nothing; any kind of space would divide the name for some reader.
    (.message(channel: "👩\u{200d}👧", payload: nil), "> 👩\u{200d}👧 -\n"),
    (.message(channel: "a\u{a0}b", payload: nil), "> \"a\\u00a0b\" -\n"),
    (.refusal("no 👩\u{200d}👧\u{9b}31m"), "! no 👩\u{200d}👧\\u{9b}31m\n"),
  ]) func written(reply: LineReply, text: String) {
    #expect(String(decoding: reply.bytes, as: UTF8.self) == text)
  }

  /// Names come back as they were, whatever is in them.
  @Test func namesRoundTrip() {
    var random = FrameTestRandom(stream: 4)
    let scalars: [Unicode.Scalar] = [
      "a", "b", "\"", "\\", " ", "\t", "\n", "#", "<", ">", "!", "-", "\u{e9}", "\u{202e}",
      "\u{1f600}", "\u{a0}", "\u{7f}", "\u{e0001}",
    ]
    for _ in 0..<500 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        text.append(scalars.randomElement(using: &random) ?? "a")
      }
      let name = ChannelName(String(text))
      let line = LineReply.name(name) + " 01"
      #expect(events(line) == [.request(.message(channel: name, payload: [1]), line: 1)], "\(line)")
    }
  }

  /// Any text at all: never a crash, the same in one piece as byte by byte, and one event for each
  /// line at most.
  @Test func randomText() {
    var random = FrameTestRandom(stream: 5)
    let bytes = Array("PW 07af-\"\\ud83d00<>!#\t\r\n\n \u{e9}".utf8) + [0, 0xff]
    for _ in 0..<1000 {
      let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        bytes[Int.random(in: 0..<bytes.count, using: &random)]
      }
      let whole = LineReader()
      let pieces = LineReader()
      whole.feed(text)
      var expected: [LineReader.Event] = []
      while let event = whole.next() { expected.append(event) }
      if let event = whole.finish() { expected.append(event) }
      var events: [LineReader.Event] = []
      for byte in text {
        pieces.feed([byte])
        while let event = pieces.next() { events.append(event) }
      }
      if let event = pieces.finish() { events.append(event) }
      #expect(events == expected, "\(text.hexText)")
      #expect(events.count <= text.filter { $0 == 0x0a }.count + 1)
    }
  }
}
