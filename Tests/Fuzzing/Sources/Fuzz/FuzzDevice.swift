import ChannelCodec
import ChannelRouter
import EmulatedDevice

private let channels: [ChannelName] = [
  "pwbridge/control", "PW", "pushwoosh", "dev.flutter/channel-buffers", "pushwoosh/receive", "none",
]

/// Messages to a fresh device with a stepped clock: bytes as they are, or calls made of them. Every
/// call is answered or dropped by the time the device is taken down, and once only.
func fuzzDevice(_ input: inout FuzzInput) {
  let thread = QueuedThread()
  var options = DeviceOptions()
  try? options.set("clock", to: "stepped")
  let first = input.byte()
  if first & 1 == 1 { try? options.set("handler", to: "guide") }
  if first & 2 == 2 { try? options.set("race", to: "1") }
  var nanoseconds: UInt64 = 0
  let device = EmulatedDevice(
    name: "fuzzed", options: options, thread: thread,
    nanoseconds: {
      nanoseconds += 1000
      return nanoseconds
    }, wallClock: DeviceTime(seconds: 1_800_000_000))
  let port = CountingPort()
  device.messenger.attach(port)
  var calls = DeviceCalls()
  var id: UInt64 = 0
  while !input.isEmpty, id < 64 {
    id += 1
    calls.known = device.store.activitiesOnScreen.map(\.id)
    calls.known += device.store.activitiesOnScreen.compactMap(\.pushToken)
    let step = input.byte()
    let (channel, message) = next(step, calls, &input)
    port.manner = step >> 4
    device.messenger.receive(message, on: channel, id: step & 8 == 8 ? 0 : id, from: port)
    thread.drain()
  }
  device.messenger.detach(port)
  device.retire()
  thread.drain()
  for call in 0...id {
    require(
      port.answers[call, default: 0] <= (call == 0 ? 0 : 1), "call \(call) was answered twice")
  }
}

private func next(
  _ step: UInt8, _ calls: DeviceCalls, _ input: inout FuzzInput
) -> (ChannelName, [UInt8]?) {
  switch step & 7 {
  case 0:
    let channel = input.choice(of: channels)
    let size = Int(input.byte()) | Int(input.byte()) << 8
    return (channel, input.bytes(size))
  case 1:
    return (
      input.choice(of: channels), try? StandardMethodCodec().encodeMethodCall(calls.app(&input))
    )
  case 2: return ("PW", try? StandardMethodCodec().encodeMethodCall(calls.app(&input)))
  case 3: return ("pushwoosh", try? StandardMethodCodec().encodeMethodCall(calls.app(&input)))
  default:
    return ("pwbridge/control", try? StandardMethodCodec().encodeMethodCall(calls.control(&input)))
  }
}

/// The Dart side: counts answers, and answers in one of several manners what comes from the device.
private final class CountingPort: MessagePort {
  let number = 0
  var answers: [UInt64: Int] = [:]
  var manner: UInt8 = 0
  private var kept: [BinaryReplyHandler] = []

  func answer(_ id: UInt64, with outcome: ReplyOutcome) { answers[id, default: 0] += 1 }

  func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
    guard let reply else { return }
    switch manner & 7 {
    case 0: reply(.payload(message))
    case 1: reply(.payload(nil))
    case 2: reply(.payload([0, 0]))
    case 3: reply(.dropped)
    case 4: reply(.payload([1, 7, 1, 0x78, 0, 0]))
    case 5:
      kept.append(reply)
      if kept.count > 2 { kept.removeFirst()(.payload([0])) }
    default: break
    }
  }

  func tell(_ report: MessengerReport) {}
  func breakOff() {}
}

/// Runs its work when it is told to, a bounded amount of it.
private final class QueuedThread: PlatformThread, @unchecked Sendable {
  private var work: [@Sendable () -> Void] = []
  var isCurrent: Bool { true }

  func async(_ work: @escaping @Sendable () -> Void) { self.work.append(work) }

  func drain() {
    var turns = 0
    while !work.isEmpty, turns < 10_000 {
      work.removeFirst()()
      turns += 1
    }
    require(work.isEmpty, "the device does not come to rest")
  }
}
