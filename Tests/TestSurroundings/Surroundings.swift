import Foundation

/// What the environment says about the run of the tests; see `Tests/sanitize.sh`.
public enum Surroundings {
  private static let environment = ProcessInfo.processInfo.environment

  /// How many times longer than usual everything may take.
  public static let slowness = environment["PWBRIDGE_TEST_SLOWNESS"].flatMap { Int($0) } ?? 1

  /// Memory is then neither what the program asks for nor given back at once.
  public static let isSanitized =
    environment["ASAN_OPTIONS"] != nil || environment["TSAN_OPTIONS"] != nil

  /// What holds for the programs that tests start as it does for the tests.
  public static let passedOn = [
    "ASAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE", "PWBRIDGE_TEST_SLOWNESS",
  ].compactMap { name in environment[name].map { "\(name)=\($0)" } }
}
