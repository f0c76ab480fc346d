import SystemInterface

/// What can be wrong with a recording. The raw values are stable.
public enum RecordingProblem: String, Sendable, CaseIterable {
  /// The system refused to open, read or write.
  case system = "system"
  /// The first bytes are those of something else.
  case notARecording = "not-a-recording"
  /// A version that is not known here.
  case unsupportedVersion = "unsupported-version"
  /// A header that cannot be understood, or one in the middle.
  case headerMalformed = "header-malformed"
  /// Not one JSON object on a line.
  case invalidJSON = "invalid-json"
  case fieldMissing = "field-missing"
  case fieldRepeated = "field-repeated"
  /// A field whose value is of the wrong type or none of those that it may have.
  case fieldInvalid = "field-invalid"
  /// A number that does not fit.
  case numberTooLarge = "number-too-large"
  case invalidHex = "invalid-hex"
  /// Over the reader's limit.
  case payloadTooLong = "payload-too-long"
  case lineTooLong = "line-too-long"
  /// More than fits in the memory that it may take.
  case recordingTooLong = "recording-too-long"
  /// A record of the binary form that contradicts itself.
  case recordMalformed = "record-malformed"
}

/// A problem with its place, the reason, and what to do.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where in a recording.
  public enum Place: Hashable, Sendable {
    /// Lines and columns count from 1, columns in bytes.
    case line(UInt64, column: Int?)
    /// Bytes from the start of the file.
    case byte(UInt64)
  }

  public var problem: RecordingProblem
  /// nil where no place in the file is at fault.
  public var place: Place?
  /// One line: what was found, and what was expected or what to do.
  public var text: String
  /// Nothing can be read after it. After any other the reader goes on behind the entry at fault.
  public var isFatal: Bool

  /// - Parameter isFatal: whether the rest of the recording is out of reach.
  public init(
    _ problem: RecordingProblem, _ text: String, at place: Place? = nil, isFatal: Bool = false
  ) {
    self.problem = problem
    self.place = place
    self.text = text
    self.isFatal = isFatal
  }

  /// Place and words in one line.
  public var description: String {
    switch place {
    case .line(let line, let column?): "line \(line), column \(column): \(text)"
    case .line(let line, nil): "line \(line): \(text)"
    case .byte(let offset): "byte \(offset): \(text)"
    case nil: text
    }
  }

  /// From an error of the system: `shop.jsonl: No space left on device`.
  static func system(_ failure: SystemCalls.Failure, _ name: String) -> RecordingError {
    RecordingError(.system, "\(name): \(failure.text)", isFatal: true)
  }
}

/// The rest of an entry whose writer was stopped in the middle of it, at the end of a recording.
public struct TornTail: Hashable, Sendable, CustomStringConvertible {
  /// Where the torn entry begins.
  public var place: RecordingError.Place
  /// From the start of the file.
  public var byteOffset: UInt64
  /// What there is of the entry.
  public var byteCount: UInt64

  /// One line for people.
  public var description: String {
    let what =
      switch place {
      case .line(let line, _): "line \(line)"
      case .byte(let offset): "the record at byte \(offset)"
      }
    return "\(what) was cut off after \(byteCount) bytes and is skipped; "
      + "the recorder was stopped while it wrote it"
  }
}
