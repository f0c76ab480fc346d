import SystemInterface

/// The entries of the text form.
final class TextSource: EntrySource {
  /// All of the state, so that a call checks once that no other call is under way.
  private var reader: LineReader
  let header: RecordingHeader?

  init(
    _ window: consuming InputWindow, name: String, options: RecordingReader.Options
  ) throws(RecordingError) {
    var reader = LineReader(window, name: name, options: options)
    header = try reader.readHeader()
    self.reader = reader
  }

  var place: RecordingError.Place { .line(reader.lineNumber, column: nil) }
  var tornTail: TornTail? { reader.tornTail }
  var byteOffset: UInt64 { reader.byteOffset }
  var endsWithoutNewline: Bool { reader.endsWithoutNewline }
  func next() throws(RecordingError) -> RecordedEvent? { try reader.next() }
}

/// Cuts the text form into lines and hands them to the parser.
struct LineReader: ~Copyable {
  /// What a line may have beside the digits of its payload.
  private static let roomBesidePayload = 1 << 20

  private(set) var lineNumber: UInt64 = 0
  private(set) var tornTail: TornTail?
  private(set) var endsWithoutNewline = false

  private var window: InputWindow
  private var parser: LineParser
  private let name: String
  private let maximumLine: Int
  /// The line at hand, which is consumed before the next is looked for.
  private var pending = 0
  private var hasStarted = false

  init(_ window: consuming InputWindow, name: String, options: RecordingReader.Options) {
    self.window = window
    self.name = name
    parser = LineParser(
      maximumPayload: options.maximumPayload, keepsShown: options.keepsShown)
    maximumLine = options.maximumPayload * 2 + Self.roomBesidePayload
  }

  var byteOffset: UInt64 { window.offset }

  /// The header, if the first line is one.
  mutating func readHeader() throws(RecordingError) -> RecordingHeader? {
    if window.bytes.starts(with: RecordingStart.byteOrderMark) { window.consume(3) }
    while let line = try nextLine() {
      let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<line.count])
      if Self.isBlank(bytes) { continue }
      guard HeaderParser.isHeader(bytes) else {
        // An entry: to be read again.
        pending = 0
        lineNumber -= 1
        return nil
      }
      do throws(LineFault) {
        return try HeaderParser.header(bytes)
      } catch {
        if !line.isWhole {
          setTornTail(line.count)
          return nil
        }
        throw located(error, isFatal: true)
      }
    }
    return nil
  }

  mutating func next() throws(RecordingError) -> RecordedEvent? {
    while let line = try nextLine() {
      let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<line.count])
      if bytes.first != UInt8(ascii: "{"), Self.isBlank(bytes) { continue }
      do throws(LineFault) {
        return try parser.event(bytes)
      } catch {
        if !line.isWhole {
          setTornTail(line.count)
          return nil
        }
        if HeaderParser.isHeader(bytes) {
          throw RecordingError(
            .headerMalformed,
            "a header in the middle: two recordings in one file? Their times do not go together",
            at: .line(lineNumber, column: nil))
        }
        throw located(error, isFatal: false)
      }
    }
    return nil
  }

  // MARK: -

  private struct Line {
    /// Bytes at the start of the window, without the line's end.
    var count: Int
    /// False for the last line when it has no end.
    var isWhole: Bool
  }

  /// Finds the next line; it stays at the start of the window until the next call.
  private mutating func nextLine() throws(RecordingError) -> Line? {
    window.consume(pending)
    pending = 0
    if tornTail != nil { return nil }
    var searched = 0
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: window.bytes[searched...])
      if let end = SystemCalls.firstIndex(of: 0x0a, in: rest) {
        lineNumber &+= 1
        let count = searched &+ end
        pending = count &+ 1
        if count > maximumLine { throw tooLong() }
        return Line(count: count, isWhole: true)
      }
      searched = window.count
      if searched > maximumLine {
        lineNumber &+= 1
        try skipLine()
        if tornTail != nil { return nil }
        throw tooLong()
      }
      if try readMore() { continue }
      if searched == 0 { return nil }
      lineNumber &+= 1
      pending = searched
      endsWithoutNewline = true
      return Line(count: searched, isWhole: false)
    }
  }

  private mutating func skipLine() throws(RecordingError) {
    let start = window.offset
    while true {
      if let end = SystemCalls.firstIndex(of: 0x0a, in: window.bytes) {
        window.consume(end + 1)
        return
      }
      window.consume(window.count)
      if try !readMore() {
        tornTail = TornTail(
          place: .line(lineNumber, column: nil), byteOffset: start,
          byteCount: window.offset - start)
        return
      }
    }
  }

  private mutating func setTornTail(_ count: Int) {
    tornTail = TornTail(
      place: .line(lineNumber, column: nil), byteOffset: window.offset, byteCount: UInt64(count))
  }

  private mutating func readMore() throws(RecordingError) -> Bool {
    do throws(SystemCalls.Failure) {
      return try window.readMore()
    } catch {
      throw .system(error, name)
    }
  }

  private static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
    line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
  }

  private func tooLong() -> RecordingError {
    RecordingError(
      .lineTooLong,
      "a line of more than \(maximumLine) bytes, which is passed over; "
        + "the limit follows from that of payloads",
      at: .line(lineNumber, column: nil))
  }

  private func located(_ fault: LineFault, isFatal: Bool) -> RecordingError {
    RecordingError(
      fault.problem, fault.text, at: .line(lineNumber, column: fault.offset.map { $0 + 1 }),
      isFatal: isFatal)
  }
}
