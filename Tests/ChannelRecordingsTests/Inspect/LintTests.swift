import ChannelRecordings
import ChannelRouter
import Testing

/// Each rule on a recording that breaks it and on one that does not.
@Suite("Lint")
struct LintTests {
  private func rules(_ made: Made, _ codec: ChannelCodecKind = .standardMethod) -> [LintRule] {
    var codecs = ChannelCodecMap()
    codecs["c"] = codec
    return made.lint(codecs: codecs).map(\.rule)
  }

  /// A call with these arguments, and its reply.
  private func call(_ arguments: [UInt8], reply: [UInt8]? = [0, 0]) -> Made {
    var made = Made()
    made.call("c", 1, "m", arguments)
    made.reply("c", 1, reply)
    return made
  }

  private func finding(_ made: Made, _ rule: LintRule) throws -> LintFinding {
    var codecs = ChannelCodecMap()
    codecs["c"] = .standardMethod
    let group = try #require(made.lint(codecs: codecs).first { $0.rule == rule })
    return try #require(group.first.first)
  }

  @Test("nothing to find")
  func clean() {
    #expect(rules(call([13, 1] + wireString("a") + wireInt32(5))) == [])
    #expect(rules(call([0], reply: [1] + wireString("e") + [0, 0])) == [])
    #expect(rules(Made()) == [])
  }

  @Test("calls without an answer, and answers too many")
  func answers() throws {
    var made = Made()
    made.call("c", 1, "m", [0])
    made.call("c", 2, "m", [0])
    made.reply("c", 2, [0, 0])
    made.reply("c", 2, [0, 0])
    made.reply("c", 9, [0, 0])
    made.call("c", 3, "m", [0])
    made.add(.nativeToDart, "c", 3, .dropped, nil)
    made.add(.dartToNative, "c", 4, .message, wireString("m") + [0], isOneWay: true)
    #expect(rules(made) == [.unansweredCall, .doubleReply, .replyWithoutCall])
    let groups = made.lint()
    #expect(groups[0].count == 2)
    #expect(groups[0].first.map(\.place) == [7, 1])
    #expect(groups[1].first.map(\.place) == [4])
    #expect(groups[2].first.map(\.place) == [5])
  }

  @Test("an id that is used again too early")
  func reusedIDs() {
    var made = Made()
    made.call("c", 1, "m", [0])
    made.call("c", 1, "m", [0])
    made.reply("c", 1, [0, 0])
    #expect(rules(made) == [.unansweredCall, .reusedID])
    made = call([0])
    made.call("c", 1, "m", [0])
    made.reply("c", 1, [0, 0])
    #expect(rules(made) == [])
  }

  @Test("no payload, and an empty one")
  func emptiness() {
    #expect(rules(call([0], reply: nil)) == [.nullReply])
    var made = Made()
    made.add(.dartToNative, "c", 1, .message, Array("a".utf8))
    made.add(.nativeToDart, "c", 1, .reply, [])
    #expect(rules(made, .string) == [.emptyPayload])
  }

  @Test(
    "payloads that are not of the codec",
    arguments: [
      ([3, 1], LintRule.malformed, 4), ([0, 0], .malformed, 4), ([7, 5, 0x61], .malformed, 5),
      ([12, 200, 0], .malformed, 3), ([0x21], .unknownType, 3), ([], .malformed, 3),
    ] as [([UInt8], LintRule, Int)])
  func malformed(arguments: [UInt8], rule: LintRule, offset: Int) throws {
    #expect(rules(call(arguments)) == [rule])
    #expect(try finding(call(arguments), rule).offset == offset)
  }

  @Test(
    "replies that are no envelopes",
    arguments: [
      [2, 0], [0], [0, 0, 0], [1, 0, 0, 0], [1] + wireString("c") + wireInt32(1) + [0],
    ])
  func envelopes(reply: [UInt8]) {
    #expect(rules(call([0], reply: reply)) == [.malformedEnvelope])
  }

  @Test("a fourth field of an error")
  func stackTrace() {
    let error: [UInt8] = [1] + wireString("e") + [0, 0]
    #expect(rules(call([0], reply: error + wireString("at x"))) == [.stackTrace])
  }

