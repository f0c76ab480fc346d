/// All that a program's command line can hold.
public struct Grammar<Options: Sendable>: Sendable {
  public var program: String
  /// False for a program that does one thing, whose only command help does not name.
  public var namesCommand: Bool
  /// What the program is for, in a sentence or two.
  public var purpose: String
  /// What the exit codes mean, in order.
  public var exitCodes: [Choice]
  /// The variables of the environment that matter.
  public var environment: [Surrounding]
  /// The files that matter without being named on the command line.
  public var files: [Surrounding]
  public var commands: [Command]
  public var flags: [Flag<Options>]
  /// The options before any flag.
  public var initial: Options

  public init(
    program: String, namesCommand: Bool = true, purpose: String, exitCodes: [Choice],
    environment: [Surrounding] = [], files: [Surrounding] = [],
    commands: [Command], flags: [Flag<Options>], initial: Options
  ) {
    self.program = program
    self.namesCommand = namesCommand
    self.purpose = purpose
    self.exitCodes = exitCodes
    self.environment = environment
    self.files = files
    self.commands = commands
    self.flags = flags
    self.initial = initial
  }

  public func command(named name: String) -> Command? {
    commands.first { $0.name == name }
  }

  /// The flags that `command` takes, or without one those that need none.
  public func flags(of command: Command?) -> [Flag<Options>] {
    flags.filter { flag in
      guard let command else { return flag.declaration.commands == nil }
      return flag.declaration.isTaken(by: command.name)
    }
  }

  /// The values that an operand of `command` may have; empty where any will do.
  func operandChoices(of command: Command) -> [Choice] {
    switch command.operands.kind {
    case .any, .files: []
    case .oneOf(let choices): choices
    case .command: commands.map { Choice($0.name, $0.summary) }
    }
  }
}
