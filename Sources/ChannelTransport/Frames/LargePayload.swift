/// A payload that is read into the array which the frame gets. The array grows with the bytes that
/// have come; the length field only says where to stop.
struct LargePayload {
  /// What a side that announces much and sends next to nothing can make this side hold.
  private static let smallestArray = 64 << 10

  let frame: Frame
  let length: Int
  private(set) var bytes: [UInt8]
  private(set) var received: Int

  /// - Parameter start: the part of the payload that is here already.
  init(frame: Frame, length: Int, start: UnsafeRawBufferPointer) {
    self.frame = frame
    self.length = length
    received = start.count
    bytes = [UInt8](start)
    grow(to: max(start.count * 2, Self.smallestArray))
  }

  var isWhole: Bool { received == length }
  /// Bytes of the frame still to come, padding included.
  var missing: Int { padded(length) - received }

  /// Lets `body` write the bytes that follow; nil when the payload is whole.
  mutating func fill<Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int? {
    if isWhole { return nil }
    if received == bytes.count { grow(to: received * 4) }
    let start = received
    let outcome = bytes.withUnsafeMutableBufferPointer { memory -> Result<Int, Failure> in
      let all = UnsafeMutableRawBufferPointer(memory)
      let space = UnsafeMutableRawBufferPointer(rebasing: all[start...])
      do throws(Failure) {
        return .success(try body(space))
      } catch {
        return .failure(error)
      }
    }
    let count = try outcome.get()
    precondition(count >= 0 && count <= bytes.count - received, "more bytes than there was space")
    received += count
    return count
  }

  private mutating func grow(to size: Int) {
    let size = min(size, length)
    bytes.reserveCapacity(size)
    bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
  }
}
