import TerminalSafety

/// A command line that cannot be followed, told so that the next try succeeds.
public struct UsageError: Error, Equatable {
  public enum Problem: Sendable, Equatable {
    case missingCommand
    case unknownCommand(String, suggestion: String?)
    case unknownFlag(String, suggestion: String?)
    /// The flag is known, but the command does not take it.
    case flagOfOthers(String, takenBy: [String])
    case missingValue(flag: String, variable: String)
    case unexpectedValue(flag: String)
    case unknownChoice(flag: String, value: String, choices: [String], suggestion: String?)
    case badValue(flag: String, value: String, reason: String)
    case missingOperand(String)
    case extraOperand(String)
    case unknownOperand(String, value: String, choices: [String], suggestion: String?)
    /// Parts that are fine alone but not together, or anything else; a full phrase.
    case other(String)
  }

  public var problem: Problem
  public var program: String
  /// The command that was called, where it got that far.
  public var command: String?

  public init(_ problem: Problem, program: String, command: String? = nil) {
    self.problem = problem
    self.program = program
    self.command = command
  }

  /// What is wrong, in one line that is safe for a terminal.
  public var message: String { words.safeForTerminal }

  /// Reasons may repeat parts of a value as they are.
  private var words: String {
    switch problem {
    case .missingCommand: "missing verb"
    case .unknownCommand(let name, let suggestion):
      "unknown verb \(name.quotedForTerminal)" + UsageError.hint(suggestion)
    case .unknownFlag(let flag, let suggestion):
      "unknown flag \(flag.cutForTerminal)" + UsageError.hint(suggestion)
    case .flagOfOthers(let flag, let takers):
      "\(command ?? program) does not take \(flag); \(takers.joined(separator: ", "))"
        + (takers.count == 1 ? " does" : " do")
    case .missingValue(let flag, let variable): "\(flag) needs a value: \(flag) \(variable)"
    case .unexpectedValue(let flag): "\(flag) takes no value"
    case .unknownChoice(let flag, let value, let choices, let suggestion):
      "\(flag) has no choice \(value.quotedForTerminal)"
        + (suggestion == nil
          ? "; choose from \(choices.joined(separator: ", "))" : UsageError.hint(suggestion))
    case .badValue(let flag, let value, let reason):
      "\(flag) \(value.quotedForTerminal): \(reason)"
    case .missingOperand(let name): "\(command ?? program) needs \(name)"
    case .extraOperand(let operand):
      "\(command ?? program) has no use for \(operand.quotedForTerminal)"
    case .unknownOperand(let name, let value, let choices, let suggestion):
      "unknown \(name.lowercased()) \(value.quotedForTerminal)"
        + (suggestion == nil
          ? "; choose from \(choices.joined(separator: ", "))" : UsageError.hint(suggestion))
    case .other(let phrase): phrase
    }
  }

  /// Where to read on.
  public var advice: String {
    "try: \(program) help" + (command.map { " \($0)" } ?? "")
  }

  private static func hint(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean \($0)?" } ?? ""
  }
}

extension String {
  /// A flag as it was typed: without quotes while it looks like one.
  fileprivate var cutForTerminal: String {
    let isPlain = utf8.count <= 40 && utf8.allSatisfy { (0x21...0x7e).contains($0) }
    return isPlain ? self : quotedForTerminal
  }
}
