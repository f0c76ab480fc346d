/// Keeps count of where in a value a reader or writer stands, so that an error can say so.
struct PathTracker {
  enum Kind {
    case list, map
    case custom(UInt8)
  }

  private struct Frame {
    var kind: Kind
    var remaining: Int
    var done = 0
    /// The key of the pair at hand; nil before it is known and for keys that are containers.
    var key: Value?
  }

  let base: ValuePath
  private var frames: [Frame] = []

  init(base: ValuePath = ValuePath()) { self.base = base }

  /// Containers open.
  var depth: Int { frames.count }

  /// A list or map with this many values to come (two for each pair), or an extension value.
  mutating func begin(_ kind: Kind, values: Int) {
    frames.append(Frame(kind: kind, remaining: values))
  }

  mutating func leaf(_ value: Value) { advance(key: value) }

  /// Closes every container that has all it announced and answers how many those are.
  mutating func endFinished() -> Int {
    var ended = 0
    while let frame = frames.last, frame.remaining == 0 {
      frames.removeLast()
      ended += 1
      advance(key: nil)
    }
    return ended
  }

  private mutating func advance(key: Value?) {
    guard let last = frames.indices.last else { return }
    if case .map = frames[last].kind, frames[last].done.isMultiple(of: 2) { frames[last].key = key }
    frames[last].done += 1
    frames[last].remaining -= 1
  }

  /// The path of the value that comes next. Far down, the middle is left out: whoever notes the path
  /// of every value of a deep message must not need the square of its size.
  var path: ValuePath {
    var path = base
    let elided = frames.count > 2 * PathTracker.keptSteps ? PathTracker.keptSteps : frames.count
    append(frames[..<elided], to: &path)
    if elided < frames.count {
      path.components.append(.elided(frames.count - 2 * elided))
      append(frames[(frames.count - elided)...], to: &path)
    }
    return path
  }

  /// Steps told at either end of a long path.
  private static let keptSteps = 20

  private func append(_ frames: ArraySlice<Frame>, to path: inout ValuePath) {
    for frame in frames {
      switch frame.kind {
      case .list: path.components.append(.element(frame.done))
      case .custom(let type): path.components.append(.payload(type))
      case .map:
        let pair = frame.done / 2
        if frame.done.isMultiple(of: 2) {
          path.components.append(.keyOfPair(pair))
        } else {
          path.components.append(frame.key.map { .key($0) } ?? .valueOfPair(pair))
        }
      }
    }
  }
}
