import ChannelCodec
import ChannelRouter
import EmulatedDevice
import Glibc

@testable import ChannelTransport

nonisolated(unsafe) private let loop = try? EventLoop(restBeforeLooking: 0, shortestLook: 0)
private let channels: [ChannelName] = ["pwbridge/control", "PW", "pushwoosh", "none"]

/// A server with a client that sends what it likes, in the pieces that it likes, and reads now and
/// then. What the server writes is frames, or lines that a terminal can show; no call is answered
/// more often than it was made; the conversation ends when the client has gone.
func fuzzConnection(_ input: inout FuzzInput) {
  guard let loop, let client = Client(loop, framing: input.byte() % 4 == 3 ? .lines : .frames)
  else {
    return
  }
  if input.byte() % 8 != 7 { client.greet() }
  let calls = DeviceCalls(known: ["run"])
  var steps = 0
  while !input.isEmpty, steps < 200, !client.isOver {
    steps += 1
    let step = input.byte()
    switch step % 8 {
    case 0: client.send(input.bytes(Int(input.byte())))
    case 1, 2:
      let call = step & 8 == 0 ? calls.control(&input) : calls.app(&input)
      client.send(
        .message(
          input.choice(of: channels), id: UInt64(input.byte() % 16),
          payload: try? StandardMethodCodec().encodeMethodCall(call)))
    case 3:
      client.send(
        Frame(
          input.choice(of: FrameKind.allCases), flags: FrameFlags(rawValue: input.byte()),
          channel: step & 8 == 0 ? nil : input.choice(of: channels),
          id: UInt64(input.byte() % 16), payload: input.bytes(Int(input.byte() % 64))))
    case 4: client.run()
    case 5: client.readSome()
    case 6: client.send(.reply(id: UInt64(input.byte() % 4), payload: input.bytes(Int(step >> 4))))
    default:
      // A frame of which only a part is sent at first.
      client.holdsBack = step & 8 == 8
    }
  }
  client.finish()
}

private final class Client {
  private let loop: EventLoop
  private let framing: Framing
  private let server: BridgeServer
  private let fleet: DeviceFleet
  private let descriptor: CInt
  private var sent: [UInt8] = []
  private var unsent: [UInt8] = []
  private var received: [UInt8] = []
  private var isClosed = false
  var holdsBack = false
  private(set) var isOver = false

  init?(_ loop: EventLoop, framing: Framing) {
    self.loop = loop
    self.framing = framing
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    descriptor = ends[0]
    var options = DeviceOptions()
    try? options.set("clock", to: "stepped")
    fleet = DeviceFleet(loop: loop, options: options)
    let limits = FrameLimits(maximumPayload: 1 << 14, maximumOpenCalls: 6)
    server = BridgeServer(
      loop: loop, devices: fleet,
      settings: ConnectionSettings(
        limits: limits, drainTime: .microseconds(200), pausingOutput: 1 << 12,
        maximumOutput: 1 << 16),
      framing: framing)
    server.serve(input: ends[1], output: ends[1], ownsDescriptors: true) { [weak self] _ in
      self?.isOver = true
    }
  }

  deinit { close(descriptor) }

  func greet() {
    if framing == .frames { put { (writer) throws(FrameError) in try writer.hello(Hello()) } }
  }

  func send(_ frame: Frame) {
    switch framing {
    case .frames: put { (writer) throws(FrameError) in try writer.append(frame) }
    case .lines:
      let line = LineReply.message(channel: frame.channel ?? "PW", payload: frame.payload).bytes
      send(Array(line.dropFirst(2)))
    }
  }

  private func put(_ body: (FrameWriter) throws(FrameError) -> Void) {
    let writer = FrameWriter()
    try? body(writer)
    send(writer.takePending())
  }

  func send(_ bytes: [UInt8]) {
    unsent += bytes
    let count = holdsBack ? unsent.count / 2 : unsent.count
    push(count)
  }

  private func push(_ count: Int) {
    var left = count
    var turns = 0
    while left > 0, turns < 64, !isOver {
      turns += 1
      let written = Glibc.send(descriptor, unsent, left, CInt(MSG_NOSIGNAL))
      guard written > 0 else {
        run()
        readSome()
        continue
      }
      sent += unsent.prefix(written)
      unsent.removeFirst(written)
      left -= written
    }
  }

  func run() { _ = try? loop.runOnce(timeout: .zero) }

  func readSome() {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &bytes, bytes.count)
    if count > 0 { received += bytes.prefix(count) }
    if count == 0 { isClosed = true }
  }

  /// Hangs up and reads the rest.
  func finish() {
    push(unsent.count)
    run()
    shutdown(descriptor, CInt(SHUT_WR))
    var turns = 0
    while !isOver, turns < 2000 {
      turns += 1
      _ = try? loop.runOnce(timeout: .milliseconds(1))
      readSome()
    }
    require(isOver, "the conversation does not end")
    require(server.connectionCount == 0, "the server keeps the connection")
    for _ in 0..<64 where !isClosed { readSome() }
    switch framing {
    case .frames: checkFrames()
    case .lines: checkLines()
    }
  }

  private func checkFrames() {
    let reader = FrameReader(limits: FrameLimits(maximumPayload: 1 << 26))
    reader.feed(received)
    var answers: [UInt64: Int] = [:]
    do throws(FrameError) {
      while let event = try reader.next() {
        guard case .frame(let frame) = event else { continue }
        switch frame.kind {
        case .reply, .dropped: answers[frame.id, default: 0] += 1
        case .error where frame.id != 0 && frame.id != Hello.magic:
          answers[frame.id, default: 0] += 1
        default: break
        }
      }
    } catch {
      require(false, "the server does not write frames: \(error)")
    }
    let calls = callsSent()
    for (id, count) in answers where id != 0 {
      require(count <= calls[id, default: 0] + 1, "call \(id) was answered \(count) times")
    }
  }

  /// How often each id was used by what the server has understood.
  private func callsSent() -> [UInt64: Int] {
    let reader = FrameReader(limits: FrameLimits(maximumPayload: 1 << 14))
    reader.feed(sent)
    var calls: [UInt64: Int] = [:]
    do throws(FrameError) {
      while let event = try reader.next() {
        switch event {
        case .frame(let frame): calls[frame.id, default: 0] += 1
        case .tooLong(let head): calls[head.id, default: 0] += 1
        case .skippedOptional: break
        }
      }
    } catch {}
    return calls
  }

  private func checkLines() {
    require(
      received.allSatisfy { $0 == 0x0a || $0 >= 0x20 && $0 != 0x7f },
      "a control character for the terminal")
    let text = String(validating: received, as: UTF8.self)
    require(text != nil || isCut, "what is written is not UTF-8")
  }

  /// The end of the connection may have cut the last line.
  private var isCut: Bool { received.last != 0x0a }
}
