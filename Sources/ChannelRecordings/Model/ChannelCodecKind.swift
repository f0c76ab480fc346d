import ChannelRouter

/// What a channel speaks, as `--codec CHANNEL=…` and the header's `codecs` name it.
public enum ChannelCodecKind: String, Sendable, CaseIterable {
  /// Method calls and envelopes, events of event channels included.
  case standardMethod = "standard-method"
  /// One value a message, Pigeon included.
  case standardMessage = "standard-message"
  case jsonMethod = "json-method"
  case jsonMessage = "json-message"
  case string
  case binary

  /// Whether the channel has method calls.
  public var isMethod: Bool { self == .standardMethod || self == .jsonMethod }
}

/// Codecs of channels, in the order in which they were given.
public struct ChannelCodecMap: Hashable, Sendable {
  /// One channel's codec.
  public struct Entry: Hashable, Sendable {
    public var channel: ChannelName
    public var codec: ChannelCodecKind

    public init(_ channel: ChannelName, _ codec: ChannelCodecKind) {
      self.channel = channel
      self.codec = codec
    }
  }

  public private(set) var entries: [Entry] = []
  private var places: [ChannelName: Int] = [:]

  /// No channels.
  public init() {}

  /// The codec of a channel; nil where none was given.
  public subscript(channel: ChannelName) -> ChannelCodecKind? {
    get { places[channel].map { entries[$0].codec } }
    set {
      if let place = places[channel] {
        if let newValue {
          entries[place].codec = newValue
        } else {
          entries.remove(at: place)
          places = [:]
          for (place, entry) in entries.enumerated() { places[entry.channel] = place }
        }
      } else if let newValue {
        places[channel] = entries.count
        entries.append(Entry(channel, newValue))
      }
    }
  }
}
