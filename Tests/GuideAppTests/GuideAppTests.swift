import Foundation
import ProgramRunner
import Testing

/// The guide's own Swift files, unmodified, as an app that serves `PW`.
@Suite(
  .serialized,
  .enabled(
    if: GuidePackage.isThere,
    "SKIPPED: the guide's Swift files are not here; set PWBRIDGE_GUIDE to their folder"))
struct GuideAppTests {
  private static func script(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: name).path()
  }

  /// Thousands of calls take seconds; only a hang takes as long as this.
  private static let limit = Duration.seconds(400)

  @Test func `tells what the guide keeps to itself`() throws {
    let app = try GuidePackage.program.get()
    let outcome = try GuidePackage.run(
      "exec python3 -B '\(Self.script("telling.py"))' '\(app)' 2>&1", limit: Self.limit)
    for line in outcome.text.split(separator: "\n") where line.contains("update") { print(line) }
    #expect(!outcome.isTimedOut, "\(outcome.text)")
    #expect(outcome.code == 0, "\(outcome.text)")
    #expect(outcome.leftBehind.isEmpty)
  }

  @Test func `does what the typed handler does`() throws {
    let app = try GuidePackage.program.get()
    let here = ProcessInfo.processInfo.environment
    let seed = here["PWBRIDGE_TEST_SEED"].map { ["PWBRIDGE_TEST_SEED=\($0)"] } ?? []
    let outcome = try GuidePackage.run(
      "exec python3 -B '\(Self.script("differential.py"))' 3000 '\(app)' --quiet "
        + "-- pwbridge serve --quiet --option handler=guide 2>&1",
      environment: seed, limit: Self.limit)
    print(outcome.text)
    #expect(!outcome.isTimedOut, "\(outcome.text)")
    #expect(outcome.code == 0, "\(outcome.text)")
    #expect(outcome.leftBehind.isEmpty)
  }
}
