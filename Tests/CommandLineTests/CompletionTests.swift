import CommandLineFlags
import ProgramRunner
import Testing

@testable import BridgeCommands

@Suite("Completions") struct CompletionTests {
  static let grammar = BridgeProgram.grammar

  @Test(arguments: Shell.allCases) func nothingIsMissing(shell: Shell) {
    let script = CompletionTests.grammar.completions(for: shell)
    for command in CompletionTests.grammar.commands {
      #expect(script.contains(command.name))
    }
    for flag in CompletionTests.grammar.flags {
      let name = flag.declaration.long
      #expect(script.contains(shell == .fish ? "-l \(name) " : "--\(name)"), "--\(name)")
      if let short = flag.declaration.short {
        #expect(script.contains(shell == .fish ? "-s \(short) " : "-\(short)"), "-\(short)")
      }
      for choice in flag.choices { #expect(script.contains(choice.name), "--\(name)") }
    }
  }

  /// Calls the function as bash does when Tab is pressed at the end of the words.
  private func candidates(_ words: [String]) throws -> [String] {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      eval "$(pwbridge completions bash)"
      COMP_WORDS=(pwbridge \(list)) COMP_CWORD=\(words.count)
      _pwbridge
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try BuiltProgram.run("exec bash -s", input: Array(script.utf8))
    #expect(outcome.complaint == "")
    return outcome.text.split(separator: "\n").map(String.init)
  }

  @Test(
    "bash completes",
    arguments: [
      (["dec"], ["decode"]),
      (["decode", "--pro"], ["--profile"]),
      (["decode", "--profile", "i"], ["ios"]),
      (["decode", "--profile", "=", "i"], ["ios"]),
      (["decode", "--codec", "="], NamedCodecNames.all),
      (["decode", "-c", "c"], ["call"]),
      (["decode", "--max-depth", ""], []),
      (["--codec", "call", "enc"], ["encode"]),
      (["completions", "f"], ["fish"]),
      (["help", "v"], ["version"]),
      (["explain", "--col"], ["--color"]),
      (["decode", "--col"], []),
      // The same name is another flag's elsewhere, or a verb is not the verb.
      (["bench", "--json", ""], ["codec", "bridge"]),
      (["--socket", "serve", "dem"], ["demo"]),
      (["help", "serve", "--h"], ["--help"]),
      (["decode", "--", "--"], []),
      (["exec", "--", "pwbridge", "/etc/hostn"], ["/etc/hostname"]),
      (["decode", "--file", "/etc/host"], ["/etc/hostname", "/etc/hosts"]),
    ]) func bash(words: [String], expected: [String]) throws
  {
    let found = try candidates(words)
    if words.contains("--file") {
      #expect(Set(found).isSuperset(of: expected.suffix(1)))
    } else {
      #expect(found == expected)
    }
  }
}

private enum NamedCodecNames {
  static let all =
    BridgeProgram.grammar.flags.first { $0.declaration.long == "codec" }
    .map { $0.choices.map(\.name) } ?? []
}
