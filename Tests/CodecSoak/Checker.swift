import ChannelCodec

struct Failure {
  /// What went wrong, the same for every input of a kind.
  var label: String
  var detail: String
}

/// The properties that every input must hold.
struct Checker {
  struct Count {
    var accepted = 0
    var refused = 0
    var refusedEncoding = 0
  }

  let profiles: [Profile]
  private(set) var counts: [Count]
  private(set) var inputCount = 0
  private let sets: [(names: [[String]], codecs: [Codecs])]
  private let twins: [Codecs]
  private let wrapping = (
    plain: Codecs(profile: .strict, extensions: .pigeon),
    careful: Codecs(profile: .strict, extensions: Extensions.pigeonByProcedure)
  )
  private let strings: [StringCodec]
  private var failures: [Failure] = []
  private var variant = 0
  /// The value of an earlier input, to compare with.
  private var previous: Value = .null

  init(profiles: [Profile]) {
    self.profiles = profiles
    counts = profiles.map { _ in Count() }
    func codecs(_ extensions: ExtensionTypes, maximumDepth: Int = 512) -> [Codecs] {
      profiles.map { Codecs(profile: $0, extensions: extensions, maximumDepth: maximumDepth) }
    }
    func names(_ set: String) -> [[String]] {
      Content.Kind.allCases.map { kind in profiles.map { "\($0) \(kind)\(set)" } }
    }
    sets = [
      (names(""), codecs(.none)), (names(" with Pigeon's types"), codecs(.pigeon)),
      (names(" with extension procedures"), codecs(Extensions.all)),
      // So shallow that many inputs reach the bound.
      (names(" of depth 3"), codecs(Extensions.all, maximumDepth: 3)),
    ]
    twins = codecs(Extensions.pigeonByProcedure)
    strings = profiles.map { StringCodec(profile: $0) }
  }

  /// What `input` violates. `variant` chooses among checks that would take too long all at once.
  mutating func failures(of input: [UInt8], variant: Int) -> [Failure] {
    failures = []
    inputCount += 1
    self.variant = variant
    let set = sets[variant % sets.count]
    for kind in Content.Kind.allCases {
      for number in profiles.indices {
        check(input, kind, number, set.codecs[number], set.names[kind.rawValue][number])
      }
      checkTwin(input, kind, variant % profiles.count)
    }
    Watch.stage("strings")
    if (variant / sets.count).isMultiple(of: 4) {
      for number in profiles.indices { checkString(input, number) }
    }
    return failures
  }

  private mutating func fail(_ label: String, _ detail: @autoclosure () -> String) {
    failures.append(Failure(label: label, detail: detail()))
  }

  // MARK: - Decoding

  private mutating func check(
    _ input: [UInt8], _ kind: Content.Kind, _ number: Int, _ codecs: Codecs, _ name: String
  ) {
    let profile = profiles[number]
    Watch.stage("decoding")
    let result = codecs.decode(kind, input)
    if profile == .strict {
      Watch.stage("careful decoding")
      let careful = codecs.decodeCarefully(kind, input)
      if careful != result {
        fail("\(name): fast and careful reader differ", "\(short(result)) / \(short(careful))")
      }
    }
    switch result {
    case .failure(let error):
      counts[number].refused += 1
      Watch.stage("describing an error")
      if (variant / sets.count).isMultiple(of: 7) { describe(error, name, input) }
    case .success(let content):
      counts[number].accepted += 1
      Watch.stage("encoding")
      checkRoundTrip(input, content, kind, number, codecs, name)
      Watch.stage("equality")
      checkEquality(content, name)
    }
  }

  private mutating func describe(_ error: CodecError, _ name: String, _ input: [UInt8]) {
    if error.description.isEmpty { fail("\(name): an error without words", "") }
    if let offset = error.offset, !(0...input.count).contains(offset) {
      fail("\(name): error offset outside the message", error.description)
    }
  }

  // MARK: - Round trips

  private mutating func checkRoundTrip(
    _ input: [UInt8], _ content: Content, _ kind: Content.Kind, _ number: Int, _ codecs: Codecs,
    _ name: String
  ) {
    let profile = profiles[number]
    let first: [UInt8]?
    switch codecs.encode(content) {
    case .success(let bytes): first = bytes
    case .failure(let error):
      counts[number].refusedEncoding += 1
      if error.description.isEmpty { fail("\(name): an error without words", "") }
      if profile == .strict { fail("\(name): accepted but not encoded", error.description) }
      return
    }
    guard let first else { return }
    if profile == .windows, content.value?.hasEmptyAlignedList == true { return }
    switch codecs.decode(kind, first) {
    case .failure(let error):
      fail("\(name): refuses what it wrote", "\(Hex.text(first)): \(error)")
    case .success(let again):
      // A second byte order mark becomes the first once the first is dropped.
      let dropsMarks = [.dart, .dartWeb, .ios].contains(profile)
      if dropsMarks && input.containsTwoByteOrderMarks { return }
      if !isSame(content, again, profile) {
        fail("\(name): another value after a round", "\(short(content)) / \(short(again))")
      }
      let second = codecs.encode(again)
      if second != .success(first) {
        fail("\(name): no fixed point", "\(Hex.text(first)) / \(short(second))")
      }
    }
    if profile == .strict { checkWriters(content, first, codecs, name) }
  }

