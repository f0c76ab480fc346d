import ChannelCodec
import LiveActivities

/// Finds out what exactly a decoder did not like about a value: the path, the type that it wanted
/// there, and what it found.
///
/// A `DecodingError` has not always all three. For a number that does not fit, Foundation gives no
/// path, and for a missing key no type. Both come out by decoding again with that place changed.
struct PayloadProbe {
  private let value: Value
  private let root: String
  /// Decodes a value; nil: it works.
  private let failure: (Value) -> (any Error)?

  init(value: Value, root: String, failure: @escaping (Value) -> (any Error)?) {
    (self.value, self.root, self.failure) = (value, root, failure)
  }

  func explain(_ error: any Error) -> DecodingProblem {
    switch error {
    case DecodingError.typeMismatch(let type, let context):
      return problem(at: context.codingPath.steps, expected: type)
    case DecodingError.valueNotFound(let type, let context):
      return problem(at: context.codingPath.steps, expected: type)
    case DecodingError.keyNotFound(let key, let context):
      return problem(at: context.codingPath.steps + [PayloadStep(key)], expected: nil)
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      return DecodingProblem(
        path: text(of: context.codingPath.steps), expected: context.debugDescription,
        found: found(at: context.codingPath.steps))
    default:
      guard let steps = misfit() else {
        return DecodingProblem(
          path: root, expected: "what the type can decode (\(error))", found: found(at: []))
      }
      return problem(at: steps, expected: nil)
    }
  }

  private func problem(at steps: [PayloadStep], expected type: Any.Type?) -> DecodingProblem {
    let wanted = type ?? typeWanted(at: steps)
    return DecodingProblem(
      path: text(of: steps), expected: wanted.map(PayloadProbe.name) ?? "another number",
      found: found(at: steps))
  }

  /// A decoder that comes upon null says which type it wanted.
  private func typeWanted(at steps: [PayloadStep]) -> Any.Type? {
    switch failure(value.replacing(steps, with: .null)) {
    case DecodingError.valueNotFound(let type, let context)?
    where context.codingPath.steps == steps:
      type
    default: nil
    }
  }

  /// The first number that does not fit its type. Zero fits every one, so the error is there as
  /// long as that number is; halving finds it in a few decodings.
  private func misfit() -> [PayloadStep]? {
    var (low, high) = (0, value.countOfNumbers)
    guard !isMisfit(value.zeroing(from: 0)), isMisfit(value) else { return nil }
    // With the first `high` numbers as they are there is the error, with the first `low` not.
    while high - low > 1 {
      let middle = (low + high) / 2
      if isMisfit(value.zeroing(from: middle)) { high = middle } else { low = middle }
    }
    return value.place(ofNumber: low)
  }

  /// Whether a number does not fit: Foundation then gives neither path nor type.
  private func isMisfit(_ trial: Value) -> Bool {
    guard case DecodingError.dataCorrupted(let context)? = failure(trial) else { return false }
    return context.codingPath.isEmpty
  }

  private func found(at steps: [PayloadStep]) -> String? {
    switch value.value(at: steps) {
    case .list(let list)?: "a list of \(list.count)"
    case .map(let map)?: "an object of \(map.count)"
    case let value?: value.shortText
    case nil: nil
    }
  }

  private func text(of steps: [PayloadStep]) -> String {
    steps.reduce(root) { path, step in
      switch step {
      case .key(let key): "\(path).\(key)"
      case .index(let index): "\(path)[\(index)]"
      }
    }
  }

  /// As in the errors of ``PayloadSchema``.
  private static func name(of type: Any.Type) -> String {
    switch type {
    case is Date.Type: "Date (seconds since 2001-01-01)"
    case is Data.Type: "Data (base64)"
    case is [String: Any].Type: "an object"
    case is [Any].Type: "a list"
    default: String(describing: type)
    }
  }
}

/// A step down into a value.
enum PayloadStep: Hashable {
  case key(String)
  case index(Int)

  init(_ key: any CodingKey) {
    self = key.intValue.map { .index($0) } ?? .key(key.stringValue)
  }
}

extension [any CodingKey] {
  fileprivate var steps: [PayloadStep] { map(PayloadStep.init) }
}

extension Value {
  fileprivate func value(at steps: [PayloadStep]) -> Value? {
    guard let first = steps.first else { return self }
    let rest = Array(steps.dropFirst())
    switch (first, self) {
    case (.key(let key), .map): return self[key]?.value(at: rest)
    case (.index(let index), .list): return self[index]?.value(at: rest)
    // The key of a dictionary that is a number.
    case (.index(let index), .map): return self["\(index)"]?.value(at: rest)
    default: return nil
    }
  }

  /// With another value at this place, which is added where a map lacks it.
  fileprivate func replacing(_ steps: [PayloadStep], with other: Value) -> Value {
    guard let first = steps.first else { return other }
    let rest = Array(steps.dropFirst())
    switch (first, self) {
    case (.index(let index), .list(let list)):
      var elements = Array(list)
      guard elements.indices.contains(index) else { return self }
      elements[index] = elements[index].replacing(rest, with: other)
      return .list(List(elements))
    case (_, .map(let map)):
      let key: String
      switch first {
      case .key(let name): key = name
      case .index(let index): key = "\(index)"
      }
      var pairs = map.filter { $0.key.string != key }.map { (key: $0.key, value: $0.value) }
      pairs.append((.string(Text(key)), (map[key] ?? .null).replacing(rest, with: other)))
      return .map(Map(pairs))
    default: return self
    }
  }

  /// In the order of the value, which all of these share.
  fileprivate var countOfNumbers: Int {
    switch self {
    case .int32, .int64, .float64, .largeInteger: 1
    case .list(let list): list.reduce(0) { $0 + $1.countOfNumbers }
    case .map(let map): map.reduce(0) { $0 + $1.value.countOfNumbers }
    default: 0
    }
  }

  /// With 0 for every number but the first `count`.
  fileprivate func zeroing(from count: Int) -> Value {
    var left = count
    return zeroing(after: &left)
  }

  private func zeroing(after left: inout Int) -> Value {
    switch self {
    case .int32, .int64, .float64, .largeInteger:
      defer { left -= 1 }
      return left > 0 ? self : .int32(0)
    case .list(let list):
      var elements: [Value] = []
      for element in list { elements.append(element.zeroing(after: &left)) }
      return .list(List(elements))
    case .map(let map):
      var pairs: [(key: Value, value: Value)] = []
      for pair in map { pairs.append((pair.key, pair.value.zeroing(after: &left))) }
      return .map(Map(pairs))
    default: return self
    }
  }

  /// The way to the number with this number, from 0 on.
  fileprivate func place(ofNumber number: Int) -> [PayloadStep]? {
    var left = number
    return place(after: &left)
  }

  private func place(after left: inout Int) -> [PayloadStep]? {
    switch self {
    case .int32, .int64, .float64, .largeInteger:
      defer { left -= 1 }
      return left == 0 ? [] : nil
    case .list(let list):
      for (index, element) in list.enumerated() {
        if let rest = element.place(after: &left) { return [.index(index)] + rest }
      }
    case .map(let map):
      for pair in map {
        if let rest = pair.value.place(after: &left) {
          return [.key(pair.key.string ?? "")] + rest
        }
      }
    default: break
    }
    return nil
  }
}
