import ChannelRecordings
import ChannelRouter
import ChannelTransport
import Foundation
import SystemInterface
import Testing

/// A connection that goes nowhere.
private final class Nowhere: MessagePort {
  var replies: [BinaryReplyHandler?] = []
  func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
    replies.append(reply)
  }
  func answer(_ id: UInt64, with outcome: ReplyOutcome) {}
  func tell(_ report: MessengerReport) {}
  func breakOff() {}
}

@Suite("The recorder")
struct RecorderTests {
  @Test("writes messages and answers of both directions with ids of its own")
  func bothDirections() throws {
    let loop = try EventLoop()
    try loop.runOnce(timeout: .zero)
    var now: UInt64 = 5_000_000
    let file = ScratchFile()
    let writer = try RecordingWriter(
      path: file.path, mode: .replacing, header: RecordingHeader())
    let recorder = ChannelRecorder(writer, nanoseconds: { now }, onStop: { Issue.record("\($0)") })
    let port = Nowhere()
    let messenger = RoutingMessenger(side: .native, thread: loop.thread) { now }
    messenger.observers.append(recorder)
    messenger.attach(port)
    var held: [BinaryReply] = []
    messenger.setMessageHandler(on: "hold") { _, reply in held.append(reply) }
    messenger.setMessageHandler(on: "drop") { _, reply in reply.drop() }
    messenger.setMessageHandler(on: "refuse") { _, reply in
      reply.refuse(Refusal(code: "message-malformed", text: "no", offset: 3))
    }
    now += 17_000
    messenger.receive([7, 1, 0x61, 0], on: "hold", id: 900, from: port)
    messenger.receive(nil, on: "unknown", id: 4, from: port)
    messenger.send([1], on: "events", reply: nil)
    messenger.receive([], on: "drop", id: 5, from: port)
    messenger.receive([], on: "refuse", id: 6, from: port)
    messenger.receive([2], on: "unknown", id: 0, from: port)
    messenger.send([3], on: "ask") { _ in }
    messenger.send([4], on: "ask") { _ in }
    port.replies[2]?(.disconnected)
    port.replies[1]?(.payload([9]))
    held[0].send([0, 0])
    #expect(recorder.failure == nil)
    let read = try events(file.bytes)
    #expect(recorder.count == UInt64(read.count))
    #expect(read.map(\.sequence) == Array(0..<UInt64(read.count)))
    #expect(read.allSatisfy { $0.microseconds == 17 && $0.connection == nil })
    let lines = read.map { event in
      let payload = event.payload.map { "\($0)" } ?? "none"
      return "\(event.direction.text) \(event.channel) \(event.id) \(event.kind.text) \(payload)"
        + (event.isOneWay ? " one way" : "")
    }
    #expect(
      lines == [
        "dart->native hold 0 message [7, 1, 97, 0]",
        "dart->native unknown 1 message none",
        "native->dart unknown 1 reply none",
        "native->dart events 2 message [1] one way",
        "dart->native drop 3 message []",
        "native->dart drop 3 dropped none",
        "dart->native refuse 4 message []",
        "native->dart refuse 4 refused none",
        "dart->native unknown 5 message [2] one way",
        "native->dart ask 6 message [3]",
        "native->dart ask 7 message [4]",
        "dart->native ask 6 reply [9]",
        "native->dart hold 0 reply [0, 0]",
      ])
    #expect(read[0].shown == Array(#""a""#.utf8))
    #expect(read[12].shown == Array(#""success null""#.utf8))

    // A second device has ids of its own and a number; one that follows a dead one as well.
    for number in UInt64(2)...3 {
      let other = RoutingMessenger(side: .native, thread: loop.thread) { now }
      other.observers.append(recorder)
      other.receive([1], on: "unknown", id: 900, from: port)
      let last = try #require(try events(file.bytes).last)
      #expect(last.connection == number)
      #expect(last.id == 6 + number)
    }
  }

  @Test("goes on behind an earlier recording with new ids and later times")
  func goesOn() throws {
    let file = ScratchFile()
    let begin = SystemCalls.wallClockMicroseconds() - 3_000_000
    file.bytes = try written(
      [
        RecordedEvent(
          sequence: 4, microseconds: 10, direction: .dartToNative, channel: "c", id: 77,
          kind: .message, payload: nil)
      ], .text, header: RecordingHeader(startMicroseconds: begin))
    let loop = try EventLoop()
    try loop.runOnce(timeout: .zero)
    let recorder = ChannelRecorder(
      try RecordingWriter(path: file.path, mode: .appending, header: RecordingHeader()),
      onStop: { Issue.record("\($0)") })
    let messenger = RoutingMessenger(side: .native, thread: loop.thread) { 0 }
    messenger.observers.append(recorder)
    messenger.receive(nil, on: "c", id: 1, from: Nowhere())
    let read = try events(file.bytes)
    #expect(read.map(\.sequence) == [4, 5, 6])
    #expect(read.map(\.id) == [77, 78, 78])
    #expect(read[1].microseconds >= 3_000_000)
  }

  #if os(Linux)
    @Test("a full disk ends the recording with one word, and the calls go on")
    func fullDisk() throws {
      let loop = try EventLoop()
      try loop.runOnce(timeout: .zero)
      var told: [RecordingError] = []
      let recorder = ChannelRecorder(
        try RecordingWriter(path: "/dev/full", mode: .replacing, header: nil),
        onStop: { told.append($0) })
      let messenger = RoutingMessenger(side: .native, thread: loop.thread) { 0 }
      messenger.observers.append(recorder)
      for id in UInt64(1)...5 {
        #expect(messenger.receive([1], on: "unknown", id: id, from: Nowhere()) == nil)
      }
      #expect(told.count == 1)
      #expect(recorder.failure?.problem == .system)
      #expect(recorder.count == 0)
    }
  #endif
}
