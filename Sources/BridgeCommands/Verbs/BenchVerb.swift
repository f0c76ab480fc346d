import ChannelCodec
import CommandLineFlags

extension Verb {
  /// `pwbridge bench`: how fast the codec is on this machine.
  static let bench = Verb(
    Command(
      "bench",
      summary: "measure the codec on the benchmark's messages, or the bridge",
      purpose: """
        codec times decoding, decoding with a look at every leaf, and encoding, on each message of \
        a folder and on a Uint8List and a Float64List of 1 MiB. A figure is the smallest of several \
        rounds of about 20 ms. Compare programs only within one run, as \
        Tests/EngineComparison/compare-speed.sh does with Flutter's own Linux engine.

        bridge starts this program as a server and a plain C echo of the same frame sizes, and \
        measures both with the same client: calls one at a time and pipelined, on one core and \
        unpinned, the time from a server's start to its first reply, and its memory. Rates are \
        medians, and what counts is the median ratio to the echo.

        Measure a release build.
        """,
      usage: ["codec [--payloads DIR] [--json]", "bridge [--json]"],
      operands: Operands(
        "WHAT", count: 1...1,
        kind: .oneOf([Choice("codec", "the codecs"), Choice("bridge", "the server")])),
      examples: [
        Example(
          "Which messages are measured",
          "pwbridge bench codec --rounds 1 | cut -d ' ' -f 1 | head -n 4",
          output: "message\na_call_start\nb_call_default\nc_contacts"),
        Example(
          "A folder that is not there", "pwbridge bench codec --payloads nowhere",
          complaint: """
            pwbridge: cannot open "nowhere/a_call_start.bin": No such file or directory
            """, exitCode: 2),
        Example(
          "A mistyped subject", "pwbridge bench codecs",
          complaint: """
            pwbridge: unknown what "codecs"; did you mean codec?
            try: pwbridge help bench
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    switch invocation.operands.first {
    case "bridge": try measureBridge(invocation)
    default: try measureCodec(invocation)
    }
  }

  private static func measureBridge(_ invocation: Invocation) throws(CommandFailure) {
    let figures: BenchBridgeFigures
    do throws(BenchTrouble) {
      figures = try BenchBridge(rounds: invocation.options.rounds).measure()
    } catch {
      throw .trouble("bench bridge: \(error.text)")
    }
    if invocation.options.printsJSON { return try invocation.console.print(figures.json) }
    for line in figures.lines { try invocation.console.print(line) }
  }

  private static func measureCodec(_ invocation: Invocation) throws(CommandFailure) {
    let console = invocation.console
    var timings: [(name: String, bytes: Int, timing: CodecTiming)] = []
    let bench = CodecBench(rounds: invocation.options.rounds)
    for payload in try payloads(in: invocation.options.payloads, console) {
      do throws(CodecError) {
        timings.append((payload.name, payload.bytes.count, try bench.measure(payload)))
      } catch {
        throw .malformed(error)
      }
    }
    if invocation.options.printsJSON {
      let members = timings.map { name, _, timing in
        "\"\(name)\":{\"decode_ns\":\(timing.decode),\"visit_ns\":\(timing.visit),"
          + "\"encode_ns\":\(timing.encode)}"
      }
      return try console.print("{\"payloads\":{\(members.joined(separator: ","))}}")
    }
    try console.print(row("message", "bytes", "decode ns", "decode + visit ns", "encode ns"))
    for (name, bytes, timing) in timings {
      try console.print(
        row(
          name, "\(bytes)", rounded(timing.decode), rounded(timing.visit),
          rounded(timing.encode)))
    }
  }

  private static func payloads(
    in folder: String, _ console: Console
  ) throws(CommandFailure) -> [BenchPayload] {
    var payloads: [BenchPayload] = []
    for (name, kind) in BenchPayload.files {
      let bytes = try console.readFile("\(folder)/\(name).bin", limit: .bytes)
      payloads.append(BenchPayload(name: name, kind: kind, bytes: bytes))
    }
    return payloads + BenchPayload.generated()
  }

  private static func row(_ name: String, _ figures: String...) -> String {
    let padding = String(repeating: " ", count: max(0, 22 - name.utf8.count))
    return figures.reduce(name + padding) { line, figure in
      line + String(repeating: " ", count: max(1, 19 - figure.utf8.count)) + figure
    }
  }

  private static func rounded(_ nanoseconds: Double) -> String {
    nanoseconds < 100 ? "\((nanoseconds * 10).rounded() / 10)" : "\(Int(nanoseconds.rounded()))"
  }
}
