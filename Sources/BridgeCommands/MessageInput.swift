import ChannelCodec
import ChannelNotation
import CommandLineFlags

/// Where a verb's input comes from: its operands, standard input (`-`) or a file.
enum MessageInput {
  /// The word for no payload at all, in hex input and output.
  static let noPayload = "null"

  private enum Source {
    case operands([String])
    case standardInput
    case file(String)
  }

  /// The message that a verb is to look at; nil for no payload.
  static func message(for invocation: Invocation) throws(CommandFailure) -> [UInt8]? {
    let source = try source(of: invocation)
    if invocation.options.isRaw {
      if case .operands = source {
        throw .usage(.other("--raw reads bytes from standard input (-) or --file, not operands"))
      }
      return try read(source, limit: .bytes, from: invocation.console)
    }
    let text = try read(source, limit: .text, from: invocation.console)
    if isNoPayload(text) { return nil }
    do throws(HexError) {
      return try Hex.bytes(ofUTF8: text)
    } catch {
      throw .checkFailed(error.description)
    }
  }

  /// The text that a verb is to read.
  static func text(for invocation: Invocation) throws(CommandFailure) -> [UInt8] {
    try read(source(of: invocation), limit: .text, from: invocation.console)
  }

  private static func source(of invocation: Invocation) throws(CommandFailure) -> Source {
    let operands = invocation.operands
    if let path = invocation.options.file {
      guard operands.isEmpty else {
        throw .usage(.other("--file and operands are two inputs; give one of them"))
      }
      return path == "-" ? .standardInput : .file(path)
    }
    if operands.isEmpty {
      let name = invocation.command.operands.name
      throw .usage(.missingOperand("\(name), - for standard input, or --file PATH"))
    }
    guard operands.contains("-") else { return .operands(operands) }
    guard operands.count == 1 else {
      throw .usage(.other("- stands for all of the input; give it alone"))
    }
    return .standardInput
  }

  private static func read(
    _ source: Source, limit: Console.InputLimit, from console: Console
  ) throws(CommandFailure) -> [UInt8] {
    switch source {
    case .operands(let operands): Array(operands.joined(separator: " ").utf8)
    case .standardInput: try console.readStandardInput(limit: limit)
    case .file(let path): try console.readFile(path, limit: limit)
    }
  }

  /// `encode` prints the word, so that its output can be piped into `decode` whatever it is.
  private static func isNoPayload(_ text: [UInt8]) -> Bool {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
    let word = text.drop(while: isSpace)
    return word.starts(with: noPayload.utf8)
      && word.dropFirst(noPayload.utf8.count).allSatisfy(isSpace)
  }
}
