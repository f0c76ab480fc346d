/// Cuts text into lines and takes each apart, for the text framing (`Protocol/frames.md`).
///
/// A line that makes no sense is an event and not the end: a person at a terminal goes on.
public final class LineReader {
  /// What ``next()`` finds.
  public enum Event: Hashable, Sendable {
    /// - Parameter line: the number of the line, from 1.
    case request(LineRequest, line: Int)
    /// A line that makes no sense, and why.
    case refused(LineError)
  }

  /// What is accepted.
  public let limits: FrameLimits

  private var queue = ByteQueue()
  /// How much of the queue has been searched for a line end.
  private var searched = 0
  private var number = 1
  /// The line is longer than the bound: what comes up to its end is thrown away.
  private var isSkipping = false

  /// With no text yet.
  public init(limits: FrameLimits = FrameLimits()) { self.limits = limits }

  /// The longest line that is read: two digits for each byte of the largest payload, the longest
  /// name, and a little for quotes and blanks.
  public var longestLine: Int { limits.maximumPayload * 2 + limits.maximumChannelName + 64 }

  /// Lets `body` write new bytes of the text to the start of the memory it gets, and return how
  /// many they are.
  public func withSpace<Failure: Error>(
    atLeast needed: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let count = try body(queue.space(atLeast: max(needed, 1)))
    queue.commit(count)
    return count
  }

  /// Adds bytes that are in memory already.
  public func feed(_ bytes: some Collection<UInt8>) {
    queue.space(atLeast: bytes.count).copyBytes(from: bytes)
    queue.commit(bytes.count)
  }

  /// The next line that asks for something, or nil while more text is needed.
  public func next() -> Event? {
    while true {
      let bytes = queue.bytes
      guard let end = bytes[searched...].firstIndex(of: 0x0a) else {
        searched = bytes.count
        return isSkipping || searched > longestLine ? skipRest() : nil
      }
      let event = isSkipping ? nil : self.event(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
      queue.consume(end + 1)
      searched = 0
      number += 1
      isSkipping = false
      if let event { return event }
    }
  }

  /// What stands in the last line when that has no line end. To be called at the end of the text,
  /// after ``next()`` has nothing more.
  public func finish() -> Event? {
    let event = isSkipping ? nil : self.event(queue.bytes)
    queue.consume(queue.count)
    searched = 0
    return event
  }

  private func event(_ line: UnsafeRawBufferPointer) -> Event? {
    if line.count > longestLine { return .refused(tooLong) }
    // Line ends of Windows.
    let text = line.last == 0x0d ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    var parser = LineParser(text, number: number, limits: limits)
    do throws(LineError) {
      return try parser.parse().map { .request($0, line: number) }
    } catch {
      return .refused(error)
    }
  }

  private func skipRest() -> Event? {
    let isNew = !isSkipping
    isSkipping = true
    queue.consume(queue.count)
    searched = 0
    return isNew ? .refused(tooLong) : nil
  }

  private var tooLong: LineError {
    LineError(
      line: number, column: longestLine + 1, "the line is longer than \(longestLine) bytes")
  }
}
