import ChannelCodec
import ChannelNotation

/// Expected and actual bytes in rows next to each other, cut to the neighbourhood of the first
/// difference, with what the expected bytes mean.
struct SideBySide {
  struct Row {
    var offset: Int
    /// Eight bytes, fewer in the last row, none behind the end.
    var expected: ArraySlice<UInt8>
    var actual: ArraySlice<UInt8>
    /// Places in the row where the two differ.
    var differing: Set<Int>
  }

  /// The row and the place in it of the first difference.
  let firstDifference: Int
  let rows: [Row]
  /// Bytes before and behind the rows that are not shown.
  let leftOutBefore: Int
  let leftOutBehind: Int
  /// The byte of the expected message that is wrong in the sense of the codec: where padding is
  /// missing, its first byte, and not the later one that happens to differ.
  let wrongByte: Int
  /// What the expected bytes around the difference mean.
  let meanings: [AnnotatedDump.Line]

  static let rowLength = 8
  private static let rowsBefore = 2
  private static let rowsInAll = 8
  private static let mostMeanings = 10

  /// The pair of messages that a case is about; nil where one of them is not bytes.
  init?(_ result: CaseResult) {
    guard case .bytes(let actual)? = result.actual else { return nil }
    var best: [UInt8]?
    for case .bytes(let bytes) in result.expected {
      let reach = BugSearch.commonPrefix(bytes, actual)
      if best == nil || reach > BugSearch.commonPrefix(best ?? [], actual) { best = bytes }
    }
    guard let expected = best else { return nil }
    self.init(expected: expected, actual: actual, codec: NamedCodec.Name(rawValue: result.codec))
  }

  init(expected: [UInt8], actual: [UInt8], codec: NamedCodec.Name?) {
    let first = BugSearch.commonPrefix(expected, actual)
    firstDifference = first
    let end = max(expected.count, actual.count)
    let firstRow = max(0, first / Self.rowLength - Self.rowsBefore)
    let start = firstRow * Self.rowLength
    var rows: [Row] = []
    for offset in stride(from: start, to: end, by: Self.rowLength).prefix(Self.rowsInAll) {
      let left = Self.slice(expected, offset)
      let right = Self.slice(actual, offset)
      let differing = (0..<Self.rowLength).filter { place in
        left.dropFirst(place).first != right.dropFirst(place).first
      }
      rows.append(
        Row(offset: offset, expected: left, actual: right, differing: Set(differing)))
    }
    self.rows = rows
    leftOutBefore = start
    let shownEnd = start + rows.count * Self.rowLength
    leftOutBehind = max(0, end - shownEnd)
    wrongByte = codec.flatMap { Self.wrongByte(expected, actual, $0) } ?? first
    meanings = codec.map { Self.meanings(of: expected, codec: $0, start, shownEnd, first) } ?? []
  }

  private static func slice(_ bytes: [UInt8], _ offset: Int) -> ArraySlice<UInt8> {
    offset < bytes.count ? bytes[offset..<min(offset + rowLength, bytes.count)] : []
  }

  /// Longer messages are not looked into once more.
  private static let longestSearched = 4096

  private static func wrongByte(
    _ expected: [UInt8], _ actual: [UInt8], _ codec: NamedCodec.Name
  ) -> Int? {
    guard max(expected.count, actual.count) <= longestSearched else { return nil }
    let search = BugSearch.writing(expected: expected, actual: actual, codec: codec)
    guard let field = search?.firstField?.field, !field.range.isEmpty else { return nil }
    return field.range.lowerBound
  }

  /// Whether a line of the meanings is about the wrong byte.
  func isWrong(_ line: AnnotatedDump.Line) -> Bool {
    wrongByte >= line.offset && wrongByte < line.offset + line.bytes.count
  }

  private static func meanings(
    of bytes: [UInt8], codec: NamedCodec.Name, _ start: Int, _ end: Int, _ first: Int
  ) -> [AnnotatedDump.Line] {
    let message = ExplainedMessage(bytes, codec: codec)
    let lines = message.lines.filter { $0.offset < end && $0.offset + $0.bytes.count >= start }
    let place = lines.firstIndex { $0.offset + $0.bytes.count > first } ?? lines.count
    let before = max(0, min(place - mostMeanings / 2, lines.count - mostMeanings))
    return Array(lines.dropFirst(before).prefix(mostMeanings))
  }

  /// Two digits of each byte with spaces between.
  static func hex(_ bytes: some Collection<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined(separator: " ")
  }
}
