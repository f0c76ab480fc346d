import ChannelRouter
import ChannelTransport

/// The line framing, whole and in pieces.
func fuzzLines(_ input: inout FuzzInput) {
  let step = Int(input.byte() % 64) + 1
  let text = input.remainder()
  var limits = FrameLimits()
  limits.maximumPayload = 256

  let whole = read(text, by: max(1, text.count), limits)
  let pieces = read(text, by: step, limits)
  require(whole == pieces, "read otherwise in pieces of \(step): \(whole) and \(pieces)")

  for case .request(.message(let channel, let payload), _) in whole {
    require((payload?.count ?? 0) <= limits.maximumPayload, "a payload over the limit")
    // The server's form of a message differs from the client's by its first two bytes.
    let line = LineReply.message(channel: channel, payload: payload).bytes
    let again = read(Array(line.dropFirst(2)), by: .max, limits)
    guard case .request(.message(let channelAgain, let payloadAgain), _)? = again.first else {
      require(false, "\(String(decoding: line, as: UTF8.self)) is not read: \(again)")
      continue
    }
    require(channelAgain == channel && payloadAgain == payload, "another message came back")
  }
}

private func read(_ text: [UInt8], by step: Int, _ limits: FrameLimits) -> [LineReader.Event] {
  let reader = LineReader(limits: limits)
  var events: [LineReader.Event] = []
  var rest = text[...]
  while !rest.isEmpty {
    reader.feed(rest.prefix(step))
    rest = rest.dropFirst(step)
    while let event = reader.next() { events.append(event) }
  }
  if let event = reader.finish() { events.append(event) }
  return events
}
