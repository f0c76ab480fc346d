import ChannelCodec
import ChannelRouter
import Foundation
import Testing

@testable import Flutter

extension DeviceTests {
  @Suite(.serialized) @MainActor struct BasicMessageChannelTests {
    let device = TestDevice()

    @Test func messagesAndReplies() async throws {
      let channel = FlutterBasicMessageChannel(name: "b", binaryMessenger: device.messenger)
      channel.setMessageHandler { message, reply in reply(message) }
      #expect(await device.ask([3, 5, 0, 0, 0], on: "b") == .payload([3, 5, 0, 0, 0]))
      #expect(await device.ask(nil, on: "b") == .payload(nil))
      #expect(await device.ask([0], on: "b") == .payload(nil))
      guard case .refused(let refusal)? = await device.ask([99], on: "b")
      else { return #expect(Bool(false)) }
      #expect(refusal.code == "message-malformed")
      channel.setMessageHandler { _, reply in reply(Date()) }
      guard case .refused(let refusal)? = await device.ask([0], on: "b")
      else { return #expect(Bool(false)) }
      #expect(refusal.code == "internal")
      channel.setMessageHandler { _, _ in }
      #expect(await device.ask([0], on: "b") == .dropped)
      channel.setMessageHandler(nil)
      #expect(await device.ask([0], on: "b") == .payload(nil))
    }

    @Test func codecs() async throws {
      FlutterBasicMessageChannel(
        name: "s", binaryMessenger: device.messenger, codec: FlutterStringCodec.sharedInstance()
      ).setMessageHandler { message, reply in reply((message as? String)?.uppercased()) }
      #expect(await device.ask(Array("hé".utf8), on: "s") == .payload(Array("HÉ".utf8)))
      FlutterBasicMessageChannel(
        name: "d", binaryMessenger: device.messenger, codec: FlutterBinaryCodec.sharedInstance()
      ).setMessageHandler { message, reply in reply((message as? Data).map { $0 + $0 }) }
      #expect(await device.ask([1, 2], on: "d") == .payload([1, 2, 1, 2]))
      FlutterBasicMessageChannel(
        name: "j", binaryMessenger: device.messenger,
        codec: FlutterJSONMessageCodec.sharedInstance()
      ).setMessageHandler { message, reply in reply(["got": message]) }
      #expect(await device.ask(Array("5".utf8), on: "j") == .payload(Array(#"{"got":5}"#.utf8)))
    }

    @Test func toDart() async throws {
      let channel = FlutterBasicMessageChannel(name: "b", binaryMessenger: device.messenger)
      device.replyFromDart { .payload($0) }
      nonisolated(unsafe) var answer: Any?
      channel.sendMessage(["a": true]) { answer = $0 }
      #expect(await wait { answer as? [String: Bool] } == ["a": true])
      channel.sendMessage(nil)
      channel.resizeChannelBuffer(3)
      channel.setWarnsOnOverflow(false)
      let sent = await device.deliveries(4)
      #expect(sent[1].payload == nil)
      let codec = StandardMethodCodec()
      #expect(
        try codec.decodeMethodCall(sent[2].payload)
          == MethodCall("resize", .list(["b", .int32(3)])))
      #expect(
        try codec.decodeMethodCall(sent[3].payload)
          == MethodCall("overflow", .list(["b", true])))
      #expect(sent[3].channel == "dev.flutter/channel-buffers")
    }
  }

  @Suite(.serialized) @MainActor struct EventChannelTests {
    let device = TestDevice()

    final class Handler: NSObject, FlutterStreamHandler, @unchecked Sendable {
      var sink: FlutterEventSink?
      var log: [String] = []
      var listenError: FlutterError?
      var cancelError: FlutterError?

      func onListen(
        withArguments arguments: Any?, eventSink events: @escaping FlutterEventSink
      ) -> FlutterError? {
        log.append("listen \(arguments ?? "nil")")
        sink = events
        return listenError
      }

      func onCancel(withArguments arguments: Any?) -> FlutterError? {
        log.append("cancel \(arguments ?? "nil")")
        return cancelError
      }
    }

    private func isSuccess(_ outcome: MethodOutcome) -> Bool {
      if case .success(.null) = outcome { true } else { false }
    }

