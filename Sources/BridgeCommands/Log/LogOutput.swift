import ChannelTransport
import SystemInterface

/// Standard error as a server uses it: lines are gathered and written once in a round of the loop,
/// and a reader that is slow or gone costs lines instead of time.
///
/// Standard error is often shared with other processes, so it is not made non-blocking: it is
/// asked whether it has room, and gets no more than a ready pipe takes without waiting.
final class LogOutput {
  /// What may wait to be written; lines past that are lost and counted.
  static let mostPending = 1 << 20
  /// POSIX: a pipe that is ready for writing has room for this much (`PIPE_BUF`).
  private static let pieceSize = 4096

  private let loop: EventLoop
  private let descriptor: Int32
  private let table = PollTable()
  private var pending: [UInt8] = []
  private var written = 0
  private var lost = 0
  private var isClosed = false
  private var flushing: RoundTask?
  private var watch: Watch?

  init(loop: EventLoop, descriptor: Int32 = 2) {
    (self.loop, self.descriptor) = (loop, descriptor)
    _ = table.append(descriptor, .writable)
    flushing = loop.roundTask { [weak self] in self?.flush() }
  }

  deinit { if let watch { loop.unwatch(watch) } }

  /// Whether there is any use in making lines.
  var isOpen: Bool { !isClosed }

  /// Calls `work` before the lines of a round are written.
  var onFlush: (() -> Void)?

  /// Asks for a flush at the end of the round.
  func requestFlush() { flushing?.request() }

  /// Adds a line, which must be fit for a terminal.
  func line(_ text: String) {
    guard !isClosed else { return }
    guard pending.count - written < LogOutput.mostPending else {
      lost += 1
      return
    }
    if lost > 0 {
      pending += "pwbridge: \(lost) lines of the log are lost: nobody read them in time\n".utf8
      lost = 0
    }
    pending += text.utf8
    pending.append(UInt8(ascii: "\n"))
    requestFlush()
  }

  /// Writes what waits, for a while at most; to be called once at the end.
  func finish(within span: Duration = .milliseconds(300)) {
    onFlush?()
    if lost > 0 {
      pending += "pwbridge: \(lost) lines of the log are lost: nobody read them in time\n".utf8
      lost = 0
    }
    let start = SystemCalls.monotonicNanoseconds()
    let most =
      UInt64(span.components.attoseconds / 1_000_000_000)
      &+ UInt64(span.components.seconds) &* 1_000_000_000
    while hasPending {
      let elapsed = SystemCalls.monotonicNanoseconds() &- start
      guard elapsed < most, (try? table.wait(nanoseconds: most - elapsed)) ?? 0 > 0 else { return }
      writePiece()
    }
  }

  // MARK: -

  private var hasPending: Bool { written < pending.count }

  private func flush() {
    onFlush?()
    while hasPending {
      guard (try? table.wait(nanoseconds: 0)) ?? 0 > 0, writePiece() else { return awaitRoom() }
    }
    if let watch {
      loop.unwatch(watch)
      self.watch = nil
    }
  }

  private func awaitRoom() {
    guard watch == nil, !isClosed else { return }
    watch = loop.watch(descriptor, reads: false, writes: true) { [weak self] _ in self?.flush() }
  }

  /// False when nothing could be written.
  @discardableResult
  private func writePiece() -> Bool {
    let end = min(pending.count, written + LogOutput.pieceSize)
    do throws(SystemCalls.Failure) {
      let count = try pending.withUnsafeBufferPointer {
        (memory) throws(SystemCalls.Failure) -> Int? in
        try SystemCalls.writeAvailable(
          descriptor, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: memory[written..<end])))
      }
      guard let count else { return false }
      written += count
    } catch {
      // Nobody is left to read; the server goes on without.
      isClosed = true
      written = pending.count
    }
    if !hasPending {
      pending.removeAll(keepingCapacity: pending.capacity < 1 << 17)
      written = 0
    } else if written > 1 << 18 {
      pending.removeFirst(written)
      written = 0
    }
    return true
  }
}
