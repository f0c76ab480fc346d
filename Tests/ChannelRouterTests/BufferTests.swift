import ChannelCodec
import Testing

@testable import ChannelRouter

/// The rules of `lib/ui/channel_buffers.dart`.
@Suite("Messages that wait for a listener") struct BufferTests {
  private let pair = Pair()
  private let observer = RecordingObserver()

  init() { pair.dart.observers = [observer] }

  private var overflows: Int {
    observer.lines.filter { $0 == "reported bufferOverflow" }.count
  }

  /// Sends from native code to a Dart side that does not listen yet.
  private func send(_ numbers: [UInt8], on channel: ChannelName = "news") -> Replies {
    let replies = Replies()
    for number in numbers {
      pair.native.send([number], on: channel) { replies.outcomes.append((number, $0)) }
    }
    return replies
  }

  final class Replies {
    var outcomes: [(UInt8, ReplyOutcome)] = []
    var names: [String] { outcomes.map { "\($0.0) \($0.1.name)" } }
  }

  private func listen(on channel: ChannelName = "news") -> Heard {
    let heard = Heard()
    pair.dart.setMessageHandler(on: channel) { message, reply in
      heard.numbers += message ?? []
      reply.send([0xff])
    }
    pair.thread.drain()
    return heard
  }

  final class Heard { var numbers: [UInt8] = [] }

  @Test func onlyTheNewestOfThreeIsKept() {
    let replies = send([1, 2, 3])
    #expect(overflows == 2)
    #expect(replies.names == ["1 empty", "2 empty"])
    #expect(listen().numbers == [3])
    #expect(replies.names == ["1 empty", "2 empty", "3 [255]"])
  }

  @Test func aResizedBufferKeepsTheirOrder() throws {
    pair.native.send(
      try call("resize", ["news", 5]), on: "dev.flutter/channel-buffers", reply: nil)
    let replies = send([1, 2, 3])
    #expect(overflows == 0)
    #expect(listen().numbers == [1, 2, 3])
    #expect(replies.names == ["1 [255]", "2 [255]", "3 [255]"])
  }

  @Test func messagesAreHandedOnOneATurn() throws {
    pair.dart.buffers.resize("news", to: 3)
    _ = send([1, 2])
    var heard: [UInt8] = []
    pair.dart.setMessageHandler(on: "news") { message, reply in
      heard += message ?? []
      reply.send(nil)
    }
    #expect(heard.isEmpty, "never within setMessageHandler")
    pair.thread.drain()
    #expect(heard == [1, 2])
  }

  @Test func shrinkingEvictsTheOldest() {
    pair.dart.buffers.resize("news", to: 3)
    let replies = send([1, 2, 3])
    pair.dart.buffers.resize("news", to: 1)
    #expect(replies.names == ["1 empty", "2 empty"])
    #expect(listen().numbers == [3])
  }

  @Test func noCapacityDiscardsTheNewMessageWithoutAnAnswer() {
    pair.dart.buffers.resize("news", to: 0)
    let replies = send([1])
    #expect(overflows == 1)
    #expect(replies.names == ["1 dropped"], "Dart never calls the reply")
  }

  @Test func overflowMayBeExpected() throws {
    pair.native.send(
      try call("overflow", ["news", true]), on: "dev.flutter/channel-buffers", reply: nil)
    _ = send([1, 2, 3])
    #expect(overflows == 0)
    #expect(listen().numbers == [3])
  }

  @Test func theOlderTextResizes() {
    pair.dart.buffers.handleControlMessage(Array("resize\rnews\r2".utf8))
    _ = send([1, 2])
    #expect(overflows == 0)
  }

  @Test(
    arguments: [
      ([], "found nothing"),
      ([7, 6], "cut short"),
      (Array("resize\rnews".utf8), "two parts"),
      (Array("resize\rnews\rmany".utf8), "no number"),
      (Array("grow\rnews\r3".utf8), "another verb"),
    ] as [([UInt8], String)])
  func malformedControlIsReported(_ message: [UInt8], _ what: String) {
    pair.dart.buffers.handleControlMessage(message)
    #expect(observer.lines == ["reported bufferControlMalformed"], "\(what)")
  }

