import ChannelCodec
import ChannelRouter
import SystemInterface
import TestSurroundings
import Testing

@testable import ChannelTransport

@Suite("Client and server") struct ClientTests {
  @Test func channelsWorkAcrossTheWire() throws {
    let rig = try Rig()
    rig.prepare = { messenger in
      MethodChannel("PW", messenger: messenger).setMethodCallHandler { call, result in
        switch call.method {
        case "add": result.success(.int64((call.arguments.integer ?? 0) + 1))
        case "fail": result.error(code: "E", message: "no", details: [1])
        case "drop": break
        default: result.notImplemented()
        }
      }
    }
    let client = try rig.client()
    guard case .success(let sum) = try client.invoke("add", 41, on: "PW"),
      case .error(let error) = try client.invoke("fail", on: "PW"),
      case .dropped = try client.invoke("drop", on: "PW"),
      case .notImplemented = try client.invoke("other", on: "PW"),
      case .refused(let refusal) = try client.send([7, 9], on: "PW")
    else {
      Issue.record("another outcome")
      return
    }
    #expect(sum == .int64(42))
    #expect(error == ErrorEnvelope(code: "E", message: "no", details: [1]))
    #expect(refusal.code == "message-malformed")
    #expect(refusal.offset != nil)
    client.close()
    #expect(client.end?.unanswered == [])
    try rig.run { rig.server.connectionCount == 0 }
  }

  @Test func nativeCodeCallsDartAndStreamsEvents() throws {
    final class Counter: StreamHandler {
      var sink: EventSink?
      func onListen(arguments: Value, events: EventSink) throws(MethodError) { sink = events }
      func onCancel(arguments: Value) throws(MethodError) { sink = nil }
    }
    let rig = try Rig()
    let counter = Counter()
    rig.prepare = { EventChannel("count", messenger: $0).setStreamHandler(counter) }
    let client = try rig.client()
    MethodChannel("app", messenger: client.messenger).setMethodCallHandler { call, result in
      result.success(call.arguments)
    }
    var answers: [Int64] = []
    for number in 0..<3000 {
      try MethodChannel("app", messenger: rig.devices[0].messenger)
        .invokeMethod("echo", .int64(Int64(number))) {
          if case .success(let value) = $0 { answers.append(value.integer ?? -1) }
        }
    }
    // More than may be open at once: the rest waits its turn.
    try rig.run { answers.count == 3000 }
    #expect(answers == Array(0..<3000))

    var events: [Int64] = []
    var hasEnded = false
    try EventChannel("count", messenger: client.messenger).listen { event in
      switch event {
      case .value(let value): events.append(value.integer ?? -1)
      case .end: hasEnded = true
      default: Issue.record("\(event)")
      }
    }
    try rig.run { counter.sink != nil }
    for number in 0..<5000 { try counter.sink?.success(.int64(Int64(number))) }
    counter.sink?.endOfStream()
    try rig.run { hasEnded }
    #expect(events == Array(0..<5000))
  }

  @Test func tenThousandCallsKeepTheirOrder() throws {
    let rig = try Rig()
    var seen: [Int64] = []
    rig.prepare = { messenger in
      MethodChannel("PW", messenger: messenger).setMethodCallHandler { call, result in
        seen.append(call.arguments.integer ?? -1)
        result.success(call.arguments)
      }
    }
    let client = try rig.client()
    let channel = MethodChannel("PW", messenger: client.messenger)
    var answers: [Int64] = []
    for number in 0..<10_000 {
      try channel.invokeMethod("n", .int64(Int64(number))) {
        if case .success(let value) = $0 { answers.append(value.integer ?? -1) }
      }
    }
    try rig.run { answers.count == 10_000 }
    #expect(seen == Array(0..<10_000))
    #expect(answers == seen)
  }

  @Test func largePayloadsComeWhole() throws {
    let rig = try Rig()
    rig.prepare = { $0.setMessageHandler(on: "echo") { message, reply in reply.send(message) } }
    let client = try rig.client()
    var generator = SystemRandomNumberGenerator()
    let seed = generator.next()
    print("seed \(seed)")
    for size in [0, 1, 7, 8, 9, 4095, 65_536, 131_072, 131_073, 1 << 20, 16 << 20] {
      var payload = [UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: size)
      for place in stride(from: 0, to: size, by: 997) {
        payload[place] = UInt8(truncatingIfNeeded: place)
      }
      let outcome = try client.send(
        payload, on: "echo", timeout: .seconds(120 * Surroundings.slowness))
      #expect(outcome == .payload(payload), "\(size) bytes")
    }
  }

  @Test func openCallsLearnThatTheServerHasGone() throws {
    let rig = try Rig()
    var kept: [BinaryReply] = []
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept.append(reply) } }
    let client = try rig.client()
    var outcomes: [ReplyOutcome] = []
    for _ in 0..<3 { client.messenger.send(nil, on: "slow") { outcomes.append($0) } }
    try rig.run { kept.count == 3 }
    kept[0].port.breakOff()
    try rig.run { outcomes.count == 3 }
    #expect(outcomes == [.disconnected, .disconnected, .disconnected])
    #expect(throws: BridgeClient.Failure.self) { try client.send(nil, on: "slow") }
    var late: ReplyOutcome?
    client.messenger.send(nil, on: "slow") { late = $0 }
    #expect(late == .disconnected || late == nil)
  }

  @Test func anAnswerThatTakesTooLongIsAFailure() throws {
    let rig = try Rig()
    var kept: BinaryReply?
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept = reply } }
    let client = try rig.client()
    let failure = #expect(throws: BridgeClient.Failure.self) {
      try client.send(nil, on: "slow", timeout: .milliseconds(50))
    }
    #expect(failure?.description.contains("slow: no answer within") == true)
    #expect(kept != nil)
  }
}
