import ChannelRouter
import ChannelTransport
import EmulatedDevice
import Foundation
import Synchronization
import SystemInterface

/// The device that the app of this process runs on. There is one, as on a phone: `Flutter`,
/// `ActivityKit` and `UIKit` are skins over it, and a server shows it to clients.
///
/// The emulated device lives on a thread of its own, its platform thread. App code runs on the
/// main thread and wherever it likes; it comes to the device through ``perform(_:)`` and
/// ``async(_:)``. The platform thread never waits for app code, so that neither call can end in a
/// deadlock.
public final class AppDevice: @unchecked Sendable {
  /// The app's device. It is made with default options at the first use, so that tests may use the
  /// iOS-shaped modules in their own process without a host.
  public static var shared: AppDevice {
    current.withLock { device in
      if let device { return device }
      let made = AppDevice(options: DeviceOptions())
      device = made
      return made
    }
  }

  /// Puts a fresh device in the place of the one before. A host does so with the options of its
  /// command line before the app starts, a test for a clean slate. What still has the device of
  /// before can use it on; nobody else sees it.
  @discardableResult
  public static func start(options: DeviceOptions = DeviceOptions()) -> AppDevice {
    let made = AppDevice(options: options)
    let before = current.withLock { device in
      defer { device = made }
      return device
    }
    before?.stop()
    return made
  }

  private static let current = Guarded<AppDevice?>(nil)

  /// The loop that the device's thread runs. Its members belong to that thread, but for `thread`.
  public let loop: EventLoop

  /// Only for the platform thread; others go through ``perform(_:)``.
  private let device: EmulatedDevice
  private let ending = Guarded(Ending())
  /// After the loop's end the device belongs to whoever holds it.
  private let afterEnd = NSRecursiveLock()

  private struct Ending {
    var isOver = false
    var actions: [@Sendable () -> Void] = []
  }

  private init(options: DeviceOptions) {
    do {
      loop = try EventLoop()
    } catch {
      preconditionFailure("the device's thread cannot be made: \(error.text)")
    }
    device = EmulatedDevice(
      name: "app", options: options, apps: .none, thread: loop.thread,
      nanoseconds: SystemCalls.monotonicNanoseconds,
      wallClock: DeviceTime(microseconds: SystemCalls.wallClockMicroseconds()))
    loop.addClock(device.clock)
    let isRunning = DispatchSemaphore(value: 0)
    loop.thread.async { isRunning.signal() }
    let thread = Thread { [self] in run() }
    thread.name = "device"
    thread.stackSize = 8 << 20
    thread.start()
    isRunning.wait()
  }

  private func run() {
    try? loop.run()
    let actions = ending.withLock { ending in
      ending.isOver = true
      return ending.actions
    }
    // What was asked for before the end is still done.
    _ = try? loop.runOnce(timeout: .zero)
    for action in actions { action() }
  }

  // MARK: - From any thread

  /// Whether the caller is on the device's platform thread.
  public var isCurrent: Bool { loop.thread.isCurrent && !ending.withLock(\.isOver) }

  /// Does `body` on the device's platform thread and waits for it; at once if that is where the
  /// caller is.
  public func perform<Value, Failure: Error>(
    _ body: (EmulatedDevice) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if isCurrent { return try body(device) }
    let outcome: Result<Value, Failure>? = withoutActuallyEscaping(body) { body in
      let errand = Errand(device, body)
      let isTaken = ending.withLock { ending in
        if ending.isOver { return false }
        loop.thread.async { errand.run() }
        return true
      }
      guard isTaken else { return nil }
      errand.done.wait()
      return errand.takeOutcome()
    }
    if let outcome { return try outcome.get() }
    afterEnd.lock()
    defer { afterEnd.unlock() }
    return try body(device)
  }

  /// Does `body` on the device's platform thread later, in the order of the calls. After the end of
  /// the device it is not done.
  public func async(_ body: @escaping @Sendable (EmulatedDevice) -> Void) {
    loop.thread.async { [self] in body(device) }
  }

  /// Says something to people and clients: in the log, in the journal, and as a log frame to those
  /// clients that asked for logs.
  ///
  /// - Parameters:
  ///   - channel: the channel that it is about, if any.
  ///   - kind: what it is, where it is one of the known kinds.
  public func report(
    _ level: MessengerReport.Level, channel: String? = nil,
    kind: MessengerReport.Kind = .remark, _ text: String
  ) {
    let report = MessengerReport(kind, level, text, channel: channel.map { ChannelName($0) })
    if isCurrent { return device.messenger.report(report) }
    async { $0.messenger.report(report) }
  }

  /// Ends the device's thread after what it is doing.
  public func stop() { loop.thread.stop() }

  /// Does `action` on the device's thread as its last deed. Ignored after the end.
  public func atEnd(_ action: @escaping @Sendable () -> Void) {
    ending.withLock { $0.actions.append(action) }
  }
}

/// Work on its way to the device's thread, whose sender waits for it.
private final class Errand<Value, Failure: Error>: @unchecked Sendable {
  let done = DispatchSemaphore(value: 0)
  private let device: EmulatedDevice
  private var body: ((EmulatedDevice) throws(Failure) -> Value)?
  private var outcome: Result<Value, Failure>?

  init(_ device: EmulatedDevice, _ body: @escaping (EmulatedDevice) throws(Failure) -> Value) {
    (self.device, self.body) = (device, body)
  }

  func run() {
    if let body {
      outcome = Result { () throws(Failure) -> Value in try body(device) }
    }
    // The sender's closure must not outlive its call.
    body = nil
    done.signal()
  }

  func takeOutcome() -> Result<Value, Failure>? {
    defer { outcome = nil }
    return outcome
  }
}
