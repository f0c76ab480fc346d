import ChannelRecordings
import ChannelRouter
import Foundation
import Testing

@Suite("Packet export")
struct PacketExportTests {
  private struct Block {
    var type: UInt32
    var body: [UInt8]
  }

  private func packets(_ made: Made, header: RecordingHeader? = nil) throws -> [Block] {
    let file = URL.temporaryDirectory.appending(path: "packets-\(UUID()).pcapng")
    defer { try? FileManager.default.removeItem(at: file) }
    let export = try PacketExport(
      made.inspection(codecs: header?.codecs ?? ChannelCodecMap()), header: header,
      to: ExportOutput(path: file.path))
    for event in made.events { try export.add(event) }
    try export.finish()
    let bytes = Array(try Data(contentsOf: file))
    var blocks: [Block] = []
    var at = 0
    while at < bytes.count {
      let length = Int(number(bytes, at + 4, UInt32.self))
      try #require(length >= 12 && length.isMultiple(of: 4) && at + length <= bytes.count)
      #expect(number(bytes, at + length - 4, UInt32.self) == UInt32(length))
      blocks.append(
        Block(type: number(bytes, at, UInt32.self), body: Array(bytes[at + 8..<at + length - 4])))
      at += length
    }
    #expect(blocks.first?.type == 0x0a0d_0d0a)
    #expect(blocks.dropFirst().first?.type == 1)
    #expect(blocks.count == made.events.count + 2)
    return Array(blocks.dropFirst(2))
  }

  private func number<Number: FixedWidthInteger>(
    _ bytes: [UInt8], _ offset: Int, _: Number.Type
  ) -> Number {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }

  @Test("heads and payloads are where the document says")
  func layout() throws {
    var made = Made()
    made.call("c", 7, "m", [1])
    made.reply("c", 7, nil)
    made.add(.nativeToDart, "é", 8, .message, [], isOneWay: true)
    made.add(
      .dartToNative, "c", 9, .refused(Refusal(code: "x", text: "a\nb", offset: 3)), nil)
    var header = RecordingHeader(startMicroseconds: 1_700_000_000_000_000)
    header.codecs["c"] = .standardMethod
    let blocks = try packets(made, header: header)
    let call = blocks[0].body
    #expect(blocks.allSatisfy { $0.type == 6 })
    let time = UInt64(number(call, 4, UInt32.self)) << 32 | UInt64(number(call, 8, UInt32.self))
    #expect(time == 1_700_000_000_001_000)
    #expect(number(call, 12, UInt32.self) == 37 && number(call, 16, UInt32.self) == 37)
    let head: [UInt8] =
      [1, 0, 1, 0, 1, 0, 1, 0] + wireBytes(UInt64(7)) + wireBytes(UInt64(0)) + wireBytes(UInt32(4))
      + wireBytes(UInt32(0))
    #expect(Array(call[20...]) == head + [0x63] + wireString("m") + [1] + [0, 0, 0])
    #expect(Array(blocks[1].body[20..<28]) == [1, 1, 2, 1, 1, 0, 1, 0])
    #expect(Array(blocks[2].body[20..<28]) == [1, 1, 1, 2, 0, 0, 2, 0])
    let refusal = "code=x\ntext=a\\u{a}b\noffset=3\n"
    #expect(Array(blocks[3].body[20..<28]) == [1, 0, 4, 1, 1, 0, 1, 0])
    #expect(Array(blocks[3].body[53..<53 + refusal.utf8.count]) == Array(refusal.utf8))
  }

  @Test("what is longer than Wireshark reads is cut, with its length kept")
  func cut() throws {
    var made = Made()
    made.add(.dartToNative, "c", 1, .message, [UInt8](repeating: 9, count: 300_000))
    let block = try #require(try packets(made).first)
    #expect(number(block.body, 12, UInt32.self) == 262_144)
    #expect(number(block.body, 16, UInt32.self) == 300_033)
    #expect(number(block.body, 20 + 24, UInt32.self) == 300_000)
  }
}
