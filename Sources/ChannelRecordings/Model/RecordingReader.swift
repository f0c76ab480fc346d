import SystemInterface

/// Reads a recording of either form, entry by entry, in memory that does not grow with its size.
///
/// What is wrong with an entry is thrown by ``next()``, which may then be called again to go on
/// behind it; ``readAll(onError:_:)`` leaves the choice to a closure.
public final class RecordingReader {
  /// What a reader accepts and keeps.
  public struct Options: Sendable {
    /// Bytes of a payload; larger ones are refused. 64 MiB unless set.
    public var maximumPayload: Int
    /// Whether entries keep the readable decoding beside their payload.
    public var keepsShown: Bool

    public init(maximumPayload: Int = 64 << 20, keepsShown: Bool = false) {
      self.maximumPayload = max(0, min(maximumPayload, 1 << 32))
      self.keepsShown = keepsShown
    }
  }

  /// For messages: a path, or `standard input`.
  public let name: String
  public let form: RecordingForm
  /// The first line; nil where there is none, as in captures.
  public let header: RecordingHeader?
  /// The size of the file in bytes; nil for a pipe.
  public let size: UInt64?

  private let source: any EntrySource
  private var failure: RecordingError?

  /// Opens a file.
  ///
  /// - Throws: when it cannot be read or does not begin as a recording does.
  public convenience init(path: String, options: Options = Options()) throws(RecordingError) {
    let descriptor: Int32
    do throws(SystemCalls.Failure) {
      descriptor = try SystemCalls.openForReading(path)
    } catch {
      throw .system(error, path)
    }
    try self.init(descriptor: descriptor, name: path, closes: true, options: options)
  }

  /// Reads from where an open descriptor stands.
  ///
  /// - Parameters:
  ///   - name: for messages.
  ///   - closes: whether the descriptor is closed with the reader, or by an error thrown here.
  public convenience init(
    descriptor: Int32, name: String, closes: Bool, options: Options = Options()
  ) throws(RecordingError) {
    let window = InputWindow(descriptor: descriptor, closesDescriptor: closes)
    let size: UInt64?
    do throws(SystemCalls.Failure) {
      size = try SystemCalls.fileSize(descriptor)
    } catch {
      throw .system(error, name)
    }
    try self.init(window, name: name, size: size, options: options)
  }

  /// Reads a recording that is in memory.
  public convenience init(
    bytes: [UInt8], name: String = "recording", options: Options = Options()
  ) throws(RecordingError) {
    try self.init(
      InputWindow(bytes: bytes), name: name, size: UInt64(bytes.count), options: options)
  }

  private init(
    _ window: consuming InputWindow, name: String, size: UInt64?, options: Options
  ) throws(RecordingError) {
    self.name = name
    self.size = size
    do throws(SystemCalls.Failure) {
      while window.count < RecordingStart.size, try window.readMore() {}
    } catch {
      throw .system(error, name)
    }
    form = try RecordingStart.form(of: window.bytes, name)
    switch form {
    case .text: source = try TextSource(window, name: name, options: options)
    case .binary: source = try BinarySource(window, name: name, options: options)
    }
    header = source.header
  }

  /// The next entry; nil at the end.
  ///
  /// - Throws: what is wrong with the next entry. Unless the error is fatal, another call goes on
  ///   behind it; after a fatal one the same is thrown again.
  public func next() throws(RecordingError) -> RecordedEvent? {
    if let failure { throw failure }
    do throws(RecordingError) {
      return try source.next()
    } catch {
      if error.isFatal { failure = error }
      throw error
    }
  }

  /// Hands all entries to `body`.
  ///
  /// - Parameter onError: gets what is wrong with an entry and answers whether to go on without it.
  ///   Not asked where nothing more can be read.
  /// - Throws: the error that was not passed over, or that `body` throws.
  public func readAll(
    onError: (RecordingError) -> Bool = { _ in false },
    _ body: (RecordedEvent) throws(RecordingError) -> Void
  ) throws(RecordingError) {
    while true {
      let event: RecordedEvent?
      do throws(RecordingError) {
        event = try next()
      } catch {
        if error.isFatal || !onError(error) { throw error }
        continue
      }
      guard let event else { return }
      try body(event)
    }
  }

  /// Where the entry begins that ``next()`` returned or threw last.
  public var place: RecordingError.Place { source.place }

  /// Set at the end of a recording whose last entry was cut off.
  public var tornTail: TornTail? { source.tornTail }

  /// Bytes from the start of the recording to where the reader is, for a progress bar.
  public var byteOffset: UInt64 { source.byteOffset }

  /// At the end of a text: whether its last entry is whole but lacks the newline behind it.
  var endsWithoutNewline: Bool { source.endsWithoutNewline }
}

/// One of the two forms.
protocol EntrySource: AnyObject {
  var header: RecordingHeader? { get }
  var place: RecordingError.Place { get }
  var tornTail: TornTail? { get }
  var byteOffset: UInt64 { get }
  var endsWithoutNewline: Bool { get }
  func next() throws(RecordingError) -> RecordedEvent?
}
