/// Strings of UTF-16 platforms that hold lone surrogates, kept here in their three-byte form.
enum LoneSurrogates {
  /// The UTF-8 that a platform writes for `text`, or nil where its bytes are more than lone
  /// surrogates: no Dart, Java or Objective-C string has them.
  static func encode(
    _ text: UnsafeRawBufferPointer, _ rule: EncodingRules.LoneSurrogates
  ) -> [UInt8]? {
    var written: [UInt8] = []
    var position = 0
    while position < text.count {
      if let length = UTF8Check.sequenceLength(in: text, at: position) {
        written.append(contentsOf: text[position..<position + length])
        position += length
        continue
      }
      if case .refuse = rule { return nil }
      guard let unit = surrogate(text, at: position) else { return nil }
      position += 3
      if unit < 0xdc00, let low = surrogate(text, at: position), low >= 0xdc00 {
        // The two halves stand side by side: the platform's string holds one character.
        let scalar = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
        if let scalar = Unicode.Scalar(scalar) { written += Array(String(scalar).utf8) }
        position += 3
        continue
      }
      switch rule {
      case .refuse, .keepBytes: return nil
      case .replace(let bytes): written.append(contentsOf: bytes)
      case .truncate: return written
      }
    }
    return written
  }

  private static func surrogate(_ text: UnsafeRawBufferPointer, at position: Int) -> UInt32? {
    guard position + 3 <= text.count, text[position] == 0xed,
      (0xa0...0xbf).contains(text[position + 1]), (0x80...0xbf).contains(text[position + 2])
    else { return nil }
    return 0xd000 | UInt32(text[position + 1] & 0x3f) << 6 | UInt32(text[position + 2] & 0x3f)
  }
}
