import CommandLineFlags
import Conformance

extension Flag where Options == BridgeOptions {
  static let vectors = Flag.path(
    FlagDeclaration(
      "vectors", variable: "DIR", category: .conformance,
      summary: "Take the vectors of this folder, not those in the program",
      details: "All its files *.json but schema.json, of the form that Protocol/vectors has.",
      commands: ["conform"]),
    dash: .refused,
    assign: { $0.conform.vectors = $1 })

  static let only = Flag.text(
    FlagDeclaration(
      "only", variable: "GLOB", category: .conformance,
      summary: "Only cases with this id or area; may be repeated",
      details: """
        * stands for any characters: `*.float64*`, `standard-alignment`, `generated.*`. Such a run \
        is a partial one, after which --fix refuses.
        """,
      commands: ["conform"]),
    assign: { (options, text) throws(FlagRefusal) in
      guard !text.isEmpty else { throw FlagRefusal("expected an id or an area, or * for all") }
      options.conform.filters.append(.anything(text))
    })

  static let listsCases = Flag.toggle(
    FlagDeclaration(
      "list", category: .conformance, summary: "Print the ids of the cases and run nothing",
      commands: ["conform"]),
    set: { $0.conform.listsCases = true })

  static let cases = Flag.number(
    FlagDeclaration(
      "cases", variable: "N", category: .conformance,
      summary: "Generate so many cases beside those of the vectors",
      details: """
        Random values to encode, to decode and to do both with, and damaged messages to decode, in \
        messages, calls and envelopes. What fails is made as small as it still fails.
        """,
      fallback: "0", commands: ["conform"]),
    in: 0...1_000_000_000,
    assign: { $0.conform.cases = $1 })

  static let seed = Flag.text(
    FlagDeclaration(
      "seed", variable: "N", category: .conformance,
      summary: "What generated cases are made from; the same seed makes the same cases",
      fallback: "1", commands: ["conform"]),
    assign: { (options, text) throws(FlagRefusal) in
      guard !text.hasPrefix("+"), let seed = UInt64(text) else {
        throw FlagRefusal("expected a number from 0 to 18446744073709551615")
      }
      options.conform.seed = seed
    })

  static let requests = Flag.choice(
    FlagDeclaration(
      "requests", variable: "FORM", category: .conformance,
      summary: "How requests and answers are written", fallback: "json", commands: ["conform"]),
    of: RequestEncoding.self,
    summary: { encoding in
      switch encoding {
      case .json: "a JSON object a line"
      case .words: "words with spaces between them, for a testee without a JSON parser"
      }
    },
    assign: { $0.conform.testee.encoding = $1 })

  static let inFlight = Flag.number(
    FlagDeclaration(
      "in-flight", variable: "N", category: .conformance,
      summary: "Unanswered requests at a time; 1 waits for each answer", fallback: "64",
      commands: ["conform"]),
    in: 1...65_536,
    assign: { $0.conform.testee.inFlight = $1 })

  static let answerTimeout = Flag.text(
    FlagDeclaration(
      "timeout", short: "t", variable: "SECONDS", category: .conformance,
      summary: "How long an answer may take once those before it have come", fallback: "5",
      commands: ["conform"]),
    assign: { (options, text) throws(FlagRefusal) in
      let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
      guard isDecimal, let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
        throw FlagRefusal("expected seconds, such as 5 or 0.25, up to 86400")
      }
      options.conform.testee.timeout = UInt64(seconds * 1e9)
    })

  static let maximumRestarts = Flag.number(
    FlagDeclaration(
      "max-restarts", variable: "N", category: .conformance,
      summary: "Give up when the command had to be started again so often", fallback: "1000",
      commands: ["conform"]),
    in: 0...1_000_000,
    assign: { $0.conform.testee.maximumRestarts = $1 })

  static let knownFailures = Flag.path(
    FlagDeclaration(
      "known-failures", variable: "FILE", category: .conformance,
      summary: "Cases that may fail: an id a line, * in a dotted part, the reason behind #",
      details: "A listed case that passes fails the run, so that the list stays true.",
      commands: ["conform"]),
    dash: .refused,
    assign: { $0.conform.knownFailures = $1 })

  static let fix = Flag.toggle(
    FlagDeclaration(
      "fix", category: .conformance,
      summary: "Rewrite the list of known failures to what this run has shown",
      details: "Comments and reasons stay. Not after a partial run.", commands: ["conform"]),
    set: { $0.conform.fixes = true })

  static let strictLevels = Flag.toggle(
    FlagDeclaration(
      "strict", category: .conformance, summary: "Let recommended cases count like required ones",
      commands: ["conform"]),
    set: { $0.conform.isStrict = true })

  static let testeeName = Flag.text(
    FlagDeclaration(
      "name", variable: "NAME", category: .conformance,
      summary: "What the reports call the testee", commands: ["conform"]),
    assign: { (options, name) throws(FlagRefusal) in
      guard !name.isEmpty else { throw FlagRefusal("expected a name") }
      options.conform.name = name
    })

  static let explainedFailures = Flag.number(
    FlagDeclaration(
      "failures", variable: "N", category: .conformance,
      summary: "How many failures are explained", fallback: "5", commands: ["conform"]),
    in: 0...1_000_000,
    assign: { $0.conform.explained = $1 })

  static let quietReport = Flag.toggle(
    FlagDeclaration(
      "quiet", short: "q", category: .conformance, summary: "Print no report and no progress",
      commands: ["conform"]),
    set: { $0.conform.isQuiet = true })

  static let junitOfCases = Flag.path(
    FlagDeclaration(
      "junit", variable: "FILE", category: .conformance,
      summary: "Write the outcome as JUnit XML, a test case for each case",
      details: "`-` is standard output; the report then goes to standard error.",
      commands: ["conform"]),
    dash: .standardOutput,
    assign: { $0.conform.junit = $1 })

  static let resultFile = Flag.path(
    FlagDeclaration(
      "json", variable: "FILE", category: .conformance,
      summary: "Write all results as JSON, for --compare and for programs",
      details: "`-` is standard output; the report then goes to standard error.",
      commands: ["conform"]),
    dash: .standardOutput,
    assign: { $0.conform.json = $1 })

  static let html = Flag.path(
    FlagDeclaration(
      "html", variable: "FILE", category: .conformance,
      summary: "Write all results as one web page that needs no network",
      details: "`-` is standard output; the report then goes to standard error.",
      commands: ["conform"]),
    dash: .standardOutput,
    assign: { $0.conform.html = $1 })

  static let compare = Flag.toggle(
    FlagDeclaration(
      "compare", category: .conformance,
      summary: "Run nothing; put the result files that are named into one page",
      details: "FILEs are what --json has written; --html says where the page goes.",
      commands: ["conform"]),
    set: { $0.conform.compares = true })
}
