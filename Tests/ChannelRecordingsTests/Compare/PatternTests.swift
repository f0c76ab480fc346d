import ChannelCodec
import ChannelRouter
import Testing

@testable import ChannelRecordings

@Suite("Patterns for calls and paths")
struct PatternTests {
  private static let token = ValuePath([.key("token")])
  private static let id = ValuePath([.key("items"), .element(3), .key("id")])
  private static let code = ValuePath([.part("error"), .part("code")])

  @Test(
    "cover what they match and all within",
    arguments: [
      ("$", token, true), ("$", ValuePath(), true), ("$.token", token, true),
      ("$.token", ValuePath(), false), ("$.tok", token, false), ("$.*", token, true),
      ("$[*]", token, true), ("$['token']", token, true), ("$[\"token\"]", token, true),
      ("$.items", id, true), ("$.items[*].id", id, true), ("$.items[3].id", id, true),
      ("$.items[4].id", id, false), ("$..id", id, true), ("$..id", token, false),
      ("$..[3]", id, true), ("$.*.*.*", id, true), ("$.*.*.*.*", id, false),
      ("$.items..id", id, true), ("$..items..id", id, true), ("$.error.code", code, true),
      ("$[7]", ValuePath([.key(7)]), true), ("$[-7]", ValuePath([.key(-7)]), true),
      ("$[1].x", ValuePath([.element(1), .key("x"), .key("y")]), true),
    ])
  func paths(pattern: String, path: ValuePath, isCovered: Bool) throws {
    #expect(try PathPattern(pattern).covers(path) == isCovered)
  }

  @Test(
    "are refused with the reason",
    arguments: [
      ("token", "begins with $"), ("$token", "expected . or ["), ("$.", "expected a key"),
      ("$[x]", "expected [3]"), ("$[", "expected [3]"), ("$['a]", "closing mark"),
      ("$[3", "not closed"), ("$[*", "not closed"), ("$.a b", "expected . or ["), ("", "begins"),
    ])
  func malformed(pattern: String, reason: String) {
    let error = #expect(throws: PatternError.self) { try PathPattern(pattern) }
    #expect(error?.text.contains(reason) == true)
  }

  @Test(
    "name calls by channel and method",
    arguments: [
      ("PW.start*: $.token", "PW", "startLiveActivity", true),
      ("PW.start*: $.token", "PW", "stopLiveActivity", false),
      ("PW: $.token", "PW", "stopLiveActivity", true),
      ("*: $.token", "anything", nil, true),
      ("dev.app/x: $", "dev.app/x", "a", true),
      ("dev.app/x.a:$", "dev.app/x", "a", true),
      ("odd: channel.a: $", "odd: channel", "a", false),
      ("odd:channel.a: $", "odd:channel", "a", true),
      ("PW.?top*", "PW", "stopLiveActivity", true),
    ] as [(String, ChannelName, Value.Text?, Bool)])
  func calls(rule: String, channel: ChannelName, method: Value.Text?, concerns: Bool) throws {
    // The one with a space inside its channel takes the wrong colon, and says so.
    guard let rule = try? IgnoreRule(rule) else {
      #expect(rule.hasPrefix("odd: "))
      return
    }
    #expect(rule.concerns(channel, method: method) == concerns)
  }

  @Test("of globs agree with a plain matcher")
  func globs() {
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
    var random = Seeded(seed)
    func slow(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      if first == UInt8(ascii: "*") {
        if slow(pattern.dropFirst(), text) { return true }
        return text.isEmpty ? false : slow(pattern, text.dropFirst())
      }
      guard let next = text.first, first == next || first == UInt8(ascii: "?") else { return false }
      return slow(pattern.dropFirst(), text.dropFirst())
    }
    for _ in 0..<20_000 {
      let pattern = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Array("ab*?".utf8).randomElement(using: &random)!
      }
      let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Array("ab".utf8).randomElement(using: &random)!
      }
      let isMatch = Glob(String(decoding: pattern, as: UTF8.self)).matches(text)
      #expect(
        isMatch == slow(pattern[...], text[...]), "seed \(seed): \(pattern) \(text)")
    }
  }
}

/// Repeatable randomness.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
