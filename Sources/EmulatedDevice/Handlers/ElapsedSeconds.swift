import ChannelCodec

/// What the guide's `arguments as? [String: Any]` and `info["elapsedSeconds"] as? Int ?? 0` make of
/// a call's arguments, where Flutter for iOS has turned numbers and bools into `NSNumber`.
struct ElapsedSeconds {
  static let key = "elapsedSeconds"

  var seconds: Int64
  /// Why the seconds are 0 although no zero was given.
  var fallback: Fallback?

  /// Kept as values: the sentence is only made when somebody is to read it.
  enum Fallback {
    case missing(Value.Map)
    case notANumber(Value)
    case notWhole(Double)
  }

  /// nil where the cast of the whole map fails: no map, or a key that is no string.
  ///
  /// No initializer, which would take a reference of its own to each call's arguments.
  static func of(_ arguments: Value) -> ElapsedSeconds? {
    guard arguments.isMap else { return nil }
    var reader = ElapsedSecondsReader()
    arguments.visit(with: &reader)
    guard !reader.hasOtherKey else { return nil }
    switch reader.found {
    case .integer(let number): return ElapsedSeconds(seconds: number)
    case .float(let number):
      if let whole = Int64(exactly: number) { return ElapsedSeconds(seconds: whole) }
      return ElapsedSeconds(seconds: 0, fallback: .notWhole(number))
    case .other, nil: return fallingBack(arguments)
    }
  }

  private static func fallingBack(_ arguments: Value) -> ElapsedSeconds? {
    guard case .map(let map) = arguments else { return nil }
    let pair = map.first { $0.key.text?.isExactly("elapsedSeconds") ?? false }
    return ElapsedSeconds(
      seconds: 0, fallback: pair.map { .notANumber($0.value) } ?? .missing(map))
  }

  /// The guide's `ContentState(elapsedTime:)`: `["elapsedTime": seconds]`, made from its bytes
  /// because every update needs one.
  static func contentState(_ seconds: Int64) -> Value {
    let head = stateHead
    let size = head.utf8CodeUnitCount
    let narrow = Int32(exactly: seconds)
    let count = size + (narrow == nil ? 9 : 5)
    let message = withUnsafeTemporaryAllocation(byteCount: size + 9, alignment: 8) { memory in
      memory.copyMemory(from: UnsafeRawBufferPointer(start: head.utf8Start, count: size))
      memory[size] = narrow == nil ? 4 : 3
      // The low half of a small number is the number.
      memory.storeBytes(of: seconds.littleEndian, toByteOffset: size + 1, as: Int64.self)
      // Making the array from memory costs half of making it to be filled.
      return [UInt8](UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }
    return .wellFormedMap(message)
  }

  /// A map of one pair, up to the type of its value.
  private static let stateHead: StaticString = "\u{d}\u{1}\u{7}\u{b}elapsedTime"
}

extension Value.Text {
  /// Whether these are the bytes of `literal`.
  func isExactly(_ literal: StaticString) -> Bool { withUTF8 { $0.isExactly(literal) } }
}

extension UnsafeRawBufferPointer {
  /// Whether these are the bytes of `literal`.
  func isExactly(_ literal: StaticString) -> Bool {
    guard count == literal.utf8CodeUnitCount else { return false }
    let wanted = UnsafeRawBufferPointer(start: literal.utf8Start, count: count)
    var position = 0
    while position &+ 8 <= count {
      let left = loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let right = wanted.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if left != right { return false }
      position &+= 8
    }
    while position < count {
      if self[position] != wanted[position] { return false }
      position &+= 1
    }
    return true
  }
}

extension ElapsedSeconds.Fallback: CustomStringConvertible {
  var description: String {
    let key = ElapsedSeconds.key
    switch self {
    case .missing(let map):
      let names = map.compactMap { $0.key.string }
      if let near = NearMiss.nearest(to: key, among: names) {
        return "there is no \(key), but \(NearMiss.quoted(near)); 0 is taken"
      }
      return "there is no \(key); 0 is taken"
    case .notWhole(let number):
      let why = number.isFinite && number == number.rounded() ? "fits no Int" : "is no whole number"
      return "\(key) is \(number), which \(why); 0 is taken"
    case .notANumber(let value): return "\(key) is \(value.kindName), no number; 0 is taken"
    }
  }
}
