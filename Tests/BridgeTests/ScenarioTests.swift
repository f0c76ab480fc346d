import Foundation
import ProgramRunner
import Testing

/// The programs in `scenarios`, which drive the built `pwbridge` from outside with the Python
/// client, as a foreign test harness would.
@Suite(.serialized)
struct ScenarioTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "scenarios")

  /// File names without `.py`.
  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path())
    return (files ?? []).filter { $0.hasSuffix(".py") }.map { String($0.dropLast(3)) }.sorted()
  }()

  /// Each takes seconds; only a scenario that hangs takes as long as this.
  private static let limit = Duration.seconds(150)

  @Test(arguments: names)
  func scenario(_ name: String) throws {
    let path = ScenarioTests.folder.appending(path: "\(name).py").path()
    let guide = ProcessInfo.processInfo.environment["PWBRIDGE_GUIDE"].map { "PWBRIDGE_GUIDE=\($0)" }
    let outcome = try BuiltProgram.run(
      "exec python3 -B '\(path)' 2>&1", environment: guide.map { [$0] } ?? [],
      limit: ScenarioTests.limit)
    let text = outcome.text
    for line in text.split(separator: "\n") where line.contains("SKIPPED") { print(line) }
    let (isTimedOut, code, leftBehind) = (outcome.isTimedOut, outcome.code, outcome.leftBehind)
    #expect(!isTimedOut, "\(name) was killed after \(ScenarioTests.limit):\n\(text)")
    #expect(code == 0, "\(name):\n\(text)")
    #expect(leftBehind.isEmpty, "\(name) left processes behind")
  }

  @Test func scenariosAreFound() { #expect(ScenarioTests.names.count >= 15) }
}
