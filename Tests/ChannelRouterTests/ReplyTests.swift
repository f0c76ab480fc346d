import ChannelCodec
import Testing

@testable import ChannelRouter

@Suite("Exactly one reply") struct ReplyTests {
  private let thread = ManualThread()
  private let port = RecordingPort()
  private let messenger: RoutingMessenger

  init() {
    messenger = RoutingMessenger(side: .native, thread: thread) { 0 }
    messenger.attach(port)
  }

  private var outcomes: [ReplyOutcome] { port.answers.map(\.outcome) }

  @Test func anAnswerGoesBackUnderItsID() {
    messenger.setMessageHandler(on: "a") { message, reply in reply.send(message) }
    messenger.receive([1, 2], on: "a", id: 77, from: port)
    #expect(port.answers.map(\.id) == [77])
    #expect(outcomes == [.payload([1, 2])])
    #expect(port.reports.isEmpty)
  }

  @Test func aSecondAnswerIsIgnoredAndReported() {
    messenger.setMessageHandler(on: "PW") { _, reply in
      #expect(reply.send([1]))
      #expect(!reply.send([2]))
      #expect(!reply.drop())
    }
    messenger.receive(nil, on: "PW", id: 1, from: port)
    #expect(outcomes == [.payload([1])])
    #expect(port.reports.map(\.kind) == [.replyAlreadySubmitted, .replyAlreadySubmitted])
    #expect(port.reports.allSatisfy { $0.id == 1 && $0.channel == "PW" })
    #expect(port.reports[0].text.contains("PW: reply already submitted"))
    #expect(messenger.journal.totals.repeatedReplies == 2)
    #expect(messenger.journal.entries[0].repeatedReplies == 2)
  }

  @Test func aReleasedReplyIsDropped() {
    messenger.setMessageHandler(on: "a") { _, _ in }
    messenger.receive(nil, on: "a", id: 5, from: port)
    #expect(outcomes == [.dropped])
    #expect(port.answers[0].id == 5)
    #expect(port.reports.map(\.kind) == [.replyDropped])
    #expect(messenger.journal.totals.dropped == 1)
  }

  @Test func aReplyThatIsKeptIsOpenUntilItIsReleased() {
    var kept: BinaryReply?
    messenger.setMessageHandler(on: "a") { _, reply in kept = reply }
    let open = messenger.receive(nil, on: "a", id: 5, from: port)
    #expect(open != nil)
    #expect(outcomes.isEmpty)
    #expect(messenger.journal.entries[0].outcome == nil)
    if let open { messenger.cancel(open) }
    #expect(kept?.isCancelled == true)
    kept = nil
    #expect(outcomes == [.dropped])
    #expect(messenger.journal.entries[0].outcome == .dropped)
  }

  @Test func anAnswerFromElsewhereHopsToThePlatformThread() {
    messenger.setMessageHandler(on: "a") { [thread] _, reply in
      thread.fromElsewhere { reply.send([9]) }
    }
    messenger.receive(nil, on: "a", id: 1, from: port)
    #expect(outcomes.isEmpty)
    thread.drain()
    #expect(outcomes == [.payload([9])])
  }

  @Test func aCallIsOpenUntilItsAnswerIsDelivered() {
    messenger.setMessageHandler(on: "a") { [thread] _, reply in
      thread.fromElsewhere { reply.send([9]) }
    }
    #expect(messenger.receive(nil, on: "a", id: 1, from: port) != nil)
    let holding = Holding()
    messenger.interceptors = [holding]
    messenger.setMessageHandler(on: "b") { _, reply in reply.send([4]) }
    #expect(messenger.receive(nil, on: "b", id: 2, from: port) != nil)
    messenger.interceptors = []
    #expect(messenger.receive(nil, on: "b", id: 3, from: port) == nil)
  }

  @Test func aReplyReleasedElsewhereIsDroppedOnThePlatformThread() {
    var kept: BinaryReply?
    messenger.setMessageHandler(on: "a") { _, reply in kept = reply }
    messenger.receive(nil, on: "a", id: 1, from: port)
    #expect(kept != nil)
    thread.fromElsewhere { kept = nil }
    #expect(outcomes.isEmpty)
    thread.drain()
    #expect(outcomes == [.dropped])
  }

