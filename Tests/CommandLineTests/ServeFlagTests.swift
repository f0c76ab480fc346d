import ChannelCodec
import ChannelRouter
import ChannelTransport
import CommandLineFlags
import EmulatedDevice
import Testing

@testable import BridgeCommands

/// The flags of the verbs that serve and call, and what is made of them.
@Suite("Serving and calling") struct ServeFlagTests {
  private func choices(_ arguments: [String]) throws -> ServeChoices {
    guard case .run(_, let options, _) = try BridgeProgram.grammar.parse(arguments) else {
      throw UsageError(.missingCommand, program: "pwbridge")
    }
    return options.serving
  }

  private func fields(_ arguments: [String]) throws -> [String] {
    try choices(arguments).deviceOptions.map { "\($0.name)=\($0.value)" }
  }

  @Test func limits() throws {
    let choices = try choices(
      ["serve", "--max-payload", "100", "--max-open-calls", "7", "--drain", "0.25", "--strict"])
    #expect(choices.settings.limits.maximumPayload == 100)
    #expect(choices.settings.limits.maximumOpenCalls == 7)
    #expect(choices.settings.drainTime == .milliseconds(250))
    #expect(choices.isStrict && !choices.isQuiet && choices.log == nil)
  }

  @Test func theLastOptionCountsButFaultsAddUp() throws {
    #expect(try fields(["serve", "-o", "seed=1", "-o", "seed=2"]) == ["seed=2"])
    #expect(try fields(["serve", "-o", "handler=guide", "--handler", "answering"]) == [])
    #expect(try fields(["serve", "--handler", "guide"]) == ["handler=guide"])
    #expect(
      try fields(["call", "a", "b", "--fault", "PW: close", "--fault", "PW.x#2: no-reply"]) == [
        "fault=PW: close; PW.x#2: no-reply"
      ])
    let options = try choices(
      ["serve", "--fault", #"PW: error a "x; y""#, "--fault", "PW.x#2: no-reply", "-o", "seed=9"]
    ).makeDeviceOptions(Console())
    #expect(options.faults.count == 2 && options.seed == 9)
  }

  @Test(
    "what is refused",
    arguments: [
      (["serve", "--option", "sed=1"], #"--option "sed=1": no device option "sed"; did you mean"#),
      (["serve", "--option", "seed"], #"--option "seed": seed: expected seed=VALUE"#),
      (["serve", "--option", "seed=x"], #"--option "seed=x": seed: expected"#),
      (["serve", "--fault", "PW: delai 1s"], "no fault"),
      (["serve", "--drain", "-1"], "expected seconds"),
      (["serve", "--drain", ""], "expected seconds"),
      (["serve", "--drain", "1.2.3"], "expected seconds"),
      (["call", "a", "b", "--timeout", "1e3"], "expected seconds"),
      (["call", "a", "b", "--timeout", "86401"], "expected seconds"),
      (["serve", "--max-payload", "0"], "expected a number"),
      (["serve", "--socket", ""], "expected a path"),
      (["serve", "--framing", "line"], "did you mean lines?"),
      (["serve", "--device", "x"], "serve does not take --device; call, state, replay do"),
      (["exec"], "exec needs COMMAND"),
      (["exec", "--", "a", "--strct"], ""),
      (["call"], "call needs CHANNEL METHOD [JSON]"),
      (["srve"], "did you mean serve?"),
    ])
  func refusals(arguments: [String], expected: String) {
    do {
      _ = try BridgeProgram.grammar.parse(arguments)
      #expect(expected == "", "\(arguments) was accepted")
    } catch {
      #expect(!expected.isEmpty && error.message.contains(expected), "\(error.message)")
    }
  }

  // MARK: - Calls

  @Test(
    "a call on a line",
    arguments: [
      ("PW stop", "PW", "stop", .null),
      ("  PW\tstart  {\"a\": [1, 2]} ", "PW", "start", ["a": [1, 2]]),
      (#""a b" "c\nd" {"int64":"5"}"#, "a b", "c\nd", .int64(5)),
      ("x y null", "x", "y", .null),
    ] as [(String, String, String, Value)])
  func line(text: String, channel: String, method: String, arguments: Value) throws {
    let request = try #require(try CallRequest(line: Array(text.utf8), number: 1))
    #expect(request.channel == ChannelName(channel))
    #expect(request.method == Value.Text(method))
    #expect(request.arguments == arguments)
  }

  @Test(arguments: ["", "   ", "# PW stop", "\t#"]) func noCall(text: String) throws {
    #expect(try CallRequest(line: Array(text.utf8), number: 1) == nil)
  }

  @Test(
    "lines that are no calls",
    arguments: [
      ("PW", "line 4: expected CHANNEL METHOD [JSON]"), ("\"PW x", "quotation marks"),
      ("\"\\q\" x", "quotation marks"), ("PW x {", "line 4: the arguments: "),
      ("\"\" x", "cannot be empty"), (#""a\u0000" x"#, "NUL"), ("PW x 1 2", "the arguments"),
    ]) func badLine(text: String, expected: String)
  {
    do {
      _ = try CallRequest(line: Array(text.utf8), number: 4)
      Issue.record("\(text) was accepted")
    } catch {
      guard case .checkFailed(let found) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(found.contains(expected))
    }
  }

  // MARK: - The guide's clock

  @Test(
    arguments: [
      (0, "00:00"), (59, "00:59"), (60, "01:00"), (3599, "59:59"), (3600, "01:00:00"),
      (360_000, "100:00:00"), (-5, "00:-5"), (-65, "-1:-5"),
    ] as [(Int64, String)])
  func clock(seconds: Int64, expected: String) {
    #expect(ActivityText.clock(seconds) == expected)
  }

  @Test(
    arguments: [
      (0, "0s"), (59.9, "59s"), (60, "1m 0s"), (3725, "1h 2m"), (-3, "0s"),
    ] as [(Double, String)])
  func spans(seconds: Double, expected: String) {
    #expect(ActivityText.span(seconds) == expected)
  }
}
