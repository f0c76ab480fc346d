import SystemInterface

/// Writes a recording of either form, only ever at its end. Each entry is one write to the system,
/// so that a writer that is killed loses the entry at hand at most.
///
/// After an error the file ends with the last whole entry, and nothing more is written.
public final class RecordingWriter {
  /// What becomes of a file that is there.
  public enum Mode: Sendable {
    /// It is emptied.
    case replacing
    /// Entries are added behind its own; a torn one at its end is cut off.
    case appending
    /// It is refused.
    case creating
  }

  /// How entries reach the disk.
  public struct Options: Sendable {
    /// Bytes to gather before they are written; 0 writes each entry at once. For conversions,
    /// where nothing is lost with the process.
    public var gatheredBytes: Int
    /// Whether each write waits for the disk: what was written outlives a power cut.
    public var synchronizes: Bool
    /// Whether the text form has everything escaped that could steer a terminal. It means the same,
    /// but is not byte for byte what a file holds.
    public var isForTerminals: Bool

    public init(
      gatheredBytes: Int = 0, synchronizes: Bool = false, isForTerminals: Bool = false
    ) {
      self.gatheredBytes = gatheredBytes
      self.synchronizes = synchronizes
      self.isForTerminals = isForTerminals
    }
  }

  /// For messages: a path.
  public let name: String
  public let form: RecordingForm
  /// What was cut off the end of the file that is written on.
  public private(set) var repairedTail: TornTail?
  /// The sequence for the next entry where the file had entries before; else 0.
  public private(set) var nextSequence: UInt64 = 0
  /// An id that no message of the file has, and none above it; 0 where there was none.
  public private(set) var nextID: UInt64 = 0
  /// The latest time in the file, and its header, where it had entries before.
  public private(set) var present: (microseconds: Int64, header: RecordingHeader?)?

  private let descriptor: Int32
  private let closesDescriptor: Bool
  private let options: Options
  private var text = RecordingText()
  private var packer = BinaryPacker()
  private var gathered: [UInt8] = []
  /// Bytes of whole entries in the file; nil for a pipe.
  private var wholeSize: UInt64?
  private var failure: RecordingError?

  /// Opens a file, and writes the header unless entries are added to those that are there.
  ///
  /// - Parameters:
  ///   - form: nil for that of the file that is there, or by the end of its name.
  ///   - header: nil for none, as captures have it.
  /// - Throws: when the file cannot be opened or written, or is no recording to be added to.
  public convenience init(
    path: String, form: RecordingForm? = nil, mode: Mode, header: RecordingHeader?,
    options: Options = Options()
  ) throws(RecordingError) {
    let present = mode == .appending ? try RecordingEnd(path: path, form: form) : nil
    let descriptor: Int32
    do throws(SystemCalls.Failure) {
      let system: SystemCalls.WriteMode =
        switch mode {
        case .replacing: .replacing
        case .appending: .appending
        case .creating: .creating
        }
      descriptor = try SystemCalls.openForWriting(path, system)
    } catch {
      throw .system(error, path)
    }
    try self.init(
      descriptor: descriptor, name: path, closes: true,
      form: present?.form ?? form ?? RecordingForm(path: path), end: present, header: header,
      options: options)
  }

  /// Writes to an open descriptor, from where it stands.
  ///
  /// - Parameters:
  ///   - name: for messages.
  ///   - closes: whether the descriptor is closed with the writer, or by an error thrown here.
  public convenience init(
    descriptor: Int32, name: String, closes: Bool, form: RecordingForm, header: RecordingHeader?,
    options: Options = Options()
  ) throws(RecordingError) {
    try self.init(
      descriptor: descriptor, name: name, closes: closes, form: form, end: nil, header: header,
      options: options)
  }

