/// What a command line asks for.
public enum Request<Options: Sendable>: Sendable {
  case run(Command, Options, operands: [String])
  /// `isFull` tells `--help` from `-h`.
  case help(Command?, isFull: Bool)
  case version
}

extension Grammar {
  /// Reads the arguments (without the program's name) and touches nothing else.
  ///
  /// Flags may stand before the command, after it and between operands; `--` ends them, and `-`
  /// alone is an operand. Of a flag given twice the last counts. A call for help or the version
  /// wins over mistakes, since it is how one finds out about them.
  public func parse(_ arguments: [String]) throws(UsageError) -> Request<Options> {
    var scan = ArgumentScan(grammar: self)
    scan.read(arguments)
    let command = try self.command(of: scan)
    if let request = scan.special(command) { return request }
    guard let command else { throw UsageError(.missingCommand, program: program) }
    func fail(_ problem: UsageError.Problem) -> UsageError {
      UsageError(problem, program: program, command: command.name)
    }
    if let problem = scan.problem { throw fail(problem) }
    for (flag, spelling) in scan.given where !flag.declaration.isTaken(by: command.name) {
      throw fail(.flagOfOthers(spelling, takenBy: flag.declaration.commands ?? []))
    }
    let operands = Array(scan.words.dropFirst())
    if let problem = operandProblem(operands, of: command) {
      // Whoever misspelt a verb wants the list of verbs, not help about help.
      if case .unknownOperand = problem, case .command = command.operands.kind {
        throw UsageError(problem, program: program)
      }
      throw fail(problem)
    }
    return .run(command, scan.options, operands: operands)
  }

  private func command(of scan: ArgumentScan<Options>) throws(UsageError) -> Command? {
    guard let name = scan.words.first else {
      if let problem = scan.problem, scan.special(nil) == nil {
        throw UsageError(problem, program: program)
      }
      return nil
    }
    if let command = command(named: name) { return command }
    let suggestion = Suggestion.nearest(to: name, among: commands.map(\.name))
    throw UsageError(.unknownCommand(name, suggestion: suggestion), program: program)
  }

  private func operandProblem(
    _ operands: [String], of command: Command
  ) -> UsageError.Problem? {
    let rule = command.operands
    if operands.count < rule.count.lowerBound { return .missingOperand(rule.name) }
    if operands.count > rule.count.upperBound {
      return .extraOperand(operands[rule.count.upperBound])
    }
    let choices = operandChoices(of: command).map(\.name)
    guard !choices.isEmpty else { return nil }
    for operand in operands where !choices.contains(operand) {
      let suggestion = Suggestion.nearest(to: operand, among: choices)
      return .unknownOperand(rule.name, value: operand, choices: choices, suggestion: suggestion)
    }
    return nil
  }
}

/// One walk over the arguments: sorts them into flags and words, and keeps the first mistake.
private struct ArgumentScan<Options: Sendable> {
  let grammar: Grammar<Options>
  var options: Options
  var words: [String] = []
  var given: [(flag: Flag<Options>, spelling: String)] = []
  var problem: UsageError.Problem?
  private var rest: ArraySlice<String> = []
  /// The first argument that is a command's name, for flags that stand before the command: until
  /// then it may as well be a flag's value.
  private var likelyVerb: String?
  private var help: (isAsked: Bool, isFull: Bool) = (false, false)
  private var isVersionAsked = false

  init(grammar: Grammar<Options>) {
    self.grammar = grammar
    options = grammar.initial
  }

  func special(_ command: Command?) -> Request<Options>? {
    if help.isAsked { return .help(command, isFull: help.isFull) }
    return isVersionAsked ? .version : nil
  }

  mutating func read(_ arguments: [String]) {
    rest = arguments[...]
    likelyVerb = arguments.prefix { $0 != "--" }.first { grammar.command(named: $0) != nil }
    while let argument = rest.popFirst() {
      if argument == "--" {
        words += rest
        return
      } else if argument.hasPrefix("--") {
        readLong(argument)
      } else if argument.hasPrefix("-"), argument != "-" {
        readShort(argument)
      } else {
        words.append(argument)
      }
    }
  }

  /// `--name`, `--name value`, `--name=value`.
  private mutating func readLong(_ argument: String) {
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let spelling = "--\(name)"
    guard let flag = flag(where: { $0.long == name }) else {
      let names = grammar.flags.map(\.declaration.long)
      let suggestion = Suggestion.nearest(to: name, among: names).map { "--\($0)" }
      return note(.unknownFlag(spelling, suggestion: suggestion))
    }
    let attached = parts.count > 1 ? String(parts[1]) : nil
    if attached != nil, !flag.takesValue { return note(.unexpectedValue(flag: spelling)) }
    give(flag, spelling: spelling, attached: attached)
  }

  /// `-n`, `-n value`, `-nvalue`, `-n=value`, and several flags behind one dash.
  private mutating func readShort(_ argument: String) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let flag = flag(where: { $0.short == letter }) else {
        return note(.unknownFlag(unknownShort(letter, in: argument), suggestion: longFor(argument)))
      }
      let spelling = "-\(letter)"
      guard flag.takesValue else {
        if letters.first == "=" { return note(.unexpectedValue(flag: spelling)) }
        give(flag, spelling: spelling, attached: nil)
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      return give(flag, spelling: spelling, attached: letters.isEmpty ? nil : String(letters))
    }
  }

  /// The flag that the verb takes, or else any of them, so that the error can say who takes it.
  /// Several flags may share a name where no verb takes more than one of them.
  private func flag(where isNamed: (FlagDeclaration) -> Bool) -> Flag<Options>? {
    let named = grammar.flags.filter { isNamed($0.declaration) }
    let verb = words.first ?? likelyVerb
    return named.first { flag in verb.map { flag.declaration.isTaken(by: $0) } ?? true }
      ?? named.first
  }

  private func unknownShort(_ letter: Character, in argument: String) -> String {
    longFor(argument) == nil ? "-\(letter)" : argument
  }

  /// `-profile` is `--profile` with a dash missing.
  private func longFor(_ argument: String) -> String? {
    let name = argument.dropFirst().prefix { $0 != "=" }
    return grammar.flags.contains { $0.declaration.long == name } ? "--\(name)" : nil
  }

  private mutating func give(_ flag: Flag<Options>, spelling: String, attached: String?) {
    given.append((flag, spelling))
    switch flag.effect {
    case .help: help = (true, spelling.hasPrefix("--") || help.isFull)
    case .version: isVersionAsked = true
    case .set(let set): set(&options)
    case .assign(let assign):
      guard let value = attached ?? rest.popFirst() else {
        let variable = flag.declaration.variable
        return note(.missingValue(flag: spelling, variable: variable))
      }
      do {
        try assign(&options, value)
      } catch {
        note(refusal(error, spelling: spelling, value: value))
      }
    }
  }

  private func refusal(
    _ refusal: FlagRefusal, spelling: String, value: String
  ) -> UsageError.Problem {
    switch refusal.reason {
    case .other(let reason): .badValue(flag: spelling, value: value, reason: reason)
    case .notAmong(let choices):
      .unknownChoice(
        flag: spelling, value: value, choices: choices,
        suggestion: Suggestion.nearest(to: value, among: choices))
    }
  }

  private mutating func note(_ problem: UsageError.Problem) {
    self.problem = self.problem ?? problem
  }
}
