import SystemInterface

/// A testee that is a command: requests go to its standard input, answers come from its standard
/// output.
///
/// One that ends or hangs is started again. Where several requests were unanswered, they are asked
/// again one at a time, so that exactly the guilty one gets the verdict.
public final class ProcessTestee: Testee {
  public struct Options: Sendable {
    public var encoding = RequestEncoding.json
    /// Unanswered requests at a time.
    public var inFlight = 64
    /// The longest wait for an answer once its request is the oldest unanswered one, in
    /// nanoseconds.
    public var timeout: UInt64 = 5_000_000_000
    /// Starts after the first before the run is given up.
    public var maximumRestarts = 1000
    /// Cases without an answer in time before the run is given up.
    public var maximumTimeouts = 20
    /// What the testee finds in `PWBRIDGE_PROFILE`.
    public var profile = "strict"
    /// The run ends early when one of these signals comes, and the testee with it.
    public var interruption: SignalSource?

    public init() {}
  }

  /// A request whose answer is awaited.
  private struct Pending {
    let id: Int
    let number: Int
  }

  /// The longest line of an answer: a message of 8 MiB in hex, and some more.
  private static let longestLine = 17 << 20
  /// Requests are made only while less than this waits to be written.
  private static let mostQueued = 1 << 20
  /// Lines that belong to no request before the run is given up.
  private static let mostStrayLines = 100
  /// Starts without a single answer before the run is given up.
  private static let mostBarrenStarts = 5

  public let name: String
  public private(set) var restarts = 0
  private let command: [String]
  private let options: Options
  private var process: RunningProcess?
  private var starts = 0
  private var timeouts = 0
  private var strayLines = 0
  private var hasEverAnswered = false
  /// Ids of requests that were blamed for a line; their answers are passed over.
  private var blamed: Set<Int> = []
  /// Ids are far apart, so that a testee that counts for itself is found out.
  private var nextID = 3

  public init(_ command: [String], options: Options = Options()) {
    self.command = command
    self.options = options
    name = command.joined(separator: " ")
  }

  deinit { finish() }

  /// Closes its input and waits for its end, not for long.
  public func finish() {
    guard let process else { return }
    self.process = nil
    _ = process.end(kills: false)
  }

  // MARK: - Asking

  public func answer(
    count: Int, request: (Int) -> TestRequest, take: (Int, Answer) -> Void
  ) throws(TesteeFailure) {
    var batch = Batch(count: count)
    while !batch.isDone {
      let process: RunningProcess
      do throws(TesteeFailure) { process = try running() } catch {
        // What the search for the culprit has found so far is not lost.
        for (number, answer) in batch.held { take(number, answer) }
        throw error
      }
      fill(&batch, process, request)
      process.flush()
      if let failure = wait(for: &batch, process, take) {
        try recover(&batch, failure, take)
      }
      batch.settle(take)
    }
  }

  /// The course of one call of `answer`.
  private struct Batch {
    let count: Int
    var next = 0
    /// In the order in which they were asked.
    var pending: [Pending] = []
    /// Asked before, unanswered when the testee ended; to be asked one at a time.
    var suspects: [Int] = []
    /// While suspects are asked: their answers, and what happened to them all.
    var held: [(number: Int, answer: Answer)] = []
    var suspicion: Failure?
    var oldestSince: UInt64 = 0

    var isDone: Bool { next >= count && pending.isEmpty && suspects.isEmpty && held.isEmpty }

    mutating func take(_ number: Int, _ answer: Answer, _ give: (Int, Answer) -> Void) {
      if suspicion == nil { give(number, answer) } else { held.append((number, answer)) }
    }

    /// Hands over what was held, once all suspects have been asked. Where none of them did it again
    /// the first one answers for it.
    mutating func settle(_ give: (Int, Answer) -> Void) {
      guard let suspicion, suspects.isEmpty, pending.isEmpty else { return }
      if !held.isEmpty, !suspicion.isFound {
        held[0].answer = suspicion.answer(
          "; asked one at a time, none of the \(held.count) unanswered requests did it again")
      }
      for (number, answer) in held { give(number, answer) }
      held = []
      self.suspicion = nil
    }
  }

  private struct Failure {
    enum Kind { case crash, timeout, protocolError }
    var kind: Kind
    var note: String
    /// The guilty request is known.
    var isFound = false

    func answer(_ more: String = "") -> Answer {
      switch kind {
      case .crash: .crash(note + more)
      case .timeout: .timeout(note + more)
      case .protocolError: .protocolError(note + more)
      }
    }
  }

  private func running() throws(TesteeFailure) -> RunningProcess {
    if let signal = options.interruption?.take().first {
      _ = process?.end(kills: true)
      process = nil
      throw TesteeFailure("interrupted by signal \(signal.number)")
    }
    if strayLines >= Self.mostStrayLines {
      finish()
      throw TesteeFailure("given up: \(strayLines) lines were no answers to any request")
    }
    if let process { return process }
    if !hasEverAnswered, starts >= Self.mostBarrenStarts {
      throw TesteeFailure("given up: it has not answered anything in \(starts) starts")
    }
    if restarts >= options.maximumRestarts {
      throw TesteeFailure("given up: it had to be started again \(restarts) times")
    }
    if timeouts >= options.maximumTimeouts {
      throw TesteeFailure("given up: \(timeouts) requests got no answer in time")
    }
    do throws(SystemCalls.Failure) {
      let started = try RunningProcess(command, profile: options.profile)
      process = started
      if starts > 0 { restarts += 1 }
      starts += 1
      return started
    } catch {
      throw TesteeFailure("cannot start \(command.first ?? ""): \(error.text)")
    }
  }

