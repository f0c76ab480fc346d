import ChannelRouter
import SystemInterface
import Testing

@testable import ChannelTransport

@Suite("Sides that vanish while they are held back") struct VanishingTests {
  private func heldBack(
    _ drainTime: Duration = .milliseconds(50)
  ) throws -> (Rig, KeptReplies, Hello) {
    let rig = try Rig(
      ConnectionSettings(limits: FrameLimits(maximumOpenCalls: 3), drainTime: drainTime))
    let kept = KeptReplies()
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept.replies.append(reply) } }
    return (rig, kept, Hello(capabilities: []))
  }

  final class KeptReplies { var replies: [BinaryReply] = [] }

  @Test func aSocketThatClosesIsNoticed() throws {
    let (rig, kept, hello) = try heldBack()
    let end = try rig.connect()
    try end.hello(hello)
    try end.send { for id in 1...9 { try $0.message("slow", id: UInt64(id), payload: nil) } }
    try rig.run { kept.replies.count == 3 }
    end.close()
    try rig.run { rig.ends.count == 1 }
    #expect(rig.ends[0].unanswered == ["slow", "slow", "slow"])
    #expect(rig.released == 1)
  }

  @Test func aSocketThatOnlyListensIsWaitedForAWhile() throws {
    let (rig, kept, hello) = try heldBack()
    let end = try rig.connect()
    try end.hello(hello)
    try end.send { for id in 1...9 { try $0.message("slow", id: UInt64(id), payload: nil) } }
    try rig.run { kept.replies.count == 3 }
    try end.endWriting()
    for round in 1...3 {
      for reply in kept.replies.suffix(3) { reply.send(nil) }
      if round < 3 { try rig.run { kept.replies.count == 3 * round + 3 } }
    }
    try rig.run { rig.ends.count == 1 }
    #expect(kept.replies.count == 9)
    #expect(rig.ends[0].unanswered.isEmpty)
  }

  @Test(arguments: Framing.allCases) func aSocketThatOnlyListensAtAStandstillIsGivenUp(
    framing: Framing
  ) throws {
    let rig = try Rig(
      ConnectionSettings(
        limits: FrameLimits(maximumOpenCalls: 3), drainTime: .milliseconds(50)),
      framing: framing)
    let kept = KeptReplies()
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept.replies.append(reply) } }
    let end = try rig.connect()
    switch framing {
    case .frames:
      try end.hello(Hello(capabilities: []))
      try end.send { for id in 1...9 { try $0.message("slow", id: UInt64(id), payload: nil) } }
    case .lines: try end.send(Array(String(repeating: "slow -\n", count: 9).utf8))
    }
    try rig.run { kept.replies.count == 3 }
    // It reads on, and would wait for the server as the server does for it.
    try end.endWriting()
    try rig.run {
      end.read()
      return end.hasEnded
    }
    #expect(rig.ends.first?.unanswered == ["slow", "slow", "slow"])
  }

  @Test func aPipeThatEndsIsWaitedForAWhile() throws {
    let (rig, kept, hello) = try heldBack()
    let (toServer, toClient) = (
      try PipeEnds(nonBlocking: true), try PipeEnds(nonBlocking: true)
    )
    rig.server.serve(
      input: toServer.readEnd, output: toClient.writeEnd, ownsDescriptors: true)
    let writer = FrameWriter()
    try writer.hello(hello)
    for id in 1...9 { try writer.message("slow", id: UInt64(id), payload: nil) }
    let bytes = writer.takePending()
    let written = try bytes.withUnsafeBufferPointer { (bytes) throws(SystemCalls.Failure) in
      try SystemCalls.writeAvailable(toServer.writeEnd, UnsafeRawBufferPointer(bytes))
    }
    #expect(written == bytes.count)
    try rig.run { kept.replies.count == 3 }
    SystemCalls.closeDescriptor(toServer.writeEnd)
    // As long as calls are answered the rest is taken in.
    for round in 1...3 {
      for reply in kept.replies.suffix(3) { reply.send(nil) }
      if round < 3 { try rig.run { kept.replies.count == 3 * round + 3 } }
    }
    try rig.run { rig.ends.count == 1 }
    #expect(kept.replies.count == 9)
    #expect(rig.ends[0].unanswered.isEmpty)
    SystemCalls.closeDescriptor(toClient.readEnd)
  }

  @Test func aPipeThatEndsAtAStandstillIsGivenUp() throws {
    let (rig, kept, hello) = try heldBack()
    let (toServer, toClient) = (
      try PipeEnds(nonBlocking: true), try PipeEnds(nonBlocking: true)
    )
    rig.server.serve(
      input: toServer.readEnd, output: toClient.writeEnd, ownsDescriptors: true)
    let writer = FrameWriter()
    try writer.hello(hello)
    for id in 1...9 { try writer.message("slow", id: UInt64(id), payload: nil) }
    let bytes = writer.takePending()
    _ = try bytes.withUnsafeBufferPointer { (bytes) throws(SystemCalls.Failure) in
      try SystemCalls.writeAvailable(toServer.writeEnd, UnsafeRawBufferPointer(bytes))
    }
    try rig.run { kept.replies.count == 3 }
    SystemCalls.closeDescriptor(toServer.writeEnd)
    try rig.run { rig.ends.count == 1 }
    #expect(rig.ends[0].unanswered.count == 3)
    SystemCalls.closeDescriptor(toClient.readEnd)
  }
}
