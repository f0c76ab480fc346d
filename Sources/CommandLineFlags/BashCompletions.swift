extension Grammar {
  /// Written for bash 3.2 and later, without the bash-completion package.
  var bashCompletions: String {
    """
    # Completions of \(program) for bash:
    #   source <(\(program) completions bash)
    \(shellName)() {
      local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= mark= index
      # bash splits --flag=value at the equals sign.
      if [[ $word == = ]]; then
        word=
      elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
      fi
      COMPREPLY=()
      for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
          --) mark=$index; break ;;
          # A flag's value may be called like a verb.
          \(valueSpellings.joined(separator: "|")))
            ((index++))
            [[ ${COMP_WORDS[index]} == = ]] && ((index++)) ;;
          \(commands.map(\.name).joined(separator: "|"))) verb=${verb:-${COMP_WORDS[index]}} ;;
        esac
      done
      if [[ $mark ]]; then
        case $verb in
    \(bashProgramCase)    esac
      else
        case "$verb $before" in
    \(bashValueCases)    esac
      fi
      case $verb in
    \(bashCommandCases)  esac
    }
    \(shellName)_add() {
      local name
      while IFS= read -r name; do COMPREPLY+=("$name"); done
    }
    \(shellName)_words() { \(shellName)_add < <(compgen -W "$2" -- "$1"); }
    \(shellName)_files() {
      compopt -o filenames 2> /dev/null
      \(shellName)_add < <(compgen -f -- "$1")
    }
    complete -F \(shellName) \(program)

    """
  }

  private var bashProgramCase: String {
    guard !programRunners.isEmpty else { return "" }
    return """
            \(programRunners.joined(separator: "|")))
              if ((COMP_CWORD == mark + 1)); then
                \(shellName)_add < <(compgen -c -- "$word" | sort -u)
              fi
              \(shellName)_files "$word"
              return ;;

      """
  }

  /// Patterns of verb and flag: the same name may be another flag's elsewhere.
  private var bashValueCases: String {
    flags.filter(\.takesValue).map { flag in
      let pattern = flag.spellings.flatMap { spelling in
        flag.declaration.commands.map { [""] + $0 }.map { verbs in
          verbs.filter { !$0.isEmpty || valueSpellings.contains(spelling) }
            .map { "\"\($0) \(spelling)\"" }
        } ?? ["*\" \(spelling)\""]
      }.joined(separator: "|")
      let reply =
        flag.declaration.completion == .files
        ? "\(shellName)_files \"$word\"; "
        : flag.choices.isEmpty ? "" : bashReply(flag.choices.map(\.name)) + "; "
      return "      \(pattern)) \(reply)return ;;\n"
    }.joined()
  }

  private var bashCommandCases: String {
    var cases = commands.map { command in
      let choices = operandChoices(of: command).map(\.name)
      let flags = flags(of: command).flatMap(\.spellings)
      return bashCase(command.name, choices, areFiles: command.operands.areFiles, flags: flags)
    }
    let general = flags(of: nil).flatMap(\.spellings)
    cases.append(bashCase("*", commands.map(\.name), areFiles: false, flags: general))
    return cases.joined()
  }

  /// Flags come at a dash, and where there is nothing else to offer.
  private func bashCase(
    _ pattern: String, _ choices: [String], areFiles: Bool, flags: [String]
  ) -> String {
    let operands = areFiles ? "\(shellName)_files \"$word\"" : bashReply(choices)
    let condition = areFiles || !choices.isEmpty ? "[[ ! $mark && $word == -* ]]" : "[[ ! $mark ]]"
    let otherwise = areFiles || !choices.isEmpty ? "else \(operands); " : ""
    return "    \(pattern)) if \(condition); then \(bashReply(flags)); \(otherwise)fi ;;\n"
  }

  private func bashReply(_ words: [String]) -> String {
    "\(shellName)_words \"$word\" \(words.joined(separator: " ").shellQuoted)"
  }
}
