/// Something outside of the command line that a program looks at or leaves behind: a variable of the
/// environment, or a file.
public struct Surrounding: Sendable {
  /// The variable's name, or the file's path.
  public var name: String
  /// What it is for, in full sentences.
  public var summary: String
  /// The commands that have to do with it; nil for all.
  public var commands: [String]?

  /// A variable or file, and whom it concerns.
  public init(_ name: String, _ summary: String, commands: [String]? = nil) {
    self.name = name
    self.summary = summary
    self.commands = commands
  }

  /// Whether a text about `command` should tell of it; one about the whole program tells of all.
  func matters(to command: Command?) -> Bool {
    guard let command, let commands else { return true }
    return commands.contains(command.name)
  }
}
