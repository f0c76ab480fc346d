import CommandLineFlags

extension Flag where Options == BridgeOptions {
  /// All flags, in the order of the help text.
  static let all: [Flag] = [
    codec, profile, extensions, maximumDepth,
    file, raw,
    socket, framing, log, quiet, strict, maximumPayload, maximumOpenCalls, maximumConnections,
    drain,
    handler, option, fault, faults,
    device, inProcess, timeout, plain,
    mock, mode, match, order, timing, reuse,
    record, listen, to, shown, channelCodec, form, skipErrors,
    channel, ignore, asDart, speed, junit, update,
    calls, lint, findings, eachChannel, trace, pcapng,
    vectors, only, listsCases, cases, seed,
    requests, inFlight, answerTimeout, maximumRestarts,
    knownFailures, fix, strictLevels,
    testeeName, explainedFailures, quietReport, junitOfCases, resultFile, html, compare,
    payloads, rounds, json,
    color, help, version,
  ]
}

extension FlagCategory {
  static let codec = FlagCategory("Codec")
  static let serving = FlagCategory("Serving")
  static let device = FlagCategory("Device")
  static let calling = FlagCategory("Calling")
  static let recording = FlagCategory("Recording")
  static let mocking = FlagCategory("Mocking")
  static let comparing = FlagCategory("Comparing")
  static let conformance = FlagCategory("Conformance")
  static let input = FlagCategory("Input and output")
  static let general = FlagCategory("General")
}
