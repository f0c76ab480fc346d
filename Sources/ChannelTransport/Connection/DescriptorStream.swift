import SystemInterface

/// What a ``DescriptorStream`` calls back.
protocol DescriptorStreamOwner: AnyObject {
  /// A read will not wait.
  func streamIsReadable()
  /// A write will not wait. Only while ``DescriptorStream/awaitsRoom`` is set.
  func streamIsWritable()
  func streamHungUp(_ part: DescriptorStream.HangUp)
}

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
  /// It holds this stream, and a weak reference would make every use of it slower.
  private unowned var owner: (any DescriptorStreamOwner)?
  @exclusivity(unchecked) private var inputWatch: Watch?
  @exclusivity(unchecked) private var outputWatch: Watch?
  @exclusivity(unchecked) private var peeked: PeekedInput?

  /// - Parameter ownsDescriptors: whether ``close()`` closes them.
  init(loop: EventLoop, input: Int32, output: Int32, ownsDescriptors: Bool) {
    SystemCalls.surviveFailedWrites()
    self.loop = loop
    self.input = input
    self.output = output
    self.ownsDescriptors = ownsDescriptors
  }

  /// Starts to watch the input. The owner is called back, and must hold the stream.
  func open(for owner: any DescriptorStreamOwner) {
    self.owner = owner
    if input == output {
      inputWatch = loop.watch(input) { [unowned self] in socketIsReady($0) }
      outputWatch = inputWatch
    } else {
      inputWatch = loop.watch(input) { [unowned self] in inputIsReady($0) }
      outputWatch = loop.watch(output, reads: false) { [unowned self] in outputIsReady($0) }
    }
  }

  /// Lets the loop look for input instead of waiting, where a look cannot wait. Whoever looks does
  /// so with ``look(_:times:)``, and must hold the stream.
  func allowLooks(_ looks: any InputLooks) {
    guard (try? SystemCalls.isNonBlocking(input)) ?? false else { return }
    inputWatch?.looks = looks
    // Others may read standard input after this process.
    if ownsDescriptors { peeked = PeekedInput(input) }
  }

  // The watches must not outlive what they call.
  deinit { close() }

  private func socketIsReady(_ readiness: Readiness) {
    // Writing may end the connection.
    guard let owner else { return }
    if readiness.contains(.writes) { owner.streamIsWritable() }
    guard isOpen else { return }
    if readiness.contains(.reads) { return owner.streamIsReadable() }
    guard !readiness.isDisjoint(with: [.hungUp, .inputEnded]) else { return }
    // It would be told in every round. Who has ended its side and goes then is met when writing.
    noticesHangUp = false
    owner.streamHungUp(readiness.contains(.hungUp) ? .all : .input)
  }

  private func inputIsReady(_ readiness: Readiness) {
    if readiness.contains(.reads) {
      owner?.streamIsReadable()
    } else {
      inputWatch?.noticesHangUp = false
      owner?.streamHungUp(.input)
    }
  }

  private func outputIsReady(_ readiness: Readiness) {
    if readiness.contains(.writes) {
      owner?.streamIsWritable()
    } else {
      outputWatch?.noticesHangUp = false
      owner?.streamHungUp(.all)
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

  /// Reads what is there, looking for it up to so many times. 0 when nothing came, or only the end,
  /// which ``read(_:)`` meets again.
  func look(
    _ memory: UnsafeMutableRawBufferPointer, times: Int
  ) throws(SystemCalls.Failure) -> Int {
    if peeked != nil { return try peeked?.look(memory, times: times) ?? 0 }
    return try SystemCalls.readAvailable(input, into: memory, trying: times) ?? 0
  }

  /// See ``InputLooks/endLooking()``.
  func endLooking() { peeked?.takeOut() }

  /// Writes once; nil when there is no room.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemCalls.Failure) -> Int? {
    try SystemCalls.writeAvailable(output, bytes)
  }

  /// Stops watching and lets go of the descriptors.
  func close() {
    guard let inputWatch else { return }
    // Closing a socket with something in it would be an error to the other side.
    endLooking()
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
