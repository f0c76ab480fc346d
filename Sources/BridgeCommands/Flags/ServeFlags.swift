import ChannelTransport
import CommandLineFlags
import EmulatedDevice

extension Flag where Options == BridgeOptions {
  static let socket = Flag.path(
    FlagDeclaration(
      "socket", short: "s", variable: "PATH", category: .serving,
      summary: "The Unix socket to serve, or to connect to",
      details: """
        serve listens there for many clients; a socket that a dead server left is replaced, and \
        only the same user may connect. call and state connect to it; without the flag they take \
        the path in the environment variable PWBRIDGE_SOCKET, as exec sets it.
        """,
      commands: ["serve", "call", "state"]),
    dash: .refused,
    assign: { $0.serving.socket = $1 })

  static let framing = Flag.choice(
    FlagDeclaration(
      "framing", variable: "FRAMING", category: .serving,
      summary: "How messages are written on the wire", fallback: "frames", commands: ["serve"]),
    of: Framing.self,
    summary: { framing in
      switch framing {
      case .frames: "binary frames, for programs"
      case .lines: "CHANNEL HEX in, reply in HEX out, for a shell"
      }
    },
    assign: { $0.serving.framing = $1 })

  static let log = Flag.choice(
    FlagDeclaration(
      "log", variable: "FORMAT", category: .serving,
      summary: "Write a line for each call to standard error",
      details: """
        serve does so in text unless told to be quiet; exec, whose command has the same standard \
        error, only when asked. The members of JSON lines are time (seconds since 1970), event \
        (call, connected, closed, refused, trouble, report), connection, direction (from-dart, \
        to-dart), channel, method, codec, arguments or message, outcome, value or error, \
        microseconds and warnings. A name or text of more than 4 KiB is cut and has its size in \
        another member, such as method-bytes; of a value of more than 128 KiB there is only the \
        size, as in arguments-omitted.
        """,
      commands: ["serve", "exec"]),
    of: CallLog.Format.self,
    summary: { format in
      switch format {
      case .text: "PW stopLiveActivity -> success null 41us"
      case .json: "an object a line, with values in typed JSON"
      }
    },
    assign: { $0.serving.log = $1 })

  static let quiet = Flag.toggle(
    FlagDeclaration(
      "quiet", short: "q", category: .serving, summary: "Write no log",
      details: """
        What a server must say it says all the same: that it is ready, what it never answered, and \
        why it ended.
        """,
      commands: ["serve", "exec"]),
    set: { $0.serving.isQuiet = true })

  static let strict = Flag.toggle(
    FlagDeclaration(
      "strict", category: .serving,
      summary: "Exit with 1 if any call got no answer",
      details: """
        That is: its handler let go of the reply, or it was still open at the end. On a device its \
        Future would never complete. With inspect --lint: if anything was found.
        """,
      commands: ["serve", "exec", "inspect"]),
    set: { $0.serving.isStrict = true })

  static let maximumPayload = Flag.number(
    FlagDeclaration(
      "max-payload", variable: "BYTES", category: .serving,
      summary: "The largest message that is accepted", fallback: "16777216",
      commands: ["serve", "exec"]),
    in: 1...FrameLimits.largestPayload,
    assign: { $0.serving.maximumPayload = $1 })

  static let maximumOpenCalls = Flag.number(
    FlagDeclaration(
      "max-open-calls", variable: "N", category: .serving,
      summary: "Open calls of a client, after which it is no longer read from", fallback: "1024",
      commands: ["serve", "exec"]),
    in: 1...1_000_000,
    assign: { $0.serving.maximumOpenCalls = $1 })

  static let maximumConnections = Flag.number(
    FlagDeclaration(
      "max-connections", variable: "N", category: .serving,
      summary: "Clients at a time; more are turned away", fallback: "1024",
      commands: ["serve", "exec", "record"]),
    in: 1...100_000,
    assign: { $0.serving.maximumConnections = $1 })

  static let drain = Flag.seconds(
    FlagDeclaration(
      "drain", variable: "SECONDS", category: .serving,
      summary: "How long to wait at the end for open calls to be answered", fallback: "5",
      commands: ["serve", "exec"]),
    assign: { $0.serving.drainTime = $1 })

