import TerminalSafety
import Testing

@testable import CommandLineFlags

@Suite("Parser") struct ParserTests {
  struct Options: Sendable, Equatable {
    enum Size: String, CaseIterable, Sendable {
      case small
      case large
    }
    var size = Size.small
    var count = 1
    var path = ""
    var isQuiet = false
    var isFast = false
  }

  static let category = FlagCategory("Flags")

  @Test func noErrorReachesTheTerminalRaw() {
    let hostile = "a\u{1b}\u{9b}\u{202e}\u{e000}\n👩‍👧"
    let problems: [UsageError.Problem] = [
      .other(hostile), .badValue(flag: "--x", value: hostile, reason: hostile),
      .unknownChoice(flag: "--x", value: hostile, choices: [hostile], suggestion: hostile),
      .unknownFlag(hostile, suggestion: hostile), .extraOperand(hostile),
    ]
    for problem in problems {
      let message = UsageError(problem, program: "tool").message
      #expect(message.unicodeScalars.allSatisfy { $0.isSafeForTerminal }, "\(problem)")
      #expect(message.contains("👩‍👧"))
    }
  }

  static let grammar = Grammar<Options>(
    program: "tool", purpose: "does nothing.", exitCodes: [],
    commands: [
      Command(
        "copy", summary: "copy", purpose: "Copies.", usage: ["WHAT"],
        operands: Operands("WHAT", count: 1...2), examples: []),
      Command(
        "count", summary: "count", purpose: "Counts.", usage: [""], operands: .none,
        examples: []),
      Command(
        "paint", summary: "paint", purpose: "Paints.", usage: ["COLOUR"],
        operands: Operands("COLOUR", count: 1...1, kind: .oneOf([Choice("red"), Choice("blue")])),
        examples: []),
    ],
    flags: [
      .choice(
        FlagDeclaration(
          "size", short: "s", variable: "SIZE", category: category, summary: "How large",
          commands: ["copy"]),
        of: Options.Size.self, summary: { _ in "" }, assign: { $0.size = $1 }),
      .number(
        FlagDeclaration("count", variable: "N", category: category, summary: "How many"),
        in: 1...9, assign: { $0.count = $1 }),
      .text(
        FlagDeclaration("path", short: "p", variable: "PATH", category: category, summary: "Where"),
        assign: { $0.path = $1 }),
      .toggle(
        FlagDeclaration("quiet", short: "q", category: category, summary: "Say nothing"),
        set: { $0.isQuiet = true }),
      .toggle(
        FlagDeclaration("fast", short: "f", category: category, summary: "Hurry"),
        set: { $0.isFast = true }),
      .help(FlagDeclaration("help", short: "h", category: category, summary: "Help")),
      .version(FlagDeclaration("version", category: category, summary: "Version")),
    ],
    initial: Options())

  /// What a line asks for, in one comparable text; or the message of the error.
  static func outcome(_ line: String) -> String {
    let arguments = line.split(separator: " ", omittingEmptySubsequences: true).map {
      $0 == "''" ? "" : String($0)
    }
    do {
      switch try grammar.parse(arguments) {
      case .help(let command, let isFull):
        return "help \(command?.name ?? "all") \(isFull ? "full" : "short")"
      case .version: return "version"
      case .run(let command, let options, let operands):
        var text = command.name
        if options.size != .small { text += " size=\(options.size)" }
        if options.count != 1 { text += " count=\(options.count)" }
        if options.path != "" { text += " path=\(options.path)" }
        if options.isQuiet { text += " quiet" }
        if options.isFast { text += " fast" }
        return text + " \(operands)"
      }
    } catch {
      return "error: \(error.message) | \(error.advice)"
    }
  }

