import ChannelTransport
import Testing

/// What connects by mistake is named, in one line.
struct ForeignStreamTests {
  struct Visitor: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let kind: ForeignStream.Kind
    /// The first byte that no frame has there.
    let offset: UInt64
    var testDescription: String { "\(kind.rawValue): \(bytes.hexText)" }

    init(_ text: String, _ kind: ForeignStream.Kind, offset: UInt64 = 2) {
      bytes = Array(text.utf8)
      self.kind = kind
      self.offset = offset
    }

    init(hex: String, _ kind: ForeignStream.Kind, offset: UInt64) {
      bytes = wireBytes(hex)
      self.kind = kind
      self.offset = offset
    }
  }

  static let visitors = [
    Visitor("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", .http),
    Visitor("GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", .webSocket),
    Visitor("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .http),
    Visitor("HTTP/1.1 200 OK\r\n", .http),
    Visitor("Content-Length: 120\r\n\r\n{\"jsonrpc\":\"2.0\"}", .languageServer),
    Visitor("SSH-2.0-OpenSSH_9.6\r\n", .ssh),
    Visitor("{\"method\":\"startLiveActivity\",\"args\":{}}", .json),
    Visitor("  [1, 2]\n", .json),
    Visitor("PW 07057374617274\n", .lines),
    Visitor("PW -\n", .lines),
    Visitor("PW 07 05 73\n", .lines),
    Visitor("0705737461727400\n", .hexadecimal),
    Visitor("07 05 73 74\n", .hexadecimal),
    Visitor("The Dart VM service is listening on http://127.0.0.1:8181/\n", .text),
    Visitor("\n\n\n\n", .text),
    Visitor("\u{feff}hello there", .text),
    Visitor("gr\u{fc}\u{df} dich", .text),
    Visitor(hex: "16 03 01 02 00 01 00 01 fc", .tls, offset: 2),
    Visitor(hex: "1f 8b 08 00 00 00 00 00", .gzip, offset: 2),
    Visitor(hex: "ff fe 7b 00 22 00", .utf16Text, offset: 2),
    Visitor(hex: "00 00 00 00 00 00 00 00", .zeroes, offset: 4),
    Visitor(hex: "1400 0000 0705 73746172740d00", .littleEndianPrefix, offset: 5),
    Visitor(hex: "1400 0000 0702 5057", .littleEndianPrefix, offset: 6),
    Visitor(hex: "1400 0000 0d00", .littleEndianPrefix, offset: 4),
    Visitor(hex: "0000 0014 0705 73746172740d00", .bigEndianPrefix, offset: 3),
    Visitor(hex: "0001 0014 0705 73746172740d00", .bigEndianPrefix, offset: 3),
    Visitor(hex: "07 05 73 74 61 72 74 00", .bareMessage, offset: 2),
    Visitor(hex: "0d 01 07 01 61 00", .bareMessage, offset: 2),
    Visitor(hex: "ca fe ba be 00 00 00 00", .unknown, offset: 2),
    Visitor(hex: "00 00 01 00 01 00 00 00 50 57 42 52 49 44 47 45", .almostHello, offset: 2),
    Visitor(
      hex: "20 00 00 00 01 00 00 00 50 57 42 52 49 44 47 46", .littleEndianPrefix, offset: 15),
  ]

  @Test(arguments: visitors) func named(visitor: Visitor) {
    #expect(ForeignStream(visitor.bytes).kind == visitor.kind)
    let line = ForeignStream(visitor.bytes).line
    #expect(!line.utf8.contains { $0 < 0x20 || $0 == 0x7f })
    #expect(line.utf8.count < 250)
    let outcome = readStream(visitor.bytes, expectsHello: true)
    #expect(outcome.error == FrameError(.notAFrame, "", offset: visitor.offset))
    #expect(outcome.error?.text == line)
    #expect(outcome.events.isEmpty)
  }

  /// The refusal comes with the byte that disagrees, and not after a whole head.
  @Test(arguments: visitors) func refusedAtOnce(visitor: Visitor) throws {
    let reader = FrameReader()
    for (position, byte) in visitor.bytes.enumerated() {
      reader.feed([byte])
      if position < Int(visitor.offset) {
        #expect(try reader.next() == nil)
      } else if position > 7 || position == Int(visitor.offset) && visitor.offset != 6 {
        #expect(throws: FrameError(.notAFrame, "", offset: visitor.offset)) { try reader.next() }
      }
    }
  }

  /// Frames, but without a hello in front.
  @Test func helloMissing() {
    for kind in UInt8(2)...8 where kind != 6 {
      let flags: UInt8 = kind == 2 ? 0 : 1
      let name: UInt8 = kind == 2 ? 2 : 0
      let bytes = [0, 0, 0, 0, kind, flags, name, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x50, 0x57]
      let outcome = readStream(bytes, expectsHello: true)
      #expect(outcome.error == FrameError(.helloExpected, "", offset: 4))
    }
  }

  /// A server may refuse with an error instead of its hello.
  @Test func errorInPlaceOfHello() {
    let error = wireBytes("00000000 06 00 0000 0000000000000000")
    #expect(
      readStream(error, expectsHello: true).events == [.frame(Frame(.error, payload: []))])
    let outcome = readStream(error + wireBytes(FrameErrorTests.prefix), expectsHello: true)
    #expect(outcome.error == FrameError(.helloExpected, "", offset: 20))
  }

  @Test func nothingIsNoError() {
    #expect(readStream([UInt8](), expectsHello: true) == StreamOutcome())
  }

  /// Any bytes at all: one line, no crash, nothing a terminal obeys.
  @Test func randomBytes() {
    var random = FrameTestRandom(stream: 3)
    for _ in 0..<2000 {
      let count = Int.random(in: 0...40, using: &random)
      let bytes = (0..<count).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...16, using: &random) : UInt8.random(in: 0...255, using: &random)
      }
      let line = ForeignStream(bytes).line
      #expect(!line.utf8.contains { $0 < 0x20 || $0 == 0x7f }, "\(bytes.hexText)")
    }
  }
}
