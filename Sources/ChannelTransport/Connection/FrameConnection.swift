import ChannelRouter
import SystemInterface

/// One side of a conversation in frames: takes in messages for a messenger, carries its messages
/// out, matches answers with calls, and holds back a side that is faster than the other.
///
/// Belongs to the loop's thread. Used by the server and the client alike.
public final class FrameConnection: DescriptorStreamOwner, InputLooks {
  public enum Role: Sendable {
    case server
    case client
  }

  enum State {
    /// The other side's hello has not come.
    case greeting
    case open
    /// No new messages are taken; open calls are still answered.
    case draining
    /// What is written goes out, then the connection ends.
    case flushing
    case closed
  }

  public let role: Role
  public let number: Int
  public let settings: ConnectionSettings
  /// For the server: gives the messenger that a client's hello asks for, and the answer to it.
  var onHello: ((Hello) throws(FrameError) -> (RoutingMessenger, Hello))?
  /// For the client: the server's hello has come.
  var onWelcome: ((Hello) -> Void)?
  /// Called once, at the end.
  var onEnd: ((ConnectionEnd) -> Void)?
  /// A log frame of the other side.
  var onLog: ((ReceivedLog) -> Void)?
  /// An error of the other side that answers no call.
  var onError: ((ReceivedError) -> Void)?
  /// Something wrong that the connection survives.
  var onTrouble: ((FrameError) -> Void)?

  @exclusivity(unchecked) var state = State.greeting
  /// What the other side said of itself.
  private(set) public var peer: Hello?
  @exclusivity(unchecked) var messenger: RoutingMessenger?

  let loop: EventLoop
  let reader: FrameReader
  /// ``output(_:)`` adds to it, and the frames of the end, which are few.
  let writer: FrameWriter
  let stream: DescriptorStream
  @exclusivity(unchecked) var flushing: RoundTask?
  /// For what is waited for: a hello, open calls, or the last bytes to be taken.
  var timer: LoopTimer?
  var pendingEnd: ConnectionEnd?
  @exclusivity(unchecked) var isProcessing = false
  @exclusivity(unchecked) private var willProcess = false
  /// What a look has met in place of bytes.
  private var failureAhead: SystemCalls.Failure?
  var hasGreeted = false
  /// A fault ends the connection as soon as this turn is over.
  @exclusivity(unchecked) var isBrokenOff = false
  /// How many calls of the other side have been answered.
  @exclusivity(unchecked) var answered: UInt64 = 0
  /// The other side sends nothing any more.
  @exclusivity(unchecked) var hasEnded = false

  /// A call that is one too many. What comes behind it waits in the stream; what came before it may
  /// be the answers without which none of the open calls ends.
  @exclusivity(unchecked) private var heldCall: Frame?
  /// Calls of the other side that wait for an answer, by their ids.
  @exclusivity(unchecked) var open: [UInt64: RoutingMessenger.OpenCall] = [:]
  /// The call whose handler runs at the moment; most are answered before it returns.
  @exclusivity(unchecked) var dispatching: UInt64 = 0
  /// Calls to the other side, by the ids given here.
  var asked: [UInt64: BinaryReplyHandler] = [:]
  var lastAsked: UInt64 = 0
  /// Messages that wait until the other side has answered some.
  var waiting = WaitingMessages()
  var wantsLog = false

  /// - Parameter messenger: nil for a server, whose client's hello chooses.
  public init(
    loop: EventLoop, role: Role, number: Int = 0, input: Int32, output: Int32,
    ownsDescriptors: Bool = true,
    settings: ConnectionSettings, messenger: RoutingMessenger? = nil
  ) {
    self.loop = loop
    self.role = role
    self.number = number
    self.settings = settings
    self.messenger = messenger
    reader = FrameReader(limits: settings.limits)
    writer = FrameWriter()
    stream = DescriptorStream(
      loop: loop, input: input, output: output, ownsDescriptors: ownsDescriptors)
    stream.open(for: self)
    stream.allowLooks(self)
    flushing = loop.roundTask { [unowned self] in flush() }
  }

  deinit {
    flushing?.cancel()
    timer?.cancel()
  }

  public var isClosed: Bool { state == .closed }
  var takesMessages: Bool { state == .open }
  /// Calls of the other side without an answer yet.
  public var openCallCount: Int { open.count }
  public var openCalls: [String] { open.values.sorted { $0.number < $1.number }.map(\.label) }

  // MARK: - Reading

  private static let readSize = 64 << 10

  func streamIsReadable() {
    guard state != .closed else { return }
    var reading = DescriptorStream.Reading.none
    do throws(SystemCalls.Failure) {
      _ = try reader.withSpace(atLeast: FrameConnection.readSize) {
        (memory) throws(SystemCalls.Failure) -> Int in
        let (count, outcome) = try stream.read(memory)
        reading = outcome
        return count
      }
    } catch {
      return lose(error)
    }
    switch reading {
    case .none: return
    case .some: process()
    case .end: endOfInput()
    }
  }

  func look(_ times: Int) -> Bool {
    guard state == .open else { return false }
    do throws(SystemCalls.Failure) {
      return try reader.withSpace(atLeast: FrameConnection.readSize) {
        (memory) throws(SystemCalls.Failure) -> Int in try stream.look(memory, times: times)
      } > 0
    } catch {
      // The system may tell it only once.
      failureAhead = error
      return true
    }
  }

  func useFound() {
    if let failureAhead { return lose(failureAhead) }
    process()
  }

  func endLooking() { stream.endLooking() }

