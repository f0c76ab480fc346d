import ChannelCodec
import Testing

@testable import ChannelRouter

@Suite("Channels, both sides joined") struct ChannelTests {
  private let pair = Pair()

  // MARK: - Method channels

  private func invoke(
    _ method: Value.Text, _ arguments: Value = .null, codec: any MethodCodec = StandardMethodCodec()
  ) throws -> MethodOutcome? {
    var outcome: MethodOutcome?
    try MethodChannel("PW", messenger: pair.dart, codec: codec)
      .invokeMethod(method, arguments) { outcome = $0 }
    return outcome
  }

  private func handle(
    codec: any MethodCodec = StandardMethodCodec(), _ handler: @escaping MethodCallHandler
  ) {
    MethodChannel("PW", messenger: pair.native, codec: codec).setMethodCallHandler(handler)
  }

  @Test func aResultComesBack() throws {
    handle { call, result in
      #expect(call.method == "double")
      result.success(.int32((call.arguments.integer.flatMap { Int32(exactly: $0) } ?? 0) * 2))
    }
    guard case .success(let value) = try invoke("double", 21) else {
      Issue.record("no success")
      return
    }
    #expect(value == .int32(42))
  }

  @Test func anErrorComesBackWhole() throws {
    handle { _, result in
      result.error(code: "418", message: "teapot", details: ["at": 3])
    }
    guard case .error(let error) = try invoke("brew") else {
      Issue.record("no error")
      return
    }
    #expect(error.code == "418")
    #expect(error.message == "teapot")
    #expect(error.details == ["at": 3])
  }

  @Test func notImplementedIsNoEnvelope() throws {
    handle { _, result in result.notImplemented() }
    guard case .notImplemented = try invoke("unknown") else {
      Issue.record("something came back")
      return
    }
  }

  struct Trouble: Error {}

  @Test func whatAHandlerThrowsBecomesAnError() throws {
    handle { call, _ in
      if call.method == "known" { throw MethodError(code: "E1", message: nil, details: 5) }
      throw Trouble()
    }
    guard case .error(let known) = try invoke("known"),
      case .error(let unknown) = try invoke("unknown")
    else {
      Issue.record("no errors")
      return
    }
    #expect(known == ErrorEnvelope(code: "E1", message: nil, details: 5))
    #expect(unknown.code == "error")
    #expect(unknown.message == "Trouble()")
  }

  @Test func throwingAfterAnsweringAnswersOnce() throws {
    let observer = RecordingObserver()
    pair.native.observers = [observer]
    handle { _, result in
      result.success(1)
      throw Trouble()
    }
    guard case .success(let value) = try invoke("a") else {
      Issue.record("no success")
      return
    }
    #expect(value == .int32(1))
    #expect(observer.lines.contains("reported handlerThrew"))
    #expect(!observer.lines.contains("reported replyAlreadySubmitted"))
  }

  @Test func aResultThatTheCodecCannotWriteBecomesAnError() throws {
    let codec = JSONMethodCodec()
    handle(codec: codec) { _, result in result.success(.float64(.nan)) }
    guard case .error(let error) = try invoke("nan", codec: codec) else {
      Issue.record("no error")
      return
    }
    #expect(error.code == "error")
    let message = try #require(error.message?.string)
    #expect(message.contains("PW nan: the result cannot be encoded"))
    #expect(pair.native.journal.totals.warnings == 1)
  }

