import ChannelRouter

extension FrameConnection: MessagePort {
  // MARK: - From the other side

  /// Hands a message to its handler, which most often answers before this returns.
  @inline(__always)
  func receive(_ frame: Frame) throws(FrameError) {
    guard let messenger, let channel = frame.channel else { return }
    let id = frame.id
    try checkIsNew(id)
    dispatching = id
    let call = messenger.receive(frame.payload, on: channel, id: id, from: self)
    // What has been answered or dropped by now has taken its id away.
    if id != 0, dispatching == id, let call { open[id] = call }
    dispatching = 0
  }

  private func checkIsNew(_ id: UInt64) throws(FrameError) {
    guard id != 0, open[id] != nil else { return }
    throw FrameError(.idInUse, "the call \(id) is still open", id: id)
  }

  public func answer(_ id: UInt64, with outcome: ReplyOutcome) {
    if dispatching == id {
      dispatching = 0
    } else if open.removeValue(forKey: id) == nil {
      return
    }
    guard state == .open || state == .draining, !isBrokenOff else { return }
    answered &+= 1
    output { write(outcome, for: id, to: $0) }
    if state == .draining { goOnDraining() } else { resume() }
  }

  private func write(_ outcome: ReplyOutcome, for id: UInt64, to writer: FrameWriter) {
    do throws(FrameError) {
      switch outcome {
      case .payload(let payload): try writer.reply(id: id, payload: payload)
      case .dropped: writer.dropped(id: id)
      case .refused(let refusal):
        writer.error(
          FrameError(
            FrameProblem(rawValue: refusal.code) ?? .internal, refusal.text,
            offset: refusal.offset.map { UInt64($0) }, id: id, isFatal: false))
      case .disconnected: writer.dropped(id: id)
      }
    } catch {
      // The reply is larger than the other side accepts: tell it instead.
      var problem = error
      problem.id = id
      problem.isFatal = false
      writer.error(problem)
      onTrouble?(problem)
    }
  }

  /// Answers a message that was too long to be taken in.
  func refuse(_ head: FrameHead) throws(FrameError) {
    if head.kind == .message { try checkIsNew(head.id) }
    let limit = settings.limits.maximumPayload
    let error = FrameError(
      .payloadTooLong,
      "a payload of \(head.payloadLength) bytes; at most \(limit) are accepted", id: head.id,
      isFatal: false)
    onTrouble?(error)
    switch head.kind {
    case .message:
      if head.id != 0 { output { $0.error(error) } }
    case .reply:
      settle(
        head.id, .refused(Refusal(code: error.problem.rawValue, text: error.text)))
    default: break
    }
  }

  /// A message that comes after the end has begun.
  func refuseWhileEnding(_ frame: Frame) {
    guard frame.id != 0 else { return }
    output {
      $0.error(FrameError(.shuttingDown, "no new messages are taken", id: frame.id, isFatal: false))
    }
  }

  // MARK: - To the other side

  public func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
    guard state == .greeting || state == .open else {
      reply?(.disconnected)
      return
    }
    let isFull = asked.count >= (peer?.limits.maximumOpenCalls ?? 1)
    if peer == nil || (reply != nil && isFull) || !waiting.isEmpty {
      return wait(.init(message: message, channel: channel, reply: reply))
    }
    write(message, on: channel, reply)
  }

  private func wait(_ message: WaitingMessages.Message) {
    guard waiting.count < WaitingMessages.most else {
      let text = "\(waiting.count) messages wait for answers to earlier ones, which is the most"
      fail(FrameError(.clientNotReading, text))
      message.reply?(.disconnected)
      return
    }
    waiting.append(message)
    if waiting.bytes > settings.maximumOutput {
      failNotReading("\(waiting.bytes) bytes of messages wait for answers to earlier ones")
    }
  }

  /// Sends what had to wait.
  func sendWaiting() {
    while !waiting.isEmpty, asked.count < (peer?.limits.maximumOpenCalls ?? 1), state == .open,
      let next = waiting.popFirst()
    {
      write(next.message, on: next.channel, next.reply)
    }
  }

  private func write(_ message: [UInt8]?, on channel: ChannelName, _ reply: BinaryReplyHandler?) {
    var id: UInt64 = 0
    if reply != nil {
      lastAsked += 1
      id = lastAsked
    }
    // First: writing it may be the end, which is told to whoever waits for an answer.
    if let reply { asked[id] = reply }
    do throws(FrameError) {
      try output { (writer) throws(FrameError) in
        try writer.message(channel, id: id, payload: message)
      }
    } catch {
      asked[id] = nil
      onTrouble?(error)
      reply?(.refused(Refusal(code: error.problem.rawValue, text: error.text)))
      return
    }
  }

  /// Says that the answer to a call is not needed any more. It comes all the same.
  func cancel(_ id: UInt64) {
    guard asked[id] != nil else { return }
    output { $0.cancel(id: id) }
  }

  /// An answer has come.
  func settle(_ id: UInt64, _ outcome: ReplyOutcome) {
    guard let reply = asked.removeValue(forKey: id) else {
      let error = FrameError(
        .idUnknown, "an answer to the call \(id), which is not open", id: 0, isFatal: false)
      onTrouble?(error)
      return output { $0.error(error) }
    }
    reply(outcome)
    sendWaiting()
    goOnDraining()
  }

  func takeError(_ frame: Frame) throws(FrameError) {
    let error = try ReceivedError(frame)
    if error.isFatal { return close(.refused(error)) }
    if error.id != 0, asked[error.id] != nil {
      settle(
        error.id,
        .refused(
          Refusal(
            code: error.code, text: error.text, offset: error.offset.flatMap { Int(exactly: $0) })))
    } else {
      onError?(error)
    }
  }

  // MARK: - Telling

  public func tell(_ report: MessengerReport) {
    guard wantsLog, state == .open || state == .draining else { return }
    output {
      $0.log(LogLevel(report.level), report.text, channel: report.channel, id: report.id)
    }
  }

  /// The call at hand is still settled, for the log and the journal, but nothing goes out.
  public func breakOff() {
    guard !isBrokenOff else { return }
    isBrokenOff = true
    let connection = ThreadBoundConnection(self)
    loop.thread.async { connection.value.close(.brokenOff) }
  }
}

extension LogLevel {
  init(_ level: MessengerReport.Level) {
    switch level {
    case .info: self = .info
    case .warning: self = .warning
    case .error: self = .error
    }
  }
}
