/// The fast reader: one pass that checks a message against the format and leaves an index, for
/// messages with nothing odd about them. At anything odd it gives up without a word, and
/// ``ProfileDecoder``, which knows what each platform would do, reads the message again.
///
/// It needs no stack: while a container is open, its two spare index words hold what the one around
/// it still expects.
struct MessageIndexer {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let extensions: ExtensionTypes.Plain
  private let maximumDepth: Int
  private let utf8: UTF8Check.Table
  private var words: UnsafeMutableBufferPointer<UInt32>
  private var ownsWords = false
  /// Ill-formed strings and numbers end the pass; else it only notes them.
  private var checksText = true
  private var stringsAreUTF8 = true
  private var wordCount = 0
  private var position = 0

  /// Words that fit on the stack: a call of ordinary size needs no other memory.
  private static let stackWords = 256

  /// Reads `message` with `body`, which takes its values one after the other and answers nil where
  /// something is odd. The message is handed to each call rather than kept here: every reference
  /// that is kept is counted, and a call of ordinary size is read in a few dozen nanoseconds.
  @inline(__always)
  static func read<Result>(
    _ message: [UInt8], extensions: ExtensionTypes.Plain, maximumDepth: Int,
    largest: Int = ProfileDecoder.largestMessage, _ body: (inout MessageIndexer) -> Result?
  ) -> Result? {
    guard message.count <= largest else { return nil }
    return UTF8Check.withTable { utf8 in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: stackWords) { scratch in
        message.withUnsafeBufferPointer { bytes in
          var indexer = MessageIndexer(
            bytes: bytes, extensions: extensions, maximumDepth: maximumDepth,
            utf8: utf8, words: scratch)
          defer { indexer.releaseWords() }
          return body(&indexer)
        }
      }
    }
  }

  var isAtEnd: Bool { position == bytes.count }

  /// The next byte, such as an envelope's flag.
  mutating func byte() -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position &+= 1 }
    return bytes[position]
  }

  /// The next value, if it is a string.
  mutating func text(in message: [UInt8]) -> Value.Text? {
    guard let base = bytes.baseAddress, position < bytes.count,
      base[position] == WireType.string.rawValue
    else { return nil }
    var at = position &+ 1
    guard let count = MessageIndexer.size(&at, raw: UnsafeRawPointer(base), end: bytes.count),
      bytes.count &- at >= count, utf8.isValid(base + at, count: count)
    else { return nil }
    position = at &+ count
    return Value.Text(storage: .utf8(Bytes(message, lower: at, count: count)))
  }

  /// The next value.
  mutating func value(in message: [UInt8]) -> Value? {
    guard position < bytes.count else { return nil }
    // The commonest results and arguments need no index.
    switch bytes[position] {
    case WireType.null.rawValue: return leaf(.null)
    case WireType.true.rawValue: return leaf(.bool(true))
    case WireType.false.rawValue: return leaf(.bool(false))
    case WireType.string.rawValue: return text(in: message).map { .string($0) }
    default: break
    }
    let start = position
    wordCount = 0
    guard scan() else { return nil }
    if wordCount == 1 { return Value.leaf(at: start, in: message, isValidUTF8: true) }
    let isSmall = bytes.count <= MessageSource.largestSmall
    let source =
      isSmall ? MessageSource.small(message) : .indexed(index(of: message, isValidUTF8: true))
    let node = isSmall ? start : 0
    switch bytes[start] {
    case WireType.list.rawValue: return .list(Value.List(source: source, node: node))
    case WireType.map.rawValue: return .map(Value.Map(source: source, node: node))
    default: return .custom(Value.Custom(source: source, node: node))
    }
  }

  private func index(of message: [UInt8], isValidUTF8: Bool) -> MessageIndex {
    let words = UnsafeBufferPointer(rebasing: self.words[..<wordCount])
    return MessageIndex.make(bytes: message, words: words, isValidUTF8: isValidUTF8)
  }

  /// The source of a value that was written here, and is well formed but for its strings.
  static func source(ofWellFormed message: [UInt8]) -> MessageSource {
    let small = message.count <= MessageSource.largestSmall
    let source = read(
      message, extensions: .all, maximumDepth: .max, largest: .max
    ) { indexer in
      indexer.checksText = false
      guard indexer.scan() else { return MessageSource?.none }
      let isValidUTF8 = indexer.stringsAreUTF8
      if small && isValidUTF8 { return .small(message) }
      return .indexed(indexer.index(of: message, isValidUTF8: isValidUTF8))
    }
    guard let source else { preconditionFailure("a value was written that cannot be read") }
    return source
  }

  private mutating func leaf(_ value: Value) -> Value {
    position &+= 1
    return value
  }

  private init(
    bytes: UnsafeBufferPointer<UInt8>, extensions: ExtensionTypes.Plain,
    maximumDepth: Int, utf8: UTF8Check.Table, words: UnsafeMutableBufferPointer<UInt32>
  ) {
    self.bytes = bytes
    self.extensions = extensions
    self.maximumDepth = maximumDepth
    self.utf8 = utf8
    self.words = words
  }

  private func releaseWords() {
    if ownsWords { words.deallocate() }
  }

  /// Called when fewer than three words are left. Words grow with values found, never with a size
  /// that the message merely claims.
  private mutating func growWords() {
    let larger = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: words.count * 2)
    _ = larger.moveInitialize(fromContentsOf: words[..<wordCount])
    releaseWords()
    words = larger
    ownsWords = true
  }

  // MARK: - The pass

  /// Reads one value with all it contains; false at anything odd.
  private mutating func scan() -> Bool {
    guard let base = bytes.baseAddress else { return false }
    let raw = UnsafeRawPointer(base)
    let end = bytes.count
    var at = position
    // What the innermost open container still expects, and where its words stand.
    var remaining = 1
    var container = -1
    var depth = 0
    while true {
      while remaining == 0 {
        if container < 0 {
          position = at
          return true
        }
        remaining = Int(words[container &+ 2])
        let outer = words[container &+ 1]
        let offset = Int(words[container])
        words[container &+ 1] = UInt32(truncatingIfNeeded: wordCount)
        words[container &+ 2] = UInt32(truncatingIfNeeded: count(at: offset, raw: raw))
        container = outer == .max ? -1 : Int(outer)
        depth &-= 1
      }
      remaining &-= 1
      guard at < end else { return false }
      if wordCount &+ 3 > words.count { growWords() }
      words[wordCount] = UInt32(truncatingIfNeeded: at)
      wordCount &+= 1
      let type = base[at]
      at &+= 1
      switch type {
      case 0, 1, 2: break
      case 3:
        guard end &- at >= 4 else { return false }
        at &+= 4
      case 4:
        guard end &- at >= 8 else { return false }
        at &+= 8
      case 6:
        at = at.aligned(to: 8)
        guard end &- at >= 8 else { return false }
        at &+= 8
      case 7:
        guard let count = MessageIndexer.size(&at, raw: raw, end: end), end &- at >= count else {
          return false
        }
        if !utf8.isValid(base + at, count: count) {
          guard !checksText else { return false }
          stringsAreUTF8 = false
        }
        at &+= count
      case 8:
        guard let count = MessageIndexer.size(&at, raw: raw, end: end), end &- at >= count else {
          return false
        }
        at &+= count
      case 9, 14:
        guard let count = MessageIndexer.size(&at, raw: raw, end: end) else { return false }
        at = at.aligned(to: 4)
        guard end &- at >= count &* 4 else { return false }
        at &+= count &* 4
      case 10, 11:
        guard let count = MessageIndexer.size(&at, raw: raw, end: end) else { return false }
        at = at.aligned(to: 8)
        guard end &- at >= count &* 8 else { return false }
        at &+= count &* 8
      case 12, 13:
        guard depth < maximumDepth, let count = MessageIndexer.size(&at, raw: raw, end: end) else {
          return false
        }
        let values = type == 12 ? count : count &* 2
        guard values <= end &- at else { return false }
        words[wordCount] = UInt32(truncatingIfNeeded: container)
        words[wordCount &+ 1] = UInt32(truncatingIfNeeded: remaining)
        container = wordCount &- 1
        wordCount &+= 2
        remaining = values
        depth &+= 1
      case 5:
        guard let count = MessageIndexer.size(&at, raw: raw, end: end), end &- at >= count else {
          return false
        }
        let text = UnsafeRawBufferPointer(start: raw + at, count: count)
        if Value.LargeInteger.firstError(in: text) != nil {
          guard !checksText else { return false }
          if !utf8.isValid(base + at, count: count) { stringsAreUTF8 = false }
        }
        at &+= count
      default:
        guard extensions.contains(type), depth < maximumDepth else { return false }
        words[wordCount] = UInt32(truncatingIfNeeded: container)
        words[wordCount &+ 1] = UInt32(truncatingIfNeeded: remaining)
        container = wordCount &- 1
        wordCount &+= 2
        remaining = 1
        depth &+= 1
      }
    }
  }

  /// Reads a size field and moves behind it; nil where the message ends inside.
  @inline(__always)
  private static func size(_ at: inout Int, raw: UnsafeRawPointer, end: Int) -> Int? {
    let left = end &- at
    guard left >= 1 else { return nil }
    let first = raw.load(fromByteOffset: at, as: UInt8.self)
    if first < WireSize.twoByteMark {
      at &+= 1
      return Int(first)
    }
    if first == WireSize.twoByteMark {
      guard left >= 3 else { return nil }
      defer { at &+= 3 }
      return Int(raw.loadUnaligned(fromByteOffset: at &+ 1, as: UInt16.self))
    }
    guard left >= 5 else { return nil }
    defer { at &+= 5 }
    return Int(raw.loadUnaligned(fromByteOffset: at &+ 1, as: UInt32.self))
  }

  /// The count of the container whose type byte stands at `offset`, already checked.
  private func count(at offset: Int, raw: UnsafeRawPointer) -> Int {
    guard base(offset) <= 13 else { return 1 }
    return WireSize.read(UnsafeRawBufferPointer(bytes), at: offset &+ 1).value
  }

  private func base(_ offset: Int) -> UInt8 { bytes[offset] }
}
