import ChannelRouter
import TerminalSafety

/// Writes a recording in the trace-event form of Chrome, which https://ui.perfetto.dev shows: a
/// process for each direction of messages, a track for each channel in it, a slice from each message
/// to its answer, and an instant for what wants or gets no answer.
///
/// Calls that overlap stand on further tracks of their channel, so that slices of a track never do.
public final class TraceExport {
  /// Calls of one direction of a channel that may overlap; further ones show as instants.
  static let mostLanes = 64
  /// Calls of all channels that may be open; further ones show as instants.
  static let mostOpen = 16_384

  private struct Open {
    var start: Int64
    var track: Int
    var name: String
    var category: String
    var message: String?
    var id: UInt64
    var sequence: UInt64
  }

  private struct LaneKey: Hashable {
    var channel: ChannelName
    var direction: RecordedEvent.Direction
  }

  private struct Lanes {
    /// Track numbers; those that are free come last.
    var tracks: [Int] = []
    var busy: Set<Int> = []
  }

  private let output: ExportOutput
  private let codecs: ChannelCodecMap
  private let heeded: HeededDirections
  private var lanes: [LaneKey: Lanes] = [:]
  private var open: [RecordedEvent.Call: Open] = [:]
  private var laneOfTrack: [Int: LaneKey] = [:]
  private var trackCount = 0
  private var time = Int64.min
  private var hasEvents = false

  /// - Parameters:
  ///   - inspection: of the same recording, for codecs and for which messages are answered at all.
  ///   - output: gets the JSON.
  public init(_ inspection: RecordingInspection, to output: ExportOutput) throws(RecordingError) {
    self.output = output
    codecs = inspection.codecs
    heeded = HeededDirections(inspection)
    try output.write { $0 += "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n".utf8 }
    for (pid, name) in [(1, "calls from Dart"), (2, "calls to Dart")] {
      let process = "\"ph\":\"M\",\"pid\":\(pid),\"name\":\"process_"
      try put(process + "name\",\"args\":{\"name\":\"\(name)\"}")
      try put(process + "sort_index\",\"args\":{\"sort_index\":\(pid)}")
    }
  }

  /// Adds an entry; entries come in their order.
  public func add(_ event: RecordedEvent) throws(RecordingError) {
    // A clock that was set back would make slices overlap.
    time = max(time, event.microseconds)
    let codec = codecs[event.channel] ?? .binary
    let text = ShownDecoding.text(of: event, as: codec)
    if event.isAnswer {
      try close(event.call, ending: Self.ending(event), reply: text)
      return
    }
    try close(event.call, ending: "no answer; the id was used again", reply: nil)
    let name = Self.name(of: event, text)
    if !event.isOneWay, heeded.contains(event.channel, event.direction),
      open.count < Self.mostOpen,
      let track = try freeTrack(LaneKey(channel: event.channel, direction: event.direction))
    {
      open[event.call] = Open(
        start: time, track: track, name: name, category: codec.rawValue, message: text,
        id: event.id, sequence: event.sequence)
      return
    }
    let key = LaneKey(channel: event.channel, direction: event.direction)
    let track = try firstTrack(key)
    try put(
      "\"ph\":\"i\",\"s\":\"t\"," + place(event.direction, track) + ",\"ts\":\(time),\"name\":"
        + Self.json(name) + ",\"cat\":\"\(codec.rawValue)\",\"args\":{"
        + Self.arguments(text, nil, event.id, event.sequence, nil) + "}")
  }

  /// Ends the slices that are open, and the file.
  public func finish() throws(RecordingError) {
    for call in open.sorted(by: { $0.value.sequence < $1.value.sequence }).map(\.key) {
      try close(call, ending: "no answer", reply: nil)
    }
    try output.write { $0 += "\n]}\n".utf8 }
    try output.flush()
  }

  // MARK: -

  private func close(
    _ call: RecordedEvent.Call, ending: String?, reply: String?
  ) throws(RecordingError) {
    guard let slice = open.removeValue(forKey: call) else { return }
    if let key = laneOfTrack[slice.track] { lanes[key]?.busy.remove(slice.track) }
    var line =
      "\"ph\":\"X\"," + place(call.direction, slice.track)
      + ",\"ts\":\(slice.start),\"dur\":\(Self.span(slice.start, time)),\"name\":"
      + Self.json(slice.name)
    line += ",\"cat\":\"\(slice.category)\""
    // A colour of the viewer's own palette.
    if ending != nil || reply?.starts(with: "error ") == true { line += ",\"cname\":\"terrible\"" }
    line += ",\"args\":{"
    line += Self.arguments(slice.message, reply, slice.id, slice.sequence, ending) + "}"
    try put(line)
  }

