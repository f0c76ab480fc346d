import ChannelNotation

@testable import ChannelCodec

private let names: [NamedCodec.Name] = [.message, .call, .envelope, .string, .binary]
private let extensionChoices: [ExtensionTypes] = [.none, .pigeon, procedures]

/// Type 200 is read and written by procedures: a byte, then a value.
private let procedures: ExtensionTypes = {
  var types = ExtensionTypes.pigeon
  types[200] = .custom(
    read: { reader throws(CodecError) in
      let byte = try reader.uint8()
      return .custom(200, .list([.int32(Int32(byte)), try reader.value()]))
    },
    write: { value, writer throws(CodecError) in
      guard case .list(let list) = value, let first = list.first,
        let second = list.dropFirst().first
      else {
        throw CodecError(.unsupportedValue, expected: "a list of two", found: value.shortText)
      }
      writer.put(UInt8(truncatingIfNeeded: first.integer ?? 0))
      try writer.put(second)
    })
  return types
}()

/// Bytes as a message, a call and an envelope, under every profile. Nothing may trap, and under strict
/// what is decoded is encoded to bytes that mean the same. Platforms change values on the way: a byte
/// order mark is lost, a zero loses its sign. The fast readers and writers do what the careful ones do.
func fuzzStandardCodec(_ input: inout FuzzInput) {
  let name = input.choice(of: names)
  let extensions = input.choice(of: extensionChoices)
  let payload = input.remainder()
  for profile in Profile.allCases {
    let codec = NamedCodec(name, profile: profile, extensions: extensions)
    guard let text = try? codec.decode(payload) else { continue }
    guard let again = try? codec.encode(Array(text.utf8)) else { continue }
    let second = try? codec.decode(again)
    guard profile == .strict else { continue }
    require(second == text, "\(text) was encoded to \(second ?? "something that is refused")")
  }
  switch name {
  case .message: compareReaders(payload, StandardMessageCodec(extensions: extensions))
  case .call: compareReaders(call: payload, StandardMethodCodec(extensions: extensions))
  case .envelope: compareReaders(envelope: payload, StandardMethodCodec(extensions: extensions))
  default: return
  }
  let lines = AnnotatedDump.lines(of: payload, codec: NamedCodec(name, extensions: extensions))
  let shown = lines.filter { $0.depth >= 0 }.reduce(0) { $0 + $1.bytes.count }
  require(shown <= payload.count * max(1, lines.count), "more bytes are shown than there are")
}

// MARK: - Fast and careful

private func compareReaders(_ payload: [UInt8], _ codec: StandardMessageCodec) {
  let fast = Result { () throws(CodecError) in try codec.decode(payload) }
  guard let value = agree(fast, codec.react(to: payload).result) ?? nil else { return }
  compareWriters(
    PlainEncoder.encode(value, extensions: codec.extensions.plain), .value(value), codec.extensions)
}

private func compareReaders(call payload: [UInt8], _ codec: StandardMethodCodec) {
  let fast = Result { () throws(CodecError) in try codec.decodeMethodCall(payload) }
  guard let call = agree(fast, codec.react(toMethodCall: payload).result) else { return }
  compareWriters(
    PlainEncoder.encode(call, extensions: codec.extensions.plain), .call(call), codec.extensions)
}

private func compareReaders(envelope payload: [UInt8], _ codec: StandardMethodCodec) {
  let fast = Result { () throws(CodecError) in try codec.decodeEnvelope(payload) }
  guard let envelope = agree(fast, codec.react(toEnvelope: payload).result) ?? nil else { return }
  compareWriters(
    PlainEncoder.encode(envelope, extensions: codec.extensions.plain), .envelope(envelope),
    codec.extensions)
}

private func agree<Outcome: Hashable>(
  _ fast: Result<Outcome, CodecError>, _ careful: Result<Outcome, CodecError>
) -> Outcome? {
  switch (fast, careful) {
  case (.success(let one), .success(let other)):
    require(one == other, "the fast reader found \(one), the careful one \(other)")
    require(one.hashValue == other.hashValue, "\(one) has two hash values")
    return one
  case (.failure(let one), .failure(let other)):
    require("\(one)" == "\(other)", "refused with \(one) and with \(other)")
  default: require(false, "the fast reader: \(fast); the careful one: \(careful)")
  }
  return nil
}

private func compareWriters(
  _ fast: [UInt8]?, _ message: StandardMessage, _ extensions: ExtensionTypes
) {
  guard let fast else { return }
  let careful = try? message.encoded(profile: .strict, extensions: extensions)
  require(careful == fast, "written as \(fast) and as \(careful ?? [])")
}
