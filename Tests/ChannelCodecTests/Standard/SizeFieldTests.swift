import ChannelCodec
import Foundation
import Testing

@Suite("Sizes that promise too much", .serialized)
struct SizeFieldTests {
  private static let types: [UInt8] = [5, 7, 8, 9, 10, 11, 12, 13, 14]

  private static let zeros = String(repeating: "00", count: 64)

  /// What stands before the type byte, and what stands after it.
  private static let surroundings: [(before: String, after: String)] = [
    ("", "ff ffffffff"), ("", "ff ffffff7f"), ("", "ff 00000080"), ("", "fe ffff"),
    ("0c 02 00", "ff ffffffff"), ("0d 01 07 01 61", "ff ffffffff"), ("", "ff ffffffff" + zeros),
  ]

  static let messages: [[UInt8]] = types.flatMap { type in
    surroundings.map { wire($0.before) + [type] + wire($0.after) }
  }

  /// Pages in memory now, in bytes; nil where the system does not say.
  private static func residentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil
    }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
  }

  /// Whole pages that the process has ever asked for: an allocation that was never touched counts.
  private static func virtualPeak() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return nil
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmPeak:") }
    let words = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
    return words.count > 1 ? Int(words[1]).map { $0 * 1024 } : nil
  }

  /// In a process of its own, whose memory no other test takes.
  @Test("are answered at once and allocate nothing of the kind")
  func sizes() async {
    await #expect(processExitsWith: .success) {
      for profile in Profile.allCases { Self.measure(profile) }
    }
  }

  private static func measure(_ profile: Profile) {
    let codec = StandardMessageCodec(profile: profile, extensions: .pigeon)
    for message in Self.messages { _ = codec.react(to: message) }
    let resident = Self.residentBytes()
    let virtual = Self.virtualPeak()
    let rounds = 10_000 / Self.messages.count + 1
    let clock = ContinuousClock()
    var answered = 0
    let time = clock.measure {
      for _ in 0..<rounds {
        for message in Self.messages where (try? codec.decode(message)) != nil { answered += 1 }
      }
    }
    let each = time / (rounds * Self.messages.count)
    #expect(each < .milliseconds(1), "\(each) each")
    if profile == .strict { #expect(answered == 0) }
    if let resident, let after = Self.residentBytes() {
      #expect(after - resident < 64 << 20, "\(after - resident) bytes more resident")
    }
    if let virtual, let after = Self.virtualPeak() {
      #expect(after - virtual < 512 << 20, "\(after - virtual) bytes more asked for")
    }
  }

  @Test("in calls and envelopes too", arguments: Profile.allCases)
  func parts(_ profile: Profile) {
    let codec = StandardMethodCodec(profile: profile)
    let clock = ContinuousClock()
    let time = clock.measure {
      for message in Self.messages {
        _ = codec.react(toMethodCall: message)
        _ = codec.react(toMethodCall: wire("07 01 6d") + message)
        _ = codec.react(toEnvelope: [0] + message)
        _ = codec.react(toEnvelope: wire("01 07 01 63 00") + message)
      }
    }
    // Far below what believing the sizes would cost, and far above a busy machine.
    #expect(time / (Self.messages.count * 4) < .milliseconds(10))
  }

  @Test("Windows is held to about as many values as bytes", arguments: [10, 100, 1000])
  func expansion(_ levels: Int) throws {
    let message = [UInt8].repeating("0d fd", levels) + [UInt8](repeating: 0, count: 300)
    let codec = StandardMessageCodec(profile: .windows, maximumDepth: 100_000)
    let clock = ContinuousClock()
    let time = clock.measure {
      let error = codecError { () throws(CodecError) in try codec.decode(message) }
      #expect(error?.code == .expansionLimit || levels < 10)
    }
    #expect(time < .seconds(2))
  }

  @Test(
    "Android reads sizes as signed numbers",
    arguments: [
      ("0d ff ff ff ff ff", Value??.some([:]), ""),
      ("0c ff ff ff ff ff", nil, "IllegalArgumentException"),
      ("08 ff 00 00 00 80", nil, "NegativeArraySizeException"),
      ("07 ff ff ff ff ff", nil, "NegativeArraySizeException"),
      ("07 ff ff ff ff 7f", nil, "BufferUnderflowException"),
    ])
  func android(_ hex: String, _ value: Value??, _ platformError: String) {
    let reaction = StandardMessageCodec(profile: .android).react(to: wire(hex))
    switch reaction.result {
    case .success(let decoded):
      #expect(value == .some(decoded))
      #expect(reaction.notes.contains("a map size from 2^31 reads as negative: no pair is read"))
    case .failure(let error):
      #expect(value == nil)
      #expect(error.platformError == platformError)
      #expect(error.offset == 1)
    }
  }

  @Test("a message over 512 MiB is refused unread by every codec that makes values")
  func tooLarge() {
    let message = [UInt8](repeating: 0, count: (1 << 29) + 1)
    func code(_ body: () throws(CodecError) -> Void) -> CodecError.Code? {
      do throws(CodecError) { try body() } catch { return error.code }
      return nil
    }
    for profile in [Profile.strict, .windows] {
      let standard = StandardMessageCodec(profile: profile)
      let json = JSONMessageCodec(profile: profile)
      let string = StringCodec(profile: profile)
      #expect(
        code { () throws(CodecError) in _ = try standard.decode(message) } == .messageTooLarge)
      #expect(code { () throws(CodecError) in _ = try json.decode(message) } == .messageTooLarge)
      #expect(code { () throws(CodecError) in _ = try string.decode(message) } == .messageTooLarge)
    }
  }
}
