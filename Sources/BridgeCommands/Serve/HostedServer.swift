import ChannelTransport
import CommandLineFlags
import EmulatedDevice
import SystemInterface
import TerminalSafety

/// Serves the device of an app with the flags of `pwbridge serve`, under the name of the app's own
/// program: the command line, the server, and how the process ends.
///
/// The device is made between ``ofThisProcess()`` and ``begin(loop:device:provider:)``, with
/// ``deviceOptions``. Later calls belong to the loop's thread.
public final class HostedServer {
  /// What the command line says about the device.
  public let deviceOptions: DeviceOptions

  private let program: String
  private let console: Console
  private let options: BridgeOptions
  private let output: Int32
  private var run: ServeRun?

  /// Reads the command line of this process. Where it asks for help or is wrong, that is said and
  /// the process ends.
  public static func ofThisProcess() -> HostedServer {
    SystemCalls.surviveFailedWrites()
    let program = HostedServer.programName
    let console = Console()
    do throws(UsageError) {
      let arguments = try BridgeProgram.processArguments()
      switch try grammar(program).parse([command.name] + arguments) {
      case .help(let command, let isFull):
        try? console.write(grammar(program).help(about: command, isFull: isFull).utf8)
        try? console.flush()
        SystemCalls.leave(0)
      case .version:
        try? console.print(BridgeProgram.versionLine)
        try? console.flush()
        SystemCalls.leave(0)
      case .run(_, let options, _):
        return HostedServer(options, program, console)
      }
    } catch {
      var error = error
      error.command = nil
      error.program = program
      console.complain("\(program): \(error.message)\ntry: \(program) --help")
      SystemCalls.leave(ExitCode.usage.rawValue)
    }
  }

  private init(
    _ options: BridgeOptions, _ program: String, _ console: Console
  ) {
    (self.options, self.program, self.console) = (options, program, console)
    do throws(CommandFailure) {
      deviceOptions = try options.serving.makeDeviceOptions(console)
    } catch {
      HostedServer.end(error, program, console)
    }
    // Without a standard error there is nowhere to send it, and without an output nothing to keep.
    output = (try? SystemCalls.moveStandardOutputAside()) ?? StandardStreams.output
  }

  /// Takes clients in. Where that fails, the reason is said and the process ends.
  public func begin(loop: EventLoop, device: EmulatedDevice, provider: any DeviceProvider) {
    do throws(CommandFailure) {
      let run = try ServeRun(
        options.serving, options.recording, console,
        app: ServedApp(
          program: program, loop: loop, device: device, provider: provider, output: output))
      self.run = run
      try run.begin()
    } catch {
      HostedServer.end(error, program, console)
    }
  }

  /// Says what there is to say after the loop's end, and ends the process.
  public func conclude() -> Never {
    do throws(CommandFailure) {
      try run?.conclude()
    } catch {
      HostedServer.end(error, program, console)
    }
    SystemCalls.leave(ExitCode.success.rawValue)
  }

  // MARK: -

  private static func end(
    _ failure: CommandFailure, _ program: String, _ console: Console
  ) -> Never {
    switch failure {
    case .outputClosed: SystemCalls.leave(ExitCode.success.rawValue)
    case .ended(let code): SystemCalls.leave(code)
    case .checkFailed(let line):
      console.complain("\(program): \(line.safeForTerminal)")
      SystemCalls.leave(ExitCode.checkFailed.rawValue)
    case .trouble(let line):
      console.complain("\(program): \(line.safeForTerminal)")
      SystemCalls.leave(ExitCode.usage.rawValue)
    case .usage(let problem):
      let error = UsageError(problem, program: program)
      console.complain("\(program): \(error.message)\ntry: \(program) --help")
      SystemCalls.leave(ExitCode.usage.rawValue)
    }
  }

  private static var programName: String {
    let path = CommandLine.unsafeArgv[0].map { String(cString: $0) } ?? "app"
    return path.split(separator: "/").last.map { String($0).safeForTerminal } ?? "app"
  }

  private static let command = Command(
    "serve",
    summary: "an iOS app, or plugin, that answers method calls without a phone",
    purpose: """
      Runs the app's own native code on an emulated device and speaks frames (Protocol/frames.md) \
      on standard input and output, or with --socket to many clients of a Unix socket, which all \
      see the same app. The channels are the app's, and pwbridge/control (Protocol/control.md) to \
      steer the device.

      What the app prints goes to standard error, where each call has a line too. The end of the \
      input, SIGTERM and SIGINT let open calls be answered first; a second signal ends the \
      process at once.
      """,
    usage: ["[FLAGS]", "[FLAGS] --socket PATH"], operands: .none, examples: [])

  private static func grammar(_ program: String) -> Grammar<BridgeOptions> {
    Grammar(
      program: program, namesCommand: false, purpose: command.summary,
      exitCodes: BridgeProgram.grammar.exitCodes, commands: [command],
      // How the guide's handlers answer is no matter of an app that brings its own.
      flags: Flag.all.filter {
        $0.declaration.commands?.contains(command.name) ?? true
          && $0.declaration.long != Flag.handler.declaration.long
      },
      initial: BridgeOptions())
  }
}
