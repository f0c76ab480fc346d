import ChannelRecordings
import ChannelRouter
import Testing

@Suite("What channels speak")
struct CodecGuessTests {
  private static let desktopApp: [String: ChannelCodecKind] = [
    "com.alexmercerind/media_kit_video": .standardMethod,
    "flutter/accessibility": .standardMessage,
    "flutter/isolate": .string,
    "flutter/keyboard": .standardMethod,
    "flutter/keydata": .binary,
    "flutter/keyevent": .jsonMessage,
    "flutter/lifecycle": .string,
    "flutter/localization": .jsonMethod,
    "flutter/mousecursor": .standardMethod,
    "flutter/navigation": .jsonMethod,
    "flutter/platform": .jsonMethod,
    "flutter/processtext": .standardMethod,
    "flutter/settings": .jsonMessage,
    "flutter/textinput": .jsonMethod,
    "window_manager": .standardMethod,
    "xyz.luan/audioplayers": .standardMethod,
  ]

  @Test("is guessed right for every channel of a real app")
  func capture() throws {
    var guess = ChannelCodecGuess()
    for event in try events(Captures.bytes()) { guess.add(event) }
    #expect(guess.results.count == 20)
    for (channel, result) in guess.results {
      let isPlayer = channel.description.hasPrefix("xyz.luan/audioplayers/events/")
      let expected = isPlayer ? .standardMethod : Self.desktopApp[channel.description]
      #expect(result.codec == expected, "\(channel): \(result)")
      #expect(result.misfits == 0)
      #expect(result.confidence > 0.3 && result.confidence < 1, "\(channel): \(result)")
      let hasEvents = try events(Captures.bytes()).contains {
        isPlayer && $0.channel == channel && $0.kind == .message && $0.direction == .nativeToDart
      }
      #expect(result.hasEvents == hasEvents, "\(channel)")
    }
    let keydata = guess.result(for: "flutter/keydata")
    #expect((keydata?.evidence ?? 0) > 500)
  }

  @Test("a given codec wins, and a few strange messages do not change a guess")
  func given() {
    var guess = ChannelCodecGuess()
    let call: [UInt8] = [7, 1, 0x61, 0]
    for number in 0..<40 {
      guess.add(event("a", number == 20 ? [0xee] : call))
      guess.add(event("b", call))
    }
    guess.add(event("c", nil))
    #expect(guess.result(for: "a")?.codec == .standardMethod)
    #expect(guess.result(for: "a")?.misfits == 1)
    #expect(guess.result(for: "c")?.confidence == 0)
    #expect(guess.result(for: "d") == nil)
    var given = ChannelCodecMap()
    given["b"] = .binary
    let codecs = guess.codecs(given: given)
    #expect(codecs["a"] == .standardMethod)
    #expect(codecs["b"] == .binary)
    #expect(codecs["c"] == nil)
  }

  @Test(
    "single payloads",
    arguments: [
      ("7b22612226", ChannelCodecKind.string), ("7b2261223a317d", .jsonMessage),
      ("7b226d6574686f64223a2261227d", .jsonMethod), ("41", .string), ("31", .string),
      ("070161", .standardMessage), ("07016100", .standardMethod), ("0c018103", .binary),
      ("0c01810301000000", .standardMessage), ("00000000", .binary), ("fffe", .binary),
    ])
  func single(hex: String, codec: ChannelCodecKind) {
    var guess = ChannelCodecGuess()
    guess.add(event("c", bytes(hex)))
    #expect(guess.result(for: "c")?.codec == codec)
  }

  @Test("is shown beside the payload in a few words")
  func shown() throws {
    var decoding = ShownDecoding()
    var texts: [String] = []
    for event in try events(Captures.bytes()) {
      guard let shown = decoding.shown(of: event) else { continue }
      #expect(shown.count < 700)
      texts.append(String(decoding: shown, as: UTF8.self))
    }
    #expect(texts.count > 3000)
    let wanted = [
      #""ensureInitialized""#, #""success true""#, #""onEvent {eventName: 'move'}""#,
      #""not implemented""#, #""'AppLifecycleState.hidden'""#,
      #""event success {event: 'audio.onDuration', value: 3000}""#,
    ]
    let missing = wanted.filter { !texts.contains($0) }
    #expect(missing.isEmpty)
    var again = ShownDecoding()
    let repeated = try events(Captures.bytes()).compactMap { again.shown(of: $0) }
    let isSame = repeated.map { String(decoding: $0, as: UTF8.self) } == texts
    #expect(isSame)
  }

  private func event(_ channel: ChannelName, _ payload: [UInt8]?) -> RecordedEvent {
    RecordedEvent(
      sequence: 0, microseconds: 0, direction: .dartToNative, channel: channel, id: 1,
      kind: .message, payload: payload)
  }

  private func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count, by: 2).compactMap { offset in
      UInt8(hex.dropFirst(offset).prefix(2), radix: 16)
    }
  }
}