  @Test("empty typed lists as C++ writes them")
  func emptyLists() throws {
    // 07 01 6d | 0c 02 | 0b 00: the padding to 8 is missing, and a value follows.
    let made = call([12, 2, 11, 0, 1])
    #expect(rules(made) == [.unpaddedEmptyList])
    let found = try finding(made, .unpaddedEmptyList)
    #expect(found.offset == 5 && found.path == "arguments[0]")
    // Padded, as everyone else does.
    #expect(rules(call([12, 2, 11, 0, 0, 1])) == [])
    #expect(rules(call([12, 2, 9, 0, 0, 1])) == [])
    #expect(rules(call([12, 2, 9, 0, 1])) == [.unpaddedEmptyList])
    // Uint8List has no padding, and where none is needed none can be missing.
    #expect(rules(call([12, 2, 8, 0, 1])) == [])
    #expect(rules(call([12, 3, 1, 9, 0, 1])) == [])
  }

  @Test("other bytes than an encoder would write")
  func nonCanonical() throws {
    #expect(rules(call([7, 254, 1, 0, 0x61])) == [.nonCanonical])
    #expect(rules(call([7, 255, 1, 0, 0, 0, 0x61])) == [.nonCanonical])
    #expect(rules(call([6, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 8))) == [.nonCanonical])
    #expect(rules(call([6, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8))) == [])
  }

  @Test("text")
  func text() {
    #expect(rules(call([7, 2, 0xff, 0xfe])) == [.invalidUTF8])
    #expect(rules(call([7, 3, 0x61, 0, 0x62])) == [.nulInString])
    #expect(rules(call([7, 4, 0xef, 0xbb, 0xbf, 0x61])) == [.byteOrderMark])
  }

  @Test("numbers of two widths at one place")
  func widths() throws {
    var made = Made()
    made.call("c", 1, "m", [13, 1] + wireString("a") + wireInt32(5))
    made.reply("c", 1, [0] + wireInt32(5))
    made.call("c", 2, "m", [13, 1] + wireString("a") + wireInt64(1 << 40))
    made.reply("c", 2, [0] + wireInt64(1 << 40))
    made.call("c", 3, "m", [13, 1] + wireString("b") + wireInt32(5))
    made.reply("c", 3, [0, 0])
    // To Dart every width is an int.
    #expect(rules(made) == [.intWidth])
    let found = try finding(made, .intWidth)
    #expect(found.path == #"arguments["a"]"# && found.place == 3 && found.method == "m")
    var mixed = call([12, 1] + wireInt32(1))
    mixed.call("c", 2, "m", [12, 1, 6, 0, 0] + [UInt8](repeating: 0, count: 8))
    mixed.reply("c", 2, [0, 0])
    #expect(rules(mixed) == [.numberKind])
  }

  @Test("integers as keys, and large ones")
  func integers() {
    #expect(rules(call([13, 1] + wireInt32(5) + [0x01])) == [.intMapKey])
    #expect(rules(call(wireInt64(1 << 53))) == [])
    #expect(rules(call(wireInt64(1 << 53 + 1))) == [.largeInteger])
    #expect(rules(call(wireInt64(.min))) == [.largeInteger])
    #expect(rules(call([5, 2, 0x66, 0x66])) == [.largeInteger])
  }

  @Test("maps", arguments: [2, 40])
  func maps(size: Int) throws {
    var pairs: [UInt8] = []
    for number in 1..<size { pairs += wireString("k\(number)") + [1] }
    let made = call([13, UInt8(size)] + pairs + wireString("k1") + [1])
    #expect(rules(made) == [.duplicateKey])
    #expect(try finding(made, .duplicateKey).found.contains(#""k1""#))
    #expect(rules(call([13, UInt8(size)] + pairs + wireString("k0") + [1])) == [])
    #expect(rules(call([13, UInt8(size)] + pairs + wireString("k0") + [0])) == [.nullInMap])
    // In Dart null is null.
    #expect(rules(call([0], reply: [0, 13, 1] + wireString("a") + [0])) == [])
  }

