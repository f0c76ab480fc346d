import ChannelCodec
import ChannelRouter
import ChannelTransport
import Foundation
import ProgramRunner
import Testing

@Suite(.serialized) struct ExamplePluginTests {
  @Test func ownTypesGoBothWays() throws {
    let example = try Example()
    #expect(try example.result("addPoint", Example.point(0, 0)) == .int64(1))
    #expect(try example.result("addPoint", Example.point(3, 4)) == .int64(2))
    #expect(try example.result("route") == [Example.point(0, 0), Example.point(3, 4)])
    #expect(
      try example.result("summary", ["precision": 10, "name": "hill"])
        == ["meters": 5.0, "name": "hill", "points": .int64(2)])
    #expect(try example.result("summary") == ["meters": 5.0, "name": nil, "points": .int64(2)])
    guard case .error(let error) = try example.invoke("addPoint", [1, 2])
    else { return #expect(Bool(false)) }
    #expect(error.code == "BAD_ARGS")
    guard case .notImplemented = try example.invoke("fly") else { return #expect(Bool(false)) }
    #expect(try example.result("clear") == .null)
    #expect(try example.result("route") == [])
    example.client.close()
  }

  /// Code as Pigeon generates it: a type byte before a list, enums as numbers, and a file that
  /// compiles only where `os(iOS)` holds.
  @Test func generatedCode() throws {
    let example = try Example()
    let codec = StandardMessageCodec(extensions: .pigeon)
    func double(_ amount: Double) throws -> Value? {
      let distance: Value = .custom(
        130, [.float64(amount), .custom(129, .int64(1)), nil, .int64(7)])
      let message = try codec.encode([distance])
      let outcome = try example.client.send(
        message, on: "dev.flutter.pigeon.example.DistancesApi.double", timeout: .seconds(30))
      guard case .payload(let reply) = outcome else {
        throw Example.Unexpected(outcome: "\(outcome)")
      }
      return try codec.decode(reply)
    }
    let doubled: Value = .custom(130, [3.0, .custom(129, .int64(1)), nil, .int64(7)])
    #expect(try double(1.5) == [doubled])
    #expect(try double(-1) == ["negative", "no negative distances", nil])
    example.client.close()
  }

  @Test func theBackgroundQueue() throws {
    let example = try Example()
    let route: Value = [Example.point(0, 0), Example.point(0, 2), Example.point(0, 5)]
    #expect(
      try example.result("measure", route, on: "example/workout/measuring")
        == ["length": 5.0, "onMain": false])
    example.client.close()
  }

