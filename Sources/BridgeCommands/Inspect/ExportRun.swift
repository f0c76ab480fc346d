import ChannelRecordings
import CommandLineFlags

/// One run of `pwbridge export`.
struct ExportRun {
  private let choices: InspectChoices
  private let codecs: ChannelCodecMap
  private let console: Console
  private var pass: RecordingPass

  init(_ invocation: Invocation) {
    choices = invocation.options.inspect
    codecs = invocation.options.recording.codecs
    console = invocation.console
    pass = RecordingPass(invocation.operands.first ?? "-", invocation.console)
  }

  mutating func run() throws(CommandFailure) {
    guard choices.trace != nil || choices.packets != nil else {
      throw .usage(.other("nothing to write: give --trace PATH or --pcapng PATH"))
    }
    if choices.trace == "-", choices.packets == "-" {
      throw .usage(.other("--trace and --pcapng cannot both go to standard output"))
    }
    guard pass.path != "-" else {
      throw .usage(.other("export reads the recording twice, so it needs a file"))
    }
    // What channels speak, and which messages are answered at all, is known at the end only.
    var inspector = RecordingInspector()
    let header = try pass.read { (event, place) throws(RecordingError) in
      inspector.add(event, at: place)
    }
    var known = header?.codecs ?? ChannelCodecMap()
    for entry in codecs.entries { known[entry.channel] = entry.codec }
    let inspection = inspector.finish(codecs: known)
    let outputs = try recording { () throws(RecordingError) in
      (try Self.output(choices.trace), try Self.output(choices.packets))
    }
    do throws(CommandFailure) {
      try export(inspection, header, outputs)
    } catch {
      let isAbandoned = outputs.0?.isAbandoned == true || outputs.1?.isAbandoned == true
      throw isAbandoned ? .outputClosed : error
    }
    try pass.end()
  }

  private mutating func export(
    _ inspection: RecordingInspection, _ header: RecordingHeader?,
    _ outputs: (trace: ExportOutput?, packets: ExportOutput?)
  ) throws(CommandFailure) {
    let (trace, packets) = try recording { () throws(RecordingError) in
      (
        try outputs.trace.map { (output) throws(RecordingError) in
          try TraceExport(inspection, to: output)
        },
        try outputs.packets.map { (output) throws(RecordingError) in
          try PacketExport(inspection, header: header, to: output)
        }
      )
    }
    try pass.read(isFirst: false) { (event, _) throws(RecordingError) in
      try trace?.add(event)
      try packets?.add(event)
    }
    try recording { () throws(RecordingError) in
      try trace?.finish()
      try packets?.finish()
    }
    if let cut = packets?.cut, cut > 0 {
      console.complain(
        "\(BridgeProgram.grammar.program): \(cut) packets are longer than 262144 bytes, the most "
          + "that Wireshark reads, and were cut")
    }
  }

  private static func output(_ path: String?) throws(RecordingError) -> ExportOutput? {
    guard let path else { return nil }
    if path == "-" { return ExportOutput(descriptor: 1, name: "standard output") }
    return try ExportOutput(path: path)
  }

  private func recording<Result>(
    _ body: () throws(RecordingError) -> Result
  ) throws(CommandFailure) -> Result {
    do throws(RecordingError) {
      return try body()
    } catch {
      throw RecordingPass.failure(error, pass.name)
    }
  }
}
