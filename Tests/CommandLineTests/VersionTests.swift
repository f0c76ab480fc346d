import Foundation
import ProgramRunner
import Testing

@testable import BridgeCommands

@Suite("Version") struct VersionTests {
  private struct Facts: Decodable {
    var version: String
    var commit: String?
    var commitDate: String?
    var swift: String
    var target: String
    var `static`: Bool
  }

  /// Tests are built without the release script, so that nothing is known about a commit.
  @Test func aDevelopmentBuildSaysSo() throws {
    let outcome = try BuiltProgram.run("pwbridge version")
    let lines = outcome.text.split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    #expect(lines.first == "pwbridge \(BridgeVersion.text)")
    #expect(lines.dropFirst().first == "commit: none, a development build")
    #expect(lines.last == "linked: dynamically")
  }

  @Test func forPrograms() throws {
    let outcome = try BuiltProgram.run("pwbridge version --json")
    let facts = try JSONDecoder().decode(Facts.self, from: Data(outcome.output))
    #expect(facts.version == BridgeVersion.text)
    #expect(facts.commit == nil && facts.commitDate == nil && !facts.static)
    #expect(facts.swift.hasPrefix("6."))
    #expect(facts.target.split(separator: "-").count >= 3)
    // Unknown is null, not missing.
    #expect(outcome.text.contains(#""commit":null,"commitDate":null"#))
  }

  @Test func theFlagStaysOneLine() throws {
    let outcome = try BuiltProgram.run("pwbridge --version; pwbridge serve -V")
    #expect(outcome.text == "pwbridge \(BridgeVersion.text)\npwbridge \(BridgeVersion.text)\n")
  }
}
