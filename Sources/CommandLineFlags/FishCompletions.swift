extension Grammar {
  var fishCompletions: String {
    var lines = [
      "# Completions of \(program) for fish:",
      "#   \(program) completions fish > ~/.config/fish/completions/\(program).fish",
      "complete -c \(program) -f",
    ]
    for command in commands {
      lines.append(
        "complete -c \(program) -n __fish_use_subcommand -a \(command.name)"
          + " -d \(command.summary.fishQuoted)")
    }
    for flag in flags {
      lines.append(fishLine(of: flag))
    }
    for command in commands {
      for choice in operandChoices(of: command) {
        let summary = choice.summary.isEmpty ? "" : " -d \(choice.summary.fishQuoted)"
        lines.append(
          "complete -c \(program) -n '__fish_seen_subcommand_from \(command.name)'"
            + " -a \(choice.name)\(summary)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fishLine(of flag: Flag<Options>) -> String {
    let declaration = flag.declaration
    var line = "complete -c \(program)"
    if let takers = declaration.commands {
      line += " -n '__fish_seen_subcommand_from \(takers.joined(separator: " "))'"
    }
    line += " -l \(declaration.long)"
    if let short = declaration.short { line += " -s \(short)" }
    if declaration.completion == .files {
      line += " -r -F"
    } else if flag.takesValue {
      line += " -x"
    }
    if !flag.choices.isEmpty {
      line += " -a '\(flag.choices.map(\.name).joined(separator: " "))'"
    }
    return line + " -d \(declaration.summary.fishQuoted)"
  }
}

extension String {
  /// The text as one word of fish, where a backslash escapes inside single quotes.
  fileprivate var fishQuoted: String {
    var quoted = ""
    for character in self {
      if character == "'" || character == "\\" { quoted.append("\\") }
      quoted.append(character)
    }
    return "'\(quoted)'"
  }
}
