import ChannelTransport
import SystemInterface

/// Passes bytes on from one descriptor to another, untouched, and shows them to someone. Reads no
/// further than it can write: who is slow at one end slows the other.
final class ByteRelay {
  private static let capacity = 64 << 10

  private let loop: EventLoop
  private let source: Int32
  private let sink: Int32
  private let onBytes: (UnsafeRawBufferPointer) -> Void
  private let onEnd: (SystemCalls.Failure?) -> Void
  /// Either of them, by what is waited for. Two at a time for each relay would be twice as many as
  /// there are descriptors, and the system waits for no more than it allows to be open.
  private var input: Watch?
  private var output: Watch?
  private var buffer = [UInt8](repeating: 0, count: capacity)
  private var start = 0
  private var end = 0
  private var isSourceAtEnd = false

  /// Starts to relay. The descriptors are non-blocking and stay the caller's to close.
  ///
  /// - Parameters:
  ///   - onBytes: sees what has come, before it goes on.
  ///   - onEnd: is called once, when all that came has been written, or with what went wrong.
  init(
    on loop: EventLoop, from source: Int32, to sink: Int32,
    onBytes: @escaping (UnsafeRawBufferPointer) -> Void,
    onEnd: @escaping (SystemCalls.Failure?) -> Void
  ) {
    self.loop = loop
    self.source = source
    self.sink = sink
    self.onBytes = onBytes
    self.onEnd = onEnd
    awaitInput()
  }

  private func awaitInput() {
    if let output { loop.unwatch(output) }
    output = nil
    if input == nil { input = loop.watch(source) { [weak self] _ in self?.read() } }
  }

  private func awaitRoom() {
    if let input { loop.unwatch(input) }
    input = nil
    if output == nil {
      output = loop.watch(sink, reads: false, writes: true) { [weak self] _ in self?.write() }
    }
  }

  /// Stops watching. ``onEnd`` is not called.
  func stop() {
    if let input { loop.unwatch(input) }
    if let output { loop.unwatch(output) }
    (input, output) = (nil, nil)
  }

  private func read() {
    guard input != nil, start == end, !isSourceAtEnd else { return }
    var failure: SystemCalls.Failure?
    var count: Int?
    buffer.withUnsafeMutableBytes { memory in
      do throws(SystemCalls.Failure) {
        count = try SystemCalls.readAvailable(source, into: memory)
      } catch {
        failure = error
      }
    }
    if let failure { return finish(failure.isBrokenPipe ? nil : failure) }
    guard let count else { return }
    if count == 0 { return finish(nil) }
    (start, end) = (0, count)
    buffer.withUnsafeBytes { onBytes(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    write()
  }

  private func write() {
    var failure: SystemCalls.Failure?
    while start < end, failure == nil {
      var count: Int?
      buffer.withUnsafeBytes { memory in
        do throws(SystemCalls.Failure) {
          count = try SystemCalls.writeAvailable(
            sink, UnsafeRawBufferPointer(rebasing: memory[start..<end]))
        } catch {
          failure = error
        }
      }
      guard let count else { break }
      start += count
    }
    if let failure { return finish(failure) }
    if start < end { awaitRoom() } else { awaitInput() }
  }

  private func finish(_ failure: SystemCalls.Failure?) {
    isSourceAtEnd = true
    stop()
    onEnd(failure)
  }
}
