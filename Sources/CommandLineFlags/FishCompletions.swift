extension Grammar {
  var fishCompletions: String {
    var lines = [
      "# Completions of \(program) for fish:",
      "#   \(program) completions fish > ~/.config/fish/completions/\(program).fish",
      fishFunctions,
      "complete -c \(program) -f",
    ]
    for command in commands {
      lines.append(
        "complete -c \(program) -n '_\(shellName)_verb_is \"\"' -a \(command.name)"
          + " -d \(command.summary.fishQuoted)")
    }
    for flag in flags { lines.append(fishLine(of: flag)) }
    for command in commands {
      let condition = "complete -c \(program) -n '_\(shellName)_verb_is \(command.name)'"
      if command.operands.areFiles { lines.append("\(condition) -F") }
      for choice in operandChoices(of: command) {
        let summary = choice.summary.isEmpty ? "" : " -d \(choice.summary.fishQuoted)"
        lines.append("\(condition) -a \(choice.name)\(summary)")
      }
    }
    if !programRunners.isEmpty {
      let condition = "-n '_\(shellName)_runs \(programRunners.joined(separator: " "))'"
      // The word by itself, completed as a command is.
      lines.append("complete -c \(program) \(condition) -F -a '(_\(shellName)_programs)'")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The verb is not simply any word that is one: a flag's value may be called like it.
  private var fishFunctions: String {
    """
    function _\(shellName)_verb
        set -l words (commandline -opc)
        set -l skips 0
        for word in $words[2..-1]
            if test $skips = 1
                set skips 0
                continue
            end
            switch $word
                case --
                    return
                case \(valueSpellings.joined(separator: " "))
                    set skips 1
                case \(commands.map(\.name).joined(separator: " "))
                    echo $word
                    return
            end
        end
    end
    function _\(shellName)_verb_is
        not contains -- -- (commandline -opc)
        and test "$(_\(shellName)_verb)" = "$argv[1]"
    end
    # Flags that some verbs take; before the verb they are known, and not offered.
    function _\(shellName)_takes
        set -l verb (_\(shellName)_verb)
        if test -z "$verb"
            set -l word (commandline -ct)
            not string match -q -- '-*' $word
            or string match -q -- '*=*' $word
        else
            contains -- $verb $argv
        end
    end
    # Like it, for flags of which another one has the name: before the verb nobody knows which.
    function _\(shellName)_takes_for_sure
        contains -- "$(_\(shellName)_verb)" $argv
    end
    function _\(shellName)_runs
        contains -- -- (commandline -opc)
        and contains -- "$(_\(shellName)_verb)" $argv
    end
    function _\(shellName)_programs
        set -l words (commandline -opc)
        test "$words[-1]" = --
        and complete -C (commandline -ct)
    end
    """
  }

  private func fishLine(of flag: Flag<Options>) -> String {
    let declaration = flag.declaration
    var line = "complete -c \(program)"
    if let takers = declaration.commands {
      let namesakes = flags.filter { $0.declaration.long == declaration.long }
      let isSure = namesakes.allSatisfy { $0.takesValue == flag.takesValue }
      let question = isSure ? "takes" : "takes_for_sure"
      line += " -n '_\(shellName)_\(question) \(takers.joined(separator: " "))'"
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
