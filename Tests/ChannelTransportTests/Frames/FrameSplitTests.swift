import ChannelRouter
import ChannelTransport
import Testing

/// Streams arrive in any pieces; what is read from them must not depend on it.
struct FrameSplitTests {
  static let frames: [Frame] = [
    .message("PW", id: 1, payload: [1, 2, 3]), .reply(id: 1, payload: nil),
    .message("pwbridge/control", id: 2, payload: [UInt8](repeating: 9, count: 40)),
    .message("x", id: 3, payload: []), .dropped(id: 3), .cancel(id: 2),
    Frame(.log, flags: .optional, id: 2, payload: Array("level=info\ntext=hi\n".utf8)),
    Frame(.bye, payload: []),
  ]

  private func stream() throws -> [UInt8] {
    var bytes = try encodedHello()
    for frame in Self.frames { bytes += try encodedFrame(frame) }
    return bytes
  }

  @Test func everySplit() throws {
    let bytes = try stream()
    let whole = readStream(bytes, expectsHello: true)
    #expect(whole.error == nil)
    #expect(Array(whole.frames.dropFirst()) == Self.frames)
    for split in 0...bytes.count {
      let pieces = [Array(bytes[..<split]), Array(bytes[split...])]
      #expect(readStream(pieces, expectsHello: true) == whole, "split at \(split)")
    }
    #expect(readStream(bytes.map { [$0] }, expectsHello: true) == whole)
  }

  /// A stream cut anywhere ends well between frames only.
  @Test func everyEnd() throws {
    let bytes = try stream()
    var boundaries: Set<Int> = [0]
    var position = try encodedHello().count
    boundaries.insert(position)
    for frame in Self.frames {
      position += try encodedFrame(frame).count
      boundaries.insert(position)
    }
    for end in 0...bytes.count {
      let outcome = readStream(Array(bytes[..<end]), expectsHello: true)
      if boundaries.contains(end) {
        #expect(outcome.error == nil, "end at \(end)")
      } else {
        #expect(
          outcome.error == FrameError(.frameIncomplete, "", offset: UInt64(end)), "end at \(end)")
      }
    }
  }

  /// Large payloads go through memory of their own, whatever the pieces.
  @Test(arguments: [1 << 10, 65_536, 131_071, 131_072, 131_073, 262_145, 700_003])
  func largePayloads(size: Int) throws {
    var random = FrameTestRandom(stream: UInt64(size))
    let part = (0..<251).map { _ in UInt8.random(in: 0...255, using: &random) }
    let payload = Array(repeatElement(part, count: size / 251 + 1).joined().prefix(size))
    let frames: [Frame] = [
      .message("PW", id: 1, payload: payload), .dropped(id: 9), .reply(id: 1, payload: payload),
    ]
    let bytes = try frames.flatMap { try encodedFrame($0) }
    for piece in [bytes.count, 100_000] {
      var pieces: [[UInt8]] = []
      var position = 0
      while position < bytes.count {
        let end = min(position + Int.random(in: 1...piece, using: &random), bytes.count)
        pieces.append(Array(bytes[position..<end]))
        position = end
      }
      let outcome = readStream(pieces)
      #expect(outcome.error == nil)
      #expect(outcome.frames == frames)
    }
    // The last byte of the padding, where there is any.
    if size % 8 != 0 {
      var bad = bytes
      bad[24 + (size + 7) / 8 * 8 - 1] = 1
      let outcome = readStream([Array(bad[..<5000]), Array(bad[5000...])])
      let offset = UInt64(24 + (size + 7) / 8 * 8 - 1)
      #expect(outcome.error == FrameError(.paddingNotZero, "", offset: offset))
    }
    let cut = readStream(Array(bytes[..<(20 + size)]))
    #expect(cut.error == FrameError(.frameIncomplete, "", offset: UInt64(20 + size)))
  }

  @Test func randomStreams() throws {
    var random = FrameTestRandom(stream: 1)
    let names: [ChannelName] = (0..<20).map { ChannelName(String(repeating: "n", count: $0 + 1)) }
    for _ in 0..<60 {
      var frames: [Frame] = []
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        let id = UInt64.random(in: 0...(.max), using: &random)
        let size = Int.random(in: 0...90, using: &random)
        let payload =
          size == 0 ? nil : (0..<size - 1).map { _ in UInt8.random(in: 0...255, using: &random) }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: frames.append(.reply(id: id, payload: payload))
        case 1: frames.append(.dropped(id: id))
        case 2: frames.append(.cancel(id: id))
        default:
          let name = names.randomElement(using: &random) ?? "PW"
          frames.append(.message(name, id: id, payload: payload))
        }
      }
      let bytes = try frames.flatMap { try encodedFrame($0) }
      var pieces: [[UInt8]] = []
      var position = 0
      while position < bytes.count {
        let end = min(position + Int.random(in: 1...100, using: &random), bytes.count)
        pieces.append(Array(bytes[position..<end]))
        position = end
      }
      #expect(readStream(pieces) == StreamOutcome(events: frames.map { .frame($0) }))
    }
  }

  /// Damaged streams: never a crash, the same whether whole or in pieces, and whatever is read can
  /// be written again.
  @Test func damagedStreams() throws {
    var random = FrameTestRandom(stream: 2)
    let good = try Self.frames.flatMap { try encodedFrame($0) }
    for _ in 0..<300 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: position)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: position)
        }
      }
      let whole = readStream(bytes)
      #expect(readStream(bytes.map { [$0] }) == whole, "\(bytes.hexText)")
      for frame in whole.frames {
        #expect(readStream(try encodedFrame(frame)).frames == [frame])
      }
    }
  }
}
