import ChannelRecordings
import ChannelRouter
import Foundation
import SystemInterface
import Testing

@Suite("Writing recordings")
struct RecordingWriterTests {
  @Test(
    "added to, a recording keeps its entries and loses a torn tail",
    arguments: RecordingForm.allCases)
  func appending(form: RecordingForm) throws {
    let sample = sampleEvents()
    let first = try written(Array(sample[..<3]), form, header: RecordingHeader(software: "a"))
    let whole = try written(Array(sample[..<2]), form, header: RecordingHeader(software: "a"))
    for length in whole.count...first.count {
      let file = ScratchFile(form == .binary ? "pwrec" : "jsonl")
      file.bytes = Array(first[..<length])
      let writer = try RecordingWriter(
        path: file.path, mode: .appending, header: RecordingHeader(software: "b"))
      let isWhole =
        length == whole.count || length == first.count
        || (form == .text && length == first.count - 1)
      #expect((writer.repairedTail == nil) == isWhole, "\(length)")
      let kept = length >= first.count - (form == .text ? 1 : 0) ? 3 : 2
      #expect(writer.nextSequence == sample[kept - 1].sequence &+ 1)
      for event in sample[3...] { try writer.append(event) }
      #expect(try events(file.bytes) == Array(sample[..<kept] + sample[3...]))
      let reader = try RecordingReader(path: file.path)
      #expect(reader.header?.software == "a")
      while try reader.next() != nil {}
      #expect(reader.tornTail == nil)
    }
  }

  @Test("each entry is in the file once it is written, and replaced files are empty first")
  func atOnce() throws {
    let file = ScratchFile()
    file.bytes = Array("rubbish".utf8)
    let writer = try RecordingWriter(path: file.path, mode: .replacing, header: nil)
    #expect(file.bytes.isEmpty)
    for (count, event) in sampleEvents().enumerated() {
      try writer.append(event)
      #expect(try events(file.bytes).count == count + 1)
    }
    let gathering = try RecordingWriter(
      path: file.path, mode: .replacing, header: RecordingHeader(),
      options: .init(gatheredBytes: 1 << 16))
    try gathering.append(sampleEvents()[0])
    #expect(file.bytes.isEmpty)
    try gathering.flush()
    #expect(try events(file.bytes).count == 1)
  }

  @Test("what is there is neither overwritten unasked nor mistaken for a recording")
  func refusals() throws {
    let file = ScratchFile()
    file.bytes = Array("PK\u{3}\u{4}".utf8)
    #expect(throws: RecordingError.self) {
      try RecordingWriter(path: file.path, mode: .creating, header: nil)
    }
    let error = #expect(throws: RecordingError.self) {
      try RecordingWriter(path: file.path, mode: .appending, header: nil)
    }
    #expect(error?.problem == .notARecording)
    #expect(file.bytes.count == 4)
    file.bytes = try written(sampleEvents(), .binary)
    #expect(throws: RecordingError.self) {
      try RecordingWriter(path: file.path, form: .text, mode: .appending, header: nil)
    }
    #expect(throws: RecordingError.self) {
      try RecordingWriter(path: "/no/such/place/x.jsonl", mode: .replacing, header: nil)
    }
  }

  #if os(Linux)
    @Test("a full disk is told once by name, and again to whoever goes on")
    func fullDisk() throws {
      let writer = try RecordingWriter(
        path: "/dev/full", form: .text, mode: .replacing, header: nil)
      for _ in 0..<2 {
        let error = #expect(throws: RecordingError.self) { try writer.append(sampleEvents()[1]) }
        #expect(error?.problem == .system)
        #expect(error?.text.hasPrefix("/dev/full: ") ?? false)
      }
    }
  #endif
}
