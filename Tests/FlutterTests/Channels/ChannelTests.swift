import ChannelCodec
import ChannelRouter
import DeviceTurns
import Foundation
import Testing

@testable import Flutter

/// Everything that needs the process's one device; one after the other, each with a fresh one.
@Suite(.serialized, .oneDevice) struct DeviceTests {}

extension DeviceTests {
  @Suite(.serialized) @MainActor struct MethodChannelTests {
    let device = TestDevice()

    private func channel(_ name: String = "c") -> FlutterMethodChannel {
      FlutterMethodChannel(name: name, binaryMessenger: device.messenger)
    }

    @Test func answers() async throws {
      channel().setMethodCallHandler { call, result in
        switch call.method {
        case "value": result(call.arguments)
        case "nil": result(nil)
        case "error": result(FlutterError(code: "c", message: nil, details: ["a": 1]))
        default: result(FlutterMethodNotImplemented)
        }
      }
      guard case .success(let value) = try await device.invoke("value", [1, true, nil], on: "c")
      else { return #expect(Bool(false)) }
      #expect(value == [1, true, nil])
      guard case .success(.null) = try await device.invoke("nil", on: "c")
      else { return #expect(Bool(false)) }
      guard case .error(let error) = try await device.invoke("error", on: "c")
      else { return #expect(Bool(false)) }
      #expect(error.code == "c")
      #expect(error.message == nil)
      #expect(error.details["a"]?.integer == 1)
      guard case .notImplemented = try await device.invoke("other", on: "c")
      else { return #expect(Bool(false)) }
      guard case .notImplemented = try await device.invoke("value", on: "nobody")
      else { return #expect(Bool(false)) }
    }

    @Test func handlersRunOnMainInTheOrderOfTheCalls() async throws {
      nonisolated(unsafe) var seen: [Int] = []
      nonisolated(unsafe) var wasAlwaysMain = true
      channel().setMethodCallHandler { call, result in
        seen.append(call.arguments as? Int ?? -1)
        if !FlutterTrouble.isMain { wasAlwaysMain = false }
        result(nil)
      }
      let codec = StandardMethodCodec()
      var last: UInt64 = 0
      for number in 0..<200 {
        last = device.send(
          try codec.encodeMethodCall(MethodCall("m", .integer(Int64(number)))), on: "c")
      }
      #expect(await device.outcome(of: last) != nil)
      #expect(seen == Array(0..<200))
      #expect(wasAlwaysMain)
    }

    @Test func aResultThatNeverComesIsToldWithItsMethod() async throws {
      channel().setMethodCallHandler { _, _ in }
      guard case .dropped = try await device.invoke("forget", on: "c")
      else { return #expect(Bool(false)) }
      let report = try #require(await device.report(.replyDropped))
      #expect(report.text.contains("c forget"))
    }

    @Test func aResultMayComeLaterFromAnyThread() async throws {
      channel().setMethodCallHandler { call, result in
        let box = Carried(result)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { box.content("late") }
      }
      guard case .success(let value) = try await device.invoke("m", on: "c")
      else { return #expect(Bool(false)) }
      #expect(value == "late")
    }

    @Test func aSecondResultIsIgnoredAndReported() async throws {
      channel().setMethodCallHandler { _, result in
        result(1)
        result(FlutterError(code: "x", message: nil, details: nil))
        result(Date())
      }
      guard case .success(let value) = try await device.invoke("twice", on: "c")
      else { return #expect(Bool(false)) }
      #expect(value.integer == 1)
      let report = try #require(await device.report(.replyAlreadySubmitted))
      #expect(report.text.contains("c twice"))
    }

    @Test func whatCannotBeEncodedBecomesAnError() async throws {
      channel().setMethodCallHandler { _, result in result(["a": [Date()]]) }
      guard case .error(let error) = try await device.invoke("m", on: "c")
      else { return #expect(Bool(false)) }
      #expect(error.message?.description.contains(#"result["a"][0]"#) ?? false)
      let report = try #require(await device.report(.resultUnencodable))
      #expect(report.text.contains("found Date"))
      #expect(report.channel == "c")
    }

    @Test func anErrorWithSuchDetailsToo() async throws {
      channel().setMethodCallHandler { _, result in
        result(FlutterError(code: "c", message: "m", details: Date()))
      }
      guard case .error(let error) = try await device.invoke("m", on: "c")
      else { return #expect(Bool(false)) }
      #expect(error.message?.description.contains("details") ?? false)
    }

    @Test func malformedMessagesAreRefused() async throws {
      channel().setMethodCallHandler { _, result in result(nil) }
      for message in [nil, [], [7, 1], [3, 0, 0, 0, 0, 0], [7, 1, 97, 0, 0]] as [[UInt8]?] {
        guard case .refused(let refusal)? = await device.ask(message, on: "c")
        else { return #expect(Bool(false), "\(message as Any)") }
        #expect(refusal.code == "message-malformed")
      }
      #expect(await device.report(.messageMalformed) != nil)
      guard case .success = try await device.invoke("m", on: "c")
      else { return #expect(Bool(false)) }
    }

    @Test func aHandlerSetOffTheMainThreadIsReportedAndServes() async throws {
      let messenger = Carried(device.messenger)
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          FlutterMethodChannel(name: "off", binaryMessenger: messenger.content)
            .setMethodCallHandler { _, result in result(FlutterTrouble.isMain) }
          done.resume()
        }
      }
      let report = try #require(await device.report(.wrongThread))
      #expect(report.level == .error)
      #expect(report.text.contains("FML_CHECK"))
      guard case .success(let value) = try await device.invoke("m", on: "off")
      else { return #expect(Bool(false)) }
      #expect(value == true)
    }

    @Test func handlersComeAndGo() async throws {
      let first = channel()
      first.setMethodCallHandler { _, result in result(1) }
      channel().setMethodCallHandler { _, result in result(2) }
      guard case .success(let value) = try await device.invoke("m", on: "c")
      else { return #expect(Bool(false)) }
      #expect(value.integer == 2)
      // The first channel's connection is no longer that of the name.
      first.setMethodCallHandler(nil)
      guard case .success = try await device.invoke("m", on: "c")
      else { return #expect(Bool(false)) }
      channel().setMethodCallHandler(nil)
      guard case .notImplemented = try await device.invoke("m", on: "c")
      else { return #expect(Bool(false)) }
      #expect(device.reports.isEmpty)
    }

    @Test func anotherCodec() async throws {
      let channel = FlutterMethodChannel(
        name: "json", binaryMessenger: device.messenger,
        codec: FlutterJSONMethodCodec.sharedInstance())
      channel.setMethodCallHandler { call, result in
        if call.method == "drop" { return }
        result((call.arguments as? [String: Any])?["a"])
      }
      let call = Array(#"{"method":"m","args":{"a":[1,2.5,null]}}"#.utf8)
      guard case .payload(let reply?)? = await device.ask(call, on: "json")
      else { return #expect(Bool(false)) }
      #expect(String(decoding: reply, as: UTF8.self) == "[[1,2.5,null]]")
      let drop = Array(#"{"method":"drop","args":null}"#.utf8)
      #expect(await device.ask(drop, on: "json") == .dropped)
      #expect(await device.report(.replyDropped)?.text.contains("json drop") ?? false)
    }

    @Test func callsToDart() async throws {
      let codec = StandardMethodCodec()
      let replies: [[UInt8]?] = [
        try codec.encodeEnvelope(.success(["x": 1])),
        try codec.encodeEnvelope(.error(code: "e", message: "m")), nil, [9],
      ]
      var answers: [Any?] = []
      for reply in replies {
        device.replyFromDart { _ in .payload(reply) }
        nonisolated(unsafe) var answer: Any??
        channel().invokeMethod("toDart", arguments: [1]) { answer = .some($0) }
        #expect(await wait { answer } != nil)
        answers.append(answer ?? nil)
      }
      #expect((answers[0] as? [String: Int]) == ["x": 1])
      #expect((answers[1] as? FlutterError)?.code == "e")
      #expect(answers[2] as? NSObject === FlutterMethodNotImplemented)
      #expect(answers[3] == nil)
      #expect(await device.report(.replyMalformed) != nil)
      let call = try codec.decodeMethodCall(device.delivered[0].payload)
      #expect(call == MethodCall("toDart", .list([.int64(1)])))
    }

    @Test func whatCannotBeSentIsNotSent() async throws {
      channel().invokeMethod("m", arguments: Date())
      let report = try #require(await device.report(.resultUnencodable))
      #expect(report.text.contains("the call of m cannot be encoded"))
      #expect(device.delivered.isEmpty)
    }

    @Test func aReplyThatNeverComesFromDart() async throws {
      device.replyFromDart { _ in .dropped }
      channel().invokeMethod("m", arguments: nil) { _ in #expect(Bool(false)) }
      let report = try #require(await device.report(.remark))
      #expect(report.text.contains("Dart gave no reply"))
    }
  }
}
