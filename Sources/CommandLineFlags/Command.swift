/// One command (verb) as the parser, help and completions see it: everything but its work.
public struct Command: Sendable {
  public var name: String
  /// One line for the list of commands.
  public var summary: String
  /// What the command is for, in full sentences; paragraphs are separated by an empty line.
  public var purpose: String
  /// What may follow the name, one line for each form.
  public var usage: [String]
  public var operands: Operands
  public var examples: [Example]

  public init(
    _ name: String, summary: String, purpose: String, usage: [String], operands: Operands,
    examples: [Example]
  ) {
    self.name = name
    self.summary = summary
    self.purpose = purpose
    self.usage = usage
    self.operands = operands
    self.examples = examples
  }
}

/// How many operands a command takes, and which.
public struct Operands: Sendable {
  public enum Kind: Sendable {
    case any
    case oneOf([Choice])
    /// The names of files.
    case files
    /// The name of a command.
    case command
  }

  /// What stands for one in help and errors, such as `HEX`.
  public var name: String
  public var count: ClosedRange<Int>
  public var kind: Kind
  /// Whether what stands behind `--` is another program with its arguments.
  public var endWithProgram: Bool

  public init(
    _ name: String, count: ClosedRange<Int>, kind: Kind = .any, endWithProgram: Bool = false
  ) {
    self.name = name
    self.count = count
    self.kind = kind
    self.endWithProgram = endWithProgram
  }

  public static let none = Operands("", count: 0...0)
}

/// An example in a help text. A test runs each through a shell and compares what it prints.
public struct Example: Sendable {
  /// What the example shows.
  public var title: String
  /// The line as a user would type it.
  public var line: String
  /// What it prints, without the last newline.
  public var output: String
  /// What it says on standard error, without the last newline.
  public var complaint: String
  public var exitCode: Int32

  public init(
    _ title: String, _ line: String, output: String = "", complaint: String = "",
    exitCode: Int32 = 0
  ) {
    self.title = title
    self.line = line
    self.output = output
    self.complaint = complaint
    self.exitCode = exitCode
  }
}
