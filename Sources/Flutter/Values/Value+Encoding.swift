import ChannelCodec
import Foundation

extension NativeValue {
  /// Nesting past this is taken for a list that contains itself.
  static let deepest = 512

  /// The value of a native object or value.
  /// - Parameter part: how the path of an error begins, such as `result`.
  /// - Throws: ``CodecError/Code/unsupportedValue`` for what iOS would stop at, with its Swift type
  ///   and its place.
  static func value(of native: Any?, part: String? = nil) throws(CodecError) -> Value {
    let base: [ValuePath.Component] = part.map { [.part($0)] } ?? []
    if case .leaf(let value) = NativeShape.of(native) { return value }
    var walk = NativeWalk(path: base)
    try walk.append(native)
    return walk.builder.finish()
  }

  static func unsupported(_ found: String, at path: [ValuePath.Component]) -> CodecError {
    CodecError(
      .unsupportedValue, path: ValuePath(path), expected: NativeShape.supported, found: found,
      consequence: .crash, platformError: "assert: Unsupported value for standard codec")
  }
}

/// Builds a value out of native containers.
private struct NativeWalk {
  var builder = ValueBuilder()
  var path: [ValuePath.Component]

  mutating func append(_ native: Any?) throws(CodecError) {
    switch NativeShape.of(native) {
    case .leaf(let value): builder.append(value)
    case .list(let list):
      try checkDepth()
      builder.beginList()
      for (number, element) in list.enumerated() { try append(element, at: .element(number)) }
      builder.end()
    case .map(let pairs):
      try checkDepth()
      builder.beginMap()
      for (number, pair) in pairs.enumerated() {
        try append(pair.key, at: .keyOfPair(number))
        var step = ValuePath.Component.valueOfPair(number)
        if case .leaf(let key) = NativeShape.of(pair.key) { step = .key(key) }
        try append(pair.value, at: step)
      }
      builder.end()
    case .unsupported(let found): throw NativeValue.unsupported(found, at: path)
    }
  }

  private mutating func append(
    _ native: Any, at step: ValuePath.Component
  ) throws(CodecError) {
    path.append(step)
    try append(native)
    path.removeLast()
  }

  private func checkDepth() throws(CodecError) {
    guard builder.depth < NativeValue.deepest else {
      throw NativeValue.unsupported(
        "more than \(NativeValue.deepest) lists and maps in each other", at: [])
    }
  }
}
