import ProgramRunner
import Testing

/// The traffic of a real app, played by the mock of the same recording in another process.
@Suite("The real capture against itself") struct CaptureReplayTests {
  private static let capture = "Tests/Fixtures/captures/desktop-app.jsonl"

  /// Tests may be started from any folder.
  private static var root: String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/")
  }

  @Test func everyAnswerAndNativeMessageIsTheRecordedOne() throws {
    let outcome = try BuiltProgram.run(
      "cd '\(Self.root)' && pwbridge replay \(Self.capture) "
        + "-- pwbridge serve --quiet --strict --mock \(Self.capture)")
    #expect(outcome.text.hasSuffix("\n1012 sent, 996 expected, 2008 as recorded, 0 differ\n"))
    #expect(outcome.code == 0, "\(outcome.complaint)")
  }

  @Test func aDifferentAnswerIsFound() throws {
    // The first reply with a payload, one byte changed.
    let outcome = try BuiltProgram.run(
      "cd '\(Self.root)' && f=$(mktemp) && sed '11s/000d00/00/' \(Self.capture) > $f && "
        + "pwbridge replay \(Self.capture) -- pwbridge serve --quiet --mock $f; c=$?; rm $f; "
        + "exit $c")
    #expect(outcome.code == 1)
    #expect(outcome.text.contains("flutter/keyboard getKeyboardState"))
    #expect(outcome.text.contains("2007 as recorded, 1 differs"))
  }
}
