import ChannelCodec

/// A named channel for messages of any codec, both ways
/// (`packages/flutter/lib/src/services/platform_channel.dart`).
///
/// Belongs to the platform thread of its messenger.
public final class BasicMessageChannel<Codec: MessageCodec> {
  public let name: ChannelName
  public let messenger: any BinaryMessenger
  public let codec: Codec

  public init(_ name: ChannelName, messenger: any BinaryMessenger, codec: Codec) {
    (self.name, self.messenger, self.codec) = (name, messenger, codec)
  }

  /// Sends a message to the other side.
  /// - Parameter reply: called once with what came of it.
  /// - Throws: ``CodecError`` when the message cannot be written; nothing has been sent then.
  public func send(
    _ message: Codec.Message?, reply: ((MessageOutcome<Codec.Message>) -> Void)? = nil
  ) throws(CodecError) {
    let codec = codec
    messenger.send(
      try codec.encode(message), on: name,
      reply: reply.map { reply in { reply(MessageOutcome($0, codec: codec)) } })
  }

  /// Sets what handles the other side's messages; nil takes it away.
  public func setMessageHandler(_ handler: ((Codec.Message?, MessageReply<Codec>) -> Void)?) {
    guard let handler else { return messenger.setMessageHandler(on: name, nil) }
    let codec = codec
    messenger.setMessageHandler(on: name) { message, reply in
      do throws(CodecError) {
        handler(try codec.decode(message), MessageReply(reply: reply, codec: codec))
      } catch {
        reply.refuse(malformed: error)
      }
    }
  }
}

/// Takes the reply to a message: exactly one, from any thread, now or later.
public struct MessageReply<Codec: MessageCodec>: Sendable {
  public let reply: BinaryReply
  let codec: Codec

  /// Sends the reply. One that the codec cannot write is reported and becomes a refusal, since a
  /// basic message channel has no form for errors.
  public func send(_ message: Codec.Message?) {
    let bytes: [UInt8]?
    do {
      bytes = try codec.encode(message)
    } catch {
      let text = "\(reply.label): the reply cannot be encoded: \(error)"
      reply.report(.resultUnencodable, .error, text)
      reply.refuse(Refusal(code: "internal", text: text))
      return
    }
    reply.send(bytes)
  }
}

/// What came of a message on a basic message channel.
public enum MessageOutcome<Message> {
  case reply(Message?)
  case dropped
  case refused(Refusal)
  case disconnected
  /// The reply is nothing that the codec can read.
  case malformed(CodecError)

  init<Codec: MessageCodec>(_ outcome: ReplyOutcome, codec: Codec)
  where Codec.Message == Message {
    switch outcome {
    case .payload(let payload):
      do throws(CodecError) {
        self = .reply(try codec.decode(payload))
      } catch {
        self = .malformed(error)
      }
    case .dropped: self = .dropped
    case .refused(let refusal): self = .refused(refusal)
    case .disconnected: self = .disconnected
    }
  }
}

extension MessageOutcome: Sendable where Message: Sendable {}
