import Foundation
import ProgramRunner
import Testing

@testable import BridgeCommands
@testable import CommandLineFlags

@Suite("Manual pages") struct ManualPageTests {
  static let grammar = BridgeProgram.grammar

  private func page(_ command: Command?) -> String {
    Self.grammar.manualPage(about: command, version: "1.2.3", date: "2026-11-30")
  }

  private func heading(_ flag: Flag<BridgeOptions>) -> String {
    let names = flag.spellings.reversed().map { spelling in
      "\\fB" + spelling.replacing("-", with: "\\-") + "\\fR"
    }
    let variable = flag.declaration.variable
    return names.joined(separator: ", ") + (variable.isEmpty ? "" : " \\fI\(variable)\\fR")
  }

  @Test func theProgramsPageHasEveryVerb() {
    let lines = page(nil).split(separator: "\n")
    for command in Self.grammar.commands {
      #expect(lines.contains("\\fBpwbridge\\-\(command.name)\\fR(1)"), "\(command.name)")
    }
    for variable in Self.grammar.environment {
      #expect(lines.contains("\\fI\(variable.name)\\fR"), "\(variable.name)")
    }
  }

  @Test func pagesHaveEveryFlag() {
    var seen = 0
    for command in Self.grammar.commands {
      let lines = page(command).split(separator: "\n", omittingEmptySubsequences: false)
      for flag in Self.grammar.flags(of: command) {
        let heading = heading(flag)
        #expect(lines.contains { $0 == heading }, "\(command.name): \(heading)")
        for choice in flag.choices {
          let name = ManualText.escaped(choice.name)
          #expect(lines.contains { $0.contains(name) }, "\(command.name): \(choice.name)")
        }
        seen += 1
      }
    }
    #expect(seen > Self.grammar.flags.count)
  }

  @Test func everySectionIsThere() throws {
    func sections(_ page: String) -> [String] {
      page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }
        .map { $0.dropFirst(4).filter { $0 != "\"" } }
    }
    let most = [
      "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES",
      "EXAMPLES", "SEE ALSO",
    ]
    #expect(sections(page(Self.grammar.command(named: "exec"))) == most)
    #expect(sections(page(nil)) == most.prefix(3) + ["COMMANDS"] + most.dropFirst(3))
    let serve = try #require(Self.grammar.command(named: "serve"))
    #expect(sections(page(serve)) == most.filter { !["ENVIRONMENT", "FILES"].contains($0) })
  }

  /// A locale without UTF-8 shows the same, and no line is taken for a request by mistake.
  @Test func pagesAreASCII() {
    let requests = [
      ".TH", ".SH", ".SS", ".TP", ".PP", ".sp", ".nf", ".fi", ".RS", ".RE", ".nh", ".ad",
    ]
    for command in [nil] + Self.grammar.commands.map(Optional.some) {
      let page = page(command)
      #expect(page.utf8.allSatisfy { (0x20...0x7e).contains($0) || $0 == 0x0a })
      for line in page.split(separator: "\n") where line.first == "." || line.first == "'" {
        #expect(requests.contains(String(line.prefix(3))), "\(line)")
      }
    }
  }

  @Test(
    "text means itself",
    arguments: [
      ("a-b --c", "a\\-b \\-\\-c"), ("C:\\n", "C:\\en"), ("it's `x` ^ ~", nil),
      ("é × 😀", "\\[u00E9] \\[u00D7] \\[u1F600]"), ("\"q\"", "\"q\""), ("", ""),
    ]) func escapes(text: String, expected: String?)
  {
    #expect(
      ManualText.escaped(text) == expected ?? "it\\(aqs \\(gax\\(ga \\(ha \\(ti", "\(text)")
  }

  @Test func linesAreNoRequests() {
    var text = ManualText()
    text.prose(".TH is typed\n\n'tis so, with `--flag` and a `backtick\n\n  kept  as it is\n  .x")
    text.verbatim(".a\n\n'b", isBold: false, prefix: "")
    #expect(
      text.text == """
        .PP
        \\&.TH is typed
        .PP
        \\(aqtis so, with \\(ga\\-\\-flag\\(ga and a \\(gabacktick
        .PP
        .nf
        \\&  kept  as it is
        \\&  .x
        .fi
        .nf
        \\&.a
        \\&
        \\(aqb
        .fi

        """)
  }

  @Test func aPageAsAWhole() {
    let grammar = Grammar<Int>(
      program: "tool", purpose: "a tool: it \"works\".", exitCodes: [Choice("0", "fine")],
      environment: [Surrounding("TOOL", "Looked at by go.", commands: ["go"])],
      commands: [
        Command(
          "go", summary: "do it", purpose: "Does it.", usage: ["[--at-once] FILE"],
          operands: Operands("FILE", count: 1...1),
          examples: [Example("Fails", "tool go .x", complaint: "no", exitCode: 1)])
      ],
      flags: [
        .number(
          FlagDeclaration(
            "at-once", short: "a", variable: "N", category: FlagCategory("Going"),
            summary: "How many", details: "Up to five.", fallback: "1", commands: ["go"]),
          in: 1...5, assign: { $0 = $1 })
      ], initial: 0)
    let page = grammar.manualPage(
      about: grammar.command(named: "go"), version: "2", date: "2026-11-30")
    #expect(
      page == """
        .TH TOOL\\-GO 1 2026-11-30 "tool 2" "User Commands"
        .nh
        .ad l
        .SH NAME
        tool\\-go \\- do it
        .SH SYNOPSIS
        \\fBtool\\fR \\fBgo\\fR [\\fB\\-\\-at\\-once\\fR] \\fIFILE\\fR
        .SH DESCRIPTION
        Does it.
        .SH OPTIONS
        .TP
        \\fB\\-a\\fR, \\fB\\-\\-at\\-once\\fR \\fIN\\fR
        How many. The default is 1.
        .sp
        Up to five.
        .SH "EXIT STATUS"
        .TP
        \\fB0\\fR
        fine
        .SH ENVIRONMENT
        .TP
        \\fITOOL\\fR
        Looked at by go.
        .SH EXAMPLES
        Fails:
        .RS 4
        .nf
        \\fB$ tool go .x\\fR
        .fi
        .nf
        no
        .fi
        .nf
        (exit code 1)
        .fi
        .RE
        .SH "SEE ALSO"
        \\fBtool\\fR(1)

        """)
  }

  /// Who looks at a variable says so in the manual.
  @Test func everyVariableIsTold() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    var found: Set<String> = []
    for target in ["BridgeCommands", "Conformance", "SystemInterface", "EmulatedDevice"] {
      let folder = root.appending(path: "Sources/\(target)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files)
      where file.pathExtension == "swift" && file.lastPathComponent != "Surroundings.swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /environment\("([A-Z_]+)"\)|"(PWBRIDGE_[A-Z_]+)"/) {
          found.insert(String(match.output.1 ?? match.output.2 ?? ""))
        }
      }
    }
    #expect(found == Set(Self.grammar.environment.map(\.name)))
  }

  @Test func theVerbPrintsThePages() throws {
    let outcome = try BuiltProgram.run("pwbridge manual; pwbridge manual serve")
    let date = BridgeVersion.commitDate ?? ""
    #expect(
      outcome.text
        == [nil, Self.grammar.command(named: "serve")].map {
          Self.grammar.manualPage(about: $0, version: BridgeVersion.text, date: date)
        }.joined())
  }
}
