/// The help texts, made of nothing but the grammar.
extension Grammar {
  /// Help about the program, or about one of its commands. The short form has a line for each flag;
  /// the full one also says what the flags mean in detail and shows examples.
  public func help(about command: Command?, isFull: Bool) -> String {
    let lines = command.map { help(about: $0, isFull: isFull) } ?? overview(isFull: isFull)
    return lines.joined(separator: "\n") + "\n"
  }

  private func overview(isFull: Bool) -> [String] {
    var lines = TextLayout.wrap("\(program): \(purpose)", indent: 0)
    lines += ["", "Usage:", "  \(program) VERB [FLAGS] [OPERANDS]", "", "Verbs:"]
    lines += TextLayout.columns(commands.map { ($0.name, $0.summary) }, indent: 2)
    lines += flagSections(flags(of: nil), isFull: isFull)
    if isFull { lines += exitCodeSection }
    lines += ["", "\(program) help VERB explains a verb and shows examples."]
    return lines
  }

  private func help(about command: Command, isFull: Bool) -> [String] {
    let call = namesCommand ? "\(program) \(command.name)" : program
    var lines = ["\(call): \(command.summary)", "", "Usage:"]
    lines += command.usage.map { form in
      "  \(call)" + (form.isEmpty ? "" : " \(form)")
    }
    if isFull { lines += [""] + TextLayout.wrap(command.purpose, indent: 0) }
    lines += operandSection(of: command)
    lines += flagSections(flags(of: command), isFull: isFull)
    if isFull {
      lines += exitCodeSection + exampleSection(of: command)
    } else {
      let more =
        namesCommand ? "help \(command.name) says more and shows examples" : "--help says more"
      lines += ["", "\(program) \(more)."]
    }
    return lines
  }

  private func operandSection(of command: Command) -> [String] {
    let choices = operandChoices(of: command)
    guard !choices.isEmpty else { return [] }
    return ["", "\(command.operands.name):"]
      + TextLayout.columns(choices.map { ($0.name, $0.summary) }, indent: 2)
  }

  private func flagSections(_ flags: [Flag<Options>], isFull: Bool) -> [String] {
    var categories: [FlagCategory] = []
    for flag in flags where !categories.contains(flag.declaration.category) {
      categories.append(flag.declaration.category)
    }
    return categories.flatMap { category -> [String] in
      let members = flags.filter { $0.declaration.category == category }
      let body =
        isFull
        ? members.flatMap(\.fullHelp)
        : TextLayout.columns(members.map { ($0.heading, $0.shortHelp) }, indent: 2)
      return ["", "\(category.title):"] + body
    }
  }

  private var exitCodeSection: [String] {
    guard !exitCodes.isEmpty else { return [] }
    return ["", "Exit codes:"]
      + TextLayout.columns(exitCodes.map { ($0.name, $0.summary) }, indent: 2)
  }

  private func exampleSection(of command: Command) -> [String] {
    guard !command.examples.isEmpty else { return [] }
    return ["", "Examples:"] + command.examples.flatMap(\.lines)
  }
}

extension Flag {
  /// `-c, --codec CODEC`
  fileprivate var heading: String {
    let short = declaration.short.map { "-\($0), " } ?? "    "
    let variable = declaration.variable.isEmpty ? "" : " \(declaration.variable)"
    return short + "--\(declaration.long)" + variable
  }

  private var fallback: String {
    declaration.fallback.map { " [default: \($0)]" } ?? ""
  }

  fileprivate var shortHelp: String {
    let names = choices.map(\.name).joined(separator: ", ")
    return declaration.summary + (names.isEmpty ? "" : ": \(names)") + fallback
  }

  fileprivate var fullHelp: [String] {
    var lines = ["  " + heading]
    lines += TextLayout.wrap(declaration.summary + "." + fallback, indent: 6)
    lines += TextLayout.columns(choices.map { ($0.name, $0.summary) }, indent: 8)
    lines += TextLayout.wrap(declaration.details, indent: 6)
    return lines
  }
}

extension Example {
  fileprivate var lines: [String] {
    var lines = ["  \(title):", "    $ \(line)"]
    for text in [output, complaint] where !text.isEmpty {
      lines += text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
    }
    if exitCode != 0 { lines.append("    (exit code \(exitCode))") }
    return lines
  }
}
