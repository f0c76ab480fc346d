import SystemInterface

/// The entries of the binary form.
final class BinarySource: EntrySource {
  /// All of the state, so that a call checks once that no other call is under way.
  private var reader: RecordReader
  let header: RecordingHeader?

  init(
    _ window: consuming InputWindow, name: String, options: RecordingReader.Options
  ) throws(RecordingError) {
    var reader = RecordReader(window, name: name, options: options)
    header = try reader.readHeader()
    self.reader = reader
  }

  var place: RecordingError.Place { .byte(reader.recordOffset) }
  var tornTail: TornTail? { reader.tornTail }
  var byteOffset: UInt64 { reader.byteOffset }
  var endsWithoutNewline: Bool { false }
  func next() throws(RecordingError) -> RecordedEvent? { try reader.next() }
}

/// Cuts the binary form into records and hands them to the parser.
struct RecordReader: ~Copyable {
  /// What a record may have beside its payload.
  private static let roomBesidePayload = 1 << 20

  private(set) var tornTail: TornTail?
  /// Where the record at hand begins.
  private(set) var recordOffset: UInt64 = 0

  private var window: InputWindow
  private var parser: RecordParser
  private let name: String
  private let maximumPayload: Int
  /// The record at hand, which is consumed before the next is looked for.
  private var pending = 0
  private var firstEvent: RecordedEvent?
  private var firstError: RecordingError?

  init(_ window: consuming InputWindow, name: String, options: RecordingReader.Options) {
    self.window = window
    self.name = name
    parser = RecordParser(keepsShown: options.keepsShown)
    maximumPayload = options.maximumPayload
  }

  var byteOffset: UInt64 { window.offset }

  /// The header, if the first record is one.
  mutating func readHeader() throws(RecordingError) -> RecordingHeader? {
    guard let record = try nextRecord() else { return nil }
    do throws(RecordingError) {
      switch try content(record) {
      case .header(let text):
        do throws(LineFault) {
          return try HeaderParser.header(text)
        } catch {
          throw RecordingError(
            error.problem, "in the header: \(error.text)", at: .byte(recordOffset), isFatal: true)
        }
      case .event(let event): firstEvent = event
      }
    } catch {
      if error.problem != .recordMalformed { throw error }
      firstError = error
    }
    return nil
  }

  mutating func next() throws(RecordingError) -> RecordedEvent? {
    if let event = firstEvent {
      firstEvent = nil
      return event
    }
    if let error = firstError {
      firstError = nil
      throw error
    }
    // A header in a later segment is that of the recorder that went on.
    while let record = try nextRecord() {
      if case .event(let event) = try content(record) { return event }
    }
    return nil
  }

  // MARK: -

  private mutating func content(_ record: Range<Int>) throws(RecordingError) -> RecordParser.Content
  {
    do throws(RecordFault) {
      return try parser.content(UnsafeRawBufferPointer(rebasing: window.bytes[record]))
    } catch {
      // The records behind count on this one: their times and ids would be wrong.
      throw RecordingError(
        .recordMalformed, "a broken record: \(error.text). What follows cannot be read",
        at: .byte(recordOffset), isFatal: true)
    }
  }

  /// Finds the next record and goes past the signs between segments. The record stays in the
  /// window until the next call.
  private mutating func nextRecord() throws(RecordingError) -> Range<Int>? {
    window.consume(pending)
    pending = 0
    while tornTail == nil {
      recordOffset = window.offset
      while window.count < BinaryFormat.longestVarint, try readMore() {}
      if window.count == 0 { return nil }
      if isAtMagic {
        if window.count < BinaryFormat.magic.count { break }
        try checkMagic()
        window.consume(BinaryFormat.magic.count)
        parser.reset()
        continue
      }
      guard let length = try recordLength() else { break }
      let size = length.bytes &+ length.value
      while window.count < size, try readMore() {}
      if window.count < size { break }
      pending = size
      return length.bytes..<size
    }
    if tornTail == nil { try readTornTail() }
    return nil
  }

  /// A record cannot begin as a segment does: it would have 80 bytes and a tag of kind 7.
  private var isAtMagic: Bool {
    let start = window.bytes.prefix(2)
    return start.elementsEqual(BinaryFormat.magic.prefix(start.count)) && start.count == 2
      || window.offset == 0
  }

  private func checkMagic() throws(RecordingError) {
    if window.bytes.starts(with: BinaryFormat.magic) { return }
    if window.bytes.starts(with: BinaryFormat.magic.prefix(6)), window.bytes[6] != 1 {
      throw RecordingError(
        .unsupportedVersion,
        "a binary recording of version \(window.bytes[6]); this program reads version 1",
        at: .byte(recordOffset), isFatal: true)
    }
    throw RecordingError(
      .recordMalformed, "the sign of a segment is damaged. What follows cannot be read",
      at: .byte(recordOffset), isFatal: true)
  }

  /// The length in front of a record, with its own size; nil where the file ends in it.
  private mutating func recordLength() throws(RecordingError) -> (value: Int, bytes: Int)? {
    var value: UInt64 = 0
    for index in 0..<BinaryFormat.longestVarint {
      guard index < window.count else { return nil }
      let byte = window.bytes[index]
      value |= UInt64(byte & 0x7f) &<< UInt64(index &* 7)
      if byte >= 0x80 { continue }
      if value == 0 {
        throw RecordingError(
          .recordMalformed, "a record of no bytes. What follows cannot be read",
          at: .byte(recordOffset), isFatal: true)
      }
      let limit = UInt64(maximumPayload) + UInt64(Self.roomBesidePayload)
      if value > limit || (index == 9 && byte > 1) {
        throw RecordingError(
          .payloadTooLong,
          "a record of \(value) bytes; at most \(limit) are read. What follows cannot be read",
          at: .byte(recordOffset), isFatal: true)
      }
      return (Int(value), index + 1)
    }
    throw RecordingError(
      .recordMalformed, "a length of more than 64 bits. What follows cannot be read",
      at: .byte(recordOffset), isFatal: true)
  }

  private mutating func readTornTail() throws(RecordingError) {
    tornTail = TornTail(
      place: .byte(recordOffset), byteOffset: recordOffset, byteCount: UInt64(window.count))
    pending = window.count
  }

  private mutating func readMore() throws(RecordingError) -> Bool {
    do throws(SystemCalls.Failure) {
      return try window.readMore()
    } catch {
      throw .system(error, name)
    }
  }
}
