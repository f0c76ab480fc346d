/// Reading and writing whole texts through file descriptors.
public enum FileDescriptorIO {
  /// Why an input could not be read.
  public enum ReadFailure: Error {
    case system(SystemCalls.Failure)
    case tooLong
  }

  /// All bytes up to the end of the input. One byte past `limit` is enough to refuse the rest.
  public static func readAll(_ descriptor: Int32, limit: Int) throws(ReadFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count: Int
      do throws(SystemCalls.Failure) {
        count = try chunk.withUnsafeMutableBufferPointer {
          (memory) throws(SystemCalls.Failure) -> Int in
          try SystemCalls.readSome(descriptor, into: UnsafeMutableRawBufferPointer(memory))
        }
      } catch {
        throw .system(error)
      }
      if count == 0 { return bytes }
      if count > limit - bytes.count { throw .tooLong }
      bytes += chunk[..<count]
    }
  }

  /// Writes all bytes, waiting for room as often as it takes.
  public static func writeAll(
    _ descriptor: Int32, _ bytes: [UInt8]
  ) throws(SystemCalls.Failure) {
    var start = 0
    while start < bytes.count {
      start += try bytes.withUnsafeBufferPointer {
        (memory) throws(SystemCalls.Failure) -> Int in
        let rest = UnsafeBufferPointer(rebasing: memory[start...])
        return try SystemCalls.writeSome(descriptor, UnsafeRawBufferPointer(rest))
      }
    }
  }
}
