/// Reads the values of a standard-codec payload for what some platform would trip over. Nothing is
/// built; memory is that of the containers that are open.
struct StandardScan {
  /// Where in a payload something was found.
  struct Spot {
    var rule: LintRule
    var offset: Int
    var path: String
    var found: String
  }

  /// Why the payload cannot be read to its end.
  struct Fault: Error {
    var offset: Int
    var text: String
    var isUnknownType = false
  }

  /// Numbers at paths, by a hash of the path.
  private var widths = NumberWidths()
  /// Rules whose findings are only counted, so that their paths need not be told.
  var muted: Set<LintRule> = []
  /// Finds only counted beyond this many for a payload.
  private static let mostSpots = 32
  private static let maximumDepth = 512

  private struct Frame {
    var isMap: Bool
    var custom: UInt8 = 0
    /// Values, keys included.
    var total: Int
    var done = 0
    var pathHash: UInt64
    /// Of the key at hand.
    var key: Range<Int> = 0..<0
    var keyHash: UInt64 = 0
    var firstKey: Int
  }

  private struct Key {
    var hash: UInt64
    var range: Range<Int>
  }

  private(set) var spots: [Spot] = []
  private var frames: [Frame] = []
  private var keys: [Key] = []
  private var part = ""
  private var at = 0
  /// An empty typed list has padding; not so when C++ wrote it.
  private var padsEmptyLists = true
  private var firstEmptyList: Spot?
  private var isToNative = false
  private var isChecking = false

  init() {}

  /// What stands in a payload.
  enum Form {
    case call
    case envelope
    case value
  }

  /// Looks at a payload. ``spots`` has what was found, the error included.
  ///
  /// - Parameter seed: a number for channel and method, which paths are told apart by.
  mutating func scan(
    _ bytes: UnsafeRawBufferPointer, as form: Form, isToNative: Bool, seed: UInt64
  ) {
    spots.removeAll(keepingCapacity: true)
    self.isToNative = isToNative
    isChecking = false
    padsEmptyLists = true
    firstEmptyList = nil
    do throws(Fault) {
      try read(bytes, as: form, seed: seed)
    } catch {
      let found = spots
      if let list = firstEmptyList, readsUnpadded(bytes, as: form, seed: seed) {
        // Behind the list the padding was taken from what follows it.
        spots = found.filter { $0.offset < list.offset } + [list]
        return
      }
      spots = found
      let rule: LintRule =
        error.isUnknownType ? .unknownType : form == .envelope ? .malformedEnvelope : .malformed
      note(rule, error.offset, error.text)
    }
  }

  private mutating func readsUnpadded(
    _ bytes: UnsafeRawBufferPointer, as form: Form, seed: UInt64
  ) -> Bool {
    padsEmptyLists = false
    isChecking = true
    do throws(Fault) {
      try read(bytes, as: form, seed: seed)
      return true
    } catch {
      return false
    }
  }

  // MARK: - Parts

  private mutating func read(
    _ bytes: UnsafeRawBufferPointer, as form: Form, seed: UInt64
  ) throws(Fault) {
    at = 0
    frames.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    switch form {
    case .value:
      try value(bytes, part: "", seed)
    case .call:
      guard bytes.first == 7 else {
        throw Fault(offset: 0, text: "a call begins with the method's name, a string")
      }
      try value(bytes, part: "method", seed)
      try value(bytes, part: "arguments", seed &+ 1)
    case .envelope:
      guard let flag = bytes.first else {
        throw Fault(offset: 0, text: "no bytes where an envelope is expected")
      }
      at = 1
      switch flag {
      case 0: try value(bytes, part: "result", seed &+ 2)
      case 1:
        try value(bytes, part: "code", seed, only: [7], "a string")
        try value(bytes, part: "message", seed, only: [0, 7], "a string or null")
        try value(bytes, part: "details", seed &+ 3)
        if at < bytes.count {
          part = "stacktrace"
          note(.stackTrace, at, "a fourth field, the stack trace")
          try value(bytes, part: "stacktrace", seed, only: [0, 7], "a string or null")
        }
      default:
        throw Fault(offset: 0, text: "an envelope begins with 00 or 01, not \(Self.hex(flag))")
      }
    }
    if at < bytes.count {
      throw Fault(offset: at, text: "\(bytes.count - at) bytes behind the last value")
    }
  }

  private mutating func value(
    _ bytes: UnsafeRawBufferPointer, part: String, _ seed: UInt64, only types: [UInt8],
    _ expected: String
  ) throws(Fault) {
    self.part = part
    if at < bytes.count, !types.contains(bytes[at]) {
      throw Fault(offset: at, text: "\(part) is not \(expected)")
    }
    try value(bytes, part: part, seed)
  }

  // MARK: - Values

