import ChannelRouter
import SystemInterface

/// Sends the recorded messages of Dart to a native side, in order, and compares what comes.
///
/// A message is sent once all answers that are recorded before it have come, so that calls that
/// overlapped may overlap again. Messages from native code are expected in the recorded order of
/// their channel. Memory does not grow with the recording: calls that it never answers are given up
/// after ``mostOpen`` later ones.
public final class Replay: ReplayReceiver {
  /// Calls that wait for their recorded answer to be read, and messages from native code that are
  /// held; the oldest make room.
  public static let mostOpen = 16_384
  static let mostHeldBytes = 16 << 20
  static let mostChannels = 65_536

  /// Gets each mismatch when it is found.
  public var onMismatch: ((ReplayMismatch) -> Void)?
  /// Called now and then with the bytes of the recording that were read.
  public var onProgress: ((UInt64) -> Void)?
  public internal(set) var summary = ReplaySummary()

  let options: ReplayOptions
  let target: any ReplayTarget
  let update: RecordingUpdate?
  private let reader: RecordingReader
  private var pace: ReplayPace

  var channels: [ChannelName: ReplayedChannel] = [:]
  private var order: [ReplayedChannel] = []
  private var latestChannel: ReplayedChannel?
  /// Stands for all channels beyond ``mostChannels``.
  private var overflow: ReplayedChannel?

  private var lastNumber: UInt64 = 0
  /// The call that was sent last; most are answered before anything else happens, and then need no
  /// place in the tables.
  private var current: ReplayedCall?
  /// Calls by their recorded id.
  private var open: [UInt64: ReplayedCall] = [:]
  private var openOrder = Deque<ReplayedCall>()
  private var unanswered: [UInt64: ReplayedCall] = [:]
  private var heldBytes = 0
  /// A dropped reply was not told of in time, so that nobody waits for such news any more.
  private var targetKeepsSilence = false

  // What belongs to messages from native code; see Replay+Native.swift.
  var natives: [UInt64: ExpectedMessage] = [:]
  var nativeOrder = Deque<ExpectedMessage>()
  var awaitedMessages = 0
  var arrivalCount = 0
  var arrivalBytes = 0
  var expectedBytes = 0

  /// - Parameter update: gets the recording with what came in place of what was recorded.
  public init(
    _ reader: RecordingReader, to target: any ReplayTarget, options: ReplayOptions,
    update: RecordingUpdate? = nil
  ) {
    self.reader = reader
    self.target = target
    self.options = options
    self.update = update
    pace = ReplayPace(speed: options.speed)
  }

  /// Replays all of it.
  ///
  /// - Throws: when the native side has gone, the recording cannot be read any further, or the
  ///   update cannot be written.
  public func run() throws(ReplayFailure) {
    target.receiver = self
    let start = SystemCalls.monotonicNanoseconds()
    defer {
      summary.nanoseconds = SystemCalls.monotonicNanoseconds() &- start
      summary.methods = order.flatMap { $0.calls.all + $0.messages.all }.map {
        (tally: $0.tally, failures: $0.failures)
      }
    }
    var count: UInt64 = 0
    while let event = try next() {
      try take(event)
      count &+= 1
      if count & 0xfff == 0 {
        onProgress?(reader.byteOffset)
        // Timers and other threads get their turn even while every answer comes at once.
        try target.wait(nanoseconds: 0)
      }
    }
    summary.tornTail = reader.tornTail
    try finish()
    onProgress?(reader.byteOffset)
  }

  private func next() throws(ReplayFailure) -> RecordedEvent? {
    while true {
      do throws(RecordingError) {
        return try reader.next()
      } catch {
        if error.isFatal { throw ReplayFailure(error.description) }
        fault(error.text, at: error.place)
      }
    }
  }

  @inline(__always)
  private func take(_ event: RecordedEvent) throws(ReplayFailure) {
    let channel = channel(event.channel)
    guard channel.isChosen else {
      summary.skipped &+= 1
      try update?.keep(event)
      return
    }
    switch (event.isAnswer, event.messageDirection) {
    case (false, .dartToNative): try send(event, on: channel)
    case (true, .dartToNative): try compare(event)
    case (false, .nativeToDart): try expect(event, on: channel)
    case (true, .nativeToDart): try answerNative(event)
    }
  }