  @Test func whatWantsNoReplyGetsNone() {
    messenger.setMessageHandler(on: "a") { _, reply in reply.send([1]) }
    messenger.setMessageHandler(on: "b") { _, _ in }
    messenger.receive(nil, on: "a", id: 0, from: port)
    messenger.receive(nil, on: "b", id: 0, from: port)
    messenger.receive(nil, on: "unknown", id: 0, from: port)
    #expect(port.answers.isEmpty)
    #expect(port.reports.isEmpty)
  }

  @Test func anUnknownChannelIsAnsweredWithoutPayload() {
    messenger.receive([0], on: "nobody", id: 3, from: port)
    #expect(outcomes == [.payload(nil)])
    #expect(messenger.journal.totals.notImplemented == 1)
  }

  @Test func handlersRunInTheOrderOfTheMessages() {
    var seen: [UInt8] = []
    messenger.setMessageHandler(on: "a") { message, reply in
      seen += message ?? []
      reply.send(nil)
    }
    for number in 0..<100 {
      messenger.receive([UInt8(number)], on: "a", id: UInt64(number + 1), from: port)
    }
    #expect(seen == Array(0..<100))
  }

  @Test func manyThreadsAnswerOnceEach() async {
    // A real race: of all threads that answer one call, one wins.
    let replies = (0..<200).map { _ in
      var kept: BinaryReply?
      messenger.setMessageHandler(on: "a") { _, reply in kept = reply }
      messenger.receive(nil, on: "a", id: 1, from: port)
      return kept
    }
    thread.leave()
    let winners = await withTaskGroup(of: Int.self) { group in
      for reply in replies.compactMap({ $0 }) {
        for number in 0..<4 { group.addTask { reply.send([UInt8(number)]) ? 1 : 0 } }
      }
      return await group.reduce(0, +)
    }
    thread.comeBack()
    thread.drain()
    #expect(winners == 200)
    #expect(port.answers.count == 200)
    #expect(messenger.journal.totals.repeatedReplies == 600)
  }

  // MARK: - Interceptors

  private final class Holding: MessageInterceptor {
    var held: (() -> Void)?
    func intercept(_ call: BinaryReply) -> Bool {
      call.onSettle = { [weak self] outcome, deliver in self?.held = { deliver(outcome) } }
      return false
    }
  }

  @Test func anInterceptorMayHoldAnAnswer() {
    let holding = Holding()
    messenger.interceptors = [holding]
    messenger.setMessageHandler(on: "a") { _, reply in reply.send([4]) }
    messenger.receive(nil, on: "a", id: 1, from: port)
    #expect(outcomes.isEmpty)
    holding.held?()
    #expect(outcomes == [.payload([4])])
  }

  private final class Taking: MessageInterceptor {
    func intercept(_ call: BinaryReply) -> Bool {
      call.send([7])
      return true
    }
  }

  @Test func anInterceptorMayTakeTheMessage() {
    let taking = Taking()
    messenger.interceptors = [taking]
    var ran = false
    messenger.setMessageHandler(on: "a") { _, _ in ran = true }
    messenger.receive(nil, on: "a", id: 1, from: port)
    #expect(!ran)
    #expect(outcomes == [.payload([7])])
  }

  @Test func observersSeeBothDirections() throws {
    let observer = RecordingObserver()
    messenger.observers = [observer]
    MethodChannel("PW", messenger: messenger).setMethodCallHandler { _, result in
      result.success()
    }
    messenger.receive(try call("stop"), on: "PW", id: 1, from: port)
    messenger.send([1], on: "up") { _ in }
    port.deliveries[0].reply?(.payload([2]))
    #expect(
      observer.lines == [
        "received PW", "answered PW stop [0, 0]", "sent up", "got up [2]",
      ])
  }

  @Test func channelsThatNobodyHandlesAreForgotten() {
    messenger.setMessageHandler(on: "a") { _, reply in reply.send([1]) }
    for number in 0..<10_000 {
      messenger.receive(nil, on: ChannelName("c\(number)"), id: 1, from: port)
    }
    messenger.receive(nil, on: "a", id: 2, from: port)
    #expect(port.answers.last?.outcome == .payload([1]))
    #expect(messenger.handledChannels == ["a"])
  }
}
