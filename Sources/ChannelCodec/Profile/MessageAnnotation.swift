/// What every byte of a message is, as far as it can be read.
public struct MessageAnnotation: Sendable {
  /// What stands at byte 0.
  public enum Root: Sendable {
    case message, call, envelope
  }

  /// In the order of the bytes, without a gap. Where the message breaks, a span of role
  /// ``MessageSpan/Role/fault`` says so and the bytes that nobody reads follow.
  public private(set) var spans: [MessageSpan]
  /// Why the rest could not be read.
  public let error: CodecError?

  /// Reads `bytes` as the platform of `profile` does.
  public init(
    _ bytes: [UInt8], as root: Root, profile: Profile = .strict,
    extensions: ExtensionTypes = .none, maximumDepth: Int = 512
  ) {
    var decoder = ProfileDecoder(
      bytes, profile: profile, extensions: extensions, maximumDepth: maximumDepth,
      isAnnotating: true)
    let outcome = Result { () throws(CodecError) in
      switch root {
      case .message: _ = try decoder.message()
      case .call: _ = try decoder.methodCall(isThere: true)
      case .envelope: _ = try decoder.envelope()
      }
    }
    spans = decoder.spans ?? []
    switch outcome {
    case .success: error = nil
    case .failure(let failure):
      error = failure
      markFault(failure, in: bytes)
    }
  }

  private mutating func markFault(_ error: CodecError, in bytes: [UInt8]) {
    let depth = error.path.components.count
    var read = spans.last?.range.upperBound ?? 0
    func span(_ range: Range<Int>, _ role: MessageSpan.Role, _ meaning: String) -> MessageSpan {
      MessageSpan(range: range, role: role, meaning: meaning, path: error.path, depth: depth)
    }
    let offset = error.offset ?? read
    if offset > read {
      spans.append(span(read..<offset, .content, "read so far"))
      read = offset
    }
    // A fault in a size or an earlier value points back at bytes that are explained already.
    let end = offset == read ? min(offset + 1, bytes.count) : read
    let place = offset == read ? "" : " (byte \(offset))"
    spans.append(
      span(
        read..<end, .fault,
        "\(error.code.rawValue)\(place): expected \(error.expected), found \(error.found)"))
    if end < bytes.count {
      let count = bytes.count - end
      let meaning = "\(count) byte\(count == 1 ? "" : "s") not read"
      spans.append(span(end..<bytes.count, .trailing, meaning))
    }
  }
}
