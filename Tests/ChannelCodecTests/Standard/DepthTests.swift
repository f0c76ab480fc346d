import ChannelCodec
import Testing

/// Messages nested as deep as one likes, and what they say.
enum Nesting: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case lists, mapValues, mapKeys, customs, mixed
  var testDescription: String { rawValue }

  /// The bytes before the innermost value, per level.
  private var opening: [String] {
    switch self {
    case .lists: ["0c 01"]
    case .mapValues: ["0d 01 00"]
    case .mapKeys: ["0d 01"]
    case .customs: ["c8"]
    case .mixed: ["0c 01", "0d 01 00", "c8"]
    }
  }

  func unterminated(_ depth: Int) -> [UInt8] {
    let parts = opening.map(wire)
    return (0..<depth).flatMap { parts[$0 % parts.count] }
  }

  func message(_ depth: Int) -> [UInt8] {
    let closing = self == .mapKeys ? depth : 0
    return unterminated(depth) + [0] + [UInt8](repeating: 0, count: closing)
  }

  /// Where the type byte of level `depth + 1` stands.
  func offset(afterLevels depth: Int) -> Int { unterminated(depth).count }
}

@Suite("Depth")
struct DepthTests {
  private static let caps = [1, 512, 100_000]

  private static func codec(_ cap: Int, _ profile: Profile = .strict) -> StandardMessageCodec {
    StandardMessageCodec(profile: profile, extensions: .pigeon, maximumDepth: cap)
  }

  @Test("at the cap all operations work on a small stack", arguments: Nesting.allCases, caps)
  func atTheCap(_ nesting: Nesting, _ cap: Int) async throws {
    let message = nesting.message(cap)
    try await onSmallStack {
      let codec = Self.codec(cap)
      let value = try #require(try codec.decode(message))
      let twin = try #require(try codec.react(to: message).result.get())
      #expect(value == twin)
      #expect(value.hashValue == twin.hashValue)
      #expect(value.isEqualInDart(to: twin))
      #expect(!value.isEqualInDart(to: [value]))
      #expect(try codec.encode(value) == message)
      var counter = NodeCounter()
      value.visit(with: &counter)
      #expect(counter.containers == cap)
      var builder = ValueBuilder()
      builder.beginList()
      builder.append(value)
      builder.end()
      let moved = builder.finish()
      #expect(moved[0] == value)
    }
  }

  @Test("every profile decodes and encodes at the cap", arguments: Nesting.allCases, caps)
  func profiles(_ nesting: Nesting, _ cap: Int) async throws {
    let message = nesting.message(cap)
    for profile in Profile.allCases where profile != .strict {
      try await onSmallStack {
        let codec = Self.codec(cap, profile)
        let value = try #require(try codec.decode(message))
        #expect(try codec.encode(value) == message, "\(profile)")
      }
    }
  }

  @Test("one level deeper is refused where it begins", arguments: Nesting.allCases, caps)
  func tooDeep(_ nesting: Nesting, _ cap: Int) async throws {
    let whole = nesting.message(cap + 1)
    let cut = nesting.unterminated(cap + 1)
    let offset = nesting.offset(afterLevels: cap)
    // A long path tells its ends only.
    let steps = min(cap, 41)
    for profile in Profile.allCases {
      // What follows a refused level is never looked at.
      let messages = profile == .strict ? [whole, cut] : [cut]
      try await onSmallStack {
        for message in messages {
          let error = codecError { () throws(CodecError) in
            try Self.codec(cap, profile).decode(message)
          }
          #expect(error?.code == .depthExceeded, "\(profile)")
          #expect(error?.offset == offset, "\(profile)")
          #expect(error?.path.components.count == steps, "\(profile)")
          #expect(error?.description.contains("at most \(cap) nested containers") == true)
        }
      }
    }
  }

  @Test("unterminated nesting is told as such", arguments: Nesting.allCases, caps)
  func unterminated(_ nesting: Nesting, _ cap: Int) async throws {
    let message = nesting.unterminated(cap)
    for profile in Profile.allCases {
      try await onSmallStack {
        let result = Result { () throws(CodecError) in
          try Self.codec(cap, profile).decode(message)
        }
        if profile == .windows {
          // It makes up what is missing, or answers null for a list that the message cannot hold.
          #expect(throws: Never.self) { try result.get() }
          return
        }
        let error = codecError { () throws(CodecError) in try result.get() }
        let codes: [CodecError.Code] = [.truncated, .sizeTooLarge]
        #expect(error.map { codes.contains($0.code) } == true, "\(profile) \(nesting)")
        #expect((error?.offset ?? .max) <= message.count)
      }
    }
  }

  @Test("calls and envelopes have the cap for each of their values", arguments: [1, 512])
  func methodCodec(_ cap: Int) throws {
    for profile in Profile.allCases {
      let codec = StandardMethodCodec(
        profile: profile, extensions: .pigeon, maximumDepth: cap)
      let good = Nesting.lists.message(cap)
      let bad = Nesting.lists.message(cap + 1)
      let call = try codec.decodeMethodCall(wire("07 01 6d") + good)
      #expect(try codec.encodeMethodCall(call) == wire("07 01 6d") + good)
      #expect(try codec.decodeEnvelope([0] + good) != nil)
      let tooDeep = codecError { () throws(CodecError) in
        try codec.decodeMethodCall(wire("07 01 6d") + bad)
      }
      #expect(tooDeep?.code == .depthExceeded)
      #expect(tooDeep?.offset == 3 + 2 * cap)
      #expect(tooDeep?.path.description.hasPrefix("arguments[0]") == true || cap == 0)
      let envelope = codecError { () throws(CodecError) in try codec.decodeEnvelope([0] + bad) }
      #expect(envelope?.code == .depthExceeded)
    }
  }

  @Test("the default cap is 512")
  func defaults() {
    #expect(StandardMessageCodec().maximumDepth == 512)
    #expect(StandardMethodCodec().maximumDepth == 512)
  }
}

private struct NodeCounter: ValueVisitor {
  var containers = 0
  mutating func visitNull() {}
  mutating func visit(bool: Bool) {}
  mutating func visit(int32: Int32) {}
  mutating func visit(int64: Int64) {}
  mutating func visit(largeInteger text: UnsafeRawBufferPointer) {}
  mutating func visit(float64Bits: UInt64) {}
  mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {}
  mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) {}
  mutating func visit(listCount: Int) { containers += 1 }
  mutating func visit(mapCount: Int) { containers += 1 }
  mutating func visit(customType: UInt8, payload: () -> Value) -> Bool {
    containers += 1
    return true
  }
}