  @Test("where in a value")
  func paths() throws {
    let made = call(
      [13, 1] + wireString("a") + [12, 2, 1, 129, 13, 1] + wireString("b\u{1b}") + [0])
    let found = try finding(made, .nullInMap)
    #expect(found.path == #"arguments["a"][1]<129>["b\u{1b}"]"#)
  }

  @Test(
    "JSON",
    arguments: [
      (#"{"method":"m","args":[NaN]}"#, LintRule.nanInJSON),
      (#"{"method":"m","args":[-Infinity]}"#, .nanInJSON),
      (#"{"method":"m","args":[1,]}"#, .malformed), (#"{"method":"m","args":{"a":}}"#, .nanInJSON),
      (#"{"method":"m","args":{"a":1,"a":2}}"#, .duplicateKey),
      (#"{"method":"m","args":9007199254740993}"#, .largeInteger),
      (#"{"method":7}"#, .malformed), ("{", .malformed),
    ])
  func json(text: String, rule: LintRule) {
    var made = Made()
    made.add(.dartToNative, "c", 1, .message, Array(text.utf8))
    made.reply("c", 1, Array("[null]".utf8))
    #expect(rules(made, .jsonMethod) == [rule])
  }

  @Test("JSON envelopes")
  func jsonEnvelopes() {
    func rules(_ reply: String) -> [LintRule] {
      var made = Made()
      made.add(.dartToNative, "c", 1, .message, Array(#"{"method":"m","args":null}"#.utf8))
      made.reply("c", 1, Array(reply.utf8))
      return self.rules(made, .jsonMethod)
    }
    #expect(rules(#"["e",null,null]"#) == [])
    #expect(rules(#"["e",null,null,"at x"]"#) == [.stackTrace])
    #expect(rules(#"[1,2]"#) == [.malformedEnvelope])
  }

  @Test("large payloads")
  func huge() {
    let size = RecordingLint.hugePayload
    let list: [UInt8] = [8, 255] + wireBytes(UInt32(size)) + [UInt8](repeating: 7, count: size)
    #expect(rules(call(list)) == [.hugePayload])
  }

  @Test("messages that come before anyone listens, and floods")
  func buffers() {
    var made = Made()
    for number in UInt64(0)..<3 { made.add(.nativeToDart, "c", number, .message, [0, 1]) }
    #expect(rules(made) == [.unbuffered])
    made = call([0])
    for number in UInt64(0)..<3 { made.add(.nativeToDart, "c", number, .message, [0, 1]) }
    #expect(rules(made) == [])
    for number in UInt64(10)..<900 {
      made.add(.nativeToDart, "c", number, .message, [0, 1], at: Int64(number) * 100)
    }
    #expect(rules(made) == [.burst])
  }

  @Test("findings are kept up to a limit and counted beyond")
  func limit() {
    var made = Made()
    for number in UInt64(0)..<100 {
      made.call("c", number, "m", [7, 1, 0xff])
      made.reply("c", number, [0, 0])
    }
    for limit in [0, 3, 100, 1000] {
      var codecs = ChannelCodecMap()
      codecs["c"] = .standardMethod
      let groups = made.lint(keeping: limit, codecs: codecs)
      #expect(groups.map(\.rule) == [.invalidUTF8])
      #expect(groups.first?.count == 100)
      #expect(groups.first?.first.count == min(limit, 100))
    }
  }

  @Test("any bytes are read to an end")
  func random() {
    let seed = UInt64.random(in: 0..<UInt64.max)
    var random = SeededNumbers(seed)
    for _ in 0..<3000 {
      let size = Int(random.next() % 40)
      var payload = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next() % 20) }
      if random.next().isMultiple(of: 2) { payload = wireString("m") + payload }
      var made = Made()
      made.add(.dartToNative, "c", 1, .message, payload)
      made.add(.nativeToDart, "c", 1, .reply, payload)
      for codec in ChannelCodecKind.allCases {
        _ = rules(made, codec)
      }
    }
  }
}