  private func isSame(_ left: Content, _ right: Content, _ profile: Profile) -> Bool {
    switch profile {
    case .dartWeb: return true  // Every number turns into a double; the fixed point says the rest.
    case .strict, .dart, .ios, .linux, .windows: return left == right
    case .android:
      // Every NaN turns into one.
      guard let value = left.value, let other = right.value else { return left == right }
      return value.isEqualInDart(to: other) && left.with(.null) == right.with(.null)
    }
  }

  /// The fast writer against the careful one, and against a value made anew.
  private mutating func checkWriters(
    _ content: Content, _ bytes: [UInt8], _ codecs: Codecs, _ name: String
  ) {
    guard let value = content.value else { return }
    Watch.stage("writers")
    let rebuilt = rebuild(value)
    if rebuilt != value { fail("\(name): a rebuilt value differs", short(content)) }
    if codecs.encode(content.with(rebuilt)) != .success(bytes) {
      fail("\(name): a rebuilt value encodes to other bytes", Hex.text(bytes))
    }
    // Type 200 is Pigeon's in one codec and has procedures in the other, so that the first is
    // written by the fast writer where there is nothing odd, the second never is.
    let wrapped = content.with(.custom(200, value))
    let fast = wrapping.plain.encode(wrapped)
    if case .success(let bytes) = fast, wrapping.careful.encode(wrapped) != .success(bytes) {
      fail("\(name): fast and careful writer differ", "\(short(fast))")
    }
  }

  private func rebuild(_ value: Value) -> Value {
    switch value {
    case .list(let list): .list(Value.List(list.map(rebuild)))
    case .map(let map): .map(Value.Map(map.map { (rebuild($0.key), rebuild($0.value)) }))
    case .custom(let custom): .custom(custom.type, rebuild(custom.payload))
    default: value
    }
  }

  // MARK: - Other properties

  /// Extension types read by a procedure that reads one value are read as those that have one.
  private mutating func checkTwin(_ input: [UInt8], _ kind: Content.Kind, _ number: Int) {
    Watch.stage("extension procedures")
    let plain = sets[1].codecs[number].decodeCarefully(kind, input)
    let twin = twins[number].decodeCarefully(kind, input)
    if plain == twin { return }
    if case .failure(let error) = twin, error.code == .depthExceeded { return }
    if case .failure(let error) = plain, error.code == .depthExceeded { return }
    fail(
      "\(profiles[number]) \(kind): a procedure reads otherwise",
      "\(short(plain)) / \(short(twin))")
  }

  private mutating func checkEquality(_ content: Content, _ name: String) {
    guard let value = content.value else { return }
    _ = value.shortText
    if value != value { fail("\(name): not equal to itself", short(content)) }
    if content.hashValue != content.with(value).hashValue {
      fail("\(name): hash changes", short(content))
    }
    guard (variant / sets.count).isMultiple(of: 3) else { return }
    if !value.isEqualInDart(to: value) { fail("\(name): not equal to itself in Dart", "") }
    let isEqual = value == previous
    if isEqual != (previous == value) { fail("\(name): == is not symmetric", short(content)) }
    if isEqual && value.hashValue != previous.hashValue {
      fail("\(name): equal values, other hashes", short(content))
    }
    let isEqualInDart = value.isEqualInDart(to: previous)
    if isEqualInDart != previous.isEqualInDart(to: value) {
      fail("\(name): equality in Dart is not symmetric", short(content))
    }
    if isEqual && !isEqualInDart { fail("\(name): equal but not in Dart", short(content)) }
    previous = value
  }

  private mutating func checkString(_ input: [UInt8], _ number: Int) {
    let codec = strings[number]
    let profile = profiles[number]
    do throws(CodecError) {
      guard let text = try codec.decode(input), let bytes = try codec.encode(text) else { return }
      _ = text.quoted
      if profile == .strict && bytes != input {
        fail("\(profile) string: other bytes", Hex.text(bytes))
      }
      let again = try codec.decode(bytes)
      if again != text && !input.containsTwoByteOrderMarks {
        fail("\(profile) string: another text after a round", Hex.text(bytes))
      }
    } catch {
      if error.description.isEmpty { fail("\(profile) string: an error without words", "") }
    }
  }
}

private func short(_ result: Result<Content, CodecError>) -> String {
  switch result {
  case .success(let content): short(content)
  case .failure(let error): "\(error)"
  }
}

private func short(_ result: Result<[UInt8]?, CodecError>) -> String {
  switch result {
  case .success(let bytes): bytes.map { Hex.text($0) } ?? "no payload"
  case .failure(let error): "\(error)"
  }
}

private func short(_ content: Content) -> String {
  let strict = Codecs(profile: .windows, extensions: Extensions.all).encode(content)
  return "\(content.value?.shortText ?? "nothing") = \(short(strict))"
}

extension [UInt8] {
  fileprivate var containsTwoByteOrderMarks: Bool {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]
    guard count >= mark.count else { return false }
    return (0...(count - mark.count)).contains { self[$0...].starts(with: mark) }
  }
}
