import AppDevice
import ChannelCodec
import ChannelRouter
import EmulatedDevice
import Foundation

/// The messenger of the app's device.
///
/// Handlers run as `ios/framework/Source/platform_message_handler_ios.mm` has them run: each message
/// is dispatched to the main queue or to the channel's task queue, in the order in which they came.
final class DeviceMessenger: NSObject, FlutterBinaryMessenger, @unchecked Sendable {
  /// Handles a message with all that can be said about its reply.
  typealias Handler = (Data?, BinaryReply) -> Void

  private let device: AppDevice
  private let lock = NSLock()
  private var connections: [String: FlutterBinaryMessengerConnection] = [:]
  private var count: FlutterBinaryMessengerConnection = 0

  init(_ device: AppDevice) { self.device = device }

  // MARK: - To Dart

  func send(onChannel channel: String, message: Data?) {
    send(onChannel: channel, message: message, binaryReply: nil)
  }

  func send(onChannel channel: String, message: Data?, binaryReply callback: FlutterBinaryReply?) {
    if !FlutterTrouble.isMain {
      report(
        .warning, .wrongThread, channel,
        "\(channel): the channel sent a message from native to Flutter on a non-platform thread; "
          + "iOS logs this, and data may be lost there")
    }
    let bytes = message.map { Array($0) }
    let name = ChannelName(channel)
    guard let callback else {
      return device.async { $0.messenger.send(bytes, on: name, reply: nil) }
    }
    let box = Carried(callback)
    device.async { [self] in
      $0.messenger.send(bytes, on: name) { [self] outcome in
        switch outcome {
        case .payload(let payload):
          DispatchQueue.main.async { box.content(payload.map { Data($0) }) }
        case .dropped, .disconnected:
          report(
            .warning, .remark, channel,
            "\(channel): Dart gave no reply, so the reply callback is never called, as on iOS")
        case .refused(let refusal):
          report(
            .warning, .remark, channel,
            "\(channel): the message was refused, so the reply callback is never called: "
              + refusal.text)
        }
      }
    }
  }

  // MARK: - From Dart

  func setMessageHandlerOnChannel(
    _ channel: String, binaryMessageHandler handler: FlutterBinaryMessageHandler?
  ) -> FlutterBinaryMessengerConnection {
    setMessageHandlerOnChannel(channel, binaryMessageHandler: handler, taskQueue: nil)
  }

  func setMessageHandlerOnChannel(
    _ channel: String, binaryMessageHandler handler: FlutterBinaryMessageHandler?,
    taskQueue: (any FlutterTaskQueue)?
  ) -> FlutterBinaryMessengerConnection {
    setHandler(
      on: channel, queue: taskQueue,
      handler.map { handler in
        { message, reply in handler(message) { reply.send($0.map { Array($0) }) } }
      })
  }

  /// - Parameter naming: reads the method out of a message, to name the call in reports.
  func setHandler(
    on channel: String, queue: (any FlutterTaskQueue)?,
    naming: (([UInt8]) -> Value.Text?)? = nil, _ handler: Handler?
  ) -> FlutterBinaryMessengerConnection {
    if !FlutterTrouble.isMain {
      report(
        .error, .wrongThread, channel,
        "\(channel): a handler was set off the main thread; iOS aborts the app here (FML_CHECK)")
    }
    let dispatched = handler.map { DeviceMessenger.dispatching($0, to: queue, naming: naming) }
    let connection = lock.withLock {
      guard handler != nil else {
        connections[channel] = nil
        return FlutterBinaryMessengerConnection(0)
      }
      count += 1
      connections[channel] = count
      return count
    }
    device.perform { $0.messenger.setMessageHandler(on: ChannelName(channel), dispatched) }
    return connection
  }

  private static func dispatching(
    _ handler: @escaping Handler, to queue: (any FlutterTaskQueue)?,
    naming: (([UInt8]) -> Value.Text?)?
  ) -> BinaryMessageHandler {
    let handler = Carried(handler)
    return { message, reply in
      if reply.method == nil, let message, let naming { reply.method = naming(message) }
      // Tasks that the handler starts inherit it, and so can be told from one another.
      let cause = MessageCause(number: reply.number, label: reply.label)
      let work = {
        MessageCause.$current.withValue(cause) { handler.content(message.map { Data($0) }, reply) }
      }
      guard let queue else {
        let work = Carried(work)
        return DispatchQueue.main.async { work.content() }
      }
      queue.dispatch(work)
    }
  }

  func cleanUpConnection(_ connection: FlutterBinaryMessengerConnection) {
    let channel = lock.withLock {
      let found = connections.first { $0.value == connection }?.key
      if let found { connections[found] = nil }
      return found
    }
    guard let channel else { return }
    device.perform { $0.messenger.setMessageHandler(on: ChannelName(channel), nil) }
  }

  var makeBackgroundTaskQueue: (() -> any FlutterTaskQueue)? { { SerialTaskQueue() } }

  private func report(
    _ level: MessengerReport.Level, _ kind: MessengerReport.Kind, _ channel: String,
    _ text: String
  ) {
    device.report(level, channel: channel, kind: kind, text)
  }
}
