import ChannelRouter
import SystemInterface

/// A conversation in lines of text: `CHANNEL HEX` comes in, the reply goes out, in the order of the
/// requests. See the text framing in `Protocol/frames.md`.
///
/// Belongs to the loop's thread.
public final class LineConnection: MessagePort, ServedConnection, DescriptorStreamOwner {
  public let number: Int
  /// Called once, at the end.
  var onEnd: ((ConnectionEnd) -> Void)?
  /// A line that made no sense, which the conversation survives.
  var onTrouble: ((FrameError) -> Void)?

  private let loop: EventLoop
  private let settings: ConnectionSettings
  private let messenger: RoutingMessenger
  private let reader: LineReader
  private let stream: DescriptorStream
  private var flushing: RoundTask?
  private var drainTimer: LoopTimer?
  private var pending = ByteQueue()

  /// Requests whose answers have not gone out, the oldest first; nil while there is no answer.
  private var slots: [Slot] = []
  /// A line whose answer would be one too many. What came before it may be the answers without which
  /// none of the requests ends.
  private var heldLine: LineReader.Event?
  /// The id of the first slot.
  private var firstID: UInt64 = 1
  /// Calls from native code, which lines answer in their order.
  private var unansweredMessages = Deque<BinaryReplyHandler>()
  private var pendingEnd: ConnectionEnd?
  private var isDraining = false
  private var isFlushing = false
  private var isProcessing = false
  private var willProcess = false
  private var hasEnded = false

  private struct Slot {
    var label: String
    var answer: LineReply?
  }

  public init(
    loop: EventLoop, number: Int = 0, input: Int32, output: Int32, ownsDescriptors: Bool,
    settings: ConnectionSettings, messenger: RoutingMessenger
  ) {
    self.loop = loop
    self.number = number
    self.settings = settings
    self.messenger = messenger
    reader = LineReader(limits: settings.limits)
    stream = DescriptorStream(
      loop: loop, input: input, output: output, ownsDescriptors: ownsDescriptors)
    stream.open(for: self)
    flushing = loop.roundTask { [weak self] in self?.flush() }
    messenger.attach(self)
  }

  public var openCalls: [String] { slots.filter { $0.answer == nil }.map(\.label) }

  // MARK: - Reading

