import ChannelCodec
import ChannelNotation

/// What a payload stands for, in one type for all codecs.
public enum Content: Sendable, Hashable {
  /// nil is no message at all.
  case message(Value?)
  case call(MethodCall)
  /// nil is a reply without payload: not implemented.
  case envelope(Envelope?)

  /// What a line of typed JSON says to this codec. Throws as ``TypedJSON`` does.
  public init(_ typedJSON: [UInt8], _ codec: NamedCodec.Name) throws(CodecError) {
    switch codec {
    case .call, .jsonCall: self = .call(try TypedJSON.call(typedJSON))
    case .envelope, .jsonEnvelope: self = .envelope(try TypedJSON.envelope(typedJSON))
    case .message, .jsonMessage, .string, .binary:
      self = .message(try TypedJSON.value(typedJSON))
    }
  }

  /// One line of typed JSON.
  public var typedJSON: String {
    switch self {
    case .message(let value): TypedJSON.text(of: value)
    case .call(let call): TypedJSON.text(of: call)
    case .envelope(let envelope): TypedJSON.text(of: envelope)
    }
  }

  /// Whether this is no message, or a reply without payload.
  var isNothing: Bool { self == .message(nil) || self == .envelope(nil) }
}

/// How strictly two contents are compared.
enum Comparison: Sendable {
  /// Type, width, bits and order.
  case exact
  /// The pairs of a map may stand in any order.
  case anyOrder

  func areEqual(_ left: Content, _ right: Content) -> Bool {
    if left == right { return true }
    guard self == .anyOrder else { return false }
    return left.sorted == right.sorted
  }
}

extension Content {
  /// The same with the pairs of every map in one order.
  fileprivate var sorted: Content {
    switch self {
    case .message(let value): return .message(value?.sorted())
    case .call(let call): return .call(MethodCall(call.method, call.arguments.sorted()))
    case .envelope(.success(let value)): return .envelope(.success(value.sorted()))
    case .envelope(.error(var error)):
      error.details = error.details.sorted()
      return .envelope(.error(error))
    case .envelope(nil): return self
    }
  }
}

extension Value {
  /// Deeper containers are compared as they are: sorting uses the stack.
  private static let deepestSorting = 64

  fileprivate func sorted(depth: Int = 0) -> Value {
    guard depth < Value.deepestSorting else { return self }
    switch self {
    case .list(let list): return .list(List(list.map { $0.sorted(depth: depth + 1) }))
    case .custom(let custom):
      return .custom(custom.type, custom.payload.sorted(depth: depth + 1))
    case .map(let map):
      let pairs = map.map { pair in
        let key = pair.key.sorted(depth: depth + 1)
        let value = pair.value.sorted(depth: depth + 1)
        return (name: TypedJSON.text(of: .list([key, value])), pair: (key: key, value: value))
      }
      return .map(Map(pairs.sorted { $0.name < $1.name }.map(\.pair)))
    default: return self
    }
  }
}
