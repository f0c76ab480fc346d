import Foundation
import ProgramRunner
import Testing

@testable import Conformance

/// The testees of `Protocol/conformance.md`, taken out of the document and run with the program.
@Suite("Document", .serialized) struct ConformanceDocumentTests {
  private static let document =
    (try? String(
      contentsOf: VectorDataTests.root.appending(path: "Protocol/conformance.md"), encoding: .utf8))
    ?? ""

  /// The lines of the fenced block with this heading.
  private func block(_ info: String) -> [String] {
    let lines = ConformanceDocumentTests.document.components(separatedBy: "\n")
    guard let start = lines.firstIndex(of: "```\(info)") else { return [] }
    return Array(lines[(start + 1)...].prefix { $0 != "```" })
  }

  private func run(_ info: String, _ flags: String) throws -> BuiltProgram.Outcome {
    let program = block(info).map { $0 + "\n" }.joined()
    #expect(!program.isEmpty)
    return try BuiltProgram.run(
      "f=$(mktemp) && cat > $f && pwbridge conform \(flags) -- python3 $f; c=$?; rm $f; exit $c",
      input: Array(program.utf8), limit: .seconds(300))
  }

  @Test func theExampleIsShort() {
    let lines = block("python testee")
    #expect(!lines.isEmpty && lines.count < 80)
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(lines.filter { $0.contains("import ") } == ["import json, struct, sys"])
  }

  @Test func theExamplePasses() throws {
    let outcome = try run("python testee", "--timeout 60 --cases 100 --json /dev/stderr --quiet")
    #expect(outcome.code == 0 && !outcome.isTimedOut && outcome.leftBehind.isEmpty)
    let results = try ResultFile.results(Array(outcome.complaint.utf8))
    let required = results.cases.filter { $0.level == .required }
    #expect(required.filter(\.isFailure).isEmpty, "\(required.filter(\.isFailure).map(\.id))")
    let passed = required.filter { $0.verdict == .pass }
    for (codec, least) in [("message", 2000), ("call", 400), ("envelope", 600)] {
      #expect(passed.filter { $0.codec == codec }.count > least, "\(codec)")
    }
    #expect(results.restarts == 0 && !results.isPartial)
  }

  @Test func theExampleInWordsPasses() throws {
    let outcome = try run("python words", "--timeout 60 --requests words --failures 3")
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.complaint)")
    #expect(outcome.text.contains("PASS python3"))
    #expect(outcome.leftBehind.isEmpty)
  }
}
