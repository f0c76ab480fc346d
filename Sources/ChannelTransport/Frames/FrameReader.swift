import ChannelRouter

/// Cuts a stream of bytes into frames, and checks everything that a frame promises.
///
/// Bytes are read straight into the reader's memory, which grows with what has come and never with
/// what a length field announces. After an error that is thrown the stream has no more frames.
/// `Protocol/frames.md` is the contract.
public final class FrameReader {
  /// What ``next()`` finds.
  public enum Event: Hashable, Sendable {
    case frame(Frame)
    /// A frame with a payload larger than the limit. It is skipped, and the stream goes on.
    case tooLong(FrameHead)
    /// A frame of a kind not known here, flagged optional. It is skipped.
    case skippedOptional(kind: UInt8)
  }

  /// All of the state, so that a call checks once that no other call is under way.
  @exclusivity(unchecked) private var parser: FrameParser

  /// - Parameter expectsHello: false for a stream that begins in the middle of a conversation.
  ///   Otherwise a hello comes first, or an error in its place.
  public init(limits: FrameLimits = FrameLimits(), expectsHello: Bool = true) {
    parser = FrameParser(limits: limits, expectsHello: expectsHello)
  }

  /// What is accepted; set once.
  public var limits: FrameLimits { parser.limits }

  /// Whether the stream stands between two frames: an end here is a clean one.
  public var isBetweenFrames: Bool { parser.isBetweenFrames }

  /// All bytes that have come so far.
  public var receivedByteCount: UInt64 { parser.receivedByteCount }

  /// Lets `body` write new bytes of the stream to the start of the memory it gets, and return how
  /// many they are. There is room for at least `needed`, or for what is missing of a large payload.
  /// ``next()`` is to be asked until it has nothing before this is called again.
  public func withSpace<Failure: Error>(
    atLeast needed: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    try parser.withSpace(atLeast: needed, body)
  }

  /// Adds bytes that are in memory already.
  public func feed(_ bytes: some Collection<UInt8>) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = withSpace(atLeast: rest.count) { space in
        let count = min(space.count, rest.count)
        UnsafeMutableRawBufferPointer(rebasing: space[..<count]).copyBytes(from: rest.prefix(count))
        return count
      }
      rest = rest.dropFirst(count)
    }
  }

  /// The next event, or nil while more bytes are needed.
  ///
  /// - Throws: what ends the stream; the same again if asked again.
  public func next() throws(FrameError) -> Event? { try parser.next() }

  /// To be called at the end of the stream, after ``next()`` has nothing more.
  ///
  /// - Throws: ``FrameProblem/frameIncomplete`` when the stream ends inside a frame.
  public func finish() throws(FrameError) { try parser.finish() }
}
