/// What the first bytes of a file say.
enum RecordingStart {
  /// As many bytes as the longest of the signs needs.
  static let size = 64

  /// - Throws: for a file that is something else, with its name where it is known.
  static func form(
    of bytes: UnsafeRawBufferPointer, _ name: String
  ) throws(RecordingError) -> RecordingForm {
    if bytes.isEmpty { return .text }
    // Whatever its version, and also where it was cut off at once.
    if bytes.starts(with: BinaryFormat.magic.prefix(min(6, bytes.count))) { return .binary }
    let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    let first = text.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
    guard let first, first != UInt8(ascii: "{") else { return .text }
    let hint = hints.first { bytes.starts(with: $0.start) }?.hint
    throw RecordingError(
      .notARecording,
      "\(name) is no recording: " + (hint ?? "it begins with neither { nor PWBREC"),
      at: .byte(0), isFatal: true)
  }

  static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  private static let hints: [(start: [UInt8], hint: String)] = [
    ([0x1f, 0x8b], "it is compressed; unpack it first (gunzip)"),
    ([0x28, 0xb5, 0x2f, 0xfd], "it is compressed; unpack it first (unzstd)"),
    ([0x50, 0x4b, 0x03, 0x04], "it is a ZIP archive; unpack it first"),
    ([0x0a, 0x0d, 0x0d, 0x0a], "it is a pcapng file; recordings are exported to that form only"),
    ([0xff, 0xfe], "it is text in UTF-16; recordings are UTF-8"),
    ([0xfe, 0xff], "it is text in UTF-16; recordings are UTF-8"),
    ([0x5b], "it begins with [; a recording has one JSON object a line and no list around them"),
    ([0x00], "it begins with zeros; the disk may have failed, or frames without a time stamp"),
  ]
}
