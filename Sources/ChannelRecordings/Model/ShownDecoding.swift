import ChannelCodec
import ChannelRouter

/// The readable decoding that stands beside a payload: one short line, for people and for diffs.
/// Nothing reads it.
///
/// Channels whose codec was not given are guessed by the entries that came before, so that the same
/// recording always gets the same words.
public struct ShownDecoding: Sendable {
  /// About how many bytes it has at most.
  public static let limit = 160

  private let codecs: ChannelCodecMap
  private var guess = ChannelCodecGuess()
  private var settled: [ChannelName: ChannelCodecKind] = [:]

  /// - Parameter codecs: of the channels whose codec is known.
  public init(codecs: ChannelCodecMap = ChannelCodecMap()) { self.codecs = codecs }

  /// The decoding of an entry, as JSON to be put beside it; nil where there is nothing to show.
  /// Entries have to come in their order.
  public mutating func shown(of event: RecordedEvent) -> [UInt8]? {
    let codec = codec(for: event)
    guard let text = Self.text(of: event, as: codec) else { return nil }
    var json: [UInt8] = []
    RecordingText.appendString(text.utf8, to: &json)
    return json
  }

  private mutating func codec(for event: RecordedEvent) -> ChannelCodecKind {
    if let codec = codecs[event.channel] ?? settled[event.channel] { return codec }
    guess.add(event)
    guard let result = guess.result(for: event.channel) else { return .binary }
    // A guess per entry costs more than the entry; what has held for a while will go on.
    if result.evidence >= 64 { settled[event.channel] = result.codec }
    return result.codec
  }

  /// One short line about an entry whose channel has this codec; nil where there is nothing to say.
  public static func text(of event: RecordedEvent, as codec: ChannelCodecKind) -> String? {
    switch event.kind {
    case .dropped, .refused: return nil
    case .message, .reply: break
    }
    guard let payload = event.payload else {
      return event.kind == .reply && codec.isMethod ? "not implemented" : nil
    }
    switch codec {
    case .standardMethod:
      return method(event, payload, StandardMethodCodec(extensions: .pigeon))
    case .jsonMethod: return method(event, payload, JSONMethodCodec())
    case .standardMessage:
      guard let value = try? StandardMessageCodec(extensions: .pigeon).decode(payload) else {
        return nil
      }
      return ShownValue.text(of: value, limit: limit)
    case .jsonMessage:
      guard let value = try? JSONMessageCodec().decode(payload) else { return nil }
      return ShownValue.text(of: value, limit: limit)
    case .string:
      return ShownValue.text(of: .string(Value.Text(bytes: payload)), limit: limit)
    case .binary: return nil
    }
  }

  private static func method(
    _ event: RecordedEvent, _ payload: [UInt8], _ codec: any MethodCodec
  ) -> String? {
    if event.kind == .message, let call = try? codec.decodeMethodCall(payload) {
      let name = ShownValue.name(call.method)
      if call.arguments.isNull { return name }
      return "\(name) \(ShownValue.text(of: call.arguments, limit: limit))"
    }
    guard event.kind == .reply || event.direction == .nativeToDart,
      let envelope = try? codec.decodeEnvelope(payload)
    else { return nil }
    let word = event.kind == .reply ? "" : "event "
    switch envelope {
    case .success(let value):
      return "\(word)success \(ShownValue.text(of: value, limit: limit))"
    case .error(let error):
      let code = ShownValue.text(of: .string(error.code), limit: limit)
      let message = error.message.map { ShownValue.text(of: .string($0), limit: limit) }
      let details = ShownValue.text(of: error.details, limit: limit)
      return "\(word)error \(code) \(message ?? "null") \(details)"
    }
  }
}
