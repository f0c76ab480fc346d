import ChannelCodec
import ChannelRouter

/// The channel `pwbridge/control`: steers what on a real device the person, the system, the server
/// or native code would do. `Protocol/control.md` has its methods.
final class ControlChannel {
  static let name: ChannelName = "pwbridge/control"

  /// In the order of the documentation.
  static let methods: [ControlMethod] =
    ControlMethod.inspection + ControlMethod.steering + ControlMethod.pushes
    + ControlMethod.faults + ControlMethod.native

  private static let table = Dictionary(
    uniqueKeysWithValues: methods.map { (Value.Text($0.name), $0) })

  /// The messenger holds the channel, so it may outlive the device by a call.
  private weak var device: EmulatedDevice?

  init(_ device: EmulatedDevice) { self.device = device }

  func handle(_ call: MethodCall, _ result: MethodResult) {
    guard let device else {
      return result.error(code: "no-device", message: "the device has been taken down")
    }
    guard let method = ControlChannel.table[call.method] else {
      let name = call.method.description
      let names = ControlChannel.methods.map(\.name)
      let near = NearMiss.nearest(to: name, among: names).map { "did you mean \($0)?" }
      result.reply.remark(
        .warning,
        "\(ControlChannel.name): no method \(NearMiss.quoted(name)); "
          + (near ?? "the method help lists them"))
      return result.notImplemented()
    }
    // What the guide's code has begun is done before anybody looks.
    device.tasks.runDue()
    do throws(MethodError) {
      let arguments = try ControlArguments(call.arguments, of: method)
      try method.run(ControlCall(device: device, arguments: arguments, result: result))
    } catch {
      result.error(error)
    }
  }
}

/// One method of the control channel, with its line in `help`.
struct ControlMethod: Sendable {
  struct Argument: Sendable {
    let name: String
    /// As in `string` or `integer, optional`.
    let kind: String
  }

  let name: String
  let arguments: [Argument]
  /// Arguments of any other name are taken as well.
  let isOpen: Bool
  let meaning: String
  let run: @Sendable (ControlCall) throws(MethodError) -> Void

  /// A method that answers with what `body` returns.
  init(
    _ name: String, _ arguments: [(String, String)] = [], _ meaning: String,
    isOpen: Bool = false, answer: @escaping @Sendable (ControlCall) throws(MethodError) -> Value
  ) {
    self.init(replying: name, arguments, meaning, isOpen: isOpen) { call throws(MethodError) in
      call.result.success(try answer(call))
    }
  }

  /// A method that sees to its answer itself, now or later.
  init(
    replying name: String, _ arguments: [(String, String)], _ meaning: String,
    isOpen: Bool = false, run: @escaping @Sendable (ControlCall) throws(MethodError) -> Void
  ) {
    self.name = name
    self.arguments = arguments.map { Argument(name: $0.0, kind: $0.1) }
    self.isOpen = isOpen
    self.meaning = meaning
    self.run = run
  }
}

/// A call of a control method.
struct ControlCall {
  let device: EmulatedDevice
  let arguments: ControlArguments
  let result: MethodResult
}
