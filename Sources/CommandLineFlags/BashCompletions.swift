extension Grammar {
  /// Written for bash 3.2 and later, without the bash-completion package.
  var bashCompletions: String {
    """
    # Completions of \(program) for bash:
    #   source <(\(program) completions bash)
    \(shellName)() {
      local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= index
      local IFS=$' \\t\\n'
      # bash splits --flag=value at the equals sign.
      if [[ $word == = ]]; then
        word=
      elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
      fi
      COMPREPLY=()
      case $before in
    \(bashValueCases)  esac
      for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
          # A flag's value may be called like a verb.
          \(bashValuePattern)) ((index++)); [[ ${COMP_WORDS[index]} == = ]] && ((index++)) ;;
          \(bashCommandPattern)) verb=${COMP_WORDS[index]}; break ;;
        esac
      done
      case $verb in
    \(bashCommandCases)  esac
    }
    complete -F \(shellName) \(program)

    """
  }

  private var bashValueCases: String {
    flags.filter(\.takesValue).map { flag in
      let pattern = flag.spellings.joined(separator: "|")
      let reply: String
      if flag.declaration.completion == .files {
        reply =
          "IFS=$'\\n'; compopt -o filenames 2>/dev/null; "
          + "COMPREPLY=($(compgen -f -- \"$word\"))"
      } else if flag.choices.isEmpty {
        reply = ":"
      } else {
        reply = bashReply(flag.choices.map(\.name))
      }
      return "    \(pattern)) \(reply); return ;;\n"
    }.joined()
  }

  private var bashValuePattern: String {
    flags.filter(\.takesValue).flatMap(\.spellings).joined(separator: "|")
  }

  private var bashCommandPattern: String {
    commands.map(\.name).joined(separator: "|")
  }

  private var bashCommandCases: String {
    var cases = commands.map { command in
      let words = flags(of: command).flatMap(\.spellings) + operandChoices(of: command).map(\.name)
      return "    \(command.name)) \(bashReply(words)) ;;\n"
    }
    let words = commands.map(\.name) + flags(of: nil).flatMap(\.spellings)
    cases.append("    *) \(bashReply(words)) ;;\n")
    return cases.joined()
  }

  private func bashReply(_ words: [String]) -> String {
    "COMPREPLY=($(compgen -W \(words.joined(separator: " ").shellQuoted) -- \"$word\"))"
  }
}
