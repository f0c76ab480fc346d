extension Grammar {
  var zshCompletions: String {
    """
    #compdef \(program)
    # Completions of \(program) for zsh: put this file on $fpath as _\(program), or
    #   source <(\(program) completions zsh)
    \(shellName)() {
      local context state state_descr line verb
      local -i index mark
      typeset -A opt_args
      for ((index = 2; index < CURRENT; index++)); do
        case $words[index] in
          (--) break ;;
          # A flag's value may be called like a verb.
          (\(valueSpellings.joined(separator: "|"))) ((index++)) ;;
          (\(commands.map(\.name).joined(separator: "|")))
            verb=$words[index]
            words[index]=()
            ((CURRENT--))
            break ;;
        esac
      done
    \(zshProgram)  case $verb in
    \(zshCommandCases)    *)
          # Flags of verbs are known before the verb, and not offered.
          if [[ $words[CURRENT] == -* && $words[CURRENT] != *=* ]]; then
            _arguments -S \(zshArguments(flags(of: nil), indent: 8))
          else
            _arguments -S \(zshArguments(flagsBeforeVerb, indent: 8)) \\
              '1:verb:->verb'
          fi
          if [[ $state == verb ]]; then
            local -a verbs
            verbs=(
    \(zshCommands)        )
            _describe verb verbs
          fi
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

  /// A flag of each name, unless some of the name take a value and others do not.
  private var flagsBeforeVerb: [Flag<Options>] {
    var seen: Set<String> = []
    return flags.filter { flag in
      let name = flag.declaration.long
      let namesakes = flags.filter { $0.declaration.long == name }
      return namesakes.allSatisfy { $0.takesValue == flag.takesValue } && seen.insert(name).inserted
    }
  }

  private var zshProgram: String {
    guard !programRunners.isEmpty else { return "" }
    return """
        mark=$words[(i)--]
        if ((mark < CURRENT)) && [[ $verb == (\(programRunners.joined(separator: "|"))) ]]; then
          shift $mark words
          ((CURRENT -= mark))
          _normal
          return
        fi

      """
  }

  private var zshCommands: String {
    commands.map { "          " + "\($0.name):\($0.summary)".shellQuoted + "\n" }.joined()
  }

  private var zshCommandCases: String {
    commands.map { command in
      let arguments = zshArguments(flags(of: command), indent: 8)
      return "    \(command.name))\n      _arguments -S \(arguments) \\\n"
        + "        \(zshOperands(of: command))\n      ;;\n"
    }.joined()
  }

  private func zshOperands(of command: Command) -> String {
    let choices = operandChoices(of: command)
    if command.operands.count.upperBound == 0 { return "'*: :'" }
    let name = command.operands.name.zshEscaped
    if command.operands.areFiles { return "*:\(name):_files".shellQuoted }
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

/// The asterisk: a flag may be given again, of which some are made use of.
extension Flag {
  fileprivate var zshLong: String {
    "*--\(declaration.long)" + (takesValue ? "=" : "") + zshTail
  }

  fileprivate func zshShort(_ spelling: String) -> String {
    "*\(spelling)" + (takesValue ? "+" : "") + zshTail
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
