import ChannelRecordings
import ChannelRouter
import ChannelTransport
import Foundation
import SystemInterface
import Testing

/// A proxy between two pairs of sockets whose outer ends are here.
private final class ProxyBench {
  let loop: EventLoop
  let file = ScratchFile()
  let proxy: RecordingProxy
  private(set) var troubles: [String] = []
  private let box = TroubleBox()

  final class TroubleBox { var texts: [String] = [] }

  init(maximumPayload: Int = 1 << 20) throws {
    loop = try EventLoop()
    let writer = try RecordingWriter(path: file.path, mode: .replacing, header: nil)
    proxy = RecordingProxy(
      on: loop, writer, shows: false, maximumPayload: maximumPayload
    ) { [box] in box.texts.append($0) }
  }

  var said: [String] { box.texts }

  /// The outer ends of a new connection.
  func connect() throws -> (client: Int32, server: Int32) {
    let (client, inner) = try SystemCalls.makeSocketPair()
    let (server, outer) = try SystemCalls.makeSocketPair()
    proxy.connect(
      client: .init(input: inner, output: inner), server: .init(input: outer, output: outer))
    return (client, server)
  }

  /// Writes and reads at both ends until `expected` bytes have come out of each, or for 20 s.
  func exchange(
    _ ends: (client: Int32, server: Int32), fromClient: [UInt8], fromServer: [UInt8], piece: Int,
    closes: Bool = false
  ) throws -> (atServer: [UInt8], atClient: [UInt8]) {
    var rest = (fromClient[...], fromServer[...])
    var got: ([UInt8], [UInt8]) = ([], [])
    let end = Date(timeIntervalSinceNow: 20)
    while got.0.count < fromClient.count || got.1.count < fromServer.count, Date() < end {
      rest.0 = try push(rest.0, ends.client, piece)
      rest.1 = try push(rest.1, ends.server, piece)
      try loop.runOnce(timeout: .milliseconds(1))
      got.0 += try pull(ends.server)
      got.1 += try pull(ends.client)
    }
    return got
  }

  private func push(_ bytes: ArraySlice<UInt8>, _ end: Int32, _ piece: Int) throws
    -> ArraySlice<UInt8>
  {
    let part = Array(bytes.prefix(piece))
    if part.isEmpty { return bytes }
    let written = try part.withUnsafeBytes { try SystemCalls.writeAvailable(end, $0) }
    return bytes.dropFirst(written ?? 0)
  }

  func pull(_ end: Int32) throws -> [UInt8] {
    var memory = [UInt8](repeating: 0, count: 1 << 16)
    let count = try memory.withUnsafeMutableBytes { try SystemCalls.readAvailable(end, into: $0) }
    return Array(memory.prefix(count ?? 0))
  }
}

@Suite("The recording proxy")
struct ProxyTests {
  private func clientBytes() throws -> [UInt8] {
    let writer = FrameWriter()
    try writer.hello(Hello())
    try writer.message("PW", id: 1, payload: [7, 1, 0x61, 0])
    try writer.message("PW", id: 2, payload: nil)
    try writer.message("PW", id: 3, payload: [])
    try writer.message("big", id: 0, payload: [UInt8](repeating: 5, count: 300_000))
    writer.cancel(id: 2)
    try writer.reply(id: 1, payload: [8])
    writer.bye()
    return writer.takePending()
  }

  private func serverBytes() throws -> [UInt8] {
    let writer = FrameWriter()
    try writer.hello(Hello())
    try writer.message("events", id: 1, payload: [1])
    try writer.reply(id: 2, payload: [9])
    writer.log(.info, "x", id: 1)
    writer.error(FrameError(.messageMalformed, "no", offset: 4, id: 1))
    writer.dropped(id: 3)
    try writer.reply(id: 3, payload: [1])
    writer.bye()
    return writer.takePending()
  }

