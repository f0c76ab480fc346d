import ChannelCodec
import ChannelNotation

/// What generated cases ask for.
enum GeneratedKind: String, CaseIterable {
  case encode
  case decode
  case roundtrip
  /// Decoding a damaged message.
  case mutated

  var area: String { "generated.\(rawValue)" }
  var operation: Operation { Operation(rawValue: rawValue) ?? .decode }
}

/// A case made from a seed and a number.
struct GeneratedCase {
  /// What it was made from, and what is made smaller when it fails.
  enum Source {
    case content(Content)
    case bytes([UInt8])
  }

  let number: Int
  let kind: GeneratedKind
  let codec: NamedCodec.Name
  let source: Source
  let profile: Profile

  /// Kinds take turns. Three in five cases are messages, where only the value counts; in calls and
  /// envelopes something stands before it, which is what alignment is about.
  init(seed: UInt64, number: Int, profile: Profile) {
    var random = RandomNumbers(seed: seed, number: number)
    let kinds = GeneratedKind.allCases
    self.number = number
    self.profile = profile
    kind = kinds[number % kinds.count]
    codec = random.pick([.message, .message, .message, .call, .envelope])
    let content = RandomContent(isPlain: profile == .strict).content(codec, &random)
    if kind == .mutated {
      let message = ReferenceEncoder.encode(content) ?? []
      source = .bytes(Mutation.damaged(message, &random))
    } else {
      source = .content(content)
    }
  }

  private init(_ other: GeneratedCase, _ source: Source) {
    (number, kind, codec, profile) = (other.number, other.kind, other.codec, other.profile)
    self.source = source
  }

  /// The number in an id such as `generated.decode.17`; nil where it is none of a generated case.
  static func number(of id: String) -> Int? {
    let parts = id.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "generated", let number = Int(parts[2]), number >= 0,
      let kind = GeneratedKind(rawValue: String(parts[1])),
      GeneratedKind.allCases[number % GeneratedKind.allCases.count] == kind
    else { return nil }
    return number
  }

  func with(_ source: Source) -> GeneratedCase { GeneratedCase(self, source) }

  /// As the case's results name it.
  var sourceText: String {
    switch source {
    case .content(let content): content.typedJSON
    case .bytes(let bytes): Hex.text(of: bytes)
    }
  }

  var request: TestRequest {
    switch (kind, source) {
    case (.encode, .content(let content)): TestRequest(.encode, codec, .content(content))
    case (_, .content(let content)):
      TestRequest(kind.operation, codec, .payload(ReferenceEncoder.encode(content)))
    case (_, .bytes(let bytes)): TestRequest(kind.operation, codec, .payload(bytes))
    }
  }

  /// What the profile expects.
  func expectation(_ request: TestRequest) -> Expectation {
    expectation(request, as: profile)
  }

  private func expectation(_ request: TestRequest, as profile: Profile) -> Expectation {
    let codec = ContentCodec(codec, profile: profile)
    switch request.subject {
    case .content(let content): return encoding(of: content, codec, profile)
    case .payload(let payload):
      let reaction = codec.react(to: payload)
      switch reaction.result {
      case .failure(let error): return refusal(error)
      case .success(let content):
        if kind == .roundtrip { return encoding(of: content, codec, profile) }
        let isReordered = reaction.notes.contains { $0.hasPrefix("map order unspecified") }
        return .content(content, isReordered ? .anyOrder : .exact)
      }
    }
  }

  private func encoding(
    of content: Content, _ codec: ContentCodec, _ profile: Profile
  ) -> Expectation {
    // The plain encoder shares nothing with the one under test.
    if profile == .strict, let bytes = ReferenceEncoder.encode(content) {
      return .bytes(bytes, .exact)
    }
    do throws(CodecError) {
      let isHashed = profile == .ios || profile == .android
      return .bytes(try codec.encode(content), isHashed ? .anyOrder : .exact)
    } catch {
      return refusal(error)
    }
  }

  private func refusal(_ error: CodecError) -> Expectation {
    switch error.consequence {
    case .refusal: .refusal(error.description)
    case .crash: .crash(error.description)
    case .unspecified: .unspecified
    }
  }

  /// As for vectors: required where those who make the rules agree. Only asked of failures.
  func level(_ request: TestRequest, _ expectation: Expectation) -> Level {
    if case .crash = expectation { return .recommended }
    guard profile == .strict else { return .required }
    for ruler in [Profile.dart, .android, .ios, .linux] {
      switch (expectation, self.expectation(request, as: ruler)) {
      case (.refusal, .refusal): continue
      case (.refusal, .crash), (.refusal, .unspecified): if ruler == .dart { return .recommended }
      case (.content(let own, _), .content(let other, _)):
        if !Comparison.anyOrder.areEqual(own, other) { return .recommended }
      case (.bytes(let own, _), .bytes(let other, _)): if own != other { return .recommended }
      default: return .recommended
      }
    }
    return .required
  }

  func testCase(_ request: TestRequest, seed: UInt64) -> TestCase {
    let expectation = expectation(request)
    return TestCase(
      id: "\(kind.area).\(number)", area: kind.area, level: level(request, expectation),
      request: request, note: "made from seed \(seed)", bug: nil, expectation: expectation)
  }
}