  private mutating func value(
    _ bytes: UnsafeRawBufferPointer, part: String, _ seed: UInt64
  ) throws(Fault) {
    self.part = part
    repeat {
      let start = at
      guard at < bytes.count else { throw Fault(offset: at, text: "the message ends too soon") }
      let isKey = frames.last.map { $0.isMap && $0.done & 1 == 0 } ?? false
      let type = bytes[at]
      at &+= 1
      var isContainer = false
      switch type {
      case 0:
        if let frame = frames.last, frame.isMap, frame.done & 1 == 1, isToNative {
          note(.nullInMap, start, "null as a value")
        }
      case 1, 2: break
      case 3:
        try need(4, bytes, "int32")
        if isKey { noteIntKey(start, "an int32") } else { number(.int32, start, seed) }
        at &+= 4
      case 4:
        try need(8, bytes, "int64")
        let value = bytes.loadUnaligned(fromByteOffset: at, as: Int64.self)
        if isKey { noteIntKey(start, "an int64") } else { number(.int64, start, seed) }
        if value.magnitude > 1 << 53 { note(.largeInteger, start, "\(value)") }
        at &+= 8
      case 5:
        let run = try sized(bytes, "a large integer")
        note(.largeInteger, start, "type 5, an integer as text")
        text(bytes, run, start)
      case 6:
        try pad(8, bytes, start)
        try need(8, bytes, "float64")
        if !isKey { number(.double, start, seed) }
        at &+= 8
      case 7: text(bytes, try sized(bytes, "a string"), start)
      case 8: _ = try sized(bytes, "a Uint8List")
      case 9, 14: try list(bytes, start, 4)
      case 10, 11: try list(bytes, start, 8)
      case 12, 13:
        let count = try size(bytes, start)
        let total = type == 13 ? count &* 2 : count
        guard total <= bytes.count &- at else {
          throw Fault(offset: start, text: "\(count) elements cannot be in the bytes left")
        }
        try push(isMap: type == 13, total: total, seed: seed, start: start, type: 0)
        isContainer = true
      case 128...:
        try push(isMap: false, total: 1, seed: seed, start: start, type: type)
        isContainer = true
      default:
        throw Fault(
          offset: start, text: "type byte \(Self.hex(type)) is none that is known",
          isUnknownType: true)
      }
      if !isContainer { finish(start..<at, bytes) }
      while let frame = frames.last, frame.done == frame.total {
        if frame.isMap { checkKeys(from: frame.firstKey, bytes) }
        frames.removeLast()
        keys.removeLast(keys.count - frame.firstKey)
        finish(nil, bytes)
      }
    } while !frames.isEmpty
  }

  /// A value of the innermost container is read.
  private mutating func finish(_ range: Range<Int>?, _ bytes: UnsafeRawBufferPointer) {
    guard let last = frames.indices.last else { return }
    if frames[last].isMap, frames[last].done & 1 == 0 {
      if let range {
        let hash = RowTable.hash(UnsafeRawBufferPointer(rebasing: bytes[range]), 1)
        frames[last].key = range
        frames[last].keyHash = hash
        keys.append(Key(hash: hash, range: range))
      } else {
        frames[last].key = 0..<0
        frames[last].keyHash = 0
      }
    }
    frames[last].done &+= 1
  }

  private mutating func push(
    isMap: Bool, total: Int, seed: UInt64, start: Int, type: UInt8
  ) throws(Fault) {
    guard frames.count < Self.maximumDepth else {
      throw Fault(offset: start, text: "more than \(Self.maximumDepth) containers in each other")
    }
    frames.append(
      Frame(
        isMap: isMap, custom: type, total: total, pathHash: pathHash(seed), firstKey: keys.count))
  }

  private func pathHash(_ seed: UInt64) -> UInt64 {
    guard let frame = frames.last else { return seed &* 0x9e37_79b9_7f4a_7c15 }
    let step = frame.isMap ? frame.keyHash : 0x5b5d &+ UInt64(frame.custom)
    return (frame.pathHash ^ step) &* 0xd6e8_feb8_6659_fd93 ^ frame.pathHash >> 31
  }

  // MARK: - What is checked

  private mutating func number(_ kind: NumberWidths.Kind, _ start: Int, _ seed: UInt64) {
    if isChecking { return }
    switch widths.add(kind, at: pathHash(seed)) {
    case .none: break
    case .width where isToNative: note(.intWidth, start, "\(kind) here, the other width before")
    case .width: break
    case .kind: note(.numberKind, start, "\(kind) here, the other kind of number before")
    }
  }

  private mutating func noteIntKey(_ start: Int, _ found: String) {
    if isToNative { note(.intMapKey, start, "\(found) as key") }
  }

