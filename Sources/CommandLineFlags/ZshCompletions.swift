extension Grammar {
  var zshCompletions: String {
    """
    #compdef \(program)
    # Completions of \(program) for zsh: put this file on $fpath as _\(program), or
    #   source <(\(program) completions zsh)
    \(shellName)() {
      local context state state_descr line
      typeset -A opt_args
      _arguments -C \(zshArguments(flags(of: nil), indent: 4)) \\
        '1:verb:->verb' \\
        '*::argument:->argument'
      case $state in
        verb)
          local -a verbs
          verbs=(
    \(zshCommands)      )
          _describe verb verbs
          ;;
        argument)
          case $line[1] in
    \(zshCommandCases)      esac
          ;;
      esac
    }
    if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
      \(shellName) "$@"
    else
      compdef \(shellName) \(program)
    fi

    """
  }

  private var zshCommands: String {
    commands.map { "        " + "\($0.name):\($0.summary)".shellQuoted + "\n" }.joined()
  }

  private var zshCommandCases: String {
    commands.map { command in
      let arguments = zshArguments(flags(of: command), indent: 12)
      return "        \(command.name))\n          _arguments \(arguments) \\\n"
        + "            \(zshOperands(of: command))\n          ;;\n"
    }.joined()
  }

  private func zshOperands(of command: Command) -> String {
    let choices = operandChoices(of: command)
    if command.operands.count.upperBound == 0 { return "" + "'*: :'" }
    let name = command.operands.name.zshEscaped
    if choices.isEmpty { return "*:\(name): ".shellQuoted }
    return "1:\(name):(\(choices.map(\.name).joined(separator: " ")))".shellQuoted
  }

  private func zshArguments(_ flags: [Flag<Options>], indent: Int) -> String {
    let margin = " \\\n" + String(repeating: " ", count: indent)
    return flags.flatMap { flag in
      flag.spellings.map { $0.hasPrefix("--") ? flag.zshLong : flag.zshShort($0) }
    }.map(\.shellQuoted).joined(separator: margin)
  }
}

extension Flag {
  fileprivate var zshLong: String {
    "--\(declaration.long)" + (takesValue ? "=" : "") + zshTail
  }

  fileprivate func zshShort(_ spelling: String) -> String {
    spelling + (takesValue ? "+" : "") + zshTail
  }

  private var zshTail: String {
    let tail = "[\(declaration.summary.zshEscaped)]"
    guard takesValue else { return tail }
    let value =
      if declaration.completion == .files {
        "_files"
      } else if choices.isEmpty {
        " "
      } else {
        "(\(choices.map(\.name).joined(separator: " ")))"
      }
    return tail + ":\(declaration.variable.zshEscaped):\(value)"
  }
}

extension String {
  /// The text with what `_arguments` gives a meaning to escaped.
  fileprivate var zshEscaped: String {
    var escaped = ""
    for character in self {
      if "[]:\\".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
