import ChannelRecordings
import ChannelRouter
import Foundation
import Testing

/// Where the recorded traffic of a real app is kept.
enum Captures {
  static let desktopApp = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fixtures/captures/desktop-app.jsonl").standardizedFileURL.path

  static func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: desktopApp)))
  }
}

@Suite("A real capture")
struct CaptureRoundTripTests {
  @Test("reads as it is, and is written back byte for byte")
  func text() throws {
    let reader = try RecordingReader(path: Captures.desktopApp)
    #expect(reader.form == .text)
    #expect(reader.header == nil)
    let printer = RecordingText()
    var written: [UInt8] = []
    var messages = 0
    var answers = 0
    var channels: Set<ChannelName> = []
    try reader.readAll { event in
      if event.isAnswer { answers += 1 } else { messages += 1 }
      channels.insert(event.channel)
      printer.append(event, to: &written)
    }
    #expect(messages == 2008)
    #expect(answers == 1772)
    #expect(channels.count == 20)
    #expect(reader.tornTail == nil)
    #expect(reader.byteOffset == reader.size)
    let isSame = try written == Captures.bytes()
    #expect(isSame)
  }
}
