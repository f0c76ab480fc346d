import ChannelCodec
import Foundation
import Testing

/// One line of a recording.
struct CapturedMessage: Decodable, Sendable {
  enum Direction: String, Decodable {
    case toNative = "dart->native"
    case toDart = "native->dart"
  }
  enum Kind: String, Decodable { case message, reply }

  let seq: Int
  let dir: Direction
  let channel: String
  let id: Int
  let kind: Kind
  let hex: String?

  var payload: [UInt8]? { hex.map(wire) }
  /// Who wrote the payload: Dart, or the Linux embedder and its plugins.
  var writer: Profile { dir == .toNative ? .dart : .linux }

  static func load(_ name: String) throws -> [CapturedMessage] {
    let url = Repository.fixtures.appending(path: "captures/\(name)")
    let text = try String(contentsOf: url, encoding: .utf8)
    let decoder = JSONDecoder()
    return try text.split(separator: "\n").map {
      try decoder.decode(CapturedMessage.self, from: Data($0.utf8))
    }
  }
}

/// What a channel speaks. `events` are envelopes that native code sends unasked.
enum ChannelKind: String, Sendable, CaseIterable {
  case standardMessage, standardMethod, events, jsonMessage, jsonMethod, string, binary

  static func of(_ channel: String) -> ChannelKind? {
    if channel.hasPrefix("xyz.luan/audioplayers/events/") { return .events }
    return channels[channel]
  }

  private static let channels: [String: ChannelKind] = [
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

  /// The payload, decoded and written again.
  func roundTrip(_ message: CapturedMessage) throws -> [UInt8]? {
    let payload = message.payload
    let isReply = message.kind == .reply
    switch self {
    case .standardMessage:
      let codec = StandardMessageCodec()
      return try codec.encode(try codec.decode(payload))
    case .standardMethod:
      let codec = StandardMethodCodec()
      return try isReply ? Self.envelope(payload, codec) : Self.call(payload, codec)
    case .events:
      let codec = StandardMethodCodec()
      let isCall = !isReply && message.dir == .toNative
      return try isCall ? Self.call(payload, codec) : Self.envelope(payload, codec)
    case .jsonMessage:
      let codec = JSONMessageCodec(profile: message.writer)
      return try codec.encode(try codec.decode(payload))
    case .jsonMethod:
      let codec = JSONMethodCodec(profile: message.writer)
      return try isReply ? Self.envelope(payload, codec) : Self.call(payload, codec)
    case .string:
      let codec = StringCodec()
      return try codec.encode(try codec.decode(payload))
    case .binary: return BinaryCodec().encode(BinaryCodec().decode(payload))
    }
  }

  private static func call(_ payload: [UInt8]?, _ codec: any MethodCodec) throws -> [UInt8]? {
    try codec.encodeMethodCall(try codec.decodeMethodCall(payload))
  }

  private static func envelope(_ payload: [UInt8]?, _ codec: any MethodCodec) throws -> [UInt8]? {
    guard let envelope = try codec.decodeEnvelope(payload) else { return nil }
    return try codec.encodeEnvelope(envelope)
  }
}

@Suite("Captures")
struct CaptureTests {
  @Test("every message of a real app decodes and is written back byte for byte")
  func desktopApp() throws {
    let messages = try CapturedMessage.load("desktop-app.jsonl")
    #expect(messages.count { $0.kind == .message } == 2008)
    #expect(messages.count { $0.kind == .reply } == 1772)
    var counts: [String: Int] = [:]
    var faults: [String] = []
    for message in messages {
      guard let kind = ChannelKind.of(message.channel) else {
        faults.append("\(message.seq): nobody knows the channel \(message.channel)")
        continue
      }
      counts["\(kind.rawValue) \(message.kind.rawValue)", default: 0] += 1
      do {
        let written = try kind.roundTrip(message)
        if written != message.payload {
          faults.append(
            "\(message.seq) \(message.channel): \(written.map(Self.text) ?? "nil"), "
              + "was \(message.payload.map(Self.text) ?? "nil")")
        }
      } catch {
        faults.append("\(message.seq) \(message.channel): \(error)")
      }
    }
    let shown = faults.prefix(10).joined(separator: "\n")
    #expect(faults.isEmpty, "\(faults.count):\n\(shown)")
    #expect(
      counts == [
        "standardMessage message": 15, "standardMessage reply": 15,
        "standardMethod message": 595, "standardMethod reply": 459,
        "events message": 86, "events reply": 8,
        "jsonMessage message": 347, "jsonMessage reply": 334,
        "jsonMethod message": 621, "jsonMethod reply": 620,
        "string message": 9, "string reply": 1,
        "binary message": 335, "binary reply": 335,
      ])
  }

  @Test("the same holds as the profile of who wrote it")
  func asWritten() throws {
    for message in try CapturedMessage.load("desktop-app.jsonl") {
      guard ChannelKind.of(message.channel) == .standardMethod else { continue }
      let codec = StandardMethodCodec(profile: message.writer)
      let written: [UInt8]?
      if message.kind == .message {
        written = try codec.encodeMethodCall(try codec.decodeMethodCall(message.payload))
      } else {
        written = try codec.decodeEnvelope(message.payload).map(codec.encodeEnvelope)
      }
      // A plugin may write a small number as an int64, which Linux itself never would.
      let plain = try codec.decodeMethodCallOrEnvelope(message)
      let again = try codec.decodeMethodCallOrEnvelope(message, payload: written)
      #expect(plain == again, "\(message.seq)")
    }
  }

  private static func text(_ bytes: [UInt8]) -> String {
    let text = String(validating: bytes, as: UTF8.self)
    return text.map { String($0.prefix(200)) } ?? bytes.wireText
  }
}

extension StandardMethodCodec {
  /// A call's arguments or an envelope, for comparison.
  fileprivate func decodeMethodCallOrEnvelope(
    _ message: CapturedMessage, payload: [UInt8]? = nil
  ) throws -> Value? {
    let payload = payload ?? message.payload
    if message.kind == .message { return try decodeMethodCall(payload).arguments }
    switch try decodeEnvelope(payload) {
    case .success(let value): return value
    case .error(let error): return [.string(error.code), error.details]
    case nil: return nil
    }
  }
}
