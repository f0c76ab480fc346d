import ChannelCodec
import ChannelNotation

/// Why a testee cannot be tested any further.
public struct TesteeFailure: Error, CustomStringConvertible {
  public let description: String
  init(_ description: String) { self.description = description }
}

/// Something that answers requests.
public protocol Testee: AnyObject {
  /// The command line, or who it is.
  var name: String { get }
  /// How often it had to be started again.
  var restarts: Int { get }

  /// Asks `count` questions. Each is asked for by number when there is room for it, and its answer
  /// told with the number; answers may come in any order.
  ///
  /// - Throws: when the testee is beyond hope; questions without an answer are then left over.
  func answer(
    count: Int, request: (Int) -> TestRequest, take: (Int, Answer) -> Void
  ) throws(TesteeFailure)
}

extension Testee {
  /// Asks one question.
  func answer(_ request: TestRequest) throws(TesteeFailure) -> Answer {
    var answer: Answer?
    try self.answer(count: 1, request: { _ in request }, take: { answer = $1 })
    guard let answer else { throw TesteeFailure("no answer came") }
    return answer
  }
}

/// The project's own codec, called as a function.
public final class InProcessTestee: Testee {
  private let profile: Profile
  public let name = "pwbridge (in-process)"
  public let restarts = 0

  public init(profile: Profile) { self.profile = profile }

  public func answer(
    count: Int, request: (Int) -> TestRequest, take: (Int, Answer) -> Void
  ) throws(TesteeFailure) {
    for number in 0..<count { take(number, answer(request(number))) }
  }

  func answer(_ request: TestRequest) -> Answer {
    let codec = ContentCodec(
      request.codec, profile: profile, extensions: request.extensionTypes)
    do throws(CodecError) {
      switch (request.operation, request.subject) {
      case (.decode, .payload(let payload)): return .content(try codec.decode(payload))
      case (.roundtrip, .payload(let payload)):
        return .bytes(try codec.encode(try codec.decode(payload)))
      case (_, .content(let content)): return .bytes(try codec.encode(content))
      case (.encode, .payload): return .protocolError("nothing to encode")
      }
    } catch {
      return .refusal(error.description)
    }
  }
}

/// A codec between payloads and ``Content``.
struct ContentCodec {
  let name: NamedCodec.Name
  private let profile: Profile
  private let extensions: ExtensionTypes
  private let depth: Int

  init(_ name: NamedCodec.Name, profile: Profile, extensions: ExtensionTypes = .none) {
    self.name = name
    self.profile = profile
    self.extensions = extensions
    // The platforms have no cap of their own.
    depth = profile == .strict ? 512 : 100_000
  }

  func decode(_ payload: [UInt8]?) throws(CodecError) -> Content {
    switch name {
    case .message: return .message(try message.decode(payload))
    case .call: return .call(try method.decodeMethodCall(payload))
    case .envelope: return .envelope(try method.decodeEnvelope(payload))
    case .jsonMessage: return .message(try jsonMessage.decode(payload))
    case .jsonCall: return .call(try jsonMethod.decodeMethodCall(payload))
    case .jsonEnvelope: return .envelope(try jsonMethod.decodeEnvelope(payload))
    case .string:
      // Nothing made of a payload is null; only no payload is no message.
      let text = try StringCodec(profile: profile).decode(payload)
      return .message(text.map { .string($0) } ?? payload.map { _ in .null })
    case .binary: return .message(payload.map { .uint8List(Value.TypedList($0)) })
    }
  }

  func encode(_ content: Content) throws(CodecError) -> [UInt8]? {
    switch (name, content) {
    case (.message, .message(let value)): return try message.encode(value)
    case (.jsonMessage, .message(let value)): return try jsonMessage.encode(value)
    case (.call, .call(let call)): return try method.encodeMethodCall(call)
    case (.jsonCall, .call(let call)): return try jsonMethod.encodeMethodCall(call)
    case (.envelope, .envelope(let envelope)):
      return try envelope.map { (envelope) throws(CodecError) in
        try method.encodeEnvelope(envelope)
      }
    case (.jsonEnvelope, .envelope(let envelope)):
      return try envelope.map { (envelope) throws(CodecError) in
        try jsonMethod.encodeEnvelope(envelope)
      }
    default:
      // Text and bytes only; the named codec says what is wrong with anything else.
      return try NamedCodec(name, profile: profile).encode(Array(content.typedJSON.utf8))
    }
  }

  private var message: StandardMessageCodec {
    StandardMessageCodec(profile: profile, extensions: extensions, maximumDepth: depth)
  }
  private var method: StandardMethodCodec {
    StandardMethodCodec(profile: profile, extensions: extensions, maximumDepth: depth)
  }
  private var jsonMessage: JSONMessageCodec {
    JSONMessageCodec(profile: profile, maximumDepth: depth)
  }
  private var jsonMethod: JSONMethodCodec {
    JSONMethodCodec(profile: profile, maximumDepth: depth)
  }

  /// The same by the reader that notes every byte, which the fast one must agree with.
  func react(to payload: [UInt8]?) -> Reaction<Content> {
    switch name {
    case .message:
      let reaction = message.react(to: payload)
      return Reaction(reaction.result.map { .message($0) }, notes: reaction.notes)
    case .call:
      let reaction = method.react(toMethodCall: payload)
      return Reaction(reaction.result.map { .call($0) }, notes: reaction.notes)
    case .envelope:
      let reaction = method.react(toEnvelope: payload)
      return Reaction(reaction.result.map { .envelope($0) }, notes: reaction.notes)
    default: return Reaction(Result { () throws(CodecError) in try decode(payload) })
    }
  }
}
