import ChannelCodec

/// Every byte of a payload explained, line by line, up to and including the byte where a malformed
/// one breaks.
public enum AnnotatedDump {
  public struct Line: Sendable {
    /// Of the first byte, from byte 0 of the payload.
    public var offset: Int
    /// The bytes that the line is about; none for a fault at the end.
    public var bytes: ArraySlice<UInt8>
    public var role: MessageSpan.Role
    /// In words, and safe for a terminal.
    public var meaning: String
    /// `arguments.content`; empty at the root.
    public var path: String
    /// Containers around it.
    public var depth: Int
  }

  /// The lines for a payload that `codec` is said to have written; read as profile `strict` does.
  public static func lines(of payload: [UInt8], codec: NamedCodec) -> [Line] {
    switch codec.name {
    case .message: annotated(payload, .message, codec)
    case .call: annotated(payload, .call, codec)
    case .envelope: annotated(payload, .envelope, codec)
    case .jsonMessage, .jsonCall, .jsonEnvelope, .string, .binary: plain(payload, codec)
    }
  }

  private static func annotated(
    _ payload: [UInt8], _ root: MessageAnnotation.Root, _ codec: NamedCodec
  ) -> [Line] {
    let annotation = MessageAnnotation(
      payload, as: root, extensions: codec.extensions, maximumDepth: codec.maximumDepth)
    return annotation.spans.map { span in
      Line(
        offset: span.range.lowerBound, bytes: payload[span.range], role: span.role,
        meaning: span.meaning, path: span.path.isRoot ? "" : "\(span.path)", depth: span.depth)
    }
  }

  private static let rowLength = 16

  /// Rows of 16 bytes beside their text, for codecs whose payload has no structure in its bytes.
  private static func plain(_ payload: [UInt8], _ codec: NamedCodec) -> [Line] {
    var error: CodecError?
    if case .failure(let failure) = codec.strict.react(to: payload).result { error = failure }
    let fault = min(error?.offset ?? payload.count, payload.count)
    var lines: [Line] = []
    func rows(_ range: Range<Int>, _ role: MessageSpan.Role) {
      for start in stride(from: range.lowerBound, to: range.upperBound, by: rowLength) {
        let row = payload[start..<min(start + rowLength, range.upperBound)]
        let meaning = codec.name == .binary ? "bytes" : Value.Text(bytes: row).quoted
        lines.append(
          Line(offset: start, bytes: row, role: role, meaning: meaning, path: "", depth: 0))
      }
    }
    rows(0..<fault, .content)
    if let error {
      let end = min(fault + 1, payload.count)
      lines.append(
        Line(
          offset: fault, bytes: payload[fault..<end], role: .fault,
          meaning: "\(error.code.rawValue): expected \(error.expected), found \(error.found)",
          path: error.path.isRoot ? "" : "\(error.path)", depth: 0))
      rows(end..<payload.count, .trailing)
    }
    return lines
  }
}

/// How every platform would react to one payload.
public enum ProfileReactions {
  public struct Line: Sendable {
    public enum Kind: Sendable {
      case accepted, refused, crash, unspecified
    }
    public var profile: Profile
    public var kind: Kind
    /// Typed JSON where it is accepted, else what the platform reports.
    public var text: String
    public var notes: [String]
  }

  /// One line a profile, in the order of ``Profile``. Platforms have no cap on nesting of their own,
  /// so only `strict` keeps the codec's.
  public static func lines(of payload: [UInt8]?, codec: NamedCodec) -> [Line] {
    Profile.allCases.map { profile in
      let depth = profile == .strict ? codec.maximumDepth : max(codec.maximumDepth, 100_000)
      let reaction = NamedCodec(
        codec.name, profile: profile, extensions: codec.extensions, maximumDepth: depth
      ).react(to: payload)
      switch reaction.result {
      case .success(let text):
        return Line(profile: profile, kind: .accepted, text: text, notes: reaction.notes)
      case .failure(let error):
        let kind: Line.Kind =
          switch error.consequence {
          case .refusal: .refused
          case .crash: .crash
          case .unspecified: .unspecified
          }
        return Line(
          profile: profile, kind: kind, text: error.platformError ?? "\(error)",
          notes: reaction.notes)
      }
    }
  }
}

extension NamedCodec {
  fileprivate var strict: NamedCodec {
    NamedCodec(name, profile: .strict, extensions: extensions, maximumDepth: maximumDepth)
  }
}
