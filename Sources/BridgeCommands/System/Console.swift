import CommandLineFlags
import SystemInterface
import TerminalSafety

/// The three standard streams of a command. Output is gathered and written in large pieces.
public final class Console {
  /// The most that is read of an input: 64 MiB of message, or twice as much of text, since hex
  /// takes two digits for a byte.
  enum InputLimit: Int {
    case bytes = 0x400_0000
    case text = 0x800_0000

    var name: String { "\(rawValue >> 20) MiB" }
  }

  private let input: Int32
  private let standardOutput: Int32
  private let errors: Int32
  /// Where what is printed goes.
  private var output: Int32
  private var pending: [UInt8] = []

  public init(input: Int32 = 0, output: Int32 = 1, errors: Int32 = 2) {
    (self.input, standardOutput, self.errors) = (input, output, errors)
    self.output = output
  }

  // MARK: - Input

  func readStandardInput(limit: InputLimit) throws(CommandFailure) -> [UInt8] {
    try read(input, name: "standard input", limit: limit)
  }

  func readFile(_ path: String, limit: InputLimit) throws(CommandFailure) -> [UInt8] {
    let descriptor: Int32
    do {
      descriptor = try SystemCalls.openForReading(path)
    } catch {
      throw .trouble("cannot open \(path.quotedForTerminal): \(error.text)")
    }
    defer { SystemCalls.closeDescriptor(descriptor) }
    return try read(descriptor, name: path.quotedForTerminal, limit: limit)
  }

  private func read(
    _ descriptor: Int32, name: String, limit: InputLimit
  ) throws(CommandFailure) -> [UInt8] {
    do {
      return try FileDescriptorIO.readAll(descriptor, limit: limit.rawValue)
    } catch {
      switch error {
      case .tooLong:
        throw .trouble("\(name) holds more than \(limit.name), the most that is read")
      case .system(let failure): throw .trouble("cannot read \(name): \(failure.text)")
      }
    }
  }

  // MARK: - Output

  /// Writes a line to standard output.
  public func print(_ line: String) throws(CommandFailure) {
    try write(line.utf8)
    try write(CollectionOfOne(UInt8(ascii: "\n")))
  }

  /// Writes bytes as they are to standard output.
  public func write(_ bytes: some Collection<UInt8>) throws(CommandFailure) {
    pending += bytes
    if pending.count >= 64 << 10 { try flush() }
  }

  /// Brings out what is still gathered.
  public func flush() throws(CommandFailure) {
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending = []
    try bring(bytes, to: output)
  }

  /// Has what is printed go to standard error, for a file that is written to standard output.
  func printToErrors() { output = errors }

  /// Writes a file's bytes to standard output, past what is printed.
  func writeToStandardOutput(_ bytes: [UInt8]) throws(CommandFailure) {
    try bring(bytes, to: standardOutput)
  }

  private func bring(_ bytes: [UInt8], to descriptor: Int32) throws(CommandFailure) {
    do {
      try FileDescriptorIO.writeAll(descriptor, bytes)
    } catch {
      if error.isBrokenPipe { throw .outputClosed }
      throw .trouble("cannot write the output: \(error.text)")
    }
  }

  /// Writes a line to standard error. Where even that fails there is nobody left to tell.
  public func complain(_ line: String) {
    try? FileDescriptorIO.writeAll(errors, Array((line + "\n").utf8))
  }

  /// Whether output may be coloured when `choice` was asked for.
  func usesColor(_ choice: ColorChoice) -> Bool {
    choice.resolved(
      isTerminal: SystemCalls.isTerminal(output), noColor: SystemCalls.environment("NO_COLOR"),
      term: SystemCalls.environment("TERM"))
  }
}
