import Testing

@testable import ChannelRouter

@Suite("Journal") struct JournalTests {
  private func messenger(_ journal: Journal) -> (RoutingMessenger, RecordingPort) {
    var time: UInt64 = 0
    let messenger = RoutingMessenger(side: .native, thread: ManualThread(), journal: journal) {
      time += 10
      return time
    }
    let port = RecordingPort()
    messenger.attach(port)
    messenger.setMessageHandler(on: "echo") { message, reply in reply.send(message) }
    return (messenger, port)
  }

  @Test func entriesTellTheWholeCall() throws {
    let (messenger, port) = messenger(Journal())
    messenger.receive([1, 2], on: "echo", id: 1, from: port)
    messenger.send([3], on: "up") { _ in }
    port.deliveries[0].reply?(.disconnected)
    let entries = messenger.journal.entries
    try #require(entries.count == 2)
    #expect(entries.map(\.number) == [1, 2])
    #expect(entries.map(\.direction) == [.received, .sent])
    #expect(entries.map(\.outcome) == [.payload([1, 2]), .disconnected])
    #expect(entries.map(\.nanoseconds) == [10, 10])
  }

  @Test(arguments: 1...7) func theOldestMakeRoom(_ capacity: Int) {
    let (messenger, port) = messenger(Journal(maximumEntries: capacity))
    for number in 1...20 {
      messenger.receive([UInt8(number)], on: "echo", id: 1, from: port)
      let numbers = messenger.journal.entries.map(\.number)
      #expect(numbers == Array(UInt64(max(1, number - capacity + 1))...UInt64(number)))
      if number == 10 {
        messenger.journal.reset()
        #expect(messenger.journal.entries.isEmpty)
        break
      }
    }
    for number in 11...20 { messenger.receive([UInt8(number)], on: "echo", id: 1, from: port) }
    #expect(messenger.journal.entries.last?.payload == [20])
    #expect(messenger.journal.entries.count == min(capacity, 10))
    #expect(messenger.journal.totals.received == 10)
  }

  @Test func bytesAreBounded() {
    let (messenger, port) = messenger(Journal(maximumEntries: 1000, maximumBytes: 100))
    for _ in 0..<50 {
      messenger.receive([UInt8](repeating: 0, count: 15), on: "echo", id: 1, from: port)
    }
    #expect(messenger.journal.entries.count == 3)
    messenger.receive([UInt8](repeating: 0, count: 500), on: "echo", id: 1, from: port)
    #expect(messenger.journal.entries.isEmpty)
    messenger.receive([1], on: "echo", id: 1, from: port)
    #expect(messenger.journal.entries.map(\.payload) == [[1]])
  }

  @Test func remarksAreBoundedInNumberAndBytes() {
    let (messenger, port) = messenger(Journal(maximumEntries: 1000, maximumBytes: 1000))
    messenger.setMessageHandler(on: "talk") { message, reply in
      for _ in 0..<40 { reply.remark(.info, String(repeating: "x", count: message?.count ?? 0)) }
      reply.send(nil)
    }
    messenger.receive([1], on: "talk", id: 1, from: port)
    #expect(messenger.journal.entries.map(\.remarks.count) == [16])
    // 15 bytes and 16 remarks of as many are 255: three such entries, and not a fourth.
    for id: UInt64 in 2...9 {
      messenger.receive([UInt8](repeating: 1, count: 15), on: "talk", id: id, from: port)
    }
    #expect(messenger.journal.entries.map(\.number) == [7, 8, 9])
    messenger.receive([UInt8](repeating: 1, count: 100), on: "talk", id: 10, from: port)
    #expect(messenger.journal.entries.isEmpty)
    messenger.receive([1], on: "talk", id: 11, from: port)
    #expect(messenger.journal.entries.map(\.number) == [11])
  }

  @Test func aLateAnswerToAForgottenCallIsHarmless() {
    let (messenger, port) = messenger(Journal(maximumEntries: 2))
    var kept: BinaryReply?
    messenger.setMessageHandler(on: "slow") { _, reply in kept = reply }
    messenger.receive(nil, on: "slow", id: 9, from: port)
    for _ in 0..<5 { messenger.receive([1], on: "echo", id: 1, from: port) }
    kept?.send([8])
    #expect(port.answers.last?.id == 9)
    #expect(messenger.journal.entries.allSatisfy { $0.channel == "echo" })
  }
}
