import ChannelCodec

/// A path with wildcards: `$.token`, `$.items[*].id`, `$["a key"]`, `$..time`.
///
/// It covers the values at the paths that it matches and all that they contain.
public struct PathPattern: Hashable, Sendable, CustomStringConvertible {
  enum Step: Hashable, Sendable {
    case key(String)
    case element(Int)
    /// `*` or `[*]`: one step, whatever it is.
    case any
    /// `..`: any number of steps.
    case descent
  }

  let steps: [Step]
  public let description: String

  /// Reads a pattern.
  ///
  /// - Throws: for what is no pattern, with the reason.
  public init(_ text: some StringProtocol) throws(PatternError) {
    description = String(text)
    var reader = PathPatternReader(Array(text.utf8))
    steps = try reader.steps()
  }

  /// Whether the value at `path` is covered.
  public func covers(_ path: ValuePath) -> Bool {
    // Positions in `steps` that a prefix of the path has led to.
    var places: Set<Int> = [0]
    reach(&places)
    if places.contains(steps.count) { return true }
    for component in path.components {
      var next: Set<Int> = []
      for place in places {
        if place < steps.count, steps[place] == .descent { next.insert(place) }
        if place < steps.count, matches(steps[place], component) { next.insert(place + 1) }
      }
      places = next
      reach(&places)
      if places.contains(steps.count) { return true }
      if places.isEmpty { return false }
    }
    return false
  }

  /// `..` may stand for no step at all.
  private func reach(_ places: inout Set<Int>) {
    for place in places {
      var place = place
      while place < steps.count, steps[place] == .descent {
        place += 1
        places.insert(place)
      }
    }
  }

  private func matches(_ step: Step, _ component: ValuePath.Component) -> Bool {
    switch (step, component) {
    case (.any, _): true
    case (.key(let name), .part(let part)): name == part
    case (.key(let name), .key(.string(let key))): key == Value.Text(name)
    case (.element(let number), .element(let position)): number == position
    case (.element(let number), .key(let key)): key.integer == Int64(number)
    default: false
    }
  }
}

/// Why a text is no pattern or rule.
public struct PatternError: Error, Hashable, Sendable {
  /// A phrase: `expected …, found …`.
  public var text: String

  init(_ text: String) { self.text = text }
}

/// Reads the text of a path pattern.
struct PathPatternReader {
  private let text: [UInt8]
  private var offset = 0

  init(_ text: [UInt8]) { self.text = text }

  mutating func steps() throws(PatternError) -> [PathPattern.Step] {
    guard take("$") else {
      throw PatternError("a path begins with $, as in $.token or $.items[*].id")
    }
    var steps: [PathPattern.Step] = []
    while offset < text.count {
      if take(".") {
        if take(".") {
          steps.append(.descent)
          if offset < text.count, text[offset] == UInt8(ascii: "[") { continue }
        }
        steps.append(try name())
      } else if take("[") {
        steps.append(try bracket())
      } else {
        throw PatternError("expected . or [ in the path, found \(rest)")
      }
    }
    return steps
  }

  private mutating func name() throws(PatternError) -> PathPattern.Step {
    if take("*") { return .any }
    let start = offset
    while offset < text.count, MessagePath.isNameByte(text[offset]) { offset += 1 }
    guard offset > start else {
      throw PatternError(
        "expected a key or * behind the dot, found \(rest); other keys are written [\"a key\"]")
    }
    return .key(String(decoding: text[start..<offset], as: UTF8.self))
  }

  private mutating func bracket() throws(PatternError) -> PathPattern.Step {
    let step: PathPattern.Step
    if take("*") {
      step = .any
    } else if take("\"") {
      step = .key(try quoted(by: UInt8(ascii: "\"")))
    } else if take("'") {
      step = .key(try quoted(by: UInt8(ascii: "'")))
    } else {
      let start = offset
      while offset < text.count, text[offset] != UInt8(ascii: "]") { offset += 1 }
      guard let number = Int(String(decoding: text[start..<offset], as: UTF8.self)) else {
        throw PatternError("expected [3], [*] or [\"a key\"] in the path")
      }
      step = .element(number)
    }
    guard take("]") else { throw PatternError("a bracket in the path is not closed") }
    return step
  }

  private mutating func quoted(by mark: UInt8) throws(PatternError) -> String {
    var key: [UInt8] = []
    while offset < text.count, text[offset] != mark {
      if text[offset] == UInt8(ascii: "\\"), offset + 1 < text.count { offset += 1 }
      key.append(text[offset])
      offset += 1
    }
    guard offset < text.count else {
      throw PatternError("a key in the path lacks its closing mark")
    }
    offset += 1
    return String(decoding: key, as: UTF8.self)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private var rest: String {
    if offset >= text.count { return "its end" }
    return Value.Text(bytes: text[offset...]).quoted
  }
}
