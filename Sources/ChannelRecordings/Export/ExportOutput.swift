import SystemInterface

/// A file that an export is written to, in large pieces.
public final class ExportOutput {
  private let descriptor: Int32
  private let closesDescriptor: Bool
  private let name: String
  private var pending: [UInt8] = []
  /// Bytes handed over so far.
  public private(set) var count: UInt64 = 0
  /// Whoever read the output has gone, as `head` does.
  public private(set) var isAbandoned = false

  /// Makes a file, or empties the one that is there.
  public init(path: String) throws(RecordingError) {
    do throws(SystemCalls.Failure) {
      descriptor = try SystemCalls.openForWriting(path, .replacing)
    } catch {
      throw .system(error, path)
    }
    closesDescriptor = true
    name = path
  }

  /// Writes to an open descriptor, which stays open.
  public init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    closesDescriptor = false
    self.name = name
  }

  deinit {
    if closesDescriptor { SystemCalls.closeDescriptor(descriptor) }
  }

  /// Has `body` add bytes.
  func write(_ body: (inout [UInt8]) -> Void) throws(RecordingError) {
    let before = pending.count
    body(&pending)
    count += UInt64(pending.count - before)
    if pending.count >= 256 << 10 { try flush() }
  }

  /// Brings out what is still gathered.
  public func flush() throws(RecordingError) {
    if pending.isEmpty { return }
    do throws(SystemCalls.Failure) {
      try FileDescriptorIO.writeAll(descriptor, pending)
    } catch {
      isAbandoned = error.isBrokenPipe
      throw .system(error, name)
    }
    pending.removeAll(keepingCapacity: pending.capacity <= 4 << 20)
  }
}
