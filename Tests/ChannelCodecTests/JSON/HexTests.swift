import ChannelNotation
import Testing

@Suite("Hex")
struct HexTests {
  @Test("every byte, in both cases, with space anywhere")
  func bytes() throws {
    let all = Array(UInt8.min...UInt8.max)
    #expect(Hex.text(of: all).hasPrefix("000102030405060708090a0b"))
    #expect(try Hex.bytes(of: Hex.text(of: all)) == all)
    #expect(try Hex.bytes(of: Hex.text(of: all).uppercased()) == all)
    #expect(try Hex.bytes(of: " 0 7\t\n01\r\n6d ") == [0x07, 0x01, 0x6d])
    #expect(try Hex.bytes(of: "xff".dropFirst()) == [0xff])
    #expect(try Hex.bytes(of: "").isEmpty)
    #expect(Hex.text(of: []).isEmpty)
  }

  static let refused: [(text: String, offset: Int, character: Character?)] = [
    ("0", 1, nil), ("00 0 ", 5, nil), ("0g", 1, "g"), ("0x00", 1, "x"), ("é0", 0, "é"),
    ("00:00", 2, ":"), ("00\u{a0}00", 2, "\u{a0}"), ("0\0", 1, "\0"),
  ]

  @Test("other characters and odd digits", arguments: refused)
  func refuses(text: String, offset: Int, character: Character?) {
    let error = #expect(throws: HexError.self) { try Hex.bytes(of: text) }
    #expect(error?.offset == offset)
    #expect(error?.character == character)
  }
}