  @Test("passes all bytes on as they are and records what they say", arguments: [1000, 70_000, 7])
  func untouched(piece: Int) throws {
    let bench = try ProxyBench()
    var client = try clientBytes()
    if piece < 100 {
      // The large message would take too many rounds.
      let writer = FrameWriter()
      try writer.hello(Hello())
      try writer.message("PW", id: 1, payload: [7, 1, 0x61, 0])
      client = writer.takePending()
    }
    let ends = try bench.connect()
    // Answers come after their messages, as they do from a server.
    let first = try bench.exchange(ends, fromClient: client, fromServer: [], piece: piece)
    let server = try serverBytes()
    let second = try bench.exchange(ends, fromClient: [], fromServer: server, piece: piece)
    #expect(first.atServer == client)
    #expect(second.atClient == server)
    let lines = try events(bench.file.bytes).map {
      "\($0.direction.text) \($0.channel) \($0.id) \($0.kind.text) \($0.payload?.count ?? -1)"
    }
    if piece >= 100 {
      #expect(
        lines == [
          "dart->native PW 0 message 4", "dart->native PW 1 message -1",
          "dart->native PW 2 message 0", "dart->native big 3 message 300000",
          "native->dart events 4 message 1", "native->dart PW 1 reply 1",
          "native->dart PW 0 refused -1", "native->dart PW 2 dropped -1",
        ])
    } else {
      #expect(lines.first == "dart->native PW 0 message 4")
    }
    #expect(bench.said.isEmpty)
    SystemCalls.closeDescriptor(ends.client)
    SystemCalls.closeDescriptor(ends.server)
    for _ in 0..<50 where bench.proxy.openCount > 0 { try bench.loop.runOnce(timeout: .zero) }
    #expect(bench.proxy.openCount == 0)
    #expect(bench.loop.watchCount == 0)
  }

  @Test("what is no frame is told once and passed on all the same")
  func garbage() throws {
    let bench = try ProxyBench()
    let ends = try bench.connect()
    let seed = UInt64.random(in: 1...UInt64.max)
    print("seed of the garbage: \(seed)")
    var random = SeededNumbers(seed)
    let bytes = (0..<500_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let got = try bench.exchange(ends, fromClient: bytes, fromServer: bytes, piece: 10_000)
    #expect(got.atServer == bytes)
    #expect(got.atClient == bytes)
    #expect(bench.said.count == 1)
    #expect(bench.said.first?.contains("connection 1: ") ?? false)
    // Others are still recorded, with their number.
    let other = try bench.connect()
    _ = try bench.exchange(other, fromClient: clientBytes(), fromServer: [], piece: 70_000)
    let read = try events(bench.file.bytes)
    #expect(read.count == 4)
    #expect(read.allSatisfy { $0.connection == 2 })
    bench.proxy.closeAll()
    for end in [ends.client, ends.server, other.client, other.server] {
      SystemCalls.closeDescriptor(end)
    }
  }

  @Test("a payload over the limit passes and is left out")
  func largePayload() throws {
    let bench = try ProxyBench(maximumPayload: 1000)
    let ends = try bench.connect()
    let client = try clientBytes()
    let got = try bench.exchange(ends, fromClient: client, fromServer: [], piece: 70_000)
    #expect(got.atServer == client)
    #expect(try events(bench.file.bytes).count == 3)
    #expect(bench.said.count == 1)
    bench.proxy.closeAll()
    SystemCalls.closeDescriptor(ends.client)
    SystemCalls.closeDescriptor(ends.server)
  }

  @Test("who does not read stops who writes, and gets all in the end")
  func backPressure() throws {
    let bench = try ProxyBench()
    let ends = try bench.connect()
    let block = [UInt8](repeating: 1, count: 1 << 16)
    var written = 0
    var idle = 0
    while idle < 20 {
      let count = try block.withUnsafeBytes {
        try SystemCalls.writeAvailable(ends.client, $0)
      }
      written += count ?? 0
      idle = count == nil ? idle + 1 : 0
      try bench.loop.runOnce(timeout: .zero)
      #expect(written < 64 << 20)
      if written >= 64 << 20 { break }
    }
    try SystemCalls.endWriting(ends.client)
    var read = 0
    let end = Date(timeIntervalSinceNow: 20)
    while read < written, Date() < end {
      try bench.loop.runOnce(timeout: .milliseconds(1))
      read += try bench.pull(ends.server).count
    }
    #expect(read == written)
    SystemCalls.closeDescriptor(ends.server)
    for _ in 0..<50 where bench.proxy.openCount > 0 { try bench.loop.runOnce(timeout: .zero) }
    #expect(bench.proxy.openCount == 0)
    SystemCalls.closeDescriptor(ends.client)
  }
}
