import ChannelCodec
import Synchronization

/// Sends the events of one stream. May be used from any thread; events from the platform thread
/// leave in the order of the calls. What is sent after the end or after `cancel` is ignored, as by
/// Android's `EventSinkImplementation`.
public final class EventSink: @unchecked Sendable {
  private let channel: ChannelName
  private let codec: any MethodCodec
  private let thread: any PlatformThread
  /// Of the platform thread.
  private let messenger: any BinaryMessenger
  private let closed = Atomic<Bool>(false)

  init(_ channel: EventChannel) {
    self.channel = channel.name
    codec = channel.codec
    messenger = channel.messenger
    thread = channel.messenger.thread
  }

  public var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// - Throws: ``CodecError`` when the value cannot be written; nothing has been sent then.
  public func success(_ value: Value) throws(CodecError) {
    try send(.success(value))
  }

  public func error(
    code: Value.Text, message: Value.Text?, details: Value = .null
  ) throws(CodecError) {
    try send(.error(code: code, message: message, details: details))
  }

  /// Ends the stream: an empty message, as FlutterEndOfEventStream.
  public func endOfStream() {
    guard !isClosed else { return }
    carry(nil, closing: true)
  }

  func close() { closed.store(true, ordering: .releasing) }

  private func send(_ envelope: Envelope) throws(CodecError) {
    guard !isClosed else { return }
    carry(try codec.encodeEnvelope(envelope), closing: false)
  }

  private func carry(_ message: [UInt8]?, closing: Bool) {
    if thread.isCurrent { return pass(message, closing: closing) }
    thread.async { self.pass(message, closing: closing) }
  }

  private func pass(_ message: [UInt8]?, closing: Bool) {
    guard !isClosed else { return }
    if closing { close() }
    messenger.send(message, on: channel, reply: nil)
  }
}