  private func fill(
    _ batch: inout Batch, _ process: RunningProcess, _ request: (Int) -> TestRequest
  ) {
    let window = batch.suspicion == nil ? options.inFlight : 1
    while batch.pending.count < window, process.queuedBytes < Self.mostQueued {
      let number: Int
      if batch.suspicion != nil {
        guard !batch.suspects.isEmpty else { return }
        number = batch.suspects.removeFirst()
      } else {
        guard batch.next < batch.count else { return }
        number = batch.next
        batch.next += 1
      }
      if batch.pending.isEmpty { batch.oldestSince = SystemCalls.monotonicNanoseconds() }
      batch.pending.append(Pending(id: nextID, number: number))
      process.send(options.encoding.line(nextID, request(number)))
      nextID += 7
    }
  }

  /// Waits until something moves. Returns what ended the process, if something did.
  private func wait(
    for batch: inout Batch, _ process: RunningProcess, _ take: (Int, Answer) -> Void
  ) -> Failure? {
    guard !batch.pending.isEmpty else { return nil }
    let table = PollTable()
    process.output.map { _ = table.append($0, .readable) }
    process.errors.map { _ = table.append($0, .readable) }
    if process.isSending { process.input.map { _ = table.append($0, .writable) } }
    options.interruption.map { _ = table.append($0.descriptor, .readable) }
    let now = SystemCalls.monotonicNanoseconds()
    let end = batch.oldestSince &+ options.timeout
    _ = try? table.wait(nanoseconds: end > now ? end - now : 0)
    process.receiveErrors()
    process.flush()
    let isOpen = process.receive()
    while let line = process.takeLine() { hear(line, &batch, take) }
    if batch.pending.isEmpty { return isOpen ? nil : goodbye(process) }
    if !isOpen {
      let how = process.end(kills: false)
      self.process = nil
      let what = how == "it was ended" ? "closed its standard output" : how
      return Failure(kind: .crash, note: "it \(what)\(process.lastWords)")
    }
    if process.unfinishedBytes > Self.longestLine {
      return stop(
        process, .protocolError,
        "it wrote \(process.unfinishedBytes >> 20) MiB without ending the line")
    }
    if process.input == nil {
      return stop(process, .crash, "it closed its standard input")
    }
    if SystemCalls.monotonicNanoseconds() >= batch.oldestSince &+ options.timeout {
      var note = "no answer within \(Self.seconds(options.timeout))"
      if process.isSending {
        note += "; it does not read its standard input"
      } else if !hasEverAnswered {
        note += "; it has not answered anything yet: does it flush its output after each line?"
      }
      return stop(process, .timeout, note)
    }
    return nil
  }

  /// It has answered everything and left: it is started again when there is more to ask.
  private func goodbye(_ process: RunningProcess) -> Failure? {
    _ = process.end(kills: false)
    self.process = nil
    return nil
  }

  private func stop(
    _ process: RunningProcess, _ kind: Failure.Kind, _ note: String
  ) -> Failure {
    _ = process.end(kills: true)
    self.process = nil
    return Failure(kind: kind, note: note + process.lastWords)
  }

  private static func seconds(_ nanoseconds: UInt64) -> String {
    let tenths = (nanoseconds + 50_000_000) / 100_000_000
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }

  // MARK: - Answers

  private func hear(
    _ line: [UInt8], _ batch: inout Batch, _ take: (Int, Answer) -> Void
  ) {
    let id: Int
    var answer: Answer
    do throws(RequestEncoding.Misunderstanding) {
      (id, answer) = try options.encoding.answer(line)
    } catch {
      return blameOldest(error.text, &batch, take)
    }
    guard let place = batch.pending.firstIndex(where: { $0.id == id }) else {
      if blamed.remove(id) != nil { return }
      return blameOldest(
        "it wrote an answer with id \(id), which no unanswered request has: "
          + RequestEncoding.shown(line), &batch, take)
    }
    if case .protocolError = answer { strayLines += 1 } else { hasEverAnswered = true }
    let number = batch.pending.remove(at: place).number
    if place == 0 { batch.oldestSince = SystemCalls.monotonicNanoseconds() }
    if case .value(let text) = answer, text.isEmpty { answer = .protocolError("an empty value") }
    batch.take(number, answer, take)
  }

  /// A line that belongs to nobody is held against the request that has waited longest. Its own
  /// answer may still come and is then one that nobody asked for, which is not told again.
  private func blameOldest(
    _ note: String, _ batch: inout Batch, _ take: (Int, Answer) -> Void
  ) {
    strayLines += 1
    guard !batch.pending.isEmpty else { return }
    let oldest = batch.pending.removeFirst()
    batch.oldestSince = SystemCalls.monotonicNanoseconds()
    blamed.insert(oldest.id)
    batch.take(oldest.number, .protocolError(note), take)
  }

  /// Finds out which request is to blame.
  private func recover(
    _ batch: inout Batch, _ failure: Failure, _ take: (Int, Answer) -> Void
  ) throws(TesteeFailure) {
    if batch.pending.count == 1, let culprit = batch.pending.first {
      batch.pending = []
      if failure.kind == .timeout { timeouts += 1 }
      batch.suspicion?.isFound = true
      batch.take(culprit.number, failure.answer(), take)
      return
    }
    // Only reached with several in flight, so no search is going on.
    batch.suspects = batch.pending.map(\.number)
    batch.pending = []
    batch.suspicion = failure
  }
}
