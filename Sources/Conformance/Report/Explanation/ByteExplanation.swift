import ChannelCodec
import ChannelNotation

/// Sentences about two messages that should be the same.
struct ByteExplanation {
  let expected: [UInt8]
  let actual: [UInt8]
  let codec: NamedCodec.Name
  let message: ExplainedMessage
  let search: BugSearch?

  init(expected: [UInt8], actual: [UInt8], codec: NamedCodec.Name, search: BugSearch? = nil) {
    self.expected = expected
    self.actual = actual
    self.codec = codec
    message = ExplainedMessage(expected, codec: codec)
    self.search =
      search ?? BugSearch.writing(expected: expected, actual: actual, codec: codec)
  }

  var sentences: [String] {
    if expected == actual { return ["The bytes are the same."] }
    var sentences = [firstField ?? firstByte]
    if let search {
      sentences += search.sentences
    } else {
      sentences += reading
    }
    return sentences
  }

  // MARK: - Where

  private var firstField: String? {
    guard let (field, want, have) = search?.firstField else { return nil }
    let offset = field.range.lowerBound
    if field.role == .padding {
      return
        "Byte \(offset): padding before \(message.owner(at: offset)): expected "
        + "\(zeros(want.count)), the testee wrote \(zeros(have.count))."
    }
    let meaning = message.meaning(at: offset) ?? "byte \(offset)"
    return
      "Byte \(offset) is \(meaning): expected \(some(want)), the testee wrote \(some(have))."
  }

  private func some(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.isEmpty ? "nothing" : Words.hex(bytes)
  }

  private func zeros(_ count: Int) -> String {
    switch count {
    case 0: "none"
    case 1: "1 zero byte"
    default: "\(count) zero bytes"
    }
  }

  private var firstByte: String {
    let offset = BugSearch.commonPrefix(expected, actual)
    if offset == actual.count {
      let missing = expected.count - offset
      let what = message.meaning(at: offset).map { ", beginning with \($0)" } ?? ""
      return
        "The testee's message ends at byte \(offset), \(Words.bytes(missing)) too early\(what)."
    }
    if offset == expected.count {
      let extra = actual[offset...]
      return
        "The first \(Words.bytes(offset)) are right, but the testee wrote "
        + "\(Words.bytes(extra.count)) more: \(Words.hex(extra))."
    }
    let what = message.meaning(at: offset).map { " is \($0)" } ?? ""
    return
      "Byte \(offset)\(what): expected \(Words.hex(expected[offset..<offset + 1])), the testee "
      + "wrote \(Words.hex(actual[offset..<offset + 1]))."
  }

  // MARK: - What the bytes mean

  /// What the testee's bytes mean when they are read as they should be.
  private var reading: [String] {
    guard actual.count <= ExplainedMessage.longestMessage else { return [] }
    let reader = NamedCodec(codec, extensions: .pigeon)
    let right = reader.react(to: expected).result
    switch (right, reader.react(to: actual).result) {
    case (.success(let right), .success(let wrong)) where right == wrong:
      return [
        "The testee's bytes mean the same value, but are not written in the one form that Flutter "
          + "writes (shortest size, zeros as padding, narrowest integer)."
      ]
    case (.success(let right), .success(let wrong)):
      return ValueExplanation(expected: right, actual: wrong, codec: codec, isReadBack: true)
        .sentences
    case (_, .failure(let error)):
      return ["The testee's bytes cannot be read back: \(error)."]
    case (.failure, .success): return []
    }
  }
}
