import ChannelRouter
import ChannelTransport

/// A stream of frames, whole and in pieces: both ways find the same, and what was found is written
/// to the same bytes again.
func fuzzFrames(_ input: inout FuzzInput) {
  let expectsHello = input.byte() & 1 == 0
  let step = Int(input.byte() % 64) + 1
  let stream = input.remainder()
  var limits = FrameLimits()
  limits.maximumPayload = 1 << 16

  let whole = read(stream, by: max(1, stream.count), limits, expectsHello)
  let pieces = read(stream, by: step, limits, expectsHello)
  require(whole == pieces, "read otherwise in pieces of \(step): \(whole) and \(pieces)")

  for case .frame(let frame) in whole.events {
    if frame.kind == .hello { _ = try? Hello(frame) }
    _ = try? Fields(parsing: frame.payload ?? [])
    let writer = FrameWriter(limits: limits)
    guard (try? writer.append(frame)) != nil else { continue }
    let again = read(writer.takePending(), by: .max, limits, frame.kind == .hello)
    require(again.events == [.frame(frame)], "\(frame) came back as \(again)")
  }
}

private struct Reading: Equatable {
  var events: [FrameReader.Event] = []
  var failure: String?
}

private func read(
  _ stream: [UInt8], by step: Int, _ limits: FrameLimits, _ expectsHello: Bool
) -> Reading {
  let reader = FrameReader(limits: limits, expectsHello: expectsHello)
  var reading = Reading()
  var rest = stream[...]
  do throws(FrameError) {
    while !rest.isEmpty {
      reader.feed(rest.prefix(step))
      rest = rest.dropFirst(step)
      while let event = try reader.next() { reading.events.append(event) }
    }
    try reader.finish()
  } catch {
    // The text may quote more of what has come, the larger the pieces are.
    reading.failure = "\(error.problem) at \(error.offset ?? 0)"
  }
  return reading
}