  /// From one time to a later one; a recording may name any two.
  private static func span(_ start: Int64, _ end: Int64) -> Int64 {
    let (span, overflow) = end.subtractingReportingOverflow(start)
    return overflow ? .max : span
  }

  private static func ending(_ event: RecordedEvent) -> String? {
    switch event.kind {
    case .message: nil
    case .reply: event.payload == nil ? "reply without payload" : nil
    case .dropped: "dropped: the handler let go of its reply"
    case .refused(let refusal): "refused: \(refusal.code): \(refusal.text)"
    }
  }

  /// The method's name; for other messages what they are.
  private static func name(of event: RecordedEvent, _ text: String?) -> String {
    let (shape, range) = MessageShape.of(event.payload, event.direction)
    switch shape {
    case .standardCall, .jsonCall:
      guard let payload = event.payload else { break }
      return String(decoding: payload[range], as: UTF8.self).safeForTerminal
    case .event: return "event"
    case .eventError: return "event error"
    case .noPayload: return "no payload"
    case .other: break
    }
    return text.map { String($0.prefix(40)) } ?? "message"
  }

  private func place(_ direction: RecordedEvent.Direction, _ track: Int) -> String {
    "\"pid\":\(direction == .dartToNative ? 1 : 2),\"tid\":\(track)"
  }

  private static func arguments(
    _ message: String?, _ reply: String?, _ id: UInt64, _ sequence: UInt64, _ ending: String?
  ) -> String {
    var members = ["\"id\":\(id)", "\"seq\":\(sequence)"]
    if let message { members.append("\"message\":" + json(message)) }
    if let reply { members.append("\"reply\":" + json(reply)) }
    if let ending { members.append("\"ending\":" + json(ending)) }
    return members.joined(separator: ",")
  }

  private static func json(_ text: String) -> String {
    var bytes: [UInt8] = []
    RecordingText.appendString(text.utf8, to: &bytes)
    RecordingText.makeFitForTerminal(&bytes, from: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func put(_ members: String) throws(RecordingError) {
    let separator = hasEvents ? ",\n{" : "{"
    hasEvents = true
    try output.write { bytes in
      bytes += separator.utf8
      bytes += members.utf8
      bytes.append(UInt8(ascii: "}"))
    }
  }

  // MARK: - Tracks

  private func freeTrack(_ key: LaneKey) throws(RecordingError) -> Int? {
    let known = lanes[key, default: Lanes()]
    var track = known.tracks.first { !known.busy.contains($0) }
    if track == nil, known.tracks.count < Self.mostLanes { track = try newTrack(key) }
    if let track { lanes[key]?.busy.insert(track) }
    return track
  }

  private func firstTrack(_ key: LaneKey) throws(RecordingError) -> Int {
    if let track = lanes[key]?.tracks.first { return track }
    return try newTrack(key)
  }

  private func newTrack(_ key: LaneKey) throws(RecordingError) -> Int {
    trackCount += 1
    let track = trackCount
    lanes[key, default: Lanes()].tracks.append(track)
    laneOfTrack[track] = key
    let number = lanes[key]?.tracks.count ?? 1
    let name = key.channel.description.safeForTerminal + (number > 1 ? " (\(number))" : "")
    let place = place(key.direction, track)
    try put(
      "\"ph\":\"M\",\(place),\"name\":\"thread_name\",\"args\":{\"name\":\(Self.json(name))}")
    return track
  }
}

/// The channels and directions in which at least one message was answered.
struct HeededDirections {
  private var channels: [ChannelName: UInt8] = [:]
  private var others: UInt8 = 0

  init(_ inspection: RecordingInspection) {
    for row in inspection.rows where row.answers > 0 {
      let channel = inspection.channels[row.channel]
      guard let name = ChannelName(validating: channel.utf8) else { continue }
      let bit: UInt8 = row.direction == .dartToNative ? 1 : 2
      channels[name, default: 0] |= bit
      if name == ChannelTable.othersName { others |= bit }
    }
  }

  func contains(_ channel: ChannelName, _ direction: RecordedEvent.Direction) -> Bool {
    let bit: UInt8 = direction == .dartToNative ? 1 : 2
    return (channels[channel] ?? others) & bit != 0
  }
}
