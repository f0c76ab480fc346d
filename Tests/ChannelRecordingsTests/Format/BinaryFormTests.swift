import ChannelRecordings
import ChannelRouter
import Foundation
import Testing

/// A file that goes away with its test.
final class ScratchFile {
  let path: String

  init(_ ending: String = "jsonl") {
    path =
      FileManager.default.temporaryDirectory
      .appending(path: "recording-\(UUID().uuidString).\(ending)").path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var bytes: [UInt8] {
    get { (try? Array(Data(contentsOf: URL(filePath: path)))) ?? [] }
    set { try? Data(newValue).write(to: URL(filePath: path)) }
  }
}

/// Writes a recording in either form and returns its bytes.
func written(
  _ events: [RecordedEvent], _ form: RecordingForm, header: RecordingHeader? = nil
) throws -> [UInt8] {
  let file = ScratchFile(form == .binary ? "pwrec" : "jsonl")
  let writer = try RecordingWriter(path: file.path, mode: .replacing, header: header)
  #expect(writer.form == form)
  for event in events { try writer.append(event) }
  return file.bytes
}

func events(_ bytes: [UInt8], keepsShown: Bool = true) throws -> [RecordedEvent] {
  let reader = try RecordingReader(bytes: bytes, options: .init(keepsShown: keepsShown))
  var events: [RecordedEvent] = []
  try reader.readAll { events.append($0) }
  return events
}

/// One entry of every sort.
func sampleEvents() -> [RecordedEvent] {
  var events = [
    RecordedEvent(
      sequence: 0, microseconds: -5, direction: .nativeToDart, channel: "a/é\"\\\n\u{7f}", id: 0,
      kind: .message, payload: nil, isOneWay: true),
    RecordedEvent(
      sequence: 1, microseconds: 9, direction: .dartToNative, channel: "PW", id: .max,
      kind: .message, payload: []),
    RecordedEvent(
      sequence: 7, microseconds: .max, direction: .nativeToDart, channel: "PW", id: .max,
      kind: .reply, payload: Array(0...255), connection: 3),
    RecordedEvent(
      sequence: .max, microseconds: .min, direction: .nativeToDart, channel: "PW", id: 5,
      kind: .dropped, payload: nil),
    RecordedEvent(
      sequence: 0, microseconds: 0, direction: .dartToNative, channel: "PW", id: 6,
      kind: .refused(Refusal(code: "message-malformed", text: "a\tb", offset: 0)), payload: nil),
    RecordedEvent(
      sequence: 1, microseconds: 0, direction: .dartToNative, channel: "q", id: 6,
      kind: .refused(Refusal(code: "", text: "")), payload: nil),
    RecordedEvent(
      sequence: 2, microseconds: 1, direction: .dartToNative, channel: "q", id: 7, kind: .message,
      payload: [0xff]),
  ]
  events[6].unknownFields = Array(#""note":{"a":[1, 2]},"n":1"#.utf8)
  events[6].shown = Array(#""x y""#.utf8)
  return events
}

@Suite("The binary form")
struct BinaryFormTests {
  @Test(
    "every sort of entry comes back as it was, in both forms", arguments: RecordingForm.allCases)
  func everySort(form: RecordingForm) throws {
    let sample = sampleEvents()
    #expect(try events(written(sample, form)) == sample)
  }

  @Test("a capture goes to binary and back byte for byte, without gaining a header")
  func capture() throws {
    let text = try Captures.bytes()
    let binary = try written(events(text), .binary)
    #expect(binary.count < text.count / 3)
    let reader = try RecordingReader(bytes: binary)
    #expect(reader.form == .binary)
    #expect(reader.header == nil)
    let isSame = try written(events(binary), .text) == text
    #expect(isSame)
  }

  @Test("a header goes through as it was written")
  func header() throws {
    let line = #"{"pwbridge":"recording", "version":1,"x":[{}],"meta": {"a" : 1}}"#
    let text = Array((line + "\n").utf8)
    let header = try #require(try RecordingReader(bytes: text).header)
    #expect(header.metadata == Array(#"{"a" : 1}"#.utf8))
    let binary = try written([], .binary, header: header)
    let copy = try #require(try RecordingReader(bytes: binary).header)
    #expect(copy == header)
    #expect(try written([], .text, header: copy) == text)
  }

  @Test("cut off at every byte it gives the whole records and tells of the rest")
  func torn() throws {
    let sample = sampleEvents()
    let bytes = try written(sample, .binary, header: RecordingHeader(software: "test"))
    var seen: Set<Int> = []
    for length in 1..<bytes.count {
      let reader = try RecordingReader(
        bytes: Array(bytes[..<length]), options: .init(keepsShown: true))
      var read: [RecordedEvent] = []
      try reader.readAll { read.append($0) }
      #expect(read == Array(sample.prefix(read.count)))
      seen.insert(read.count)
      if let torn = reader.tornTail {
        #expect(torn.byteOffset + torn.byteCount == UInt64(length))
      }
    }
    #expect(seen == Set(0..<sample.count))
  }

  @Test("is told by its first bytes, and other files are named")
  func otherFiles() throws {
    let gzip = #expect(throws: RecordingError.self) {
      try RecordingReader(bytes: [0x1f, 0x8b, 8, 0])
    }
    #expect(gzip?.problem == .notARecording)
    #expect(gzip?.text.contains("gunzip") ?? false)
    let newer = #expect(throws: RecordingError.self) {
      try RecordingReader(bytes: Array("PWBREC\u{2}\n".utf8))
    }
    #expect(newer?.problem == .unsupportedVersion)
    #expect(try events([]).isEmpty)
  }

  @Test("mutated bytes are read or refused, never a crash")
  func mutations() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("seed of the mutated recordings: \(seed)")
    var random = SeededNumbers(seed)
    let sample = sampleEvents()
    for form in RecordingForm.allCases {
      let bytes = try written(sample, form, header: RecordingHeader(software: "t"))
      for _ in 0..<4000 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<changed.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
          case 1: changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 2: changed.remove(at: place)
          default: changed.insert(UInt8.random(in: 0...255, using: &random), at: place)
          }
        }
        guard let reader = try? RecordingReader(bytes: changed) else { continue }
        var errors = 0
        var count = 0
        while count + errors < 1000 {
          do {
            guard try reader.next() != nil else { break }
            count += 1
          } catch {
            errors += 1
            #expect(!error.description.isEmpty)
            #expect(error.place != nil)
            if error.isFatal { break }
          }
        }
        #expect(count + errors < 100)
      }
    }
  }
}

/// The same numbers for the same seed.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