  /// The state of a channel; most entries are of the channel of the one before.
  func channel(_ name: ChannelName) -> ReplayedChannel {
    if let latestChannel, latestChannel.name == name { return latestChannel }
    if let known = channels[name] {
      latestChannel = known
      return known
    }
    if channels.count >= Replay.mostChannels {
      if let overflow { return overflow }
      fault(
        "more than \(Replay.mostChannels) channels; entries of further ones are left out",
        at: reader.place)
      let overflow = ReplayedChannel(name, isChosen: false)
      self.overflow = overflow
      return overflow
    }
    let isChosen =
      options.channels.isEmpty || options.channels.contains { $0.matches(name.utf8) }
    let channel = ReplayedChannel(name, isChosen: isChosen)
    channels[name] = channel
    if isChosen { order.append(channel) }
    latestChannel = channel
    return channel
  }

  // MARK: - Messages from Dart

  private func send(_ event: RecordedEvent, on channel: ReplayedChannel) throws(ReplayFailure) {
    if awaitedMessages > 0 { try awaitMessages() }
    if pace.isPaced { try keepPace(event.microseconds) }
    if let current {
      hold(current)
      if needsRoom { try makeRoom() }
    }
    current = nil
    if let former = open[event.id] {
      fault(
        "the id \(event.id) is that of the message at \(former.place.text), which has no answer "
          + "yet",
        at: reader.place)
      // The answer that comes next is taken for that of the new message.
      try giveUp(former)
    }
    lastNumber &+= 1
    summary.sent &+= 1
    let tally = channel.calls.tally(of: event.payload, options.comparer)
    tally.tally.count &+= 1
    try update?.keep(event)
    let wantsAnswer = !event.isOneWay
    let call = ReplayedCall(
      recordedID: event.id, number: lastNumber, place: reader.place, channel: channel,
      tally: tally, message: event.payload, event: update == nil ? nil : event)
    if wantsAnswer { current = call }
    target.send(event.payload, on: channel.name, number: lastNumber, wantsAnswer: wantsAnswer)
    if !wantsAnswer { count(Comparison(), of: tally) }
  }

  public func answered(_ number: UInt64, with outcome: ReplyOutcome) {
    if let current, current.number == number {
      current.outcome = outcome
    } else if let call = unanswered.removeValue(forKey: number) {
      call.outcome = outcome
      if case .payload(let payload?) = outcome { heldBytes += payload.count }
    } else {
      summary.late &+= 1
    }
  }

  /// Keeps a call until its recorded answer is read.
  private func hold(_ call: ReplayedCall) {
    open[call.recordedID] = call
    openOrder.append(call)
    if call.outcome == nil { unanswered[call.number] = call }
    heldBytes += call.size
  }

  private func release(_ call: ReplayedCall) {
    open[call.recordedID] = nil
    unanswered[call.number] = nil
    heldBytes -= call.size
  }

  private var needsRoom: Bool {
    open.count > Replay.mostOpen || heldBytes > Replay.mostHeldBytes
      || openOrder.count > open.count * 2 + 1024
  }

  /// Lets the oldest calls go that the recording has not answered for so long.
  private func makeRoom() throws(ReplayFailure) {
    while open.count > Replay.mostOpen || heldBytes > Replay.mostHeldBytes,
      let oldest = openOrder.popFirst()
    {
      if open[oldest.recordedID] === oldest { try giveUp(oldest) }
    }
    // Calls that were answered in the meantime.
    if openOrder.count > open.count * 2 + 1024 {
      openOrder.removeAll { open[$0.recordedID] !== $0 }
    }
  }

  /// Judges a call that the recording does not answer.
  private func giveUp(_ call: ReplayedCall) throws(ReplayFailure) {
    release(call)
    let isAsRecorded = judge(call, recorded: nil)
    if !isAsRecorded, let event = call.event, let outcome = call.outcome {
      try update?.add(answer: outcome, to: event)
    }
  }

  // MARK: - Their answers

  @inline(__always)
  private func compare(_ event: RecordedEvent) throws(ReplayFailure) {
    let call: ReplayedCall
    if let current, current.recordedID == event.id {
      call = current
    } else if let known = open[event.id] {
      call = known
    } else {
      fault(
        "this answers the message \(event.id) of Dart, which is not open here", at: reader.place)
      return
    }
    if call.outcome == nil { try awaitAnswer(to: call, isDropped: event.kind == .dropped) }
    if current === call {
      current = nil
    } else {
      release(call)
    }
    if event.kind == .reply, case .payload(let payload) = call.outcome, payload == event.payload {
      call.tally.tally.same &+= 1
      summary.same &+= 1
      try update?.keep(event)
    } else {
      let isAsRecorded = judge(call, recorded: event.outcome)
      try update?.answer(event, isAsRecorded ? event.outcome : call.outcome)
    }
    if needsRoom { try makeRoom() }
  }

