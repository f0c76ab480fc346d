import ChannelCodec
import ChannelNotation
import ChannelRouter
import ChannelTransport
import CommandLineFlags
import TerminalSafety

/// One run of `pwbridge call`: sends calls and prints what comes of them.
final class CallRun {
  private let choices: ServeChoices
  private let codec: any MethodCodec
  private let console: Console
  private let target: CallTarget

  init(_ invocation: Invocation) throws(CommandFailure) {
    choices = invocation.options.serving
    console = invocation.console
    switch invocation.options.codec {
    case .message, .standard, .call: codec = StandardMethodCodec()
    case .json, .jsonCall: codec = JSONMethodCodec()
    default:
      throw .usage(.other("call sends method calls; --codec is standard or json"))
    }
    target = try CallTarget(choices, console)
  }

  /// One call. Throws when it brings no success.
  func run(_ request: CallRequest) throws(CommandFailure) {
    let outcome: MethodOutcome
    do throws(BridgeClient.Failure) {
      outcome = try target.client.invoke(
        request.method, request.arguments, on: request.channel, codec: codec,
        timeout: choices.timeout)
    } catch {
      throw .checkFailed(error.description)
    }
    try print(outcome, of: request)
  }

  /// The calls in lines of standard input, each after the answer to the one before.
  func runLines() throws(CommandFailure) {
    let lines = InputLines(loop: target.client.loop)
    var hasFailed = false
    while true {
      do throws(BridgeClient.Failure) {
        try target.client.run(for: .seconds(86_400 * 365)) { lines.isReady }
      } catch {
        throw .checkFailed(error.description)
      }
      guard let line = try lines.next() else { break }
      do throws(CommandFailure) {
        guard let request = try CallRequest(line: line.bytes, number: line.number) else { continue }
        try run(request)
      } catch {
        switch error {
        case .checkFailed(let text):
          console.complain("pwbridge: \(text.safeForTerminal)")
          hasFailed = true
        case .ended: hasFailed = true
        default: throw error
        }
      }
      // Whoever writes the next line may have waited for this answer.
      try console.flush()
    }
    if hasFailed { throw .ended(ExitCode.checkFailed.rawValue) }
  }

  /// Says goodbye, so that the server does not take the end for a loss.
  func close() { target.client.close(timeout: .seconds(1)) }

  // MARK: -

  private func print(
    _ outcome: MethodOutcome, of request: CallRequest
  ) throws(CommandFailure) {
    let name = "\(request.channel) \(request.method)"
    switch outcome {
    case .success(let value): try console.print(try text(of: value).jsonSafeForTerminal)
    case .error(let error):
      try console.print(try text(of: error).jsonSafeForTerminal)
      throw .ended(ExitCode.checkFailed.rawValue)
    case .notImplemented:
      throw .checkFailed("\(name): not implemented; Dart throws a MissingPluginException")
    case .dropped:
      throw .checkFailed(
        "\(name): dropped: the handler let go of its reply without answering; on a device the "
          + "Future in Dart stays pending for ever")
    case .refused(let refusal):
      let place = refusal.offset.map { " at byte \($0)" } ?? ""
      throw .checkFailed("\(name): refused: \(refusal.code)\(place): \(refusal.text)")
    case .disconnected:
      throw .checkFailed("\(name): the connection ended before the answer")
    case .malformed(let error):
      throw .checkFailed("\(name): the reply is no envelope: \(error.description)")
    }
  }

  private func text(of value: Value) throws(CommandFailure) -> String {
    guard choices.printsPlainJSON else { return TypedJSON.text(of: value) }
    return try plain(value)
  }

  private func text(of error: ErrorEnvelope) throws(CommandFailure) -> String {
    guard choices.printsPlainJSON else { return TypedJSON.text(of: Envelope.error(error)) }
    let message = error.message.map { Value.string($0) } ?? .null
    return try plain([
      "error": ["code": .string(error.code), "message": message, "details": error.details]
    ])
  }

  private func plain(_ value: Value) throws(CommandFailure) -> String {
    do throws(CodecError) {
      return String(decoding: try JSONMessageCodec().encode(value) ?? [], as: UTF8.self)
    } catch {
      throw .checkFailed("the reply is no plain JSON; leave out --plain: \(error.description)")
    }
  }
}
