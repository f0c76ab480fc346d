/// Why a message could not be decoded or a value not encoded: what, where, expected and found.
public struct CodecError: Error, Sendable {
  /// What went wrong. The raw values are stable: the vectors and the command line use them.
  public enum Code: String, Sendable, CaseIterable {
    /// No message where one is needed (not the same as an empty one).
    case noMessage
    /// A message of zero bytes.
    case emptyMessage
    /// The message ends inside a value, or before one that must follow.
    case truncated
    /// A size field promises more than the bytes left can hold.
    case sizeTooLarge
    /// Bytes are left behind the last value.
    case trailingBytes
    /// A type byte that neither the codec nor a registered extension knows.
    case unknownType
    /// A string that is not UTF-8.
    case invalidUTF8
    /// Type 5 text that is no hexadecimal integer.
    case invalidLargeInteger
    /// More nested containers than the codec's `maximumDepth`.
    case depthExceeded
    /// A method call whose method is not a string (or not an object with one, in JSON).
    case invalidMethodCall
    /// Bytes that are no success and no error envelope.
    case invalidEnvelope
    /// Text that is not JSON.
    case invalidJSON
    /// A value that this codec, profile or set of extensions cannot write or read.
    case unsupportedValue
    /// A decoder would build far more values than the message has bytes.
    case expansionLimit
    /// A message larger than 512 MiB, the most that is read here.
    case messageTooLarge
    /// An extension's own reader or writer refused: theirs to throw, with words of their own.
    case extensionFailed
  }

  /// What the profile's platform does about it.
  public enum Consequence: Sendable, Hashable {
    /// It reports an error.
    case refusal
    /// It crashes, or stops at an assertion.
    case crash
    /// Its sources do not say, or say that anything may happen.
    case unspecified
  }

  public var code: Code
  /// The byte at fault, from byte 0 of the message; nil when encoding.
  public var offset: Int?
  public var path: ValuePath
  public var expected: String
  public var found: String
  public var consequence: Consequence
  /// What the platform itself reports, such as `FormatException(Message corrupted)`; nil for the
  /// profile `strict`, which is no platform.
  public var platformError: String?

  public init(
    _ code: Code, offset: Int? = nil, path: ValuePath = ValuePath(), expected: String,
    found: String, consequence: Consequence = .refusal, platformError: String? = nil
  ) {
    self.code = code
    self.offset = offset
    self.path = path
    self.expected = expected
    self.found = found
    self.consequence = consequence
    self.platformError = platformError
  }
}

extension CodecError: Equatable {
  /// Errors are equal when code and offset are; the words are for people.
  public static func == (left: CodecError, right: CodecError) -> Bool {
    left.code == right.code && left.offset == right.offset
  }
}

extension CodecError: CustomStringConvertible {
  public var description: String {
    var text = code.rawValue
    if let offset { text += " at byte \(offset)" }
    if !path.isRoot { text += " in \(path)" }
    text += ": expected \(expected), found \(found)"
    switch (consequence, platformError) {
    case (.refusal, let platformError?): text += "; the platform reports \(platformError)"
    case (.crash, let platformError): text += "; the platform crashes: \(platformError ?? "")"
    case (.unspecified, let platformError):
      text += "; what the platform does is unspecified: \(platformError ?? "")"
    case (.refusal, nil): break
    }
    return text
  }
}