  private func awaitAnswer(to call: ReplayedCall, isDropped: Bool) throws(ReplayFailure) {
    if isDropped, targetKeepsSilence { return }
    let isDone = try wait(isDropped ? options.grace : options.timeout) { call.outcome != nil }
    if !isDone, isDropped, !target.isQuiet { targetKeepsSilence = true }
  }

  /// Lets the native side work until `isDone`, the time is over, or nothing can come any more.
  @discardableResult
  func wait(_ span: Duration, until isDone: () -> Bool) throws(ReplayFailure) -> Bool {
    let limit = span.nanosecondCount
    let start = SystemCalls.monotonicNanoseconds()
    while !isDone() {
      if target.isQuiet { return false }
      let elapsed = SystemCalls.monotonicNanoseconds() &- start
      guard elapsed < limit else { return false }
      try target.wait(nanoseconds: limit - elapsed)
    }
    return true
  }

  private func keepPace(_ microseconds: Int64) throws(ReplayFailure) {
    let due = pace.due(at: microseconds, now: SystemCalls.monotonicNanoseconds())
    while true {
      let now = SystemCalls.monotonicNanoseconds()
      guard now < due else { return }
      try target.wait(nanoseconds: due - now)
    }
  }

  // MARK: - Judging

  /// Compares and counts; whether nothing counts as different.
  private func judge(_ call: ReplayedCall, recorded: ReplyOutcome?) -> Bool {
    let comparison = options.comparer.compareAnswers(
      recorded: recorded, actual: call.outcome, to: call.message, on: call.channel.name)
    guard count(comparison, of: call.tally) else { return true }
    report(
      ReplayMismatch(
        subject: .answer, place: call.place, channel: call.channel.name,
        label: label(call.channel.name, call.message, isToDart: false),
        ruleSubject: ruleSubject(call.tally), comparison: comparison), call.tally)
    return false
  }

  /// Counts the outcome of a comparison; whether it is a mismatch.
  @discardableResult
  func count(_ comparison: Comparison, of tally: MethodTally) -> Bool {
    if comparison.isMatch {
      if comparison.ignoredCount > 0 {
        tally.tally.ignored &+= 1
        summary.ignored &+= 1
      } else {
        tally.tally.same &+= 1
        summary.same &+= 1
      }
      return false
    }
    if options.matching == .dart, comparison.isEqualInDart {
      tally.tally.sameInDart &+= 1
      summary.sameInDart &+= 1
      return false
    }
    tally.tally.different &+= 1
    summary.different &+= 1
    return true
  }

  func report(_ mismatch: ReplayMismatch, _ tally: MethodTally) {
    if tally.failures.count < options.mostFailures {
      tally.failures.append(mismatch.lines.joined(separator: "\n"))
    }
    onMismatch?(mismatch)
  }

  func fault(_ text: String, at place: RecordingError.Place?) {
    summary.faults &+= 1
    onMismatch?(
      ReplayMismatch(
        subject: .recording, place: place, channel: nil, label: text, ruleSubject: "",
        comparison: Comparison()))
  }

  func label(_ channel: ChannelName, _ message: [UInt8]?, isToDart: Bool) -> String {
    "\(channel) \(options.comparer.words(for: message, on: channel, isToDart: isToDart))"
  }

  func ruleSubject(_ tally: MethodTally) -> String {
    let channel = tally.tally.channel.description
    return tally.tally.method.map { "\(channel).\($0)" } ?? channel
  }

  var place: RecordingError.Place { reader.place }

  // MARK: - The end

  private func finish() throws(ReplayFailure) {
    if let current { hold(current) }
    current = nil
    // What the recording leaves open may still be answered, and what it expects may still come.
    let isWaiting = !unanswered.isEmpty || awaitedMessages > 0
    if isWaiting {
      try wait(options.grace) { unanswered.isEmpty && awaitedMessages == 0 }
    } else {
      // For what nobody expects.
      try wait(min(options.grace, .milliseconds(50))) { false }
    }
    while let call = openOrder.popFirst() {
      if open[call.recordedID] === call { try giveUp(call) }
    }
    try finishMessages(order)
  }
}
