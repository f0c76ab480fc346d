import SystemInterface

/// Reads a socket ahead and takes the bytes out of it later, many messages at a time.
///
/// Taking bytes out of a socket makes room in it. The system wakes the client for that, even where
/// it sleeps until its answer comes; on the same processor that means two switches for nothing. With
/// the bytes left in the socket the client is woken once, by the answer.
struct PeekedInput {
  /// Larger messages are taken out at once: looked at first they would be copied twice.
  static let largest = 2048

  private let socket: Int32
  /// Bytes that have been read and are still in the socket.
  private var left = 0
  /// Whether the last message was small.
  private var peeks = true

  /// nil where the system cannot look behind what it has shown.
  init?(_ socket: Int32) {
    guard SystemCalls.rememberPeeks(socket) else { return nil }
    self.socket = socket
  }

  /// Reads what is there, looking for it up to so many times; 0 when nothing came, or only the end.
  /// ``takeOut()`` must come before any other read and before any wait.
  mutating func look(
    _ memory: UnsafeMutableRawBufferPointer, times: Int
  ) throws(SystemCalls.Failure) -> Int {
    if peeks {
      let part = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(PeekedInput.largest))
      guard let count = try SystemCalls.peekAvailable(socket, into: part, trying: times)
      else { return 0 }
      left &+= count
      // There may be more.
      if count == part.count { peeks = false }
      return count
    }
    takeOut()
    let count = try SystemCalls.readAvailable(socket, into: memory, trying: times) ?? 0
    if count > 0 { peeks = count < PeekedInput.largest }
    return count
  }

  /// Takes what has been read out of the socket.
  mutating func takeOut() {
    while left > 0 {
      let count = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { memory in
        let part = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(left))
        // With so much in it a socket has no failure to report.
        return (try? SystemCalls.readAvailable(socket, into: part)) ?? 0
      }
      left = count > 0 ? left &- count : 0
    }
  }
}
