import ChannelCodec
import ChannelNotation

/// The cases that the vectors make under one profile.
///
/// Level: under the profile `strict` a case is required where the implementations of Dart, Android,
/// iOS and Linux all do what strict does; where one of them is known to do otherwise, or may crash
/// on a well-formed message, it is recommended. (The C++ wrapper and the web have known gaps, which
/// make nothing less of a rule.) Under a platform's own profile every case is required whose result
/// is known from its sources or from measuring.
public struct CaseList: Sendable {
  public let profile: Profile
  /// In the order of the files; of one vector decode, encode, roundtrip.
  public let cases: [TestCase]
  public let vectorCount: Int
  public let digest: String

  /// - Throws: when a file is not of the form that `schema.json` describes.
  public init(_ files: [VectorText], profile: Profile) throws(VectorFailure) {
    self.profile = profile
    digest = VectorSource.digest(files)
    var cases: [TestCase] = []
    var count = 0
    for file in files {
      for vector in try VectorFile.vectors(of: file) {
        count += 1
        cases += VectorCases(vector: vector, profile: profile).all
      }
    }
    self.cases = cases
    vectorCount = count
  }
}

/// The cases of one vector.
private struct VectorCases {
  /// Those that make a rule.
  private static let rulers: [Profile] = [.dart, .android, .ios, .linux]

  let vector: Vector
  let profile: Profile

  var all: [TestCase] { [decode, encode, roundtrip].compactMap { $0 } }

  private var decode: TestCase? {
    guard vector.decodes else { return nil }
    return make(.decode, .payload(vector.payload), vector.decoding(profile), decodeLevel)
  }

  private var encode: TestCase? {
    guard vector.encodes, let content = vector.content else { return nil }
    return make(.encode, .content(content), vector.encoding(profile), encodeLevel)
  }

  /// Decoding and encoding again gives the profile's one form of the value. It is the vector's own
  /// payload where the vector goes both ways; for one that only decodes, such as a size in a long
  /// form, it is what our encoder makes of the value.
  private var roundtrip: TestCase? {
    guard vector.decodes, let payload = vector.payload,
      case .content(let content, let comparison) = vector.decoding(profile)
    else { return nil }
    if vector.encodes, vector.reaction(profile).decode == nil {
      let level: Level =
        decodeLevel == .required && encodeLevel == .required ? .required : .recommended
      return make(.roundtrip, .payload(payload), vector.encoding(profile), level)
    }
    guard let bytes = encoding(of: content, profile) else { return nil }
    let isAgreed =
      profile != .strict
      || VectorCases.rulers.allSatisfy { encoding(of: content, $0) == .some(bytes) }
    return make(
      .roundtrip, .payload(payload), .bytes(bytes, comparison),
      isAgreed ? decodeLevel : .recommended)
  }

  /// nil where the profile cannot write it.
  private func encoding(of content: Content, _ profile: Profile) -> [UInt8]?? {
    let codec = NamedCodec(
      vector.codec, profile: profile, extensions: vector.extensionTypes, maximumDepth: 100_000)
    do throws(CodecError) {
      return .some(try codec.encode(Array(content.typedJSON.utf8)))
    } catch {
      return nil
    }
  }

  private func make(
    _ operation: Operation, _ subject: TestRequest.Subject, _ expectation: Expectation,
    _ level: Level
  ) -> TestCase? {
    if case .unspecified = expectation { return nil }
    return TestCase(
      id: "\(vector.id).\(operation.rawValue)", area: vector.area, level: level,
      request: TestRequest(operation, vector.codec, subject, extensions: vector.extensions),
      note: vector.comment.isEmpty ? nil : vector.comment, bug: vector.bugs.first,
      expectation: expectation)
  }

  // MARK: - Levels

  private var decodeLevel: Level {
    guard profile == .strict else { return knownLevel(vector.reaction(profile).decode) }
    return agreed { $0.decode }
  }

  private var encodeLevel: Level {
    guard profile == .strict else { return knownLevel(vector.reaction(profile).encode) }
    return agreed { $0.encode }
  }

  private func knownLevel(_ own: Expectation?) -> Level {
    if case .crash = own { return .recommended }
    return vector.reaction(profile).isUnverified ? .recommended : .required
  }

  /// Whether nobody who makes a rule does otherwise. To crash on a malformed message, or to leave
  /// open what happens, is not to accept it; but Dart itself has to refuse it.
  private func agreed(_ direction: (Vector.Reaction) -> Expectation?) -> Level {
    let isRefused = vector.refusal != nil
    for ruler in VectorCases.rulers {
      switch direction(vector.reaction(ruler)) {
      case nil: continue
      case .refusal: if !isRefused { return .recommended }
      case .crash, .unspecified: if !isRefused || ruler == .dart { return .recommended }
      case .content, .bytes: return .recommended
      }
    }
    return .required
  }
}
