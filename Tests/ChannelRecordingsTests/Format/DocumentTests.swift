import ChannelRecordings
import Foundation
import Testing

/// The examples of `Protocol/recording.md` are what the program reads and writes.
@Suite("The document of the format")
struct RecordingDocumentTests {
  private static func block(_ info: String) throws -> [String] {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Protocol/recording.md").standardizedFileURL
    let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex(of: "```\(info)"))
    return Array(lines[(start + 1)...].prefix { $0 != "```" })
  }

  @Test("the text is laid out as it is written, and its decoding is what a recorder shows")
  func text() throws {
    let text = Array((try Self.block("json recording").joined(separator: "\n") + "\n").utf8)
    let reader = try RecordingReader(bytes: text, options: .init(keepsShown: true))
    let header = try #require(reader.header)
    var decoding = ShownDecoding()
    let printer = RecordingText()
    var again = printer.line(header) + [0x0a]
    while let event = try reader.next() {
      #expect(decoding.shown(of: event) == event.shown)
      printer.append(event, to: &again)
    }
    #expect(String(decoding: again, as: UTF8.self) == String(decoding: text, as: UTF8.self))
  }

  @Test("the packed bytes are those of the text")
  func binary() throws {
    let digits = try Self.block("hex recording")
      .map { $0.components(separatedBy: "->")[0].replacingOccurrences(of: " ", with: "") }
      .joined()
    let bytes = stride(from: 0, to: digits.utf8.count, by: 2).compactMap { offset in
      UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
    }
    let text = Array((try Self.block("json recording").joined(separator: "\n") + "\n").utf8)
    let entries = try events(text, keepsShown: false)
    #expect(try written(entries, .binary) == bytes)
    #expect(try events(bytes) == entries)
  }
}
