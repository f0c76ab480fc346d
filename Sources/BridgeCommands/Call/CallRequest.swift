import ChannelCodec
import ChannelNotation
import ChannelRouter
import CommandLineFlags

/// A call as it is typed: channel, method, and arguments in typed or plain JSON.
struct CallRequest {
  let channel: ChannelName
  let method: Value.Text
  let arguments: Value

  /// From the operands of the verb.
  init(_ operands: [String]) throws(CommandFailure) {
    guard operands.count >= 2 else {
      throw .usage(.missingOperand(operands.isEmpty ? "CHANNEL and METHOD" : "METHOD"))
    }
    try self.init(
      channel: operands[0], method: operands[1],
      json: operands.count > 2 ? Array(operands[2].utf8) : [])
  }

  /// From a line `CHANNEL METHOD [JSON]`; nil for one that is empty or a comment. Names with spaces
  /// stand in quotation marks, as JSON strings.
  init?(line: [UInt8], number: Int) throws(CommandFailure) {
    var rest = line[...]
    do throws(CommandFailure) {
      guard let channel = try CallRequest.word(&rest) else { return nil }
      guard let method = try CallRequest.word(&rest) else {
        throw .checkFailed("expected CHANNEL METHOD [JSON]")
      }
      try self.init(channel: channel, method: method, json: Array(rest))
    } catch {
      guard case .checkFailed(let text) = error else { throw error }
      throw .checkFailed("line \(number): \(text)")
    }
  }

  private init(channel: String, method: String, json: [UInt8]) throws(CommandFailure) {
    guard let name = ChannelName(validating: Array(channel.utf8)), !name.utf8.isEmpty else {
      throw .checkFailed("a channel's name cannot be empty or hold a NUL")
    }
    self.channel = name
    self.method = Value.Text(method)
    guard json.contains(where: { $0 > 0x20 }) else {
      arguments = .null
      return
    }
    do throws(CodecError) {
      arguments = try TypedJSON.value(json) ?? .null
    } catch {
      throw .checkFailed("the arguments: \(error.description)")
    }
  }

  private static func word(_ rest: inout ArraySlice<UInt8>) throws(CommandFailure) -> String? {
    rest = rest.drop { $0 <= 0x20 }
    guard let first = rest.first, first != UInt8(ascii: "#") else { return nil }
    if first != UInt8(ascii: "\"") {
      let word = rest.prefix { $0 > 0x20 }
      rest = rest.dropFirst(word.count)
      guard let text = String(validating: word, as: UTF8.self) else {
        throw .checkFailed("a name that is not UTF-8")
      }
      return text
    }
    var end = rest.startIndex + 1
    while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
      end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < rest.endIndex,
      let value = try? JSONMessageCodec().decode(Array(rest[...end])), let text = value.string
    else { throw .checkFailed("a name in quotation marks must be a JSON string") }
    rest = rest[(end + 1)...]
    return text
  }
}