  /// Takes in the frames that have come, as far as the other side may go at the moment.
  func process() {
    guard !isProcessing else { return }
    isProcessing = true
    do throws(FrameError) {
      if heldCall != nil, !isHeldBack, let call = heldCall.take() { try take(call) }
      while !isHeldBack, let event = try reader.next() { try take(event) }
    } catch {
      fail(error)
    }
    isProcessing = false
    stream.reads = !isHeldBack && !hasEnded && state != .flushing && state != .closed
    if writer.pendingCount > 0 { flush() }
  }

  /// A call has come that is one too many, or too much waits to be written.
  var isHeldBack: Bool {
    switch state {
    case .greeting: false
    case _ where isBrokenOff: true
    case .open:
      (heldCall != nil && isFull) || writer.pendingCount > settings.pausingOutput
    case .draining, .flushing, .closed: false
    }
  }

  private var isFull: Bool { open.count >= settings.limits.maximumOpenCalls }

  /// Goes on reading if it was held back.
  func resume() {
    guard state == .open, !stream.reads, !isHeldBack, !isProcessing else { return }
    processLater()
  }

  /// In a later turn: whoever calls may be in the middle of something.
  func processLater() {
    guard !willProcess else { return }
    willProcess = true
    let connection = ThreadBoundConnection(self)
    loop.thread.async {
      connection.value.willProcess = false
      connection.value.process()
    }
  }

  private func take(_ event: FrameReader.Event) throws(FrameError) {
    switch event {
    case .frame(let frame): try take(frame)
    case .tooLong(let head): try refuse(head)
    case .skippedOptional: break
    }
  }

  @inline(__always)
  private func take(_ frame: Frame) throws(FrameError) {
    if frame.kind == .message, state == .open {
      guard isFull, frame.id != 0 else { return try receive(frame) }
      heldCall = frame
      return
    }
    try takeOther(frame)
  }

  private func takeOther(_ frame: Frame) throws(FrameError) {
    switch frame.kind {
    case .hello: try greet(try Hello(frame))
    case .error where role == .server && peer == nil:
      throw FrameError(.helloExpected, "an error frame in the place of the hello", offset: 4)
    case .error: try takeError(frame)
    case .message: refuseWhileEnding(frame)
    case .reply: settle(frame.id, .payload(frame.payload))
    case .dropped: settle(frame.id, .dropped)
    case .cancel:
      if let call = open[frame.id] { messenger?.cancel(call) }
    case .log:
      let log = try ReceivedLog(frame)
      onLog?(log)
    case .bye:
      _ = try Fields(parsing: frame.payload ?? [])
      drain()
    }
  }

  /// In place of the timer that there was. A weak reference would make every use of the connection
  /// slower from then on.
  func setTimer(_ span: Duration, _ action: @escaping (FrameConnection) -> Void) {
    timer?.cancel()
    timer = loop.after(span) { [unowned self] in action(self) }
  }

  // MARK: - Greeting

  /// Sends this side's hello.
  public func sendHello(_ hello: Hello) throws(FrameError) {
    try output { (writer) throws(FrameError) in try writer.hello(hello) }
    hasGreeted = true
  }

  /// Ends the connection if the other side has not greeted by then.
  func expectHello(within span: Duration) {
    setTimer(span) { connection in
      guard connection.state == .greeting else { return }
      let seconds = span.wholeMicroseconds / 1_000_000
      connection.fail(FrameError(.helloExpected, "no hello has come within \(seconds) seconds"))
    }
  }

  private func greet(_ hello: Hello) throws(FrameError) {
    timer?.cancel()
    timer = nil
    peer = hello
    writer.limits = hello.limits
    wantsLog = role == .server && hello.has(.log)
    if let onHello {
      let (messenger, answer) = try onHello(hello)
      self.messenger = messenger
      try sendHello(answer)
    } else {
      onWelcome?(hello)
    }
    state = .open
    messenger?.attach(self)
    sendWaiting()
  }

  // MARK: - Writing

  /// Lets `body` add frames. Everything that the other side can bring about is written here, so
  /// that a side that does not read cannot let it grow, whatever it sends.
  @inline(__always)
  func output<Failure: Error>(_ body: (FrameWriter) throws(Failure) -> Void) throws(Failure) {
    // Over the limit the end has begun, and what is still taken in needs no answer.
    guard writer.pendingCount <= settings.maximumOutput else { return }
    try body(writer)
    if writer.pendingCount > settings.maximumOutput {
      return failNotReading("\(writer.pendingCount) bytes wait to be read")
    }
    requestFlush()
  }

  func failNotReading(_ what: String) {
    fail(FrameError(.clientNotReading, "\(what); the most is \(settings.maximumOutput)"))
  }

  private func requestFlush() {
    if writer.pendingCount > FrameConnection.earlyFlush { flush() }
    // It is flushed at the end of that anyway.
    if !isProcessing { flushing?.request() }
  }

  /// More than this is written at once instead of at the end of the turn or the round.
  private static let earlyFlush = 256 << 10

  func streamIsWritable() { flush() }

  private func flush() {
    guard state != .closed else { return }
    while writer.pendingCount > 0 {
      do throws(SystemCalls.Failure) {
        let count = try writer.withPending {
          (bytes) throws(SystemCalls.Failure) -> Int? in try stream.write(bytes)
        }
        guard let count else {
          stream.awaitsRoom = true
          return
        }
        writer.consumed(count)
      } catch {
        return lose(error)
      }
    }
    if stream.awaitsRoom { stream.awaitsRoom = false }
    if state == .flushing { return end() }
    resume()
  }
}

/// Carries a connection through code that has to be sendable; only the loop's thread looks inside.
struct ThreadBoundConnection: @unchecked Sendable {
  let value: FrameConnection
  init(_ value: FrameConnection) { self.value = value }
}
