import ChannelCodec
import Testing

/// Every vector of `Protocol/vectors`, both directions, as every profile.
@Suite("Vectors")
struct VectorTests {
  @Test("are there")
  func areThere() {
    #expect(VectorFile.all.count >= 16)
    #expect(VectorFile.all.map(\.vectors.count).reduce(0, +) >= 2500)
  }

  @Test("decode", arguments: VectorFile.all, Profile.allCases)
  func decode(_ file: VectorFile, _ profile: Profile) throws {
    var failures: [String] = []
    for vector in file.vectors where vector.decodes {
      guard let codec = VectorCodec(vector, profile) else { continue }
      let outcome = codec.decode(vector.hex)
      let expectation = vector.expectedDecode(profile)
      if let complaint = try codec.complaint(outcome, expectation) {
        failures.append("\(vector.id): \(complaint)")
      }
    }
    #expect(
      failures.isEmpty, "\(failures.count) vectors:\n\(failures.prefix(12).joined(separator: "\n"))"
    )
  }

  @Test("encode", arguments: VectorFile.all, Profile.allCases)
  func encode(_ file: VectorFile, _ profile: Profile) throws {
    var failures: [String] = []
    for vector in file.vectors where vector.encodes {
      guard let codec = VectorCodec(vector, profile), let value = vector.value else { continue }
      guard let outcome = try codec.encode(value) else { continue }
      if let complaint = codec.complaint(outcome, vector.expectedEncode(profile)) {
        failures.append("\(vector.id): \(complaint)")
      }
    }
    #expect(
      failures.isEmpty, "\(failures.count) vectors:\n\(failures.prefix(12).joined(separator: "\n"))"
    )
  }
}

/// What a codec makes of a payload, in one type for all codecs.
enum Decoded: Equatable {
  case message(Value?)
  case call(MethodCall)
  case envelope(Envelope?)
}

/// The codec that a vector names, as one profile has it.
struct VectorCodec {
  private enum Kind {
    case message(any MessageCodec<Value>)
    case method(any MethodCodec, isCall: Bool)
    case string(StringCodec)
    case binary
  }
  private let kind: Kind
  private let profile: Profile

  init?(_ vector: Vector, _ profile: Profile) {
    self.profile = profile
    let extensions = vector.extensions
    // The platforms have no cap of their own.
    let depth = profile == .strict ? 512 : 100_000
    switch vector.codec {
    case "message":
      kind = .message(
        StandardMessageCodec(profile: profile, extensions: extensions, maximumDepth: depth))
    case "call", "envelope":
      kind = .method(
        StandardMethodCodec(profile: profile, extensions: extensions, maximumDepth: depth),
        isCall: vector.codec == "call")
    case "json-message":
      kind = .message(JSONMessageCodec(profile: profile, maximumDepth: depth))
    case "json-call", "json-envelope":
      kind = .method(
        JSONMethodCodec(profile: profile, maximumDepth: depth), isCall: vector.codec == "json-call")
    case "string": kind = .string(StringCodec(profile: profile))
    case "binary": kind = .binary
    default: return nil
    }
  }

  func decode(_ payload: [UInt8]?) -> Result<Decoded, CodecError> {
    Result { () throws(CodecError) in
      switch kind {
      case .message(let codec): .message(try codec.decode(payload))
      case .method(let codec, true): .call(try codec.decodeMethodCall(payload))
      case .method(let codec, false): .envelope(try codec.decodeEnvelope(payload))
      case .string(let codec):
        // nil made of a payload counts as null.
        .message(try codec.decode(payload).map { .string($0) } ?? payload.map { _ in .null })
      case .binary:
        .message(BinaryCodec().decode(payload).map { .uint8List(Value.TypedList($0)) })
      }
    }
  }

  /// nil where the typed interface cannot even be given the value.
  func encode(_ json: VectorJSON) throws -> Result<[UInt8]?, CodecError>? {
    switch kind {
    case .message(let codec):
      let value = try json.message()
      return Result { () throws(CodecError) in try codec.encode(value) }
    case .method(let codec, true):
      let call = try json.call()
      return Result { () throws(CodecError) -> [UInt8]? in try codec.encodeMethodCall(call) }
    case .method(let codec, false):
      guard let envelope = try json.envelope() else { return .success(nil) }
      return Result { () throws(CodecError) -> [UInt8]? in try codec.encodeEnvelope(envelope) }
    case .string(let codec):
      let message = try json.message()
      let text = message?.text
      if message != nil && text == nil { return nil }
      return Result { () throws(CodecError) in try codec.encode(text) }
    case .binary:
      guard let message = try json.message() else { return .success(nil) }
      guard case .uint8List(let list) = message else { return nil }
      return .success(BinaryCodec().encode(Array(list)))
    }
  }

  // MARK: - Judgement

  func complaint(
    _ outcome: Result<Decoded, CodecError>, _ expectation: Vector.Expectation
  ) throws -> String? {
    switch (outcome, expectation) {
    case (_, .unspecified): return nil
    case (.success(let decoded), .value(let json)):
      let expected: Decoded =
        switch kind {
        case .method(_, true): .call(try json.call())
        case .method(_, false): .envelope(try json.envelope())
        default: .message(try json.message())
        }
      return decoded == expected ? nil : "decoded \(decoded.brief), expected \(expected.brief)"
    case (.failure(let error), _): return complaint(error, expectation)
    default: return "\(outcome), expected \(expectation)"
    }
  }

  func complaint(
    _ outcome: Result<[UInt8]?, CodecError>, _ expectation: Vector.Expectation
  ) -> String? {
    switch (outcome, expectation) {
    case (_, .unspecified): return nil
    case (.success(let bytes), .bytes(let expected)):
      return bytes == expected ? nil : "encoded \(bytes.hex), expected \(expected.hex)"
    case (.failure(let error), _): return complaint(error, expectation)
    case (.success(let bytes), _): return "encoded \(bytes.hex), expected \(expectation)"
    }
  }

  private func complaint(_ error: CodecError, _ expectation: Vector.Expectation) -> String? {
    switch expectation {
    case .error(let code, let offset):
      let isSame = error.code.rawValue == code && (offset == nil || error.offset == offset)
      return isSame ? nil : "\(error), expected \(code) at \(offset.map(String.init) ?? "?")"
    case .platformError(let text):
      // A vector may name the exception without its message.
      let isNamed =
        error.platformError == text || error.platformError?.hasPrefix("\(text)(") == true
      let isSame = isNamed && error.consequence == .refusal
      return isSame ? nil : "\(error), expected \(text)"
    case .crash(let text):
      let isSame = error.platformError == text && error.consequence == .crash
      return isSame ? nil : "\(error), expected crash \(text)"
    case .unspecified: return nil
    case .value, .bytes: return "\(error), expected success"
    }
  }
}

extension Decoded {
  fileprivate var brief: String { String("\(self)".prefix(300)) }
}

extension [UInt8]? {
  fileprivate var hex: String {
    guard let self else { return "no payload" }
    let bytes = self.prefix(60).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return bytes.joined() + (self.count > 60 ? "…" : "")
  }
}
