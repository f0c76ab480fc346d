import ChannelCodec
import ChannelRouter

/// What is to go wrong, and with which calls.
public struct FaultRule: Sendable, Hashable {
  /// Which of the matching calls, counted from 1.
  public enum Selection: Sendable, Hashable {
    case every
    case range(first: Int, last: Int)
    /// Every nth: the nth, the 2nth and so on.
    case everyNth(Int)

    func contains(_ number: Int) -> Bool {
      switch self {
      case .every: true
      case .range(let first, let last): number >= first && number <= last
      case .everyNth(let step): number.isMultiple(of: max(step, 1))
      }
    }
  }

  public enum Action: Sendable, Hashable {
    /// The handler runs at once; its reply is held for this long on the device's clock.
    case delay(Duration)
    /// The handler runs; its reply is let go, so the caller gets none.
    case noReply
    /// The handler's answer is given twice. The second is ignored and reported.
    case doubleReply
    /// An error envelope; the handler does not run.
    case error(ErrorEnvelope)
    /// A reply without payload; the handler does not run.
    case notImplemented
    /// The handler runs; these bytes go out in place of its reply.
    case corruptReply([UInt8])
    /// The connection ends without a farewell; the handler does not run.
    case closeConnection
  }

  /// `*` stands for any bytes, `?` for one.
  public var channel: String
  /// The same for the method; nil: any message, a method call or not.
  public var method: String?
  public var calls: Selection
  public var action: Action

  public init(
    channel: String, method: String? = nil, calls: Selection = .every, action: Action
  ) {
    (self.channel, self.method) = (channel, method)
    (self.calls, self.action) = (calls, action)
  }
}

/// Why a rule cannot be read.
public struct FaultSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  public var text: String
  /// Not wrong by itself: there is no room for so much.
  public var isLimit: Bool

  public init(_ text: String, isLimit: Bool = false) {
    (self.text, self.isLimit) = (text, isLimit)
  }
  public var description: String { text }
}

extension FaultRule {
  /// The bytes that it keeps, about.
  var size: Int {
    channel.utf8.count + (method?.utf8.count ?? 0) + action.size
  }
}

extension FaultRule.Action {
  fileprivate var size: Int {
    switch self {
    case .corruptReply(let bytes): return bytes.count
    case .error(let error):
      let details = (try? StandardMessageCodec().encode(error.details)) ?? nil
      return error.code.utf8.count + (error.message?.utf8.count ?? 0)
        + (details?.count ?? JSONText.text(of: error.details).utf8.count)
    case .delay, .noReply, .doubleReply, .notImplemented, .closeConnection: return 0
    }
  }
}

extension FaultRule: CustomStringConvertible {
  /// The form in which it can be read again.
  public var description: String {
    var text = FaultRule.name(channel)
    if let method { text += "." + FaultRule.name(method) }
    switch calls {
    case .every: break
    case .range(let first, let last) where first == last: text += "#\(first)"
    case .range(let first, .max): text += "#\(first)-"
    case .range(let first, let last): text += "#\(first)-\(last)"
    case .everyNth(let step): text += "#%\(step)"
    }
    return "\(text): \(action)"
  }

  /// Quoted where the rule's own marks stand in it.
  private static func name(_ name: String) -> String {
    let isPlain = !name.isEmpty && name.utf8.allSatisfy(FaultReader.isPlain)
    return isPlain ? name : JSONText.quoted(name)
  }
}

extension FaultRule.Action: CustomStringConvertible {
  public var description: String {
    switch self {
    case .delay(let span): return "delay \(TimeText.text(of: span))"
    case .noReply: return "no-reply"
    case .doubleReply: return "double-reply"
    case .error(let error):
      let code = error.code.description
      var text = "error " + (FaultReader.isWord(code) ? code : JSONText.quoted(code))
      if error.message != nil || !error.details.isNull {
        text += " " + (error.message.map { JSONText.quoted($0.description) } ?? "null")
      }
      if !error.details.isNull { text += " " + JSONText.text(of: error.details) }
      return text
    case .notImplemented: return "not-implemented"
    case .corruptReply(let bytes): return "corrupt \(HexText.text(of: bytes))"
    case .closeConnection: return "close"
    }
  }
}

/// JSON for messages and rules.
enum JSONText {
  static func text(of value: Value) -> String {
    let bytes = try? JSONMessageCodec().encode(value)
    return bytes.flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  static func quoted(_ text: String) -> String { self.text(of: .string(Value.Text(text))) }
}

enum HexText {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(of bytes: [UInt8]) -> String {
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Spaces may stand between bytes.
  static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let nibbles = text.utf8.filter { $0 != UInt8(ascii: " ") }
    guard nibbles.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(nibbles.count / 2)
    for position in stride(from: 0, to: nibbles.count, by: 2) {
      guard let high = nibble(nibbles[position]), let low = nibble(nibbles[position + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
