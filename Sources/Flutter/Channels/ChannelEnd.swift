import ChannelCodec
import ChannelRouter
import Foundation

/// The end of a channel in native code: its name, its messenger, and where its handlers run.
final class ChannelEnd {
  let name: String
  let messenger: any FlutterBinaryMessenger
  private let taskQueue: (any FlutterTaskQueue)?
  private var connection: FlutterBinaryMessengerConnection = 0

  init(_ name: String, _ messenger: any FlutterBinaryMessenger, _ queue: (any FlutterTaskQueue)?) {
    (self.name, self.messenger, taskQueue) = (name, messenger, queue)
  }

  /// - Parameter naming: reads the method out of a message, to name the call in reports.
  func setHandler(
    naming: (([UInt8]) -> Value.Text?)? = nil, _ handler: ((Data?, ReplyEnd) -> Void)?
  ) {
    guard let handler else {
      if connection > 0 {
        messenger.cleanUpConnection(connection)
        connection = 0
      } else {
        _ = messenger.setMessageHandlerOnChannel(name, binaryMessageHandler: nil)
      }
      return
    }
    if let device = messenger as? DeviceMessenger {
      connection = device.setHandler(on: name, queue: taskQueue, naming: naming) {
        handler($0, .device($1))
      }
      return
    }
    let foreign: FlutterBinaryMessageHandler = { [name] in handler($0, .foreign(name, $1)) }
    if let taskQueue {
      connection = messenger.setMessageHandlerOnChannel(
        name, binaryMessageHandler: foreign, taskQueue: taskQueue)
    } else {
      connection = messenger.setMessageHandlerOnChannel(name, binaryMessageHandler: foreign)
    }
  }

  func send(_ message: Data?) { messenger.send(onChannel: name, message: message) }

  func send(_ message: Data?, reply: @escaping FlutterBinaryReply) {
    messenger.send(onChannel: name, message: message, binaryReply: reply)
  }

  /// What a codec has made of something to send.
  struct Encoded {
    let data: Data?
    /// False where the codec had something to complain about.
    let isWhole: Bool
  }

  /// What a codec makes of something to send; a complaint is reported with the channel's name.
  func encoded(_ what: String, _ encode: () -> Data?) -> Encoded {
    let (data, trouble) = CodecTrouble.collecting(encode)
    if let trouble {
      complain(.error, .resultUnencodable, "\(what) cannot be encoded: \(trouble)")
    }
    return Encoded(data: data, isWhole: trouble == nil)
  }

  /// What a codec reads in a reply; a complaint is reported with the channel's name.
  func decoded(_ what: String, _ data: Data?, _ decode: (Data?) -> Any?) -> Any? {
    let (value, trouble) = CodecTrouble.collecting { decode(data) }
    if let trouble { complain(.error, .replyMalformed, "\(what) is malformed: \(trouble)") }
    return value
  }

  func complain(_ level: MessengerReport.Level, _ kind: MessengerReport.Kind, _ text: String) {
    FlutterTrouble.report("\(name): \(text)", channel: name, kind: kind, level: level)
  }
}

/// Where the reply to a message goes: to the app's device, or to a messenger that a test brought.
enum ReplyEnd {
  case device(BinaryReply)
  case foreign(String, FlutterBinaryReply)

  func send(_ data: Data?) {
    switch self {
    case .device(let reply): reply.send(data.map { Array($0) })
    case .foreign(_, let reply): reply(data)
    }
  }

  /// For a message that the codec cannot read.
  func refuse(malformed error: CodecError) {
    switch self {
    case .device(let reply): reply.refuse(malformed: error)
    case .foreign(let channel, let reply):
      FlutterTrouble.report(
        "\(channel): the message is malformed: \(error)", channel: channel, kind: .messageMalformed)
      reply(nil)
    }
  }

  /// For a reply that the codec cannot write on a channel that has no form for errors.
  func refuse(unencodable error: CodecError) {
    tell(unencodable: error)
    switch self {
    case .device(let reply):
      reply.refuse(
        Refusal(code: "internal", text: "\(reply.label): the reply cannot be encoded: \(error)"))
    case .foreign(_, let reply): reply(nil)
    }
  }

  func tell(unencodable error: CodecError) {
    switch self {
    case .device(let reply):
      reply.report(
        .resultUnencodable, .error, "\(reply.label): the result cannot be encoded: \(error)")
    case .foreign(let channel, _):
      FlutterTrouble.report(
        "\(channel): the result cannot be encoded: \(error)", channel: channel,
        kind: .resultUnencodable)
    }
  }

  var isAnswered: Bool {
    if case .device(let reply) = self { return reply.isAnswered }
    return false
  }
}

/// Reads the name of a method out of a message on the platform thread, before the codec of the
/// channel, which may be the app's, gets it on the handler's.
enum MethodNaming {
  static func of(_ codec: any FlutterMethodCodec) -> (([UInt8]) -> Value.Text?)? {
    switch codec {
    case is FlutterStandardMethodCodec: standard
    case is FlutterJSONMethodCodec: json
    default: nil
    }
  }

  private static func standard(_ message: [UInt8]) -> Value.Text? {
    guard message.first == 7 else { return nil }
    var reader = StandardReader(message, profile: .ios)
    return (try? reader.value())?.text
  }

  private static func json(_ message: [UInt8]) -> Value.Text? {
    (try? JSONMethodCodec(profile: .ios).decodeMethodCall(message))?.method
  }
}
