import ChannelCodec
import ChannelRouter
import ChannelTransport
import ProgramRunner
import Testing

/// The README's client, compiled and run against the real program.
@Suite("README's client") struct ReadmeClientExample {
  @Test func conversation() throws {
    let program = "\(BuiltProgram.folder)/pwbridge"

    let client = try BridgeClient.spawn([program, "serve", "--quiet"])
    let started = try client.invoke("startLiveActivity", ["elapsedSeconds": 0], on: "PW")
    let state = try client.invoke("activities", on: "pwbridge/control")
    client.close()

    guard case .success(.null) = started, case .success(let activities) = state else {
      Issue.record("\(started), \(state)")
      return
    }
    #expect(activities.list?.count == 1)
    #expect(activities[0]?["state"]?.string == "active")
  }
}
