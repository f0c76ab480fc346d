import ChannelCodec
import ChannelRouter

/// An event channel of the device, whose events come by control call.
final class DeviceStream: StreamHandler {
  let channel: EventChannel
  private(set) var sink: EventSink?

  init(_ channel: EventChannel) {
    self.channel = channel
    channel.setStreamHandler(self)
  }

  func onListen(arguments: Value, events: EventSink) throws(MethodError) { sink = events }
  func onCancel(arguments: Value) throws(MethodError) { sink = nil }

  /// Whether Dart listens.
  var isListening: Bool { sink.map { !$0.isClosed } ?? false }
}
