import ChannelRecordings
import ChannelRouter
import Foundation
import Testing

#if os(Linux)
  /// The most memory that this process has had, in bytes.
  private func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let number = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return try #require(number) << 10
  }

  @Suite("Memory")
  struct MemoryTests {
    @Test("reading takes no more of it for a long recording", arguments: RecordingForm.allCases)
    func reading(form: RecordingForm) throws {
      let file = ScratchFile(form == .binary ? "pwrec" : "jsonl")
      let payload = [UInt8](repeating: 0x61, count: 4096)
      let writer = try RecordingWriter(
        path: file.path, mode: .replacing, header: nil, options: .init(gatheredBytes: 1 << 20))
      for number in 0..<UInt64(16_000) {
        try writer.append(
          RecordedEvent(
            sequence: number, microseconds: Int64(number), direction: .dartToNative,
            channel: "c", id: number, kind: .message, payload: payload))
      }
      try writer.flush()
      let before = try peakMemory()
      let reader = try RecordingReader(path: file.path)
      var count = 0
      while let event = try reader.next() { count += event.payload?.count ?? 0 }
      #expect(count == 16_000 * 4096)
      // Other tests run beside this one; the file alone has 64 MB or more.
      #expect(try peakMemory() - before < 48 << 20)
      #expect((reader.size ?? 0) > 64_000_000)
    }
  }
#endif
