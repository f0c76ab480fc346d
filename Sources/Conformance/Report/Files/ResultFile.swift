/// Runs as JSON files: what `--json` writes and `--compare` reads. `Protocol/conformance.md` has
/// the members.
public enum ResultFile {
  static let format = "pwbridge-conformance"
  static let version: Int64 = 1

  /// The run as a file: one line for each case. Payloads of cases that pass are left out.
  public static func bytes(of results: ConformanceResults) -> [UInt8] {
    var writer = ResultFileWriter()
    writer.write(results)
    return writer.bytes
  }

  /// The run that a file holds.
  ///
  /// Throws when the bytes are not JSON, are no such file, or are of a later version.
  public static func results(_ bytes: [UInt8]) throws(ResultFileError) -> ConformanceResults {
    try ResultFileReader.results(bytes)
  }
}

/// Why a file is no result file.
public struct ResultFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where and what, such as `cases[3].verdict: expected one of pass, fail, …, found "ok"`.
  public var description: String

  init(_ description: String) { self.description = description }
}