  @Test func theEventChannel() throws {
    let example = try Example()
    let channel = EventChannel("example/workout/ticks", messenger: example.client.messenger)
    var events: [Value] = []
    var hasEnded = false
    var started: MethodOutcome?
    try channel.listen(
      3, started: { started = $0 },
      onEvent: { event in
        switch event {
        case .value(let value): events.append(value)
        case .end: hasEnded = true
        default: Issue.record("\(event)")
        }
      })
    #expect(try example.client.run(for: .seconds(30)) { hasEnded })
    guard case .success(.null)? = started else { return #expect(Bool(false)) }
    #expect(events == (1...3).map { ["second": .int64($0)] })
    var stopped: MethodOutcome?
    try channel.cancel(stopped: { stopped = $0 })
    try example.client.run(for: .seconds(30)) { stopped != nil }
    guard case .success(.null)? = stopped else { return #expect(Bool(false)) }
    guard case .error(let error) = try example.invoke("cancel", on: "example/workout/ticks")
    else { return #expect(Bool(false)) }
    #expect(error.message == "No active stream to cancel")
    guard case .error(let refused) = try example.invoke("listen", "x", on: "example/workout/ticks")
    else { return #expect(Bool(false)) }
    #expect(refused.code == "BAD_ARGS")
    #expect(refused.details == "x")
    example.client.close()
  }

  @Test func mistakesAreTold() throws {
    let example = try Example()
    let channel: ChannelName = "example/mistakes"
    guard case .dropped = try example.invoke("forget", on: channel)
    else { return #expect(Bool(false)) }
    #expect(try example.isTold("example/mistakes forget: the handler released its reply"))
    #expect(try example.result("answerTwice", on: channel) == "first")
    #expect(try example.isTold("example/mistakes answerTwice: reply already submitted"))
    guard case .error(let error) = try example.invoke("answerDate", on: channel)
    else { return #expect(Bool(false)) }
    #expect(error.message?.description.contains(#"result["when"][0]"#) ?? false)
    #expect(try example.isTold("found Date"))
    #expect(try example.result("setHandlerElsewhere", on: channel) == .null)
    #expect(try example.isTold("FML_CHECK"))
    #expect(try example.result("x", on: "example/elsewhere") == "here")
    #expect(try example.result("sendElsewhere", on: channel) == .null)
    #expect(try example.isTold("non-platform thread"))
    #expect(try example.result("answerElsewhereLater", on: channel) == false)
    #expect(try example.result("answerOnMainActor", on: channel) == true)
    let totals = try example.result("totals", on: "pwbridge/control")
    #expect(totals["dropped"]?.integer == 1)
    #expect(totals["repeatedReplies"]?.integer == 1)
    example.client.close()
  }

  @Test func callsToDart() throws {
    let example = try Example()
    let dart = MethodChannel("example/mistakes", messenger: example.client.messenger)
    dart.setMethodCallHandler { call, result in
      switch call.arguments {
      case "fail": result.error(code: "no", message: nil)
      case "miss": result.notImplemented()
      default: result.success(call.arguments)
      }
    }
    for (sent, got) in [("fail", "error no"), ("miss", "not there"), ("x", "x")] {
      let value = Value.string(Value.Text(sent))
      #expect(
        try example.result("callDart", value, on: "example/mistakes")
          == .string(Value.Text(got)))
    }
    example.client.close()
  }

  @Test func malformedMessagesLeaveTheAppRunning() throws {
    let example = try Example()
    for message in [nil, [], [7, 1], [3, 1, 0, 0, 0, 0], [0x80, 0x0c]] as [[UInt8]?] {
      guard
        case .refused(let refusal) = try example.client.send(
          message, on: "example/workout", timeout: .seconds(30))
      else { return #expect(Bool(false), "\(message as Any)") }
      #expect(refusal.code == "message-malformed")
    }
    #expect(try example.result("route") == [])
    example.client.close()
  }

  @Test func manyCallsInFlight() throws {
    let example = try Example()
    var answers: [Value] = []
    let channel = MethodChannel("example/mistakes", messenger: example.client.messenger)
    for number in 0..<500 {
      try channel.invokeMethod("echo", .integer(Int64(number))) { outcome in
        if case .success(let value) = outcome { answers.append(value) }
      }
    }
    #expect(try example.client.run(for: .seconds(60)) { answers.count == 500 })
    #expect(answers.map(\.integer) == (0..<500).map { Int64($0) })
    example.client.close()
  }

  @Test func theAppFollowsTheDevice() throws {
    func life(_ example: Example, _ expected: Value) throws -> Bool {
      for _ in 0..<200 where try example.result("life") != expected {
        Thread.sleep(forTimeInterval: 0.02)
      }
      return try example.result("life") == expected
    }
    let example = try Example()
    #expect(try life(example, ["active true"]))
    for isForeground in [false, true] {
      _ = try example.result(
        "setForeground", ["foreground": .bool(isForeground)], on: "pwbridge/control")
    }
    #expect(try life(example, ["active true", "background true", "active true"]))
    _ = try example.result("setForeground", ["foreground": false], on: "pwbridge/control")
    _ = try example.result("reset", on: "pwbridge/control")
    #expect(
      try life(
        example,
        ["active true", "background true", "active true", "background true", "active true"]))
    example.client.close()
    let hidden = try Example(["--option", "foreground=off"])
    #expect(try life(hidden, []))
    hidden.client.close()
  }

  @Test func faultsAndRecordingsStandBeforeTheApp() throws {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "pwb-\(UInt32.random(in: 0 ... .max)).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let example = try Example([
      "--fault", "example/workout.route#1: error BUSY", "--record", file.path(),
    ])
    guard case .error(let error) = try example.invoke("route") else {
      return #expect(Bool(false))
    }
    #expect(error.code == "BUSY")
    #expect(try example.result("route") == [])
    example.client.close()
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.split(separator: "\n").count >= 5, "\(text)")
    #expect(text.contains("example/workout"))
  }

  // MARK: - The host

  @Test func oneDeviceForAllClients() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "pwb-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let socket = folder.appending(path: "s").path()
    let app = Process()
    app.executableURL = URL(filePath: Example.program)
    app.arguments = ["--socket", socket, "--quiet", "--option", "seed=7"]
    app.standardError = FileHandle.nullDevice
    try app.run()
    defer { if app.isRunning { app.terminate() } }
    func connect(_ hello: Hello = Hello()) throws -> BridgeClient {
      for _ in 0..<500 where !FileManager.default.fileExists(atPath: socket) {
        Thread.sleep(forTimeInterval: 0.02)
      }
      return try BridgeClient.connect(to: socket, hello: hello, timeout: .seconds(30))
    }
    let first = try connect(Hello(device: "mine"))
    let second = try connect(
      Hello(device: "other", options: [Hello.Option(name: "seed", value: "7")]))
    var types = ExtensionTypes()
    types[Example.pointType] = .oneValue
    let codec = StandardMethodCodec(extensions: types)
    _ = try first.invoke(
      "addPoint", Example.point(1, 1), on: "example/workout", codec: codec)
    guard case .success(let route) = try second.invoke("route", on: "example/workout", codec: codec)
    else { return #expect(Bool(false)) }
    #expect(route == [Example.point(1, 1)])
    do {
      // The server says who it is before it says no.
      let third = try connect(Hello(options: [Hello.Option(name: "seed", value: "8")]))
      _ = try third.invoke("route", on: "example/workout")
      Issue.record("another seed was accepted")
    } catch {
      #expect("\(error)".contains("--option seed=8"), "\(error)")
    }
    first.close()
    second.close()
    app.terminate()
    app.waitUntilExit()
    #expect(app.terminationStatus == 0)
    #expect(!FileManager.default.fileExists(atPath: socket))
  }

  @Test func theCommandLine() throws {
    let help = try BuiltProgram.run("ExamplePlugin --help", limit: .seconds(60))
    #expect(help.code == 0)
    #expect(help.text.contains("ExamplePlugin [FLAGS] --socket PATH"))
    #expect(help.text.contains("--record"))
    #expect(!help.text.contains("--handler "))
    #expect(!help.text.contains("ExamplePlugin serve"))
    let short = try BuiltProgram.run("ExamplePlugin -h", limit: .seconds(60))
    #expect(short.text.hasSuffix("ExamplePlugin --help says more.\n"))
    let version = try BuiltProgram.run("ExamplePlugin --version", limit: .seconds(60))
    #expect(version.text.hasPrefix("pwbridge "))
    for (flags, complaint) in [
      ("--option handlr=x", "did you mean handler?"), ("--sockt x", "did you mean --socket?"),
      ("foo", "has no use for"), ("--framing knots", "choose from"),
    ] {
      let outcome = try BuiltProgram.run("ExamplePlugin \(flags)", limit: .seconds(60))
      #expect(outcome.code == 2)
      #expect(outcome.complaint.hasPrefix("ExamplePlugin: "), "\(outcome.complaint)")
      #expect(outcome.complaint.contains(complaint), "\(outcome.complaint)")
      #expect(outcome.complaint.hasSuffix("try: ExamplePlugin --help\n"), "\(outcome.complaint)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func linesStrictAndPrintedText() throws {
    let codec = StandardMethodCodec()
    func line(_ method: Value.Text, _ arguments: Value = .null, on channel: String) throws -> String
    {
      let bytes = try codec.encodeMethodCall(MethodCall(method, arguments))
      return "\(channel) " + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    let input = try [
      line("echo", true, on: "example/mistakes"), line("clear", on: "example/workout"),
      line("forget", on: "example/mistakes"),
    ]
    let outcome = try BuiltProgram.run(
      "ExamplePlugin --framing lines --quiet --strict",
      input: Array((input.joined(separator: "\n") + "\n").utf8),
      limit: .seconds(60))
    #expect(outcome.text.hasPrefix("0001\n0000\n"), "\(outcome.text)")
    #expect(outcome.code == 1, "\(outcome.complaint)")
    #expect(
      outcome.complaint.contains("ExamplePlugin: --strict: 1 dropped"), "\(outcome.complaint)")
    // addPoint prints; what is printed is no part of the stream.
    let bytes = try StandardMethodCodec(
      extensions: {
        var types = ExtensionTypes()
        types[Example.pointType] = .oneValue
        return types
      }()
    ).encodeMethodCall(MethodCall("addPoint", Example.point(1, 2)))
    let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let printed = try BuiltProgram.run(
      "ExamplePlugin --framing lines --quiet", input: Array("example/workout \(text)\n".utf8),
      limit: .seconds(60))
    #expect(printed.text == "00040100000000000000\n")
    #expect(printed.complaint == "point 1\n")
  }
}
