import Foundation

/// Takes the reply to a message of bytes; nil is an empty reply (`FlutterBinaryMessenger.h`).
public typealias FlutterBinaryReply = (Data?) -> Void

/// Handles a message of bytes; must call the reply once (`FlutterBinaryMessenger.h`).
public typealias FlutterBinaryMessageHandler = (Data?, @escaping FlutterBinaryReply) -> Void

/// Names a handler that was set, for ``FlutterBinaryMessenger/cleanUpConnection(_:)``.
public typealias FlutterBinaryMessengerConnection = Int64

/// Where the handlers of a channel run (`FlutterBinaryMessenger.h`): one after the other, away from
/// the main thread.
public protocol FlutterTaskQueue: NSObjectProtocol {
  /// Runs `block` after those that were given before.
  func dispatch(_ block: @escaping () -> Void)
}

/// Carries messages of bytes on named channels (`FlutterBinaryMessenger.h`). Tests of a plugin may
/// bring one of their own.
public protocol FlutterBinaryMessenger: NSObjectProtocol {
  func send(onChannel channel: String, message: Data?)
  /// - Parameter callback: called on the main thread with Dart's reply; never, if Dart gives none.
  func send(onChannel channel: String, message: Data?, binaryReply callback: FlutterBinaryReply?)
  /// Sets what handles Dart's messages, on the main thread; nil takes it away.
  func setMessageHandlerOnChannel(
    _ channel: String, binaryMessageHandler handler: FlutterBinaryMessageHandler?
  ) -> FlutterBinaryMessengerConnection
  /// Sets what handles Dart's messages, on a task queue; nil is the main thread.
  func setMessageHandlerOnChannel(
    _ channel: String, binaryMessageHandler handler: FlutterBinaryMessageHandler?,
    taskQueue: (any FlutterTaskQueue)?
  ) -> FlutterBinaryMessengerConnection
  /// Takes the handler of a connection away, unless the channel has another by now.
  func cleanUpConnection(_ connection: FlutterBinaryMessengerConnection)
  /// An optional method on iOS, called as `makeBackgroundTaskQueue?()`.
  var makeBackgroundTaskQueue: (() -> any FlutterTaskQueue)? { get }
}

extension FlutterBinaryMessenger {
  public func setMessageHandlerOnChannel(
    _ channel: String, binaryMessageHandler handler: FlutterBinaryMessageHandler?,
    taskQueue: (any FlutterTaskQueue)?
  ) -> FlutterBinaryMessengerConnection {
    setMessageHandlerOnChannel(channel, binaryMessageHandler: handler)
  }

  public var makeBackgroundTaskQueue: (() -> any FlutterTaskQueue)? { nil }
}

/// A serial queue of its own.
final class SerialTaskQueue: NSObject, FlutterTaskQueue {
  private let queue = DispatchQueue(label: "io.flutter.background-task-queue")

  func dispatch(_ block: @escaping () -> Void) {
    let box = Carried(block)
    queue.async { box.content() }
  }
}

/// Carries something across threads whose owner sees to the order.
package struct Carried<Content>: @unchecked Sendable {
  package let content: Content
  package init(_ content: Content) { self.content = content }
}
