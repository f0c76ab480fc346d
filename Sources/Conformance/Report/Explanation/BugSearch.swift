import ChannelNotation

/// Which of the known mistakes give what a testee gave.
struct BugSearch {
  /// In order of preference; never empty.
  var bugs: [CodecBug]
  /// Whether the mistake explains everything that came, not only the first difference.
  var isWhole: Bool
  /// What the mistake writes; nil where it is one of reading.
  var written: WireWriter?
  /// The right message, with its fields.
  var right: WireWriter?

  /// Mistakes of writing that turn `expected` into `actual`.
  static func writing(
    expected: [UInt8], actual: [UInt8], codec: NamedCodec.Name
  ) -> BugSearch? {
    guard let right = WireTranscoder.transcode(expected, codec: codec), right.bytes == expected
    else { return nil }
    let first = commonPrefix(expected, actual)
    var found: BugSearch?
    var best: (bug: CodecBug, writer: WireWriter, reach: Int)?
    for bug in CodecBug.allCases {
      guard let faulty = WireTranscoder.transcode(expected, codec: codec, writing: bug),
        faulty.bytes != expected
      else { continue }
      if faulty.bytes == actual {
        if found == nil {
          found = BugSearch(bugs: [bug], isWhole: true, written: faulty, right: right)
        } else {
          found?.bugs.append(bug)
        }
      }
      let reach = commonPrefix(faulty.bytes, actual)
      if reach >= first + 4, reach > best?.reach ?? 0 { best = (bug, faulty, reach) }
    }
    if let found { return found }
    return best.map {
      BugSearch(bugs: [$0.bug], isWhole: false, written: $0.writer, right: right)
    }
  }

  /// Mistakes of reading that make of `request` the value whose right bytes are `actual`; where the
  /// testee decodes and encodes (`roundtrip`), also those of writing, and those that do both.
  static func reading(
    request: [UInt8], actual: [UInt8], codec: NamedCodec.Name, isRoundTrip: Bool = false
  ) -> BugSearch? {
    guard let right = WireTranscoder.transcode(request, codec: codec) else { return nil }
    var bugs: [CodecBug] = []
    for bug in CodecBug.allCases where right.bytes != actual {
      // A reader may also make of the right value another one: that is as if it wrote it wrongly.
      let ways: [(CodecBug?, CodecBug?)] =
        [(bug, nil), (nil, bug)] + (isRoundTrip ? [(bug, bug)] : [])
      let explains = ways.contains { reading, writing in
        WireTranscoder.transcode(request, codec: codec, reading: reading, writing: writing)?.bytes
          == actual
      }
      if explains { bugs.append(bug) }
    }
    return bugs.isEmpty ? nil : BugSearch(bugs: bugs, isWhole: true, written: nil, right: right)
  }

  /// Mistakes of reading for which the valid message `request` cannot be read.
  static func refusing(_ request: [UInt8], codec: NamedCodec.Name) -> [CodecBug] {
    if request.isEmpty || WireTranscoder.transcode(request, codec: codec) == nil { return [] }
    return CodecBug.allCases.filter {
      WireTranscoder.transcode(request, codec: codec, reading: $0) == nil
    }
  }

  /// How many bytes are the same from the start.
  static func commonPrefix(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var count = 0
    let end = min(left.count, right.count)
    while count < end, left[count] == right[count] { count += 1 }
    return count
  }

  /// The first field that the mistake writes otherwise, and what it writes there. Padding that is
  /// missing may differ from what takes its place only bytes later.
  var firstField: (field: WireWriter.Field, right: ArraySlice<UInt8>, written: ArraySlice<UInt8>)? {
    guard let right, let written else { return nil }
    for (should, did) in zip(right.fields, written.fields) {
      let (want, have) = (right.bytes[should.range], written.bytes[did.range])
      if !want.elementsEqual(have) { return (should, want, have) }
    }
    return nil
  }

  /// What it looks like, and what else gives the same.
  var sentences: [String] {
    guard let first = bugs.first else { return [] }
    let beginning = isWhole ? "It looks like" : "Up to a later difference it looks like"
    let others = bugs.dropFirst().prefix(2).map(\.words).joined(separator: "; or: ")
    return ["\(beginning) \(first.words)."]
      + (others.isEmpty ? [] : ["The answer would be the same if \(others)."])
  }
}
