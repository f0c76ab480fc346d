import ChannelCodec
import ChannelRouter

/// What came of the messages of one method, or of a channel without methods.
public struct ReplayTally: Hashable, Sendable {
  public var channel: ChannelName
  /// nil for messages that call no method.
  public var method: Value.Text?
  /// Whether the messages come from native code.
  public var isToDart: Bool
  /// Messages sent, or expected from native code.
  public var count: UInt64 = 0
  /// With the recorded answer, byte for byte; or recorded and now unanswered.
  public var same: UInt64 = 0
  /// With differences that a rule passes over.
  public var ignored: UInt64 = 0
  /// With other bytes that mean the same to Dart.
  public var sameInDart: UInt64 = 0
  public var different: UInt64 = 0
  /// Messages from native code that are recorded and did not come. They count as different, too.
  public var missing: UInt64 = 0
  /// Messages from native code that are not recorded. They count as different, too.
  public var extra: UInt64 = 0

  init(channel: ChannelName, method: Value.Text?, isToDart: Bool) {
    self.channel = channel
    self.method = method
    self.isToDart = isToDart
  }
}

/// The tally of one method while a replay runs.
final class MethodTally {
  var tally: ReplayTally
  /// What messages of the method begin with.
  let prefix: [UInt8]
  /// The first mismatches in words, for reports that are written at the end.
  var failures: [String] = []

  init(_ tally: ReplayTally, prefix: [UInt8]) {
    self.tally = tally
    self.prefix = prefix
  }
}

/// The methods of a channel in one direction. A message's method is told by its first bytes, so
/// that nothing is decoded and no text is made for a method that was seen before.
final class MethodTallies {
  private(set) var all: [MethodTally] = []
  private let channel: ChannelName
  private let isToDart: Bool
  private var latest: MethodTally?
  private var withoutMethod: MethodTally?
  /// Messages in a row that called no method.
  private var plainCount = 0

  private static let mostMethods = 256
  /// After so many the channel is taken for one without methods.
  private static let enoughPlain = 64

  init(_ channel: ChannelName, isToDart: Bool) {
    self.channel = channel
    self.isToDart = isToDart
  }

  func tally(of message: [UInt8]?, _ comparer: MessageComparer) -> MethodTally {
    if let message, !all.isEmpty {
      if let latest, message.hasPrefix(latest.prefix) { return latest }
      for entry in all where !entry.prefix.isEmpty && message.hasPrefix(entry.prefix) {
        latest = entry
        return entry
      }
    }
    if let withoutMethod, plainCount > MethodTallies.enoughPlain || all.count > 256 {
      return withoutMethod
    }
    guard let message, all.count < MethodTallies.mostMethods,
      let method = comparer.method(of: message, on: channel, isToDart: isToDart)
    else {
      plainCount += 1
      return plain()
    }
    plainCount = 0
    // A JSON call may have its arguments first; then the method is looked up each time.
    if let known = all.first(where: { $0.tally.method == method }) { return known }
    let tally = ReplayTally(channel: channel, method: method, isToDart: isToDart)
    let entry = MethodTally(tally, prefix: MethodTallies.prefix(of: message, method))
    all.append(entry)
    if !entry.prefix.isEmpty { latest = entry }
    return entry
  }

  private func plain() -> MethodTally {
    if let withoutMethod { return withoutMethod }
    let tally = ReplayTally(channel: channel, method: nil, isToDart: isToDart)
    let entry = MethodTally(tally, prefix: [])
    withoutMethod = entry
    all.append(entry)
    return entry
  }

  /// The first bytes of a message up to the end of its method; empty where they do not begin it.
  private static func prefix(of message: [UInt8], _ method: Value.Text) -> [UInt8] {
    let name = method.utf8
    if message.first == 7 {
      // A size below 254 takes one byte, others a mark and two or four.
      let start =
        switch message.dropFirst().first {
        case 254?: 4
        case 255?: 6
        default: 2
        }
      let end = start + name.count
      if end <= message.count, message[start..<end].elementsEqual(name) {
        return Array(message[..<end])
      }
      return []
    }
    let json = Array("{\"method\":\"".utf8) + name + [UInt8(ascii: "\"")]
    return message.starts(with: json) ? json : []
  }
}

extension [UInt8] {
  @inline(__always)
  fileprivate func hasPrefix(_ prefix: [UInt8]) -> Bool {
    guard !prefix.isEmpty, count >= prefix.count else { return false }
    return withUnsafeBytes { bytes in
      prefix.withUnsafeBytes { prefix in
        var position = 0
        while position &+ 8 <= prefix.count {
          let left = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
          let right = prefix.loadUnaligned(fromByteOffset: position, as: UInt64.self)
          if left != right { return false }
          position &+= 8
        }
        while position < prefix.count {
          if bytes[position] != prefix[position] { return false }
          position &+= 1
        }
        return true
      }
    }
  }
}
