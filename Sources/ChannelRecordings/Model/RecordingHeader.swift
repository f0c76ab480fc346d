/// The first line of a recording. Captures have none.
public struct RecordingHeader: Hashable, Sendable {
  /// The version of the format that is written here.
  public static let currentVersion: UInt64 = 1

  /// The version of the format.
  public var version: UInt64 { didSet { source = nil } }
  /// The wall clock at microsecond 0, in microseconds since 1970-01-01 00:00 UTC.
  public var startMicroseconds: Int64? { didSet { source = nil } }
  /// Name and version of what recorded.
  public var software: String? { didSet { source = nil } }
  /// Codecs that are known rather than guessed.
  public var codecs: ChannelCodecMap { didSet { source = nil } }
  /// Options of the device that was recorded, such as `handler` = `guide`.
  public var options: [Option] { didSet { source = nil } }
  /// Anything, as one JSON value on one line; kept as it is.
  public var metadata: [UInt8]? { didSet { source = nil } }
  /// Members without a meaning here, as JSON without the outer braces; kept as they are.
  public var unknownFields: [UInt8] { didSet { source = nil } }
  /// The line that the header was read from, without its end: written again as it is while
  /// nothing changes.
  public internal(set) var source: [UInt8]?

  /// A device option.
  public struct Option: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A header of the current version.
  public init(
    startMicroseconds: Int64? = nil, software: String? = nil, codecs: ChannelCodecMap = .init(),
    options: [Option] = [], metadata: [UInt8]? = nil
  ) {
    version = Self.currentVersion
    self.startMicroseconds = startMicroseconds
    self.software = software
    self.codecs = codecs
    self.options = options
    self.metadata = metadata
    unknownFields = []
    source = nil
  }
}