  @Test(
    "what is understood",
    arguments: [
      ("copy a", #"copy ["a"]"#),
      ("copy a b", #"copy ["a", "b"]"#),
      ("copy --size large a", #"copy size=large ["a"]"#),
      ("copy --size=large a", #"copy size=large ["a"]"#),
      ("copy a --size large", #"copy size=large ["a"]"#),
      ("--size large copy a", #"copy size=large ["a"]"#),
      ("copy -s large a", #"copy size=large ["a"]"#),
      ("copy -slarge a", #"copy size=large ["a"]"#),
      ("copy -s=large a", #"copy size=large ["a"]"#),
      ("copy -qf a", #"copy quiet fast ["a"]"#),
      ("copy -qfs large a", #"copy size=large quiet fast ["a"]"#),
      ("copy -qslarge a", #"copy size=large quiet ["a"]"#),
      ("copy --size small --size large a", #"copy size=large ["a"]"#),
      ("copy --path= a", #"copy ["a"]"#),
      ("copy --path=a=b a", #"copy path=a=b ["a"]"#),
      ("copy --path -q a", #"copy path=-q ["a"]"#),
      ("copy -", #"copy ["-"]"#),
      ("copy -- --size", #"copy ["--size"]"#),
      ("copy -- -q --", #"copy ["-q", "--"]"#),
      ("-- copy a", #"copy ["a"]"#),
      ("copy ''", #"copy [""]"#),
      ("count --count 9", "count count=9 []"),
      ("paint red", #"paint ["red"]"#),
      ("--help", "help all full"),
      ("-h", "help all short"),
      ("copy -h", "help copy short"),
      ("copy -h --help", "help copy full"),
      ("--help copy", "help copy full"),
      ("copy --sise x --help", "help copy full"),
      (
        "copy --size --help a",
        "error: --size has no choice \"--help\"; choose from small, large | try: tool help copy"
      ),
      ("--version", "version"),
      ("copy --version", "version"),
      ("copy --version --help", "help copy full"),
    ]) func understood(line: String, expected: String)
  {
    #expect(ParserTests.outcome(line) == expected)
  }

  @Test(
    "what is not, and why",
    arguments: [
      ("", "missing verb | try: tool help"),
      ("-q", "missing verb | try: tool help"),
      ("copi a", #"unknown verb "copi"; did you mean copy? | try: tool help"#),
      ("xyzzy", #"unknown verb "xyzzy" | try: tool help"#),
      ("xyzzy --help", #"unknown verb "xyzzy" | try: tool help"#),
      ("copy --siz large", "unknown flag --siz; did you mean --size? | try: tool help copy"),
      ("copy --siez=large", "unknown flag --siez; did you mean --size? | try: tool help copy"),
      ("copy --SIZE large", "unknown flag --SIZE; did you mean --size? | try: tool help copy"),
      (
        "copy -size large",
        "-s has no choice \"ize\"; choose from small, large | try: tool help copy"
      ),
      ("copy -z a", "unknown flag -z | try: tool help copy"),
      ("copy -count 3 a", "unknown flag -count; did you mean --count? | try: tool help copy"),
      ("copy --wholly-other", "unknown flag --wholly-other | try: tool help copy"),
      ("copy --=3", "unknown flag -- | try: tool help copy"),
      ("count --size large", "count does not take --size; copy does | try: tool help count"),
      ("copy a --size", "--size needs a value: --size SIZE | try: tool help copy"),
      ("copy a -s", "-s needs a value: -s SIZE | try: tool help copy"),
      ("copy --quiet=yes a", "--quiet takes no value | try: tool help copy"),
      ("copy -q=yes a", "-q takes no value | try: tool help copy"),
      (
        "copy --size larg a",
        #"--size has no choice "larg"; did you mean large? | try: tool help copy"#
      ),
      ("count --count 0", #"--count "0": expected a number from 1 to 9 | try: tool help count"#),
      ("count --count +5", #"--count "+5": expected a number from 1 to 9 | try: tool help count"#),
      (
        "count --count 99999999999999999999",
        #"--count "99999999999999999999": expected a number from 1 to 9 | try: tool help count"#
      ),
      ("copy", "copy needs WHAT | try: tool help copy"),
      ("copy a b c", #"copy has no use for "c" | try: tool help copy"#),
      ("count 3", #"count has no use for "3" | try: tool help count"#),
      ("paint green", #"unknown colour "green"; choose from red, blue | try: tool help paint"#),
      ("paint rde", #"unknown colour "rde"; did you mean red? | try: tool help paint"#),
    ]) func refused(line: String, expected: String)
  {
    #expect(ParserTests.outcome(line) == "error: " + expected)
  }

  @Test(
    "hostile arguments are escaped and cut",
    arguments: [
      "\u{1b}[2J", "a\u{202e}b", "a\nb", "\u{9b}31m", "\u{7f}", "--\u{1b}]0;x\u{7}", "-\u{1b}",
      "--\u{200f}=", String(repeating: "x", count: 5000),
      "--" + String(repeating: "y", count: 5000),
    ]) func hostile(argument: String)
  {
    #expect {
      try ParserTests.grammar.parse([argument])
    } throws: { error in
      let message = (error as? UsageError)?.message ?? "\n"
      let isPlain = message.unicodeScalars.allSatisfy {
        (0x20..<0x7f).contains($0.value) || $0 == "…"
      }
      return isPlain && message.count < 100
    }
  }

  @Test(
    "distance counts insertions, losses, changes and swaps",
    arguments: [
      ("", "", 0), ("a", "", 1), ("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1),
      ("abc", "acb", 1), ("profil", "profile", 1), ("ca", "abc", 3), ("kitten", "sitting", 3),
    ]) func distance(left: String, right: String, expected: Int)
  {
    #expect(Suggestion.distance(Array(left), Array(right)) == expected)
    #expect(Suggestion.distance(Array(right), Array(left)) == expected)
  }
}
