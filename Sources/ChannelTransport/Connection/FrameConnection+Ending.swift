import ChannelRouter
import SystemInterface

/// How a conversation ends: after the last answer, with the reason of a fault, or because the other
/// side has gone.
extension FrameConnection {
  private static let gone = "the other side has gone"

  /// Takes no more messages, waits for open calls, says goodbye and ends.
  public func drain() {
    guard state == .open || state == .greeting else { return }
    if state == .greeting {
      state = .draining
      return finish(ConnectionEnd(.finished))
    }
    state = .draining
    if open.isEmpty, asked.isEmpty { return sayGoodbye() }
    // What comes from now on may still answer calls of this side.
    if !isProcessing { processLater() }
    setTimer(settings.drainTime) { $0.sayGoodbye() }
  }

  /// The other side will send nothing more.
  func endOfInput() {
    process()
    guard state != .closed, state != .flushing else { return }
    hasEnded = true
    stream.reads = false
    do throws(FrameError) {
      try reader.finish()
    } catch {
      return fail(error)
    }
    disconnectAsked()
    drain()
    goOnDraining()
  }

  func goOnDraining() {
    if state == .draining, open.isEmpty, asked.isEmpty { sayGoodbye() }
  }

  private func sayGoodbye() {
    guard state == .draining else { return }
    let unanswered = openCalls
    for id in open.keys.sorted() { writer.dropped(id: id) }
    open = [:]
    writer.bye()
    finish(ConnectionEnd(.finished, unanswered: unanswered))
  }

  /// Tells the other side what is wrong and ends.
  func fail(_ error: FrameError) {
    guard state != .closed, state != .flushing else { return }
    // The first frame is a hello in any case, so that the reason can be read.
    if !hasGreeted {
      try? writer.hello(Hello(limits: settings.limits, software: settings.software))
      hasGreeted = true
    }
    writer.error(error)
    finish(ConnectionEnd(.failed(error), unanswered: openCalls))
  }

  /// Writes out what there is and ends then.
  private func finish(_ end: ConnectionEnd) {
    pendingEnd = end
    state = .flushing
    stream.reads = false
    // A side that reads nothing must not keep this one from ending.
    setTimer(settings.drainTime) { $0.end() }
    flushing?.request()
  }

  func lose(_ failure: SystemCalls.Failure) {
    // Whoever has gone without a word is done; nothing of theirs can be answered any more.
    if failure.isBrokenPipe, pendingEnd == nil {
      pendingEnd = ConnectionEnd(.lost(FrameConnection.gone), unanswered: openCalls)
    }
    pendingEnd = pendingEnd ?? ConnectionEnd(.lost(failure.text), unanswered: openCalls)
    end()
  }

  /// Ends at once, without a farewell.
  public func close(_ reason: ConnectionEnd.Reason) {
    pendingEnd = ConnectionEnd(reason, unanswered: openCalls)
    end()
  }

  func end() {
    guard state != .closed else { return }
    state = .closed
    timer?.cancel()
    timer = nil
    flushing?.cancel()
    flushing = nil
    stream.close()
    open = [:]
    messenger?.detach(self)
    disconnectAsked()
    let onEnd = onEnd
    self.onEnd = nil
    onHello = nil
    onEnd?(pendingEnd ?? ConnectionEnd(.finished))
  }

  /// Nobody will answer any more.
  private func disconnectAsked() {
    let handlers = asked.sorted { $0.key < $1.key }.map(\.value)
    var waiting = waiting
    asked = [:]
    self.waiting = WaitingMessages()
    for handler in handlers { handler(.disconnected) }
    while let next = waiting.popFirst() { next.reply?(.disconnected) }
  }

  /// The other side has closed while it was held back.
  func streamHungUp(_ part: DescriptorStream.HangUp) {
    guard !hasEnded, state == .open else { return }
    switch part {
    case .all: close(.lost(FrameConnection.gone))
    case .input: awaitProgress(since: answered)
    }
  }

  /// What is still unread is taken in as long as calls are answered; a standstill ends it.
  private func awaitProgress(since count: UInt64) {
    setTimer(settings.drainTime) { connection in
      guard connection.state == .open else { return }
      let now = connection.answered
      if now != count { return connection.awaitProgress(since: now) }
      connection.state = .draining
      connection.sayGoodbye()
    }
  }
}
