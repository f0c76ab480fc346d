import SystemInterface

/// The two directions of one connection: a socket, which is both, or a pair of pipes. Owns the
/// descriptors unless they are the process's standard streams.
final class DescriptorStream {
  enum Reading {
    case some
    /// Nothing there at the moment.
    case none
    case end
  }

  /// What has been closed at the other end while nobody was reading here.
  enum HangUp {
    /// Nothing more comes than what waits to be read.
    case input
    /// Nobody reads any more what is written.
    case all
  }

  private let loop: EventLoop
  private let input: Int32
  private let output: Int32
  private let ownsDescriptors: Bool
  private var inputWatch: Watch?
  private var outputWatch: Watch?

  /// Starts to watch the input.
  ///
  /// - Parameters:
  ///   - ownsDescriptors: whether ``close()`` closes them.
  ///   - onReadable: is called when a read will not wait.
  ///   - onWritable: is called when a write will not wait, while ``awaitsRoom`` is set.
  init(
    loop: EventLoop, input: Int32, output: Int32, ownsDescriptors: Bool,
    onReadable: @escaping () -> Void, onWritable: @escaping () -> Void,
    onHangUp: @escaping (HangUp) -> Void
  ) {
    SystemCalls.surviveFailedWrites()
    self.loop = loop
    self.input = input
    self.output = output
    self.ownsDescriptors = ownsDescriptors
    if input == output {
      inputWatch = loop.watch(input) { [weak self] readiness in
        if readiness.contains(.writes) { onWritable() }
        if readiness.contains(.reads) { return onReadable() }
        guard readiness.contains(.hungUp), let self else { return }
        noticesHangUp = false
        onHangUp(.all)
      }
      outputWatch = inputWatch
    } else {
      inputWatch = loop.watch(input) { [weak self] readiness in
        if readiness.contains(.reads) { return onReadable() }
        self?.inputWatch?.noticesHangUp = false
        onHangUp(.input)
      }
      outputWatch = loop.watch(output, reads: false) { [weak self] readiness in
        if readiness.contains(.writes) { return onWritable() }
        self?.outputWatch?.noticesHangUp = false
        onHangUp(.all)
      }
    }
  }

  var isOpen: Bool { inputWatch != nil }

  /// Whether to call back when there is something to read. While that is off, a hang-up is told.
  var reads: Bool {
    get { inputWatch?.reads ?? false }
    set {
      guard newValue != reads else { return }
      inputWatch?.reads = newValue
      noticesHangUp = !newValue
    }
  }

  private var noticesHangUp: Bool {
    get { inputWatch?.noticesHangUp ?? false }
    set {
      inputWatch?.noticesHangUp = newValue
      outputWatch?.noticesHangUp = newValue
    }
  }

  /// Whether to call back when there is room to write.
  var awaitsRoom: Bool {
    get { outputWatch?.writes ?? false }
    set { outputWatch?.writes = newValue }
  }

  func read(
    _ memory: UnsafeMutableRawBufferPointer
  ) throws(SystemCalls.Failure) -> (count: Int, reading: Reading) {
    guard let count = try SystemCalls.readAvailable(input, into: memory) else { return (0, .none) }
    return (count, count == 0 ? .end : .some)
  }

  /// Writes once; nil when there is no room.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemCalls.Failure) -> Int? {
    try SystemCalls.writeAvailable(output, bytes)
  }

  /// Stops watching and lets go of the descriptors.
  func close() {
    guard let inputWatch else { return }
    loop.unwatch(inputWatch)
    if let outputWatch, outputWatch !== inputWatch { loop.unwatch(outputWatch) }
    self.inputWatch = nil
    outputWatch = nil
    guard ownsDescriptors else { return }
    SystemCalls.closeDescriptor(input)
    if output != input { SystemCalls.closeDescriptor(output) }
  }

  /// The user at the other end of a socket.
  func peerUserID() throws(SystemCalls.Failure) -> UInt32 { try SystemCalls.peerUserID(input) }
}
