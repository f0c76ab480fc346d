import TerminalSafety
import Testing

/// What a terminal may be given.
@Suite("Safe characters") struct SafeCharacterTests {
  @Test(
    "which ones are shown as they are",
    arguments: [
      (0x20, true), (0x7e, true), (0xa0, true), (0xe9, true), (0x301, true), (0x4e2d, true),
      (0x3000, true), (0x1f600, true), (0x200c, true), (0x200d, true), (0xfe0f, true),
      (0, false), (0xa, false), (0x1b, false), (0x7f, false), (0x85, false), (0x9b, false),
      (0xad, false), (0x200b, false), (0x200e, false), (0x202e, false), (0x2028, false),
      (0x2029, false), (0x2066, false), (0xe000, false), (0xfeff, false), (0xffff, false),
      (0x378, false), (0xe0001, false), (0x10fffe, false),
    ] as [(UInt32, Bool)]) func shown(value: UInt32, isSafe: Bool) throws
  {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(scalar.isSafeForTerminal == isSafe)
    let escaped = isSafe ? String(scalar) : "\\u{\(String(value, radix: 16))}"
    #expect(String(scalar).safeForTerminal == escaped)
    #expect("a\(scalar)".quotedForTerminal == "\"a\(escaped)\"")
  }

  @Test func longTextsAreCut() {
    let text = String(repeating: "é", count: 61)
    #expect(text.quotedForTerminal == "\"\(text.dropLast())…\"")
    #expect(text.safeForTerminal == text)
    #expect("a\"b\\".quotedForTerminal == #""a\"b\\""#)
  }
}
