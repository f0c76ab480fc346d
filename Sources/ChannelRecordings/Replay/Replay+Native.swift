import ChannelRouter

/// Messages from native code: expected in the recorded order of their channel, answered as Dart
/// answered them.
extension Replay {
  // MARK: - Recorded ones

  func expect(_ event: RecordedEvent, on channel: ReplayedChannel) throws(ReplayFailure) {
    summary.expected &+= 1
    let message = ExpectedMessage(
      id: event.id, place: place, channel: channel, payload: event.payload)
    if natives[event.id] != nil {
      fault(
        "the id \(event.id) is that of another message to Dart, which has no answer yet", at: place)
    }
    natives[event.id] = message
    nativeOrder.append(message)
    channel.messages.tally(of: event.payload, options.comparer).tally.count &+= 1
    if let arrival = channel.arrived.popFirst() {
      arrivalCount -= 1
      arrivalBytes -= arrival.message?.count ?? 0
      let isAsRecorded = match(message, arrival, on: channel)
      try update?.message(event, isAsRecorded ? event.payload : arrival.message)
    } else {
      channel.expected.append(message)
      expectedBytes += message.payload?.count ?? 0
      if !channel.isGivenUp { awaitedMessages += 1 }
      if update != nil { try settleNow(message, event, on: channel) }
    }
    try makeRoomForMessages()
  }

  /// An update has to know what came before it can write the next entry.
  private func settleNow(
    _ message: ExpectedMessage, _ event: RecordedEvent, on channel: ReplayedChannel
  ) throws(ReplayFailure) {
    try awaitMessages()
    if message.hasCome {
      try update?.message(event, message.cameAsRecorded ? event.payload : message.actual)
      return
    }
    // Nothing else is expected here: each was settled when it was read.
    while let expected = channel.expected.popFirst() {
      if !channel.isGivenUp { awaitedMessages -= 1 }
      miss(expected, on: channel)
      update?.leaveOut()
    }
  }

  /// Gives native code time to send what is recorded before the next message of Dart.
  func awaitMessages() throws(ReplayFailure) {
    if try wait(options.grace, until: { awaitedMessages == 0 }) { return }
    for channel in channels.values where !channel.isGivenUp && !channel.expected.isEmpty {
      channel.isGivenUp = true
      awaitedMessages -= channel.expected.count
    }
  }

  /// What Dart answered to a message from native code.
  func answerNative(_ event: RecordedEvent) throws(ReplayFailure) {
    guard let message = natives[event.id], message.answer == nil, let outcome = event.outcome else {
      fault("this answers the message \(event.id) to Dart, which is not open here", at: place)
      return
    }
    if message.isMissing {
      natives[event.id] = nil
      return
    }
    try update?.keep(event)
    if message.hasCome {
      message.reply?(outcome)
      message.reply = nil
      natives[event.id] = nil
    } else {
      message.answer = outcome
    }
  }

  // MARK: - Those that come

  public func received(
    _ message: [UInt8]?, on name: ChannelName, reply: BinaryReplyHandler?
  ) {
    let channel = channel(name)
    guard channel.isChosen else {
      reply?(.payload(nil))
      return
    }
    let arrival = ReplayedChannel.Arrival(message: message, reply: reply)
    if let expected = channel.expected.popFirst() {
      if channel.isGivenUp {
        channel.isGivenUp = false
        awaitedMessages += channel.expected.count
      } else {
        awaitedMessages -= 1
      }
      expectedBytes -= expected.payload?.count ?? 0
      _ = match(expected, arrival, on: channel)
    } else {
      channel.arrived.append(arrival)
      arrivalCount += 1
      arrivalBytes += message?.count ?? 0
    }
  }

