import ChannelCodec
import ChannelRouter
import EmulatedDevice
import FuzzSupport

private let channels: [ChannelName] = [
  "pwbridge/control", "PW", "pushwoosh", "dev.flutter/channel-buffers", "pushwoosh/receive", "none",
]

/// A few messages to a fresh device with a stepped clock. Every call is answered or dropped by the
/// time the device is taken down, and once only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDevice(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  var input = FuzzInput(data, size)
  let thread = QueuedThread()
  var options = DeviceOptions()
  try? options.set("clock", to: "stepped")
  var nanoseconds: UInt64 = 0
  let device = EmulatedDevice(
    name: "fuzzed", options: options, thread: thread,
    nanoseconds: {
      nanoseconds += 1000
      return nanoseconds
    }, wallClock: DeviceTime(seconds: 1_800_000_000))
  let port = CountingPort()
  device.messenger.attach(port)
  var id: UInt64 = 0
  while !input.isEmpty, id < 16 {
    id += 1
    let channel = input.choice(of: channels)
    let size = Int(input.byte()) | Int(input.byte()) << 8
    device.messenger.receive(input.bytes(size), on: channel, id: id, from: port)
    thread.drain()
  }
  device.messenger.detach(port)
  device.retire()
  thread.drain()
  for call in 1...max(1, id) {
    require(port.answers[call, default: 0] <= 1, "call \(call) was answered twice")
  }
  return 0
}

private final class CountingPort: MessagePort {
  var answers: [UInt64: Int] = [:]

  func answer(_ id: UInt64, with outcome: ReplyOutcome) { answers[id, default: 0] += 1 }
  func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
    reply?(.payload(message))
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
