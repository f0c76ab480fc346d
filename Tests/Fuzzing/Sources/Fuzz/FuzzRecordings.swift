import ChannelRouter

@testable import ChannelRecordings

/// Bytes as a recording of either form. Reading goes on behind what is wrong, ends, and keeps to
/// its limits. What was read is written in both forms and read again as the same.
func fuzzRecordings(_ input: inout FuzzInput) {
  let bytes = input.remainder()
  guard let reader = reader(of: bytes) else { return }
  var events: [RecordedEvent] = []
  var turns = 0
  while true {
    turns += 1
    require(turns <= bytes.count + 2, "more entries than bytes")
    do throws(RecordingError) {
      guard let event = try reader.next() else { break }
      require((event.payload?.count ?? 0) <= 1 << 16, "a payload over the limit")
      events.append(event)
    } catch {
      require(!error.description.isEmpty, "an error without text")
      if error.isFatal { break }
    }
    require(reader.byteOffset <= UInt64(bytes.count), "read beyond the end")
  }
  let text = RecordingText()
  var lines = reader.header.map { text.line($0) + [0x0a] } ?? []
  var packed = BinaryFormat.magic
  var packer = BinaryPacker()
  if let header = reader.header { packer.append(header: text.line(header), to: &packed) }
  for event in events {
    text.append(event, to: &lines)
    packer.append(event, to: &packed)
  }
  compare(lines, with: events, "text")
  compare(packed, with: events, "binary")
}

private func reader(of bytes: [UInt8]) -> RecordingReader? {
  let options = RecordingReader.Options(maximumPayload: 1 << 16, keepsShown: true)
  return try? RecordingReader(bytes: bytes, options: options)
}

private func compare(_ bytes: [UInt8], with events: [RecordedEvent], _ form: String) {
  guard let reader = reader(of: bytes) else {
    return require(events.isEmpty, "its own \(form) form is no recording")
  }
  for event in events {
    do throws(RecordingError) {
      let again = try reader.next()
      require(again == event, "\(event) came back from \(form) as \(again as Any)")
    } catch {
      require(false, "\(event) was written as \(form) and is not read: \(error)")
    }
  }
  let more = try? reader.next()
  require(more == nil, "one more than was written as \(form)")
}
