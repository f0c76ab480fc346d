extension String {
  /// The text, or as many whole characters of its beginning as `limit` bytes hold and an ellipsis.
  func shortened(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: limit)
    while end > utf8.startIndex, utf8[end] & 0xc0 == 0x80 { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}
