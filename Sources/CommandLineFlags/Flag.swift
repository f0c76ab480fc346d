/// One flag of the command line, declared once: the parser, both help texts and the completions of
/// every shell read it here, so they cannot disagree.
///
/// `Options` is what parsing fills in. A flag changes it and does nothing else.
public struct Flag<Options: Sendable>: Sendable {
  /// What giving the flag does.
  enum Effect: Sendable {
    case set(@Sendable (inout Options) -> Void)
    case assign(@Sendable (inout Options, String) throws(FlagRefusal) -> Void)
    /// Help instead of anything else: in full for the long name, in short for the short one.
    case help
    case version
  }

  public let declaration: FlagDeclaration
  public let choices: [Choice]
  let effect: Effect
  /// nil for a flag whose value is no path.
  public private(set) var dash: DashMeaning?

  /// A flag without a value.
  public static func toggle(
    _ declaration: FlagDeclaration, set: @escaping @Sendable (inout Options) -> Void
  ) -> Flag {
    Flag(declaration: declaration, choices: [], effect: .set(set))
  }

  /// A flag whose value is any text that `assign` does not refuse.
  public static func text(
    _ declaration: FlagDeclaration,
    assign: @escaping @Sendable (inout Options, String) throws(FlagRefusal) -> Void
  ) -> Flag {
    Flag(declaration: declaration, choices: [], effect: .assign(assign))
  }

  /// A flag whose value is a path, which shells complete.
  ///
  /// - Parameter dash: what `-` in its place means.
  public static func path(
    _ declaration: FlagDeclaration, dash: DashMeaning,
    assign: @escaping @Sendable (inout Options, String) throws(FlagRefusal) -> Void
  ) -> Flag {
    var declaration = declaration
    declaration.completion = .files
    var flag = text(declaration) { (options, path) throws(FlagRefusal) in
      guard !path.isEmpty else { throw FlagRefusal("expected a path") }
      if path == "-", dash == .refused { throw .dash }
      try assign(&options, path)
    }
    flag.dash = dash
    return flag
  }

  /// A flag whose value is a whole number within `range`.
  public static func number(
    _ declaration: FlagDeclaration, in range: ClosedRange<Int>,
    assign: @escaping @Sendable (inout Options, Int) -> Void
  ) -> Flag {
    text(declaration) { (options, text) throws(FlagRefusal) in
      // Int's own reader would take "+5" as well, which no other tool writes or expects.
      guard !text.hasPrefix("+"), let number = Int(text), range.contains(number) else {
        throw FlagRefusal("expected a number from \(range.lowerBound) to \(range.upperBound)")
      }
      assign(&options, number)
    }
  }

  /// A flag whose value is one case of an enumeration.
  // Inlined, so that a program's start need not look up what enumerations conform to.
  @inlinable
  public static func choice<Value>(
    _ declaration: FlagDeclaration, of _: Value.Type, summary: (Value) -> String,
    assign: @escaping @Sendable (inout Options, Value) -> Void
  ) -> Flag
  where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == String {
    var choices: [Choice] = []
    for value in Value.allCases { choices.append(Choice(value.rawValue, summary(value))) }
    return choice(declaration, choices) { options, text in
      guard let value = Value(rawValue: text) else { return false }
      assign(&options, value)
      return true
    }
  }

  @usableFromInline
  static func choice(
    _ declaration: FlagDeclaration, _ choices: [Choice],
    assign: @escaping @Sendable (inout Options, String) -> Bool
  ) -> Flag {
    Flag(
      declaration: declaration, choices: choices,
      effect: .assign { (options, text) throws(FlagRefusal) in
        guard assign(&options, text) else {
          throw FlagRefusal(unknownAmong: choices.map(\.name))
        }
      })
  }

  /// The flag that asks for help.
  public static func help(_ declaration: FlagDeclaration) -> Flag {
    Flag(declaration: declaration, choices: [], effect: .help)
  }

  /// The flag that asks for the version.
  public static func version(_ declaration: FlagDeclaration) -> Flag {
    Flag(declaration: declaration, choices: [], effect: .version)
  }

  var takesValue: Bool {
    if case .assign = effect { return true }
    return false
  }
}

/// What `-` means where a flag wants a path.
public enum DashMeaning: Sendable {
  case standardInput
  case standardOutput
  /// Standard input and output have another use, or are of no use.
  case refused
}

/// What a flag is called and how it is explained.
public struct FlagDeclaration: Sendable {
  /// What a shell may offer as a value that is no choice.
  public enum Completion: Sendable { case nothing, files }

  /// The name without its dashes.
  public var long: String
  public var short: Character?
  /// What stands for the value in help, such as `PATH`; empty for a flag without one.
  public var variable: String
  public var category: FlagCategory
  /// One line.
  public var summary: String
  /// What else there is to know, in full sentences. Made when somebody asks for it: a text may list
  /// a whole table.
  public var details: String { makeDetails() }
  private let makeDetails: @Sendable () -> String
  /// What holds without the flag, as it would be written.
  public var fallback: String?
  /// The commands that take the flag; nil for all, and for no command too.
  public var commands: [String]?
  public var completion: Completion

  public init(
    _ long: String, short: Character? = nil, variable: String = "", category: FlagCategory,
    summary: String, details: @autoclosure @escaping @Sendable () -> String = "",
    fallback: String? = nil, commands: [String]? = nil, completion: Completion = .nothing
  ) {
    self.long = long
    self.short = short
    self.variable = variable
    self.category = category
    self.summary = summary
    makeDetails = details
    self.fallback = fallback
    self.commands = commands
    self.completion = completion
  }

  func isTaken(by command: String) -> Bool { commands?.contains(command) ?? true }
}

/// A heading in help that flags stand under.
public struct FlagCategory: Sendable, Hashable {
  public let title: String
  public init(_ title: String) { self.title = title }
}

/// One of the values that a flag or operand may have.
public struct Choice: Sendable, Hashable {
  public let name: String
  /// A few words; empty where the name says it all.
  public let summary: String

  public init(_ name: String, _ summary: String = "") {
    self.name = name
    self.summary = summary
  }
}

/// Why a flag does not take a value.
public struct FlagRefusal: Error {
  enum Reason {
    case notAmong([String])
    case other(String)
  }

  let reason: Reason

  /// `reason` is a phrase that follows the flag and its value: `expected …`.
  public init(_ reason: String) { self.reason = .other(reason) }

  /// `-` where it would not mean a standard stream, which everybody would expect.
  public static let dash = FlagRefusal(
    "this flag has no use for a standard stream; a file of that name is ./-")

  init(unknownAmong names: [String]) { reason = .notAmong(names) }
}
