import ChannelCodec
import Testing

/// The README's code, compiled and run.
@Suite("README") struct ReadmeExample {
  @Test func reading() throws {
    let message: [UInt8] = [
      0x07, 0x04, 0x73, 0x74, 0x6f, 0x70, 0x0d, 0x01, 0x07, 0x02, 0x69, 0x64, 0x03, 0x05, 0, 0, 0,
    ]
    let codec = StandardMethodCodec(profile: .android)
    let call = try codec.decodeMethodCall(message)
    let id = call.arguments["id"]?.integer
    let reply = try codec.encodeEnvelope(.success(["ok": true, "took": 0.5]))
    let refusal = try codec.encodeEnvelope(.error(code: "418", message: "no activity"))

    #expect(call.method == "stop" && id == 5)
    #expect(reply.first == 0 && refusal.first == 1)
  }
}
