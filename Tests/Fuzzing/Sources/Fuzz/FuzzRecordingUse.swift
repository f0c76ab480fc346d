import ChannelCodec
import ChannelRecordings
import ChannelRouter
import EmulatedDevice
import Glibc

@testable import ChannelTransport

private let nowhere = open("/dev/null", O_WRONLY)
nonisolated(unsafe) private let loop = try? EventLoop()

/// What the verbs make of a recording: statistics, lint, exports, comparisons, a mock that plays
/// it, and its replay to a device and to that mock.
func fuzzRecordingUse(_ input: inout FuzzInput) {
  let choices = input.byte()
  let cut = Int(input.byte()) | Int(input.byte()) << 8
  let bytes = input.remainder()
  inspect(bytes)
  compare(bytes, bytes, expectsSame: true)
  compare(bytes, Array(bytes.prefix(cut % (bytes.count + 1))), expectsSame: false)
  play(bytes, choices)
}

private func reader(of bytes: [UInt8]) -> RecordingReader? {
  try? RecordingReader(
    bytes: bytes, options: RecordingReader.Options(maximumPayload: 1 << 16, keepsShown: true))
}

/// Every entry that can be read.
private func forEach(_ bytes: [UInt8], _ body: (RecordedEvent, UInt64) -> Void) {
  guard let reader = reader(of: bytes) else { return }
  var number: UInt64 = 0
  try? reader.readAll(
    onError: { _ in true },
    { event in
      number += 1
      body(event, number)
    })
}

private func inspect(_ bytes: [UInt8]) {
  guard let header = reader(of: bytes).map(\.header) else { return }
  var calls = 0
  var entries = 0
  var inspector = RecordingInspector { _ in calls += 1 }
  forEach(bytes) {
    inspector.add($0, at: $1)
    entries += 1
  }
  let inspection = inspector.finish(codecs: header?.codecs ?? ChannelCodecMap())
  require(calls <= entries, "\(calls) endings for \(entries) entries")
  for view in [inspection, inspection.grouped()] {
    _ = InspectionText(view).lines()
    let json = InspectionJSON.bytes(view)
    require((try? JSONMessageCodec().decode(json)) != nil, "no JSON: \(json)")
  }
  var lint = RecordingLint(inspection)
  forEach(bytes) { lint.add($0, at: $1) }
  _ = lint.finish()
  let output = ExportOutput(descriptor: nowhere, name: "nowhere")
  if let trace = try? TraceExport(inspection, to: output) {
    forEach(bytes) { event, _ in try? trace.add(event) }
    try? trace.finish()
  }
  if let packets = try? PacketExport(inspection, header: header, to: output) {
    forEach(bytes) { event, _ in try? packets.add(event) }
    try? packets.finish()
  }
}

private func compare(_ one: [UInt8], _ other: [UInt8], expectsSame: Bool) {
  guard let first = reader(of: one), let second = reader(of: other) else { return }
  let diff = RecordingDiff(
    RecordedCalls(first), RecordedCalls(second), comparer: MessageComparer(), matching: .dart)
  let finished = (try? diff.run()) != nil
  if expectsSame, finished { require(diff.totals.isClean, "differs from itself: \(diff.totals)") }
}

private func play(_ bytes: [UInt8], _ choices: UInt8) {
  guard let loop else { return }
  var options = DeviceOptions()
  try? options.set("clock", to: "stepped")
  var nanoseconds: UInt64 = 0
  let device = EmulatedDevice(
    name: "fuzzed", options: options, thread: loop.thread,
    nanoseconds: {
      nanoseconds += 1000
      return nanoseconds
    }, wallClock: DeviceTime(seconds: 1_800_000_000))
  var mock: MockDevice?
  if choices & 1 == 0, let recorded = reader(of: bytes).flatMap({ try? MockRecording($0) }) {
    var mocking = MockOptions()
    mocking.match = MockOptions.Match.allCases[Int(choices >> 1) % MockOptions.Match.allCases.count]
    mocking.order = MockOptions.Order.allCases[Int(choices >> 3) % MockOptions.Order.allCases.count]
    mocking.timing =
      MockOptions.Timing.allCases[Int(choices >> 5) % MockOptions.Timing.allCases.count]
    mocking.reuses = choices & 0x80 != 0
    mock = MockDevice(
      recorded, on: device.messenger, clock: device.clock, options: mocking,
      usage: MockUsage(recorded), timer: { _, _ in {} })
  }
  let target = InProcessTarget(messenger: device.messenger, loop: loop, hasAlarms: { false })
  var replaying = ReplayOptions()
  replaying.timeout = .zero
  replaying.grace = .zero
  if let recording = reader(of: bytes) {
    let replay = Replay(recording, to: target, options: replaying)
    try? replay.run()
  }
  mock?.retire()
  target.detach()
  device.retire()
  _ = try? loop.runOnce(timeout: .zero)
}
