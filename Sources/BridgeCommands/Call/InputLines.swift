import ChannelTransport
import SystemInterface

/// The lines of standard input, read as they come while a loop runs, and no further than one whole
/// line: whoever writes more has to wait. The descriptor stays blocking: it is read once after each
/// report that there is something.
final class InputLines {
  static let longestLine = 64 << 20
  private static let chunkSize = 64 << 10

  private let loop: EventLoop
  private var watch: Watch?
  private var pending: [UInt8] = []
  private var start = 0
  /// Up to here there is no end of a line.
  private var searched = 0
  private var hasEnded = false
  private var number = 0
  private var failure: CommandFailure?
  private let descriptor: Int32

  init(loop: EventLoop, descriptor: Int32 = 0) {
    (self.loop, self.descriptor) = (loop, descriptor)
    watch = loop.watch(descriptor) { [weak self] _ in self?.read() }
  }

  deinit { if let watch { loop.unwatch(watch) } }

  /// Whether ``next()`` has something to tell.
  var isReady: Bool { hasEnded || endOfLine() != nil }

  /// Bytes that have been read and not been used.
  var pendingCount: Int { pending.count - start }

  /// The next line without its end, and its number; nil at the end of the input.
  func next() throws(CommandFailure) -> (bytes: [UInt8], number: Int)? {
    if let failure { throw failure }
    guard let end = endOfLine() ?? (hasEnded && start < pending.count ? pending.count : nil) else {
      return nil
    }
    let line = Array(pending[start..<end])
    start = min(end + 1, pending.count)
    searched = start
    number += 1
    watch?.reads = endOfLine() == nil
    return (line, number)
  }

  private func endOfLine() -> Int? {
    let found = pending.withUnsafeBytes { memory in
      SystemCalls.firstIndex(
        of: UInt8(ascii: "\n"), in: UnsafeRawBufferPointer(rebasing: memory[searched...]))
    }
    // What was found is where the next search begins.
    searched = found.map { searched + $0 } ?? pending.count
    return found == nil ? nil : searched
  }

  private func read() {
    guard endOfLine() == nil else { return }
    var chunk = [UInt8](repeating: 0, count: InputLines.chunkSize)
    do throws(SystemCalls.Failure) {
      let count = try chunk.withUnsafeMutableBufferPointer {
        (memory) throws(SystemCalls.Failure) -> Int in
        try SystemCalls.readSome(descriptor, into: UnsafeMutableRawBufferPointer(memory))
      }
      if start > 0 {
        pending.removeFirst(start)
        (start, searched) = (0, searched - start)
      }
      pending += chunk[..<count]
      if count == 0 { end() }
    } catch {
      failure = .trouble("cannot read standard input: \(error.text)")
      end()
    }
    let lineEnd = endOfLine()
    watch?.reads = lineEnd == nil
    if (lineEnd ?? pending.count) - start > InputLines.longestLine {
      failure = .trouble("a line of standard input is longer than 64 MiB")
      end()
    }
  }

  private func end() {
    hasEnded = true
    if let watch { loop.unwatch(watch) }
    watch = nil
  }
}
