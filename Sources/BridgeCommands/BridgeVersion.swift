import BuildFacts

/// The version of pwbridge, told in this place only, and what this build of it is made from.
public enum BridgeVersion {
  /// The number of the version.
  public static let text = "0.1.0"

  /// The commit's short hash, with `+changes` behind it where the files were not those of the
  /// commit; nil in a build that the release script did not make.
  static var commit: String? { build_facts_commit().map { String(cString: $0) } }

  /// The day of the commit, as `2026-11-30`.
  static var commitDate: String? { build_facts_commit_date().map { String(cString: $0) } }

  /// What the program was compiled with, as far as is known.
  static var swift: String {
    if let told = build_facts_swift() { return String(cString: told) }
    // A program can ask its compiler no more than this.
    #if compiler(>=6.4)
      return "6.4 or later"
    #elseif compiler(>=6.3)
      return "6.3"
    #else
      return "6.2"
    #endif
  }

  static var target: String { String(cString: build_facts_target()) }
  static var isStatic: Bool { build_facts_is_static() }

  /// All of it, for people.
  static var lines: [String] {
    var origin = "none, a development build"
    if let commit { origin = commit + (commitDate.map { " of \($0)" } ?? "") }
    return [
      BridgeProgram.versionLine,
      "commit: \(origin)",
      "Swift:  \(swift)",
      "target: \(target)",
      "linked: \(isStatic ? "statically" : "dynamically")",
    ]
  }

  /// All of it in one line of JSON; what is not known is null.
  static var json: String {
    // Package.swift lets nothing through that JSON would have to escape.
    func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
    return """
      {"version":\(quoted(text)),"commit":\(quoted(commit)),"commitDate":\(quoted(commitDate)),\
      "swift":\(quoted(swift)),"target":\(quoted(target)),"static":\(isStatic)}
      """
  }
}
