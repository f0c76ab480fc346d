/// Manual pages in the language of man, made of nothing but the grammar: one about the program and
/// one for each command, so that `man pwbridge-serve` is no longer than what was asked for.
extension Grammar {
  /// What the page is called, as in `man NAME`.
  public func manualName(of command: Command?) -> String {
    guard namesCommand, let command else { return program }
    return "\(program)-\(command.name)"
  }

  /// The page about the program, or about one of its commands.
  ///
  /// - Parameter date: as `2026-11-30`; the same arguments make the same page.
  public func manualPage(about command: Command?, version: String, date: String) -> String {
    var page = ManualText()
    page.title(manualName(of: command), date: date, source: "\(program) \(version)")
    if let command {
      describe(command, on: &page)
    } else {
      describeProgram(on: &page)
    }
    return page.text
  }

  // MARK: - The program

  private func describeProgram(on page: inout ManualText) {
    let sentence = purpose.split(separator: ":", maxSplits: 1).first.map(String.init) ?? purpose
    page.name(program, summary: sentence)
    page.section("Synopsis")
    page.form("\(program) VERB [FLAGS] [OPERANDS]")
    page.section("Description")
    page.prose(purpose.capitalizedFirst)
    page.prose("Each verb has a page of its own. Flags may stand before the verb and behind it.")
    page.section("Commands")
    for command in commands {
      page.item(page.reference(manualName(of: command)), command.summary)
    }
    page.section("Options")
    describe(flags(of: nil), on: &page)
    describeSurroundings(of: nil, on: &page)
    page.section("Examples")
    for command in commands {
      if let example = command.examples.first { page.example(example, showsOutput: false) }
    }
    page.section("See also")
    page.references(commands.map(manualName(of:)))
  }

  // MARK: - A command

  private func describe(_ command: Command, on page: inout ManualText) {
    let name = manualName(of: command)
    let call = namesCommand ? "\(program) \(command.name)" : program
    page.name(name, summary: command.summary)
    page.section("Synopsis")
    for usage in command.usage { page.form(usage.isEmpty ? call : "\(call) \(usage)") }
    page.section("Description")
    page.prose(command.purpose)
    let choices = operandChoices(of: command)
    if !choices.isEmpty {
      page.section(command.operands.name)
      page.choices(choices)
    }
    page.section("Options")
    describe(flags(of: command), on: &page)
    describeSurroundings(of: command, on: &page)
    if !command.examples.isEmpty {
      page.section("Examples")
      for example in command.examples { page.example(example, showsOutput: true) }
    }
    guard namesCommand else { return }
    page.section("See also")
    page.references([program])
  }

  private func describe(_ flags: [Flag<Options>], on page: inout ManualText) {
    var categories: [FlagCategory] = []
    for flag in flags where !categories.contains(flag.declaration.category) {
      categories.append(flag.declaration.category)
    }
    for category in categories {
      if categories.count > 1 { page.subsection(category.title) }
      for flag in flags where flag.declaration.category == category { page.flag(flag) }
    }
  }

  /// What a page says about the world outside of the command line; nil for the program's.
  private func describeSurroundings(of command: Command?, on page: inout ManualText) {
    if !exitCodes.isEmpty {
      page.section("Exit status")
      for code in exitCodes { page.item(page.bold(code.name), code.summary) }
    }
    let sections = [("Environment", environment), ("Files", files)]
    for (title, all) in sections {
      let those = all.filter { $0.matters(to: command) }
      guard !those.isEmpty else { continue }
      page.section(title)
      for one in those { page.item(page.italic(one.name), one.summary) }
    }
  }
}

extension ManualText {
  fileprivate mutating func flag<Options>(_ flag: Flag<Options>) {
    let declaration = flag.declaration
    var heading = flag.spellings.reversed().map(bold).joined(separator: ", ")
    if !declaration.variable.isEmpty { heading += " " + italic(declaration.variable) }
    let fallback = declaration.fallback.map { " The default is \($0)." } ?? ""
    item(heading, declaration.summary + "." + fallback)
    if !declaration.details.isEmpty { prose(declaration.details, isNested: true) }
    choices(flag.choices)
  }

  fileprivate mutating func choices(_ choices: [Choice]) {
    guard choices.contains(where: { !$0.summary.isEmpty }) else {
      if !choices.isEmpty {
        prose("One of " + choices.map(\.name).joined(separator: ", ") + ".", isNested: true)
      }
      return
    }
    beginIndent()
    for choice in choices {
      item(bold(choice.name), choice.summary)
    }
    endIndent()
  }

  fileprivate mutating func example(_ example: Example, showsOutput: Bool) {
    prose(example.title + ":")
    beginIndent(4)
    verbatim(example.line, isBold: true, prefix: "$ ")
    if showsOutput {
      for text in [example.output, example.complaint] where !text.isEmpty { verbatim(text) }
      if example.exitCode != 0 { verbatim("(exit code \(example.exitCode))") }
    }
    endIndent()
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