  /// Compares; whether nothing counts as different.
  private func match(
    _ expected: ExpectedMessage, _ arrival: ReplayedChannel.Arrival, on channel: ReplayedChannel
  ) -> Bool {
    expected.hasCome = true
    if let answer = expected.answer {
      arrival.reply?(answer)
      if natives[expected.id] === expected { natives[expected.id] = nil }
    } else {
      expected.reply = arrival.reply
    }
    let tally = channel.messages.tally(of: expected.payload, options.comparer)
    let comparison = options.comparer.compareMessages(
      recorded: expected.payload, actual: arrival.message, on: channel.name, isToDart: true)
    defer { expected.payload = nil }
    guard count(comparison, of: tally) else { return true }
    expected.cameAsRecorded = false
    expected.actual = arrival.message
    report(
      ReplayMismatch(
        subject: .nativeMessage, place: expected.place, channel: channel.name,
        label: label(channel.name, expected.payload, isToDart: true),
        ruleSubject: ruleSubject(tally), comparison: comparison), tally)
    return false
  }

  // MARK: - Those that do not fit

  private func miss(_ expected: ExpectedMessage, on channel: ReplayedChannel) {
    expected.isMissing = true
    expectedBytes -= expected.payload?.count ?? 0
    let tally = channel.messages.tally(of: expected.payload, options.comparer)
    tally.tally.missing &+= 1
    judgeAlone(.nativeMessageMissing, expected.payload, expected.place, channel, tally)
  }

  private func judgeAlone(
    _ subject: ReplayMismatch.Subject, _ message: [UInt8]?, _ place: RecordingError.Place?,
    _ channel: ReplayedChannel, _ tally: MethodTally
  ) {
    if options.comparer.ignores(channel.name, method: tally.tally.method) {
      tally.tally.ignored &+= 1
      summary.ignored &+= 1
      return
    }
    tally.tally.different &+= 1
    summary.different &+= 1
    report(
      ReplayMismatch(
        subject: subject, place: place, channel: channel.name,
        label: label(channel.name, message, isToDart: true), ruleSubject: ruleSubject(tally),
        comparison: Comparison()), tally)
  }

  private func surplus(
    _ arrival: ReplayedChannel.Arrival, on channel: ReplayedChannel
  ) throws(ReplayFailure) {
    // As an app without a listener would answer.
    arrival.reply?(.payload(nil))
    let tally = channel.messages.tally(of: arrival.message, options.comparer)
    tally.tally.extra &+= 1
    judgeAlone(.nativeMessageExtra, arrival.message, nil, channel, tally)
    try update?.add(message: arrival.message, on: channel.name)
  }

  /// Lets the oldest go when too many are held.
  private func makeRoomForMessages() throws(ReplayFailure) {
    while nativeOrder.count > Replay.mostOpen || expectedBytes > Replay.mostHeldBytes,
      let oldest = nativeOrder.popFirst()
    {
      if natives[oldest.id] === oldest {
        natives[oldest.id] = nil
        oldest.reply?(.payload(nil))
        oldest.reply = nil
      }
      if oldest.hasCome || oldest.isMissing { continue }
      let channel = oldest.channel
      // It is the first one that its channel still expects: all before it were older.
      guard channel.expected.first === oldest else { continue }
      _ = channel.expected.popFirst()
      if !channel.isGivenUp { awaitedMessages -= 1 }
      miss(oldest, on: channel)
    }
    guard arrivalCount > Replay.mostOpen || arrivalBytes > Replay.mostHeldBytes else { return }
    for channel in channels.values {
      while let arrival = channel.arrived.popFirst() { try surplus(arrival, on: channel) }
    }
    (arrivalCount, arrivalBytes) = (0, 0)
  }

  /// At the end of the recording nothing can match any more.
  func finishMessages(_ order: [ReplayedChannel]) throws(ReplayFailure) {
    for channel in order {
      while let expected = channel.expected.popFirst() { miss(expected, on: channel) }
      while let arrival = channel.arrived.popFirst() { try surplus(arrival, on: channel) }
    }
    awaitedMessages = 0
    for message in natives.values {
      message.reply?(.payload(nil))
      message.reply = nil
    }
    natives = [:]
  }
}
