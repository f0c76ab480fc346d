import ChannelCodec
import ChannelRouter
import ChannelTransport

/// The frames of the benchmark: a stopwatch is started once and then updated.
enum BenchBridgeFrames {
  static let channel: ChannelName = "PW"
  /// What every call is answered with: a success envelope that holds null.
  static let success: [UInt8] = [0, 0]

  /// A hello and a `startLiveActivity`, sent in one piece.
  static func opening() throws(BenchTrouble) -> [UInt8] {
    try bytes { (writer) throws(FrameError) in
      try writer.hello(Hello(software: BridgeProgram.versionLine))
      try writer.message(channel, id: 1, payload: call("startLiveActivity", 0))
    }
  }

  /// An `updateLiveActivity` with a small number, which takes 32 bits at ``Update/counterOffset``.
  static func update() throws(BenchTrouble) -> Update {
    let request = try bytes { (writer) throws(FrameError) in
      try writer.message(channel, id: 1, payload: call("updateLiveActivity", 1))
    }
    let reply = try bytes { (writer) throws(FrameError) in
      try writer.reply(id: 1, payload: success)
    }
    let end = request.count - (8 - call("updateLiveActivity", 1).count % 8) % 8
    return Update(request: request, counterOffset: end - 4, reply: reply)
  }

  struct Update {
    var request: [UInt8]
    var counterOffset: Int
    var reply: [UInt8]
  }

  /// `count` updates in a row with ids of their own, and their answers.
  static func block(
    _ count: Int, firstID: UInt64
  ) throws(BenchTrouble) -> (requests: [UInt8], replies: [UInt8]) {
    let requests = try bytes { (writer) throws(FrameError) in
      for number in 0..<count {
        try writer.message(
          channel, id: firstID + UInt64(number),
          payload: call("updateLiveActivity", Int32(number)))
      }
    }
    let replies = try bytes { (writer) throws(FrameError) in
      for number in 0..<count {
        try writer.reply(id: firstID + UInt64(number), payload: success)
      }
    }
    return (requests, replies)
  }

  private static func call(_ method: Value.Text, _ seconds: Int32) -> [UInt8] {
    let call = MethodCall(method, ["elapsedSeconds": .int32(seconds)])
    return (try? StandardMethodCodec().encodeMethodCall(call)) ?? []
  }

  private static func bytes(
    _ body: (FrameWriter) throws(FrameError) -> Void
  ) throws(BenchTrouble) -> [UInt8] {
    let writer = FrameWriter()
    do throws(FrameError) {
      try body(writer)
    } catch {
      throw BenchTrouble("the frames cannot be written: \(error)")
    }
    return writer.takePending()
  }
}