  private init(
    descriptor: Int32, name: String, closes: Bool, form: RecordingForm, end: RecordingEnd?,
    header: RecordingHeader?, options: Options
  ) throws(RecordingError) {
    self.descriptor = descriptor
    self.name = name
    closesDescriptor = closes
    self.form = form
    self.options = options
    if let end {
      repairedTail = end.tornTail
      nextSequence = end.nextSequence
      nextID = end.nextID
      present = (end.microseconds, end.header)
      try system { () throws(SystemCalls.Failure) in
        if end.tornTail != nil { try SystemCalls.resizeFile(descriptor, to: end.size) }
      }
    }
    try system { () throws(SystemCalls.Failure) in
      wholeSize = try SystemCalls.fileSize(descriptor)
    }
    if let end, end.lacksNewline { gathered.append(0x0a) }
    if form == .binary { gathered += BinaryFormat.magic }
    if let header, end?.isEmpty ?? true {
      switch form {
      case .text:
        let start = gathered.count
        gathered += text.line(header)
        gathered.append(0x0a)
        if options.isForTerminals { RecordingText.makeFitForTerminal(&gathered, from: start) }
      case .binary: packer.append(header: text.line(header), to: &gathered)
      }
    }
    if options.gatheredBytes == 0 { try flush() }
  }

  deinit {
    if closesDescriptor { SystemCalls.closeDescriptor(descriptor) }
  }

  /// Adds an entry.
  ///
  /// - Throws: when the system takes no more: a full disk. The same again from then on.
  public func append(_ event: RecordedEvent) throws(RecordingError) {
    if let failure { throw failure }
    switch form {
    case .text:
      let start = gathered.count
      text.append(event, to: &gathered)
      if options.isForTerminals { RecordingText.makeFitForTerminal(&gathered, from: start) }
    case .binary: packer.append(event, to: &gathered)
    }
    if gathered.count > options.gatheredBytes { try flush() }
  }

  /// Writes what was gathered.
  public func flush() throws(RecordingError) {
    if let failure { throw failure }
    if gathered.isEmpty { return }
    do throws(SystemCalls.Failure) {
      try FileDescriptorIO.writeAll(descriptor, gathered)
      if options.synchronizes { try SystemCalls.synchronize(descriptor) }
    } catch {
      // What got through of it would be a torn entry.
      if let wholeSize { try? SystemCalls.resizeFile(descriptor, to: wholeSize) }
      gathered = []
      let failure = RecordingError.system(error, name)
      self.failure = failure
      throw failure
    }
    if let size = wholeSize { wholeSize = size + UInt64(gathered.count) }
    gathered.removeAll(keepingCapacity: gathered.capacity <= 1 << 20)
  }

  private func system(
    _ call: () throws(SystemCalls.Failure) -> Void
  ) throws(RecordingError) {
    do throws(SystemCalls.Failure) {
      try call()
    } catch {
      throw .system(error, name)
    }
  }
}

/// The end of a recording that entries are added to.
struct RecordingEnd {
  var form: RecordingForm
  /// Bytes of whole entries.
  var size: UInt64 = 0
  var tornTail: TornTail?
  /// The last entry is whole but for the newline behind it.
  var lacksNewline = false
  var nextSequence: UInt64 = 0
  var nextID: UInt64 = 0
  var microseconds: Int64 = 0
  var header: RecordingHeader?
  var isEmpty = true

  /// Reads the recording through. nil when there is no file, or an empty one.
  ///
  /// - Throws: for what is no recording, or one of another form.
  init?(path: String, form: RecordingForm?) throws(RecordingError) {
    let descriptor: Int32
    do throws(SystemCalls.Failure) {
      descriptor = try SystemCalls.openForReading(path)
    } catch {
      if error.isMissing { return nil }
      throw .system(error, path)
    }
    let reader = try RecordingReader(descriptor: descriptor, name: path, closes: true)
    guard let total = reader.size else {
      throw RecordingError(.system, "\(path) is no file, so nothing can be added to it")
    }
    if total == 0 { return nil }
    self.form = reader.form
    if let form, form != reader.form {
      throw RecordingError(
        .notARecording,
        "\(path) is a recording in \(reader.form.rawValue) form; "
          + "add to it in that form or write to another file")
    }
    header = reader.header
    isEmpty = header == nil
    // A line at fault is the user's; it is neither judged nor changed here.
    while true {
      do throws(RecordingError) {
        guard let event = try reader.next() else { break }
        isEmpty = false
        nextSequence = event.sequence &+ 1
        nextID = max(nextID, event.id &+ 1)
        microseconds = max(microseconds, event.microseconds)
      } catch {
        if error.isFatal { throw error }
      }
    }
    tornTail = reader.tornTail
    size = tornTail?.byteOffset ?? total
    lacksNewline = reader.form == .text && tornTail == nil && reader.endsWithoutNewline
  }
}
