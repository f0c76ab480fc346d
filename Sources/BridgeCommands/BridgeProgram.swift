import CommandLineFlags
import SystemInterface
import TerminalSafety

/// The program `pwbridge` as a whole.
public enum BridgeProgram {
  /// The one description of the command line.
  public static let grammar = Grammar(
    program: "pwbridge",
    purpose: """
      the native side of a Flutter app: answers method calls on platform channels as an iPhone \
      with the guide's app would, and reads, writes and explains their messages as each of \
      Flutter's platforms does.
      """,
    exitCodes: [
      Choice("0", "all is well"),
      Choice("1", "the input was read and is malformed, or a check or call failed"),
      Choice("2", "the command line is wrong, or an input or output is out of reach"),
    ],
    environment: surroundings.environment, files: surroundings.files,
    commands: Verb.all.map(\.command),
    flags: Flag.all,
    initial: BridgeOptions())

  static var versionLine: String { "\(grammar.program) \(BridgeVersion.text)" }

  /// The name by which this process was started, good for starting another one.
  static var path: String {
    CommandLine.unsafeArgv[0].map { String(cString: $0) } ?? grammar.program
  }

  /// Runs the command line of this process and ends it.
  public static func main() -> Never {
    SystemCalls.surviveFailedWrites()
    let console = Console()
    let code: ExitCode
    do {
      code = run(try processArguments(), console: console)
    } catch {
      code = report(error, to: console)
    }
    SystemCalls.leave(code.rawValue)
  }

  /// Runs a command line, given without the program's name.
  public static func run(_ arguments: [String], console: Console) -> ExitCode {
    let request: Request<BridgeOptions>
    do {
      request = try grammar.parse(arguments)
    } catch {
      return report(error, to: console)
    }
    do throws(CommandFailure) {
      try answer(request, console)
      try console.flush()
      return .success
    } catch {
      // What was printed already belongs before the complaint.
      try? console.flush()
      return report(error, of: request, to: console)
    }
  }

  private static func answer(
    _ request: Request<BridgeOptions>, _ console: Console
  ) throws(CommandFailure) {
    switch request {
    case .help(let command, let isFull):
      try console.write(grammar.help(about: command, isFull: isFull).utf8)
    case .version:
      try console.print(versionLine)
    case .run(let command, let options, let operands):
      let invocation = Invocation(
        command: command, options: options, operands: operands, console: console)
      try Verb.all.first { $0.command.name == command.name }?.run(invocation)
    }
  }

  private static func report(
    _ failure: CommandFailure, of request: Request<BridgeOptions>, to console: Console
  ) -> ExitCode {
    switch failure {
    case .outputClosed: return .success
    case .ended(let code): return ExitCode(rawValue: code)
    case .checkFailed(let line):
      console.complain("\(grammar.program): \(line.safeForTerminal)")
      return .checkFailed
    case .trouble(let line):
      console.complain("\(grammar.program): \(line.safeForTerminal)")
      return .usage
    case .usage(let problem):
      var error = UsageError(problem, program: grammar.program)
      if case .run(let command, _, _) = request { error.command = command.name }
      return report(error, to: console)
    }
  }

  private static func report(_ error: UsageError, to console: Console) -> ExitCode {
    console.complain("\(error.program): \(error.message)\n\(error.advice)")
    return .usage
  }

  /// Swift's own `CommandLine.arguments` repairs what is not UTF-8, which would change messages.
  static func processArguments() throws(UsageError) -> [String] {
    var arguments: [String] = []
    for number in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[number] else { break }
      guard let argument = String(validatingCString: bytes) else {
        let problem = "argument \(number) is not UTF-8; use --file or standard input (-) for bytes"
        throw UsageError(.other(problem), program: grammar.program)
      }
      arguments.append(argument)
    }
    return arguments
  }
}
