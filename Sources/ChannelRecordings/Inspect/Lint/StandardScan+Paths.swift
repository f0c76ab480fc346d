import ChannelCodec

extension StandardScan {
  /// A path with the keys in their places.
  static func path(_ raw: String, _ bytes: UnsafeRawBufferPointer) -> String {
    guard raw.utf8.contains(1) else { return raw }
    var text = ""
    for (number, piece) in raw.split(separator: "\u{1}", omittingEmptySubsequences: false)
      .enumerated()
    {
      if number.isMultiple(of: 2) {
        text += piece
        continue
      }
      let ends = piece.split(separator: "-").compactMap { Int($0) }
      guard ends.count == 2, ends[0] <= ends[1], ends[1] <= bytes.count else { continue }
      text += "[\(keyText(bytes, ends[0]..<ends[1]))]"
    }
    return text
  }

  /// A key in a word, where it is a string or number.
  static func keyText(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
    let key = Array(bytes[range])
    // Others would be aligned differently here.
    guard let type = key.first, type <= 4 || type == 7,
      let value = try? StandardMessageCodec(extensions: .pigeon).decode(key)
    else { return "a key" }
    return value.shortText
  }
}