    @Test func aStreamFromListenToEnd() async throws {
      let handler = Handler()
      let channel = FlutterEventChannel(name: "e", binaryMessenger: device.messenger)
      channel.setStreamHandler(handler)
      #expect(isSuccess(try await device.invoke("listen", "args", on: "e")))
      let sink = try #require(handler.sink)
      sink(1)
      sink(FlutterError(code: "c", message: "m", details: nil))
      sink(FlutterEndOfEventStream)
      let sent = await device.deliveries(3)
      let codec = StandardMethodCodec()
      #expect(try codec.decodeEnvelope(sent[0].payload) == .success(.int64(1)))
      #expect(try codec.decodeEnvelope(sent[1].payload) == .error(code: "c", message: "m"))
      #expect(sent[2].payload == nil)
      #expect(isSuccess(try await device.invoke("cancel", on: "e")))
      #expect(handler.log == ["listen args", "cancel nil"])
      channel.setStreamHandler(nil)
      guard case .notImplemented = try await device.invoke("listen", on: "e")
      else { return #expect(Bool(false)) }
    }

    @Test func cancelWithoutAStream() async throws {
      let handler = Handler()
      FlutterEventChannel(name: "e", binaryMessenger: device.messenger).setStreamHandler(handler)
      guard case .error(let error) = try await device.invoke("cancel", on: "e")
      else { return #expect(Bool(false)) }
      #expect(error.code == "error")
      #expect(error.message == "No active stream to cancel")
      #expect(handler.log.isEmpty)
      guard case .notImplemented = try await device.invoke("pause", on: "e")
      else { return #expect(Bool(false)) }
    }

    @Test func listenAgainCancelsFirst() async throws {
      let handler = Handler()
      FlutterEventChannel(name: "e", binaryMessenger: device.messenger).setStreamHandler(handler)
      #expect(isSuccess(try await device.invoke("listen", 1, on: "e")))
      handler.cancelError = FlutterError(code: "bad", message: "no", details: nil)
      #expect(isSuccess(try await device.invoke("listen", 2, on: "e")))
      #expect(handler.log == ["listen 1", "cancel nil", "listen 2"])
      #expect(await device.report(.streamCancelFailed)?.text.contains("bad no") ?? false)
      guard case .error(let error) = try await device.invoke("cancel", 3, on: "e")
      else { return #expect(Bool(false)) }
      #expect(error.code == "bad")
      #expect(handler.log.last == "cancel 3")
    }

    @Test func aListenThatFails() async throws {
      let handler = Handler()
      handler.listenError = FlutterError(code: "no", message: nil, details: 1)
      FlutterEventChannel(name: "e", binaryMessenger: device.messenger).setStreamHandler(handler)
      guard case .error(let error) = try await device.invoke("listen", on: "e")
      else { return #expect(Bool(false)) }
      #expect(error.code == "no")
      // iOS keeps the sink all the same.
      #expect(isSuccess(try await device.invoke("cancel", on: "e")))
    }

    @Test func eventsThatCannotBeEncodedBecomeErrors() async throws {
      let handler = Handler()
      FlutterEventChannel(name: "e", binaryMessenger: device.messenger).setStreamHandler(handler)
      #expect(isSuccess(try await device.invoke("listen", on: "e")))
      handler.sink?([Date()])
      let sent = await device.deliveries(1)
      guard case .error? = try StandardMethodCodec().decodeEnvelope(sent.first?.payload)
      else { return #expect(Bool(false)) }
      #expect(await device.report(.resultUnencodable)?.text.contains("the event") ?? false)
    }

    @Test func lateEventsAreSentAndReported() async throws {
      let handler = Handler()
      FlutterEventChannel(name: "e", binaryMessenger: device.messenger).setStreamHandler(handler)
      #expect(isSuccess(try await device.invoke("listen", on: "e")))
      #expect(isSuccess(try await device.invoke("cancel", on: "e")))
      handler.sink?(1)
      #expect(await device.deliveries(1).count == 1)
      #expect(await device.report(.remark)?.text.contains("after the end") ?? false)
    }
  }

  @Suite(.serialized) @MainActor struct TaskQueueTests {
    let device = TestDevice()

    @Test func handlersRunInOrderAwayFromMain() async throws {
      let queue = try #require(device.messenger.makeBackgroundTaskQueue?())
      let channel = FlutterMethodChannel(
        name: "q", binaryMessenger: device.messenger,
        codec: FlutterStandardMethodCodec.sharedInstance(), taskQueue: queue)
      let seen = Carried(NSMutableArray())
      let lock = NSLock()
      channel.setMethodCallHandler { call, result in
        // A slow one does not let the next overtake it.
        if call.arguments as? Int == 0 { Thread.sleep(forTimeInterval: 0.05) }
        lock.withLock { seen.content.add(call.arguments ?? -1) }
        result(FlutterTrouble.isMain)
      }
      let codec = StandardMethodCodec()
      var ids: [UInt64] = []
      for number in 0..<50 {
        let call = MethodCall("m", .integer(Int64(number)))
        ids.append(device.send(try codec.encodeMethodCall(call), on: "q"))
      }
      for id in ids {
        #expect(await device.outcome(of: id) == .payload([0, 2]))
      }
      #expect(lock.withLock { seen.content as? [Int] } == Array(0..<50))
    }

    /// A blocked queue must not hold up the main thread's handlers.
    @Test func queuesAreIndependent() async throws {
      let gate = DispatchSemaphore(value: 0)
      let slow = FlutterMethodChannel(
        name: "slow", binaryMessenger: device.messenger,
        codec: FlutterStandardMethodCodec.sharedInstance(),
        taskQueue: device.messenger.makeBackgroundTaskQueue?())
      slow.setMethodCallHandler { _, result in
        gate.wait()
        result("slow")
      }
      FlutterMethodChannel(name: "quick", binaryMessenger: device.messenger)
        .setMethodCallHandler { _, result in result("quick") }
      let call = try StandardMethodCodec().encodeMethodCall(MethodCall("m"))
      let waiting = device.send(call, on: "slow")
      guard case .success(let value) = try await device.invoke("m", on: "quick")
      else { return #expect(Bool(false)) }
      #expect(value == "quick")
      #expect(await device.outcome(of: waiting, within: 0.02) == nil)
      gate.signal()
      #expect(await device.outcome(of: waiting) != nil)
    }

    @Test func rawMessengerHandlers() async throws {
      let connection = device.messenger.setMessageHandlerOnChannel("raw") { data, reply in
        reply(data.map { Data($0.reversed()) })
      }
      #expect(await device.ask([1, 2], on: "raw") == .payload([2, 1]))
      #expect(await device.ask(nil, on: "raw") == .payload(nil))
      device.messenger.cleanUpConnection(connection)
      #expect(await device.ask([1], on: "raw") == .payload(nil))
    }
  }

  @Suite(.serialized) @MainActor struct RegistrarTests {
    let device = TestDevice()

    final class Plugin: NSObject, FlutterPlugin, @unchecked Sendable {
      nonisolated(unsafe) static var detached = 0
      static func register(with registrar: any FlutterPluginRegistrar) {
        let channel = FlutterMethodChannel(
          name: "plugin", binaryMessenger: registrar.messenger())
        registrar.addMethodCallDelegate(Plugin(), channel: channel)
      }
      func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
        result(call.method)
      }
      func detachFromEngine(for registrar: any FlutterPluginRegistrar) { Plugin.detached += 1 }
    }

    final class Silent: NSObject, FlutterPlugin {
      static func register(with registrar: any FlutterPluginRegistrar) {}
    }

    @Test func aPluginAndItsRegistrar() async throws {
      let registrar = try #require(device.engine.registrar(forPlugin: "Plugin"))
      Plugin.register(with: registrar)
      guard case .success(let value) = try await device.invoke("hello", on: "plugin")
      else { return #expect(Bool(false)) }
      #expect(value == "hello")
      #expect(device.engine.hasPlugin("Plugin"))
      #expect(!device.engine.hasPlugin("Other"))
      #expect(device.engine.valuePublished(byPlugin: "Plugin") is NSNull)
      #expect(device.engine.valuePublished(byPlugin: "Other") == nil)
      registrar.publish(NSString(string: "there"))
      #expect(device.engine.valuePublished(byPlugin: "Plugin") as? String == "there")
      #expect(device.engine.registrar(forPlugin: "Plugin") == nil)
      #expect(registrar.lookupKey(forAsset: "a.png") == "flutter_assets/a.png")
      device.engine.destroyContext()
      #expect(Plugin.detached == 1)
    }

    @Test func aDelegateWithoutAHandlerIsReported() async throws {
      let registrar = try #require(device.engine.registrar(forPlugin: "Silent"))
      let channel = FlutterMethodChannel(name: "silent", binaryMessenger: registrar.messenger())
      registrar.addMethodCallDelegate(Silent(), channel: channel)
      guard case .notImplemented = try await device.invoke("m", on: "silent")
      else { return #expect(Bool(false)) }
      #expect(await device.report(.remark)?.text.contains("unrecognized selector") ?? false)
    }

    /// A messenger that a plugin's own test brings.
    final class Recorder: NSObject, FlutterBinaryMessenger, @unchecked Sendable {
      var sent: [Data?] = []
      var handler: FlutterBinaryMessageHandler?
      func send(onChannel channel: String, message: Data?) { sent.append(message) }
      func send(
        onChannel channel: String, message: Data?, binaryReply callback: FlutterBinaryReply?
      ) {
        sent.append(message)
        callback?(nil)
      }
      func setMessageHandlerOnChannel(
        _ channel: String, binaryMessageHandler handler: FlutterBinaryMessageHandler?
      ) -> FlutterBinaryMessengerConnection {
        self.handler = handler
        return 1
      }
      func cleanUpConnection(_ connection: FlutterBinaryMessengerConnection) { handler = nil }
    }

    @Test func aForeignMessenger() throws {
      let messenger = Recorder()
      #expect(messenger.makeBackgroundTaskQueue == nil)
      let channel = FlutterMethodChannel(name: "c", binaryMessenger: messenger)
      channel.setMethodCallHandler { call, result in result(call.arguments) }
      let codec = FlutterStandardMethodCodec.sharedInstance()
      nonisolated(unsafe) var reply: Data??
      messenger.handler?(codec.encode(FlutterMethodCall(methodName: "m", arguments: 5))) {
        reply = $0
      }
      #expect((reply ?? nil).flatMap { codec.decodeEnvelope($0) } as? Int == 5)
      messenger.handler?(Data([9])) { reply = $0 }
      #expect(reply == .some(nil))
      nonisolated(unsafe) var answer: Any?
      channel.invokeMethod("x", arguments: nil) { answer = $0 }
      #expect(answer as? NSObject === FlutterMethodNotImplemented)
      channel.setMethodCallHandler(nil)
      #expect(messenger.handler == nil)
    }
  }
}
