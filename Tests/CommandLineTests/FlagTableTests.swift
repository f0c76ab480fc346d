import ChannelCodec
import Testing

@testable import BridgeCommands
@testable import CommandLineFlags

/// The table that everything is made from has no holes.
@Suite("Flag table") struct FlagTableTests {
  static let grammar = BridgeProgram.grammar
  static let flags = grammar.flags.map(\.declaration)

  @Test func namesAreUnique() {
    for command in FlagTableTests.grammar.commands {
      let flags = FlagTableTests.flags.filter { $0.isTaken(by: command.name) }
      #expect(Set(flags.map(\.long)).count == flags.count, "\(command.name)")
      let shorts = flags.compactMap(\.short)
      #expect(Set(shorts).count == shorts.count, "\(command.name)")
    }
    let verbs = FlagTableTests.grammar.commands.map(\.name)
    #expect(Set(verbs).count == verbs.count)
  }

  @Test func flagsBelongToVerbsThatExist() {
    let verbs = Set(FlagTableTests.grammar.commands.map(\.name))
    for flag in FlagTableTests.flags {
      #expect(verbs.isSuperset(of: flag.commands ?? []), "--\(flag.long)")
    }
  }

  @Test func declarationsAreComplete() {
    for flag in FlagTableTests.grammar.flags {
      let declaration = flag.declaration
      #expect(flag.takesValue == !declaration.variable.isEmpty, "--\(declaration.long)")
      #expect(!declaration.summary.isEmpty && declaration.summary.last != ".")
      if let fallback = declaration.fallback, !flag.choices.isEmpty {
        #expect(flag.choices.contains { $0.name == fallback }, "--\(declaration.long)")
      }
    }
  }

  /// `-` is a standard stream or is refused, by every flag that takes a path; never a file's name.
  @Test(arguments: Array(grammar.flags.indices))
  func aDashIsNoFile(flag index: Int) throws {
    let flag = FlagTableTests.grammar.flags[index]
    let declaration = flag.declaration
    #expect((flag.dash != nil) == (declaration.completion == .files), "--\(declaration.long)")
    guard let dash = flag.dash else { return }
    let verb = try #require(declaration.commands?.first)
    let operands = FlagTableTests.grammar.command(named: verb)?.operands
    var rest = [String](repeating: "operand", count: operands?.count.lowerBound ?? 0)
    if case .oneOf(let choices)? = operands?.kind, let first = choices.first { rest = [first.name] }
    func parse(_ path: String) throws(UsageError) {
      _ = try FlagTableTests.grammar.parse([verb, "--\(declaration.long)", path] + rest)
    }
    switch dash {
    case .standardInput: #expect(declaration.details.contains("`--file -` is standard input"))
    case .standardOutput: #expect(declaration.details.contains("`-` is standard output"))
    case .refused:
      for path in declaration.long == "record" ? ["-", "+-"] : ["-"] {
        let error = #expect(throws: UsageError.self, "\(verb) --\(declaration.long) \(path)") {
          try parse(path)
        }
        let message = error?.message ?? ""
        #expect(message.hasPrefix("--\(declaration.long) \"\(path)\": "), "\(message)")
        #expect(message.hasSuffix("a file of that name is ./-"), "\(message)")
      }
    }
    if dash != .refused { try parse("-") }
    try parse("./-")
    #expect(throws: UsageError.self) { try parse("") }
  }

  /// The default in the table is a text for people; here it is held against the real one.
  @Test(arguments: Array(grammar.flags.indices))
  func defaultsAreTrue(flag index: Int) throws {
    let flag = FlagTableTests.grammar.flags[index]
    let name = flag.declaration.long
    guard let fallback = flag.declaration.fallback else { return }
    let verb = flag.declaration.commands?.first ?? "version"
    var arguments = [verb, "--\(name)", fallback]
    let operands = FlagTableTests.grammar.command(named: verb)?.operands
    if case .oneOf(let choices)? = operands?.kind, let first = choices.first {
      arguments.append(first.name)
    }
    while arguments.count - 3 < operands?.count.lowerBound ?? 0 { arguments.append("operand") }
    guard case .run(_, let options, _) = try FlagTableTests.grammar.parse(arguments) else {
      Issue.record("\(arguments) does not run")
      return
    }
    let initial = BridgeOptions()
    // That the flag was there at all is noted as well: a recording may name another handler.
    let given = String(describing: options)
      .replacing("isHandlerGiven: true", with: "isHandlerGiven: false")
    #expect(given == String(describing: initial))
  }

  @Test func everyVerbTeaches() {
    for command in FlagTableTests.grammar.commands {
      #expect((3...5).contains(command.examples.count), "\(command.name)")
      #expect(!command.purpose.isEmpty && !command.usage.isEmpty)
      #expect(command.summary.last != ".")
    }
  }

  @Test(
    "the notation of --extensions",
    arguments: [
      ("none", []), ("15", [15]), ("129,131", [129, 131]), ("20-22", [20, 21, 22]),
      ("129-254,255", Array(129...255)), ("pigeon", Array(128...255)), ("255-255,none", [255]),
    ] as [(String, [UInt8])]) func extensions(text: String, expected: [UInt8]) throws
  {
    let types = try ExtensionList.types(in: text)
    #expect((UInt8(15)...255).filter { types[$0] != nil } == expected)
  }

  @Test(
    "what --extensions refuses",
    arguments: [
      "", ",", "14", "0-20", "256", "-1", "129-", "-129", "129--131", "131-129", "+129", "0x81",
      "129 ", "١٢٩", "Pigeon", "129,,130", "99999999999999999999",
    ]) func badExtensions(text: String)
  {
    #expect(throws: FlagRefusal.self) { try ExtensionList.types(in: text) }
  }

  @Test(
    "when output is coloured",
    arguments: [
      (.auto, true, nil, "xterm", true), (.auto, false, nil, "xterm", false),
      (.auto, true, "1", "xterm", false), (.auto, true, "", "xterm", true),
      (.auto, true, nil, "dumb", false), (.auto, true, nil, nil, false),
      (.always, false, "1", "dumb", true), (.never, true, nil, "xterm", false),
    ] as [(ColorChoice, Bool, String?, String?, Bool)])
  func color(choice: ColorChoice, isTerminal: Bool, noColor: String?, term: String?, expected: Bool)
  {
    #expect(choice.resolved(isTerminal: isTerminal, noColor: noColor, term: term) == expected)
  }
}