  private mutating func text(_ bytes: UnsafeRawBufferPointer, _ run: Range<Int>, _ start: Int) {
    let text = UnsafeRawBufferPointer(rebasing: bytes[run])
    if text.isEmpty { return }
    var high: UInt8 = 0
    var hasNUL = false
    for byte in text {
      high |= byte
      if byte == 0 { hasNUL = true }
    }
    if hasNUL { note(.nulInString, start, "a string with U+0000 in it") }
    guard high >= 0x80 else { return }
    if text.starts(with: [0xef, 0xbb, 0xbf]) {
      note(.byteOrderMark, start, "a string that begins with U+FEFF")
    }
    if String(validating: text, as: UTF8.self) == nil {
      note(.invalidUTF8, start, "a string that is not UTF-8")
    }
  }

  private mutating func checkKeys(from first: Int, _ bytes: UnsafeRawBufferPointer) {
    let count = keys.count - first
    if count < 2 || isChecking { return }
    if count <= 16 {
      for right in first + 1..<keys.count {
        for left in first..<right where keys[left].hash == keys[right].hash {
          noteDuplicate(right, bytes)
          break
        }
      }
      return
    }
    var seen = Set<UInt64>(minimumCapacity: count)
    for place in first..<keys.count where !seen.insert(keys[place].hash).inserted {
      noteDuplicate(place, bytes)
    }
  }

  private mutating func noteDuplicate(_ place: Int, _ bytes: UnsafeRawBufferPointer) {
    let key = keys[place].range
    note(.duplicateKey, key.lowerBound, "the key \(Self.keyText(bytes, key)) once more")
  }

  // MARK: - Sizes and padding

  private func need(
    _ count: Int, _ bytes: UnsafeRawBufferPointer, _ what: String
  ) throws(Fault) {
    guard bytes.count &- at >= count else {
      throw Fault(offset: at, text: "the message ends within \(what)")
    }
  }

  private mutating func size(
    _ bytes: UnsafeRawBufferPointer, _ start: Int
  ) throws(Fault) -> Int {
    try need(1, bytes, "a size")
    let first = bytes[at]
    if first < 254 {
      at &+= 1
      return Int(first)
    }
    let count: Int
    if first == 254 {
      try need(3, bytes, "a size")
      count = Int(bytes.loadUnaligned(fromByteOffset: at &+ 1, as: UInt16.self).littleEndian)
      if count < 254 { note(.nonCanonical, at, "size \(count) in three bytes") }
      at &+= 3
    } else {
      try need(5, bytes, "a size")
      count = Int(bytes.loadUnaligned(fromByteOffset: at &+ 1, as: UInt32.self).littleEndian)
      if count <= 0xffff { note(.nonCanonical, at, "size \(count) in five bytes") }
      at &+= 5
    }
    return count
  }

  private mutating func sized(
    _ bytes: UnsafeRawBufferPointer, _ what: String
  ) throws(Fault) -> Range<Int> {
    let count = try size(bytes, at &- 1)
    try need(count, bytes, what)
    defer { at &+= count }
    return at..<at &+ count
  }

  private mutating func list(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ width: Int
  ) throws(Fault) {
    let count = try size(bytes, start)
    if count == 0, at & (width &- 1) != 0 {
      if firstEmptyList == nil {
        firstEmptyList = Spot(
          rule: .unpaddedEmptyList, offset: start, path: path(bytes), found: "an empty typed list")
      }
      if !padsEmptyLists { return }
    }
    try pad(width, bytes, start)
    try need(count &* width, bytes, "a typed list")
    at &+= count &* width
  }

  private mutating func pad(
    _ width: Int, _ bytes: UnsafeRawBufferPointer, _ start: Int
  ) throws(Fault) {
    let end = (at &+ width &- 1) & ~(width &- 1)
    try need(end &- at, bytes, "padding")
    var isZero = true
    while at < end {
      if bytes[at] != 0 { isZero = false }
      at &+= 1
    }
    if !isZero { note(.nonCanonical, start, "padding that is not zero") }
  }

  // MARK: - Telling

  private mutating func note(_ rule: LintRule, _ offset: Int, _ found: String) {
    if isChecking || spots.count >= Self.mostSpots { return }
    let path = muted.contains(rule) ? "" : pathOfNext
    spots.append(Spot(rule: rule, offset: offset, path: path, found: found))
  }

  private var pathOfNext: String { steps.isEmpty ? part : part + steps }

  private var steps: String {
    var text = ""
    for frame in frames.prefix(40) {
      if frame.custom != 0 {
        text += "<\(frame.custom)>"
      } else if !frame.isMap {
        text += "[\(frame.done)]"
      } else if frame.done & 1 == 0 {
        text += "[key \(frame.done / 2)]"
      } else {
        // Replaced by the key when the finding is shown.
        text += "\u{1}\(frame.key.lowerBound)-\(frame.key.upperBound)\u{1}"
      }
    }
    return frames.count > 40 ? text + "…" : text
  }

  private func path(_ bytes: UnsafeRawBufferPointer) -> String {
    Self.path(pathOfNext, bytes)
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }
}
