import ChannelCodec
import ChannelRouter
import ChannelTransport
import Foundation
import Testing

/// The example plugins in a process of their own, as a test harness sees them: over real bytes.
final class Example {
  /// The type byte of a point in the example's own codec.
  static let pointType: UInt8 = 128

  let client: BridgeClient
  private(set) var logs: [ReceivedLog] = []
  /// Knows the example's point, which one standard value follows.
  let codec: StandardMethodCodec

  static var program: String {
    let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/")
    return "\(folder)/ExamplePlugin"
  }

  init(_ flags: [String] = [], hello: Hello = Hello()) throws {
    var types = ExtensionTypes()
    types[Example.pointType] = .oneValue
    codec = StandardMethodCodec(extensions: types)
    client = try BridgeClient.spawn(
      [Example.program, "--quiet"] + flags, hello: hello, timeout: .seconds(60))
    client.onLog = { [unowned self] in logs.append($0) }
  }

  func invoke(
    _ method: Value.Text, _ arguments: Value = .null, on channel: ChannelName = "example/workout"
  ) throws -> MethodOutcome {
    try client.invoke(
      method, arguments, on: channel, codec: codec, timeout: .seconds(60))
  }

  /// The result of a call that must succeed.
  func result(
    _ method: Value.Text, _ arguments: Value = .null, on channel: ChannelName = "example/workout"
  ) throws -> Value {
    switch try invoke(method, arguments, on: channel) {
    case .success(let value): return value
    case let other: throw Unexpected(outcome: "\(other)")
    }
  }

  struct Unexpected: Error { let outcome: String }

  static func point(_ east: Double, _ north: Double) -> Value {
    .custom(pointType, [.float64(east), .float64(north)])
  }

  /// Whether a log line with this text comes.
  func isTold(_ text: String) throws -> Bool {
    try client.run(for: .seconds(30)) { logs.contains { "\($0)".contains(text) } }
  }
}
