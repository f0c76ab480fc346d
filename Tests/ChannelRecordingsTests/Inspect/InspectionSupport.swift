import ChannelRecordings
import ChannelRouter
import SystemInterface

/// Recordings made in a test, entry by entry.
struct Made {
  private(set) var events: [RecordedEvent] = []
  private var time: Int64 = 0

  /// Adds an entry, one millisecond behind the last unless `time` is given.
  mutating func add(
    _ direction: RecordedEvent.Direction, _ channel: ChannelName, _ id: UInt64,
    _ kind: RecordedEvent.Kind, _ payload: [UInt8]?, at time: Int64? = nil, isOneWay: Bool = false
  ) {
    self.time = time ?? self.time + 1000
    events.append(
      RecordedEvent(
        sequence: UInt64(events.count), microseconds: self.time, direction: direction,
        channel: channel, id: id, kind: kind, payload: payload, isOneWay: isOneWay))
  }

  mutating func call(_ channel: ChannelName, _ id: UInt64, _ method: String, _ rest: [UInt8]) {
    add(.dartToNative, channel, id, .message, wireString(method) + rest)
  }

  mutating func reply(_ channel: ChannelName, _ id: UInt64, _ payload: [UInt8]?) {
    add(.nativeToDart, channel, id, .reply, payload)
  }

  func inspection(codecs: ChannelCodecMap = ChannelCodecMap()) -> RecordingInspection {
    var inspector = RecordingInspector()
    for (number, event) in events.enumerated() { inspector.add(event, at: UInt64(number + 1)) }
    return inspector.finish(codecs: codecs)
  }

  func lint(
    keeping limit: Int = 5, codecs: ChannelCodecMap = ChannelCodecMap()
  ) -> [RecordingLint.Group] {
    var lint = RecordingLint(inspection(codecs: codecs), keeping: limit)
    for (number, event) in events.enumerated() { lint.add(event, at: UInt64(number + 1)) }
    return lint.finish()
  }
}

/// A string value of the standard codec.
func wireString(_ text: String) -> [UInt8] {
  let utf8 = Array(text.utf8)
  return [7, UInt8(utf8.count)] + utf8
}

func wireInt32(_ number: Int32) -> [UInt8] { [3] + wireBytes(number) }
func wireInt64(_ number: Int64) -> [UInt8] { [4] + wireBytes(number) }

func wireBytes(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

/// Reads a recording from a file and counts it.
func inspection(ofFile path: String) throws -> RecordingInspection {
  let reader = try RecordingReader(path: path)
  var inspector = RecordingInspector()
  var line: UInt64 = 0
  while let event = try reader.next() {
    line += 1
    inspector.add(event, at: line)
  }
  return inspector.finish(codecs: reader.header?.codecs ?? ChannelCodecMap())
}
