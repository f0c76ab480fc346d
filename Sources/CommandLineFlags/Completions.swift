/// The shells that completions can be made for.
public enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

extension Grammar {
  /// A script that teaches `shell` the commands, flags, choices and files of the grammar.
  ///
  /// All three find the verb as the parser does: a flag may stand before it, and its value may be
  /// called like a verb.
  public func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletions
    case .zsh: zshCompletions
    case .fish: fishCompletions
    }
  }

  /// The program's name as part of a shell function's name.
  var shellName: String {
    "_" + String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }

  /// What flags that take a value are called, whatever the verb.
  var valueSpellings: [String] {
    let toggles = Set(flags.filter { !$0.takesValue }.flatMap(\.spellings))
    var seen: Set<String> = []
    return flags.filter(\.takesValue).flatMap(\.spellings).filter {
      !toggles.contains($0) && seen.insert($0).inserted
    }
  }

  /// The names of the commands whose operands end with another program.
  var programRunners: [String] { commands.filter(\.operands.endWithProgram).map(\.name) }
}

extension Operands {
  var areFiles: Bool {
    if case .files = kind { return true }
    return false
  }
}

extension Flag {
  /// `--codec`, and `-c` where there is one.
  var spellings: [String] {
    ["--\(declaration.long)"] + (declaration.short.map { ["-\($0)"] } ?? [])
  }
}

extension String {
  /// The text as one word of a POSIX shell.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
