import ChannelRecordings
import ChannelRouter
import Foundation
import Testing

@Suite("Reading the text form")
struct TextReadingTests {
  private static let good =
    #"{"seq":3,"t_us":5,"dir":"dart->native","channel":"PW","id":9,"kind":"message","hex":"0a"}"#

  @Test("members may come in any order, with space, and with others between them")
  func anyOrder() throws {
    let line =
      #" { "hex" : "0A" , "more":{"a":[1,{"b":"}\""}],"c":null},"kind":"message","id":9,"#
      + #""channel":"P\u0057","shown":{"x":[1]},"dir":"dart->native", "t_us":5,"n":-1.5e3,"seq":3 }"#
    var expected = try #require(try events(Array((Self.good + "\n").utf8)).first)
    expected.unknownFields = Array(#""more":{"a":[1,{"b":"}\""}],"c":null},"n":-1.5e3"#.utf8)
    let read = try events(Array((line + "\r\n\n  \n").utf8), keepsShown: false)
    #expect(read == [expected])
    #expect(try events(Array(line.utf8))[0].shown == Array(#"{"x":[1]}"#.utf8))
    // What is kept is written behind the known members, and reads the same again.
    let again = RecordingText().line(read[0])
    #expect(again == Self.good.dropLast() + #","more":{"a":[1,{"b":"}\""}],"c":null},"n":-1.5e3}"#)
  }

  @Test("sequence and time may be left out of lines written by hand")
  func byHand() throws {
    let line = #"{"dir":"native->dart","channel":"c","id":1,"kind":"dropped"}"#
    let read = try events(Array("\(Self.good)\n\(line)\n\(line)".utf8))
    #expect(read.map(\.sequence) == [3, 4, 5])
    #expect(read.map(\.microseconds) == [5, 5, 5])
    #expect(read[1].kind == .dropped)
    #expect(read[1].messageDirection == .dartToNative)
  }

  static let faults: [(change: (String, String), problem: RecordingProblem, column: Int?)] = [
    ((#""seq":3"#, #""seq":18446744073709551616"#), .numberTooLarge, 8),
    ((#""seq":3"#, #""seq":99999999999999999999999999999999999999"#), .numberTooLarge, 8),
    ((#""seq":3"#, #""seq":-1"#), .fieldInvalid, 8),
    ((#""seq":3"#, #""seq":03"#), .fieldInvalid, 8),
    ((#""seq":3"#, #""seq":1e3"#), .fieldInvalid, 8),
    ((#""seq":3"#, #""seq":"3""#), .fieldInvalid, 8),
    ((#""t_us":5"#, #""t_us":9223372036854775808"#), .numberTooLarge, 17),
    ((#""t_us":5"#, #""t_us":-9223372036854775809"#), .numberTooLarge, 17),
    ((#""t_us":5"#, #""t_us":5.5"#), .fieldInvalid, 17),
    ((#"dart->native"#, #"sideways"#), .fieldInvalid, 25),
    ((#""PW""#, #""""#), .fieldInvalid, 50),
    ((#""PW""#, #"7"#), .fieldInvalid, 50),
    ((#""PW""#, #""\u0000""#), .fieldInvalid, 50),
    ((#""PW""#, #""\ud800""#), .invalidJSON, 51),
    ((#""PW""#, #""\q""#), .invalidJSON, 52),
    ((#""PW""#, "\"P\u{0}W\""), .invalidJSON, 52),
    ((#""id":9"#, #""id":null"#), .fieldInvalid, 60),
    ((#""message""#, #""letter""#), .fieldInvalid, 69),
    ((#""0a""#, #""0g""#), .invalidHex, 87),
    ((#""0a""#, #""0a0""#), .invalidHex, 89),
    ((#""0a""#, #""0x0a""#), .invalidHex, 87),
    ((#""0a""#, #""0a"#), .invalidJSON, nil),
    ((#""0a""#, #"[]"#), .fieldInvalid, 85),
    ((#""0a""#, #""0102030405""#), .payloadTooLong, 86),
    ((#","hex":"0a""#, ""), .fieldMissing, nil),
    ((#""dir":"dart->native","#, ""), .fieldMissing, nil),
    ((#""id":9"#, #""id":9,"id":9"#), .fieldRepeated, 62),
    ((#"message","hex":"0a""#, #"dropped","hex":"0a""#), .fieldInvalid, nil),
    ((#"{"seq""#, #"["seq""#), .invalidJSON, 1),
    ((#""0a"}"#, #""0a"}x"#), .invalidJSON, 90),
    ((#""0a"}"#, #""0a",}"#), .invalidJSON, 90),
    ((#""0a"}"#, #""0a","x":[1,}"#), .invalidJSON, nil),
    ((#""0a"}"#, #""0a","shown":tru}"#), .invalidJSON, nil),
  ]

  @Test("what is wrong is told with line, column and reason, and the next line is read")
  func faultTable() throws {
    for fault in Self.faults {
      let line = Self.good.replacingOccurrences(of: fault.change.0, with: fault.change.1)
      #expect(line != Self.good)
      let reader = try RecordingReader(
        bytes: Array("\(Self.good)\n\(line)\n\(Self.good)\n".utf8),
        options: .init(maximumPayload: 4))
      var errors: [RecordingError] = []
      var count = 0
      try reader.readAll(
        onError: {
          errors.append($0)
          return true
        },
        { _ in count += 1 })
      #expect(count == 2)
      #expect(errors.count == 1)
      guard let error = errors.first else { continue }
      #expect(error.problem == fault.problem, "\(line): \(error)")
      guard case .line(2, let column) = error.place else {
        Issue.record("no line: \(error)")
        continue
      }
      if let expected = fault.column { #expect(column == expected, "\(line): \(error)") }
      #expect(error.text.utf8.count < 300)
    }
  }

  @Test("an error ends the reading where nobody passes over it")
  func thrown() throws {
    let reader = try RecordingReader(bytes: Array("\(Self.good)\n{}\n\(Self.good)\n".utf8))
    let error = #expect(throws: RecordingError.self) { try reader.readAll { _ in } }
    #expect(
      error?.description
        == #"line 2: the line lacks "dir", "channel", "id", "kind", "hex""#)
    #expect(try reader.next() != nil)
  }

  @Test("cut off at every byte of its last line it gives the lines before and tells of the rest")
  func torn() throws {
    let text = Array("\(Self.good)\n\(Self.good)\n".utf8)
    let half = text.count / 2
    for length in 0...text.count {
      let reader = try RecordingReader(bytes: Array(text[..<length]))
      var count = 0
      try reader.readAll { _ in count += 1 }
      // A line is whole without its newline.
      let whole = (length + 1) / half
      #expect(count == whole, "\(length)")
      let isTorn = length % half != 0 && (length + 1) % half != 0
      #expect((reader.tornTail != nil) == isTorn, "\(length)")
      if let torn = reader.tornTail {
        #expect(torn.byteOffset == UInt64(length / half * half))
        #expect(torn.byteCount == UInt64(length % half))
        #expect(torn.description.contains("line \(length / half + 1)"))
      }
    }
  }

  @Test("zeros at the end, as a failed disk leaves them, are a torn tail")
  func zeros() throws {
    let reader = try RecordingReader(
      bytes: Array("\(Self.good)\n".utf8) + [UInt8](repeating: 0, count: 4096))
    var count = 0
    try reader.readAll { _ in count += 1 }
    #expect(count == 1)
    #expect(reader.tornTail?.byteCount == 4096)
  }

  @Test("a line over the limit is passed over in bounded memory")
  func longLine() throws {
    let file = ScratchFile()
    let long = String(repeating: "ab", count: 3 << 20)
    file.bytes = Array(
      "\(Self.good)\n\(Self.good.replacingOccurrences(of: "0a", with: long))\n\(Self.good)\n".utf8)
    let reader = try RecordingReader(path: file.path, options: .init(maximumPayload: 16))
    var errors: [RecordingError] = []
    var count = 0
    try reader.readAll(
      onError: {
        errors.append($0)
        return true
      },
      { _ in count += 1 })
    #expect(count == 2)
    #expect(errors.map(\.problem) == [.lineTooLong])
    #expect(errors.first?.place == .line(2, column: nil))
    #expect(reader.byteOffset == reader.size)
  }

  @Test("deep nesting in members without a meaning neither crashes nor takes the stack")
  func deep() throws {
    let deep = String(repeating: "[", count: 90_000) + String(repeating: "]", count: 90_000)
    let line = Self.good.dropLast() + #","x":\#(deep)}"#
    #expect(try events(Array(line.utf8))[0].unknownFields.count == 180_004)
    let endless = Self.good.dropLast() + #","x":\#(String(repeating: "[", count: 200_000))"#
    let reader = try RecordingReader(bytes: Array("\(endless)\n".utf8))
    #expect(throws: RecordingError.self) { try reader.next() }
  }

  @Test(
    "headers",
    arguments: [
      (#"{"pwbridge":"recording","version":2}"#, RecordingProblem.unsupportedVersion),
      (#"{"pwbridge":"recording"}"#, .headerMalformed),
      (#"{"pwbridge":"film","version":1}"#, .headerMalformed),
      (#"{"pwbridge":"recording","version":1,"time":"ms"}"#, .headerMalformed),
      (#"{"pwbridge":"recording","version":1,"codecs":{"PW":"morse"}}"#, .headerMalformed),
      (#"{"pwbridge":"recording","version":1,"codecs":[]}"#, .headerMalformed),
      (#"{"version":1,"pwbridge":"recording","version":1}"#, .fieldRepeated),
      (#"[{"seq":0}]"#, .notARecording),
      ("PCAP", .notARecording),
    ])
  func headers(line: String, problem: RecordingProblem) {
    let error = #expect(throws: RecordingError.self) {
      try RecordingReader(bytes: Array("\(line)\n\(Self.good)\n".utf8))
    }
    #expect(error?.problem == problem)
    #expect(error?.isFatal ?? false)
  }

  @Test("a header has what was put into it, and changes when it is changed")
  func headerContent() throws {
    var header = RecordingHeader(
      startMicroseconds: 1_700_000_000_000_000, software: "pwbridge 0.1.0",
      options: [.init("handler", "guide")], metadata: Array(#"{"phone":"x"}"#.utf8))
    header.codecs["PW"] = .standardMethod
    let line = RecordingText().line(header)
    var read = try #require(try RecordingReader(bytes: line).header)
    #expect(read.codecs["PW"] == .standardMethod)
    #expect(read.options == header.options)
    #expect(read.startMicroseconds == header.startMicroseconds)
    #expect(read.metadata == header.metadata)
    #expect(RecordingText().line(read) == line)
    read.codecs["b"] = .string
    #expect(RecordingText().line(read) != line)
    let middle = try RecordingReader(bytes: Array("\(Self.good)\n".utf8) + line + [0x0a])
    #expect(try middle.next() != nil)
    let error = #expect(throws: RecordingError.self) { try middle.next() }
    #expect(error?.text.contains("two recordings") ?? false)
  }
}
