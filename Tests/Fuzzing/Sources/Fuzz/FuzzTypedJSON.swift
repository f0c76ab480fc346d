import ChannelCodec
import ChannelNotation

/// Text as typed JSON: what is read is written in one form only, which reads to the same.
func fuzzTypedJSON(_ input: inout FuzzInput) {
  let kind = input.byte() % 3
  let text = input.remainder()
  switch kind {
  case 0:
    settle(text, TypedJSON.value) { TypedJSON.text(of: $0) }
  case 1:
    settle(text, TypedJSON.call) { TypedJSON.text(of: $0) }
  default:
    settle(text, TypedJSON.envelope) { TypedJSON.text(of: $0) }
  }
}

private func settle<Read>(
  _ text: [UInt8], _ read: ([UInt8]) throws(CodecError) -> Read, _ write: (Read) -> String
) {
  guard let first = try? read(text) else { return }
  let form = write(first)
  guard let second = try? read(Array(form.utf8)) else {
    return require(false, "\(form) was written and is not read")
  }
  require(write(second) == form, "\(form) has two forms")
}