  static let handler = Flag.choice(
    FlagDeclaration(
      "handler", variable: "HANDLER", category: .device,
      summary: "How the native side answers", fallback: "answering",
      commands: deviceCommands + ["demo"]),
    of: DeviceOptions.Handler.self,
    summary: { handler in
      switch handler {
      case .answering: "one reply to every call, errors where the guide's code is silent"
      case .guide: "the guide's code exactly, its silences included"
      }
    },
    assign: { $0.serving.setHandler($1) })

  static let option = Flag.text(
    FlagDeclaration(
      "option", short: "o", variable: "NAME=VALUE", category: .device,
      summary: "Set an option of the device; may be given several times",
      details: """
        The options, with the values that hold unless given:

        \(DeviceOption.all.map { "  \($0.name)=\($0.defaultValue)" }.joined(separator: "\n"))
        """,
      commands: deviceCommands),
    assign: { (options, assignment) throws(FlagRefusal) in
      do throws(DeviceOptionError) {
        try options.serving.setDeviceOption(assignment)
      } catch {
        throw FlagRefusal(error.text)
      }
    })

  static let fault = Flag.text(
    FlagDeclaration(
      "fault", variable: "RULE", category: .device,
      summary: "Make something go wrong; may be given several times",
      details: """
        CHANNEL.METHOD#CALLS: FAULT, such as `PW.updateLiveActivity#3: delay 200ms`, \
        `PW.*: no-reply`, `PW#2-: error 500 "out of order"`. Faults are delay, no-reply, \
        double-reply, error, not-implemented, corrupt and close.
        """,
      commands: deviceCommands),
    assign: { (options, rule) throws(FlagRefusal) in
      do throws(FaultSyntaxError) {
        _ = try FaultRule(rule)
      } catch {
        throw FlagRefusal(error.text)
      }
      do throws(DeviceOptionError) {
        try options.serving.setDeviceOption("fault=\(rule)")
      } catch {
        throw FlagRefusal(error.text)
      }
    })

  static let faults = Flag.path(
    FlagDeclaration(
      "faults", variable: "FILE", category: .device,
      summary: "Read such rules from a file, one a line or as JSON",
      commands: deviceCommands),
    dash: .refused,
    assign: { $0.serving.faultFile = $1 })

  /// The verbs that have, or ask for, a device.
  private static var deviceCommands: [String] { ["serve", "exec", "call", "replay"] }

  /// A flag whose value is a number of seconds, up to a day.
  fileprivate static func seconds(
    _ declaration: FlagDeclaration,
    assign: @escaping @Sendable (inout BridgeOptions, Duration) -> Void
  ) -> Flag {
    .text(declaration) { (options, text) throws(FlagRefusal) in
      let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
      guard isDecimal, let seconds = Double(text), seconds <= 86_400 else {
        throw FlagRefusal("expected seconds, such as 5 or 0.25, up to 86400")
      }
      assign(&options, .microseconds(Int64(seconds * 1e6)))
    }
  }

  // MARK: - Calls

  static let device = Flag.text(
    FlagDeclaration(
      "device", short: "d", variable: "NAME", category: .calling,
      summary: "Ask for the device of this name, which clients share",
      details: """
        Without it every connection has a fresh device of its own. Only a server that runs on \
        keeps named devices.
        """,
      commands: ["call", "state", "replay"]),
    assign: { (options, name) throws(FlagRefusal) in
      guard !name.isEmpty, name.utf8.count <= Hello.longestDeviceName else {
        throw FlagRefusal("expected a name of up to \(Hello.longestDeviceName) bytes")
      }
      options.serving.device = name
    })

  static let inProcess = Flag.toggle(
    FlagDeclaration(
      "in-process", category: .calling,
      summary: "Ask a device inside this process even if PWBRIDGE_SOCKET is set",
      commands: ["call", "state"]),
    set: { $0.serving.isInProcess = true })

  static let timeout = Flag.seconds(
    FlagDeclaration(
      "timeout", short: "t", variable: "SECONDS", category: .calling,
      summary: "How long to wait for an answer", fallback: "30",
      commands: ["state", "call", "replay"]),
    assign: { $0.serving.timeout = $1 })

  static let plain = Flag.toggle(
    FlagDeclaration(
      "plain", category: .calling, summary: "Print plain JSON instead of typed JSON",
      details: "What JSON cannot say, such as the type of a number, is lost.",
      commands: ["call"]),
    set: { $0.serving.printsPlainJSON = true })
}
