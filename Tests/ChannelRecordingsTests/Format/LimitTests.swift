import ChannelCodec
import ChannelRouter
import ChannelTransport
import SystemInterface
import TestSurroundings
import Testing

@testable import ChannelRecordings

/// The limits of recordings that have no better place.
@Suite("Limits of recordings", .timeLimit(.minutes(10 * Surroundings.slowness))) struct LimitTests {
  private func message(_ id: UInt64, _ payload: [UInt8]?) -> RecordedEvent {
    RecordedEvent(
      sequence: id, microseconds: Int64(id), direction: .dartToNative, channel: "c", id: id,
      kind: .message, payload: payload)
  }

  private func reply(_ id: UInt64, _ payload: [UInt8]?) -> RecordedEvent {
    var event = message(id, payload)
    (event.direction, event.kind) = (.nativeToDart, .reply)
    return event
  }

  @Test func payloadsOf64MiBAreReadUnlessSaidOtherwise() {
    #expect(RecordingReader.Options().maximumPayload == 64 << 20)
  }

  @Test("a payload over the limit in text: an error with its line, and on behind it")
  func textPayload() throws {
    let bytes = try written(
      [message(1, [1]), message(2, [UInt8](repeating: 2, count: 17)), message(3, [3])], .text)
    let reader = try RecordingReader(bytes: bytes, options: .init(maximumPayload: 16))
    var read: [UInt64] = []
    var errors: [RecordingError] = []
    try reader.readAll(
      onError: {
        errors.append($0)
        return true
      },
      { read.append($0.id) })
    #expect(read == [1, 3])
    #expect(errors.map(\.problem) == [.payloadTooLong])
    guard case .line(2, _)? = errors.first?.place else {
      Issue.record("\(errors)")
      return
    }
  }

  @Test("a record over the limit: what follows cannot be read")
  func binaryRecord() throws {
    let large = [UInt8](repeating: 2, count: (1 << 20) + 100)
    let bytes = try written([message(1, [1]), message(2, large), message(3, [3])], .binary)
    let reader = try RecordingReader(bytes: bytes, options: .init(maximumPayload: 16))
    #expect(try reader.next()?.id == 1)
    for _ in 0..<2 {
      do {
        let event = try reader.next()
        Issue.record("\(String(describing: event?.id)) was read")
      } catch {
        #expect(error.isFatal && error.text.contains("at most \((1 << 20) + 16) are read"))
      }
    }
  }

  private final class Silent: MessagePort {
    func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {}
    func answer(_ id: UInt64, with outcome: ReplyOutcome) {}
    func tell(_ report: MessengerReport) {}
    func breakOff() {}
  }

  @Test("a recorder follows 65536 open calls; answers to further ones are left out")
  func openCalls() throws {
    let file = ScratchFile("pwrec")
    let loop = try EventLoop()
    try loop.runOnce(timeout: .zero)
    let writer = try RecordingWriter(
      path: file.path, mode: .replacing, header: nil, options: .init(gatheredBytes: 1 << 20))
    let recorder = ChannelRecorder(writer, shows: false, onStop: { Issue.record("\($0)") })
    let messenger = RoutingMessenger(side: .native, thread: loop.thread) { 0 }
    let port = Silent()
    messenger.observers.append(recorder)
    messenger.attach(port)
    var held: [BinaryReply] = []
    messenger.setMessageHandler(on: "hold") { _, reply in held.append(reply) }
    for id in 1...UInt64(65_538) { messenger.receive([], on: "hold", id: id, from: port) }
    #expect(held.count == 65_538)
    for index in [0, 65_535, 65_536, 65_537] { held[index].send([1]) }
    // There is room again.
    messenger.receive([], on: "hold", id: 65_539, from: port)
    held.last?.send([1])
    try writer.flush()
    let read = try events(file.bytes)
    #expect(read.count { !$0.isAnswer } == 65_539)
    #expect(read.filter(\.isAnswer).map(\.id) == [0, 65_535, 65_538])
    for reply in held { reply.drop() }
  }

  @Test("replay knows 65536 channels; entries of further ones are left out, and told once")
  func channels() throws {
    var script = Script()
    for number in 0..<UInt64(Replay.mostChannels + 2) {
      script.call(number, "a", on: ChannelName("c\(number)"))
      script.reply(number, on: ChannelName("c\(number)"))
    }
    let stage = Stage()
    let (summary, mismatches) = try script.play(on: stage)
    #expect(stage.sent.count == 65_536)
    #expect(summary.same == 65_536)
    let told = mismatches.filter { $0.lines.joined().contains("more than 65536 channels") }
    #expect(told.count == 1)
  }

  @Test("diff reads 65536 entries ahead for an answer, then the call counts as unanswered")
  func entriesAhead() throws {
    for (count, isFound) in [(65_536, true), (65_537, false)] {
      var entries = [message(0, [])]
      for id in 1..<UInt64(count) { entries.append(message(id, nil)) }
      entries.append(reply(0, [1]))
      let calls = RecordedCalls(try RecordingReader(bytes: written(entries, .binary)))
      let first = try #require(try calls.next())
      #expect(first.message.id == 0)
      #expect((first.outcome != nil) == isFound)
    }
  }

  @Test("the same for 32 MiB")
  func bytesAhead() throws {
    for (count, isFound) in [(31, true), (33, false)] {
      var entries = [message(0, [])]
      let payload = [UInt8](repeating: 0, count: 1 << 20)
      for id in 1...UInt64(count) { entries.append(message(id, payload)) }
      entries.append(reply(0, [1]))
      let calls = RecordedCalls(try RecordingReader(bytes: written(entries, .binary)))
      #expect((try #require(try calls.next()).outcome != nil) == isFound)
    }
  }

  @Test("a recording that takes more memory than a mock may have is refused with its place")
  func mock() throws {
    let bytes = try written((0..<10).map { message($0, .init(repeating: 0, count: 1000)) }, .text)
    #expect(MockRecording.mostBytes == 1 << 30)
    let enough = try MockRecording(try RecordingReader(bytes: bytes), maximumBytes: 20_000)
    #expect(enough.expectations.count == 10)
    do {
      _ = try MockRecording(try RecordingReader(bytes: bytes), maximumBytes: 5000)
      Issue.record("it was read")
    } catch {
      #expect(error.problem == .recordingTooLong && error.isFatal)
      #expect(error.description.hasPrefix("line 4: the recording of \(bytes.count) bytes takes"))
    }
  }
}
