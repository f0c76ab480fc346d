/// The shells that completions can be made for.
public enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

extension Grammar {
  /// A script that teaches `shell` the commands, flags and choices of the grammar.
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