  func streamIsReadable() {
    guard stream.isOpen else { return }
    var reading = DescriptorStream.Reading.none
    do throws(SystemCalls.Failure) {
      _ = try reader.withSpace(atLeast: 64 << 10) {
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

  /// The other side has closed while it was held back.
  func streamHungUp(_ part: DescriptorStream.HangUp) {
    guard !hasEnded, !isFlushing else { return }
    switch part {
    case .all: end(ConnectionEnd(.lost("the other side has gone"), unanswered: openCalls))
    case .input: awaitProgress(since: firstID)
    }
  }

  /// What is still unread is taken in as long as requests are answered; a standstill ends it.
  private func awaitProgress(since id: UInt64) {
    drainTimer = loop.after(settings.drainTime) { [weak self] in
      guard let self, !isDraining, !isFlushing else { return }
      if firstID != id { return awaitProgress(since: firstID) }
      isDraining = true
      giveUp()
    }
  }

  private var isHeldBack: Bool {
    !isDraining
      && ((heldLine != nil && isFull) || pending.count > settings.pausingOutput)
  }

  private var isFull: Bool { slots.count >= settings.limits.maximumOpenCalls }

  private func process() {
    guard !isProcessing, stream.isOpen else { return }
    isProcessing = true
    // What one request brings about may be the end, and the others must reach nobody then.
    while stream.isOpen, !isHeldBack, !isFlushing, let event = heldLine.take() ?? reader.next() {
      if isFull, !isDraining, !answersMessage(event) { heldLine = event } else { take(event) }
    }
    isProcessing = false
    stream.reads = !isHeldBack && !hasEnded && !isFlushing
  }

  /// Every other line has an answer of its own.
  private func answersMessage(_ event: LineReader.Event) -> Bool {
    if case .request(.answer, _) = event { return !unansweredMessages.isEmpty }
    return false
  }

  private func take(_ event: LineReader.Event) {
    switch event {
    case .request(.message(let channel, let payload), _): receive(payload, on: channel)
    case .request(.answer(let payload), let line):
      guard let reply = unansweredMessages.popFirst() else {
        return refuse("line \(line): no message of the native side waits for an answer")
      }
      reply(.payload(payload))
    case .refused(let error): refuse(error.description)
    }
  }

  private func receive(_ payload: [UInt8]?, on channel: ChannelName) {
    guard !isDraining || hasEnded else { return refuse("no new messages are taken") }
    let id = firstID + UInt64(slots.count)
    slots.append(Slot(label: channel.description))
    if let call = messenger.receive(payload, on: channel, id: id, from: self) {
      rename(id, call.label)
    }
  }

  private func refuse(_ text: String) {
    onTrouble?(FrameError(.notAFrame, text, isFatal: false))
    slots.append(Slot(label: "", answer: .refusal(text)))
    sendAnswers()
  }

  private func endOfInput() {
    hasEnded = true
    process()
    if stream.isOpen, let event = reader.finish() { take(event) }
    disconnect()
    drain()
  }

  // MARK: - Answers

  public func answer(_ id: UInt64, with outcome: ReplyOutcome) {
    guard let slot = index(of: id), slots[slot].answer == nil else { return }
    switch outcome {
    case .payload(let payload): slots[slot].answer = .reply(payload)
    case .dropped: slots[slot].answer = .refusal("dropped: the handler let go of its reply")
    case .disconnected: slots[slot].answer = .refusal("disconnected")
    case .refused(let refusal):
      let place = refusal.offset.map { " at byte \($0)" } ?? ""
      slots[slot].answer = .refusal("\(refusal.code)\(place): \(refusal.text)")
    }
    sendAnswers()
  }

  private func index(of id: UInt64) -> Int? {
    guard id >= firstID, id - firstID < UInt64(slots.count) else { return nil }
    return Int(id - firstID)
  }

  private func rename(_ id: UInt64, _ label: String) {
    if let slot = index(of: id) { slots[slot].label = label }
  }

  /// Sends the answers that have all earlier ones before them.
  private func sendAnswers() {
    var sent = 0
    while sent < slots.count, let answer = slots[sent].answer {
      append(answer)
      sent += 1
    }
    // An answer too many for a side that does not read is the end, and there are no slots any more.
    guard stream.isOpen else { return }
    slots.removeFirst(sent)
    firstID += UInt64(sent)
    if isDraining { finishIfDone() } else { resume() }
  }

  private func append(_ line: LineReply) {
    guard stream.isOpen else { return }
    let bytes = line.bytes
    pending.space(atLeast: bytes.count).copyBytes(from: bytes)
    pending.commit(bytes.count)
    if pending.count > settings.maximumOutput {
      return end(ConnectionEnd(.lost("the other side does not read"), unanswered: openCalls))
    }
    flushing?.request()
  }

  private func resume() {
    guard stream.isOpen, !stream.reads, !isHeldBack, !isProcessing, !willProcess else { return }
    willProcess = true
    let line = ThreadBoundLine(self)
    loop.thread.async {
      line.value.willProcess = false
      line.value.process()
    }
  }

  // MARK: - To the other side

  public func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
    guard stream.isOpen, !isFlushing else {
      reply?(.disconnected)
      return
    }
    if let reply {
      let limit = settings.limits.maximumOpenCalls
      guard unansweredMessages.count < limit else {
        let text = "\(limit) messages of the native side wait for an answer, which is the most"
        return reply(
          .refused(Refusal(code: FrameProblem.clientNotReading.rawValue, text: text)))
      }
      unansweredMessages.append(reply)
    }
    append(.message(channel: channel, payload: message))
  }

  /// Remarks have no place among the replies; the log has them.
  public func tell(_ report: MessengerReport) {}

  public func breakOff() { end(ConnectionEnd(.brokenOff, unanswered: openCalls)) }

  // MARK: - Writing and ending

  func streamIsWritable() { flush() }

  private func flush() {
    guard stream.isOpen else { return }
    while pending.count > 0 {
      do throws(SystemCalls.Failure) {
        guard let count = try stream.write(pending.bytes) else {
          stream.awaitsRoom = true
          return
        }
        pending.consume(count)
      } catch {
        return lose(error)
      }
    }
    if stream.awaitsRoom { stream.awaitsRoom = false }
    if isFlushing { return end(pendingEnd ?? ConnectionEnd(.finished)) }
    resume()
  }

  public func drain() {
    guard !isDraining, stream.isOpen else { return }
    isDraining = true
    finishIfDone()
    if !isFlushing {
      drainTimer?.cancel()
      drainTimer = loop.after(settings.drainTime) { [weak self] in self?.giveUp() }
    }
  }

  private func finishIfDone() {
    if slots.isEmpty, !isProcessing { finish(ConnectionEnd(.finished)) }
  }

  private func giveUp() {
    guard !isFlushing else { return end(pendingEnd ?? ConnectionEnd(.finished)) }
    let unanswered = openCalls
    for slot in slots.indices where slots[slot].answer == nil {
      slots[slot].answer = .refusal("never answered")
    }
    sendAnswers()
    pendingEnd = ConnectionEnd(.finished, unanswered: unanswered)
  }

  private func finish(_ ending: ConnectionEnd) {
    guard !isFlushing else { return }
    isFlushing = true
    pendingEnd = pendingEnd ?? ending
    stream.reads = false
    drainTimer?.cancel()
    drainTimer = loop.after(settings.drainTime) { [weak self] in self?.giveUp() }
    flushing?.request()
  }

  private func lose(_ failure: SystemCalls.Failure) {
    let text = failure.isBrokenPipe ? "the other side has gone" : failure.text
    end(ConnectionEnd(.lost(text), unanswered: openCalls))
  }

  private func disconnect() {
    var handlers = unansweredMessages
    unansweredMessages = Deque()
    while let handler = handlers.popFirst() { handler(.disconnected) }
  }

  private func end(_ ending: ConnectionEnd) {
    guard stream.isOpen else { return }
    stream.close()
    drainTimer?.cancel()
    flushing = nil
    slots = []
    messenger.detach(self)
    disconnect()
    let onEnd = onEnd
    self.onEnd = nil
    onEnd?(ending)
  }
}

private struct ThreadBoundLine: @unchecked Sendable {
  let value: LineConnection
  init(_ value: LineConnection) { self.value = value }
}