  @Test func aMessageThatIsNoCallIsRefused() throws {
    handle { _, result in result.success() }
    var outcome: ReplyOutcome?
    pair.dart.send([7, 4, 0x73], on: "PW") { outcome = $0 }
    guard case .refused(let refusal) = outcome else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.code == "message-malformed")
    #expect(refusal.offset == 1)
    #expect(refusal.text.contains("PW: "))
  }

  @Test func nativeCodeCallsDart() throws {
    MethodChannel("PW", messenger: pair.dart).setMethodCallHandler { call, result in
      result.success(call.arguments)
    }
    var outcome: MethodOutcome?
    try MethodChannel("PW", messenger: pair.native).invokeMethod("echo", [1, 2]) { outcome = $0 }
    guard case .success(let value) = outcome else {
      Issue.record("no success")
      return
    }
    #expect(value == [1, 2])
  }

  // MARK: - Basic message channels

  @Test func basicMessagesOfEachCodec() throws {
    let native = BasicMessageChannel("s", messenger: pair.native, codec: StringCodec())
    native.setMessageHandler { message, reply in
      reply.send(message.map { Value.Text($0.description + "!") })
    }
    var heard: [String?] = []
    let dart = BasicMessageChannel("s", messenger: pair.dart, codec: StringCodec())
    for message: Value.Text? in ["hi", nil] {
      try dart.send(message) { outcome in
        guard case .reply(let text) = outcome else { return }
        heard.append(text?.description)
      }
    }
    #expect(heard == ["hi!", nil])

    let raw = BasicMessageChannel("b", messenger: pair.native, codec: BinaryCodec())
    raw.setMessageHandler { message, reply in reply.send(message) }
    var echoed: [[UInt8]?] = []
    for message: [UInt8]? in [[1, 2], [], nil] {
      try BasicMessageChannel("b", messenger: pair.dart, codec: BinaryCodec()).send(message) {
        guard case .reply(let bytes) = $0 else { return }
        echoed.append(bytes)
      }
    }
    #expect(echoed == [[1, 2], [], nil])
  }

  // MARK: - Event channels

  private final class Ticker: StreamHandler {
    var sinks: [EventSink] = []
    var heard: [String] = []
    var refusal: MethodError?
    var cancelRefusal: MethodError?

    func onListen(arguments: Value, events: EventSink) throws(MethodError) {
      heard.append("listen \(arguments.isNull ? "null" : arguments.string ?? "?")")
      if let refusal { throw refusal }
      sinks.append(events)
    }
    func onCancel(arguments: Value) throws(MethodError) {
      heard.append("cancel \(arguments.isNull ? "null" : arguments.string ?? "?")")
      if let cancelRefusal { throw cancelRefusal }
    }
  }

  private func name(_ event: StreamEvent) -> String {
    switch event {
    case .value(let value): "value \(value.integer ?? -1)"
    case .error(let error): "error \(error.code)"
    case .end: "end"
    case .malformed: "malformed"
    }
  }

  @Test func eventsFlowUntilTheEnd() throws {
    let ticker = Ticker()
    EventChannel("ticks", messenger: pair.native).setStreamHandler(ticker)
    var events: [String] = []
    let dart = EventChannel("ticks", messenger: pair.dart)
    try dart.listen(Value.string("fast")) { events.append(self.name($0)) }
    let sink = try #require(ticker.sinks.first)
    try sink.success(1)
    try sink.error(code: "E", message: nil)
    try sink.success(2)
    sink.endOfStream()
    try sink.success(3)
    sink.endOfStream()
    #expect(events == ["value 1", "error E", "value 2", "end"])
    #expect(ticker.heard == ["listen fast"])
  }

  @Test func listeningAgainCancelsFirst() throws {
    let ticker = Ticker()
    ticker.cancelRefusal = MethodError(code: "stuck", message: nil)
    EventChannel("ticks", messenger: pair.native).setStreamHandler(ticker)
    let observer = RecordingObserver()
    pair.native.observers = [observer]
    var events: [String] = []
    let dart = EventChannel("ticks", messenger: pair.dart)
    try dart.listen(Value.string("1")) { events.append(self.name($0)) }
    try dart.listen(Value.string("2")) { events.append(self.name($0)) }
    #expect(ticker.heard == ["listen 1", "cancel null", "listen 2"])
    #expect(observer.lines.contains("reported streamCancelFailed"))
    try ticker.sinks[0].success(1)
    try ticker.sinks[1].success(2)
    #expect(events == ["value 2"])
  }

  @Test func cancellingWithoutAStreamIsAnError() throws {
    EventChannel("ticks", messenger: pair.native).setStreamHandler(Ticker())
    var outcome: MethodOutcome?
    try EventChannel("ticks", messenger: pair.dart).cancel { outcome = $0 }
    guard case .error(let error) = outcome else {
      Issue.record("no error")
      return
    }
    #expect(error.code == "error")
    #expect(error.message == "No active stream to cancel")
  }

  @Test func aRefusedListenHasNoStream() throws {
    let ticker = Ticker()
    ticker.refusal = MethodError(code: "no", message: "not now")
    EventChannel("ticks", messenger: pair.native).setStreamHandler(ticker)
    var answers: [String] = []
    let dart = EventChannel("ticks", messenger: pair.dart)
    func note(_ outcome: MethodOutcome) {
      if case .error(let error) = outcome { answers.append(error.code.description) }
    }
    try dart.listen(started: note) { _ in }
    try dart.cancel(stopped: note)
    #expect(answers == ["no", "error"])
  }

  @Test func otherMethodsOfAnEventChannelAreNotImplemented() throws {
    EventChannel("ticks", messenger: pair.native).setStreamHandler(Ticker())
    var outcome: MethodOutcome?
    try MethodChannel("ticks", messenger: pair.dart).invokeMethod("pause") { outcome = $0 }
    guard case .notImplemented = outcome else {
      Issue.record("something came back")
      return
    }
  }

  @Test func eventsFromElsewhereHopToThePlatformThread() throws {
    let ticker = Ticker()
    EventChannel("ticks", messenger: pair.native).setStreamHandler(ticker)
    var events: [String] = []
    try EventChannel("ticks", messenger: pair.dart).listen { events.append(self.name($0)) }
    let sink = try #require(ticker.sinks.first)
    pair.thread.fromElsewhere { try? sink.success(5) }
    #expect(events.isEmpty)
    pair.thread.drain()
    #expect(events == ["value 5"])
  }
}