  @Test func int64CapacitiesAreRefused() throws {
    let message = try StandardMethodCodec().encodeMethodCall(
      MethodCall("resize", .list(["news", .int64(5)])))
    pair.dart.buffers.handleControlMessage(message)
    #expect(observer.lines == ["reported bufferControlMalformed"])
  }

  @Test func memoryIsBounded() {
    pair.dart.buffers.maximumBytes = 3 * (30 + ChannelBuffers.bytesPerMessage) + 200
    pair.dart.buffers.maximumChannels = 3
    pair.dart.buffers.resize("big", to: 1000)
    for _ in 0..<10 { pair.native.send([UInt8](repeating: 1, count: 30), on: "big", reply: nil) }
    #expect(pair.dart.buffers.count(on: "big") == 3)
    pair.dart.buffers.maximumBytes = 1 << 20
    for number in 0..<10 { pair.native.send(nil, on: ChannelName("c\(number)"), reply: nil) }
    #expect(overflows == 7 + 8)
  }

  @Test func emptyMessagesAreBoundedToo() {
    pair.dart.buffers.maximumBytes = 100 * ChannelBuffers.bytesPerMessage
    pair.dart.buffers.resize("news", to: 1_000_000)
    for _ in 0..<150 { pair.native.send(nil, on: "news", reply: nil) }
    for _ in 0..<50 { pair.native.send([], on: "news", reply: nil) }
    #expect(pair.dart.buffers.count(on: "news") == 100)
    #expect(overflows == 100)
    // What is handed on makes room.
    #expect(listen().numbers.isEmpty)
    pair.dart.setMessageHandler(on: "news", nil)
    pair.native.send(nil, on: "news", reply: nil)
    #expect(pair.dart.buffers.count(on: "news") == 1)
  }

  @Test func aMessageWithoutRoomTakesNoChannel() {
    pair.dart.buffers.maximumBytes = 100
    pair.dart.buffers.maximumChannels = 1
    pair.native.send([1], on: "a", reply: nil)
    #expect(overflows == 1)
    pair.dart.buffers.maximumBytes = 1000
    pair.native.send([1], on: "b", reply: nil)
    #expect(pair.dart.buffers.count(on: "b") == 1)
  }

  @Test func manyMessagesAreHandedOnQuickly() {
    let count = 100_000
    pair.dart.buffers.resize("news", to: count)
    for _ in 0..<count { pair.native.send(nil, on: "news", reply: nil) }
    #expect(pair.dart.buffers.count(on: "news") == count)
    // Shrinking lets go of them one by one: a step that moved the others would take minutes.
    pair.dart.buffers.allowOverflow(on: "news", true)
    pair.dart.buffers.resize("news", to: 1)
    #expect(pair.dart.buffers.count(on: "news") == 1)
  }

  @Test func nativeMessagesWaitForAConnection() throws {
    let thread = ManualThread()
    let native = RoutingMessenger(side: .native, thread: thread) { 0 }
    native.buffers.resize("news", to: 2)
    var outcomes: [String] = []
    for number: UInt8 in 1...3 {
      native.send([number], on: "news") { outcomes.append("\(number) \($0.name)") }
    }
    #expect(outcomes == ["1 empty"])
    let port = RecordingPort()
    native.attach(port)
    #expect(port.deliveries.map(\.message) == [[2], [3]])
    port.deliveries[1].reply?(.payload(nil))
    #expect(outcomes == ["1 empty", "3 empty"])
  }

  @Test func aMessageGoesToTheConnectionThatSpokeLastOnItsChannel() {
    let thread = ManualThread()
    let native = RoutingMessenger(side: .native, thread: thread) { 0 }
    let (first, second) = (RecordingPort(), RecordingPort())
    native.attach(first)
    native.attach(second)
    native.receive(nil, on: "b", id: 0, from: second)
    native.send([1], on: "a", reply: nil)
    native.send([2], on: "b", reply: nil)
    native.detach(second)
    native.send([3], on: "b", reply: nil)
    #expect(first.deliveries.map(\.message) == [[1], [3]])
    #expect(second.deliveries.map(\.message) == [[2]])
  }
}
