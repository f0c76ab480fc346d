import ChannelCodec
import ChannelRouter
import LiveActivities

/// An emulated iPhone with the guide's app on it: the channels `PW` and `pushwoosh`, the plugin's
/// event channels, the activities behind them, and `pwbridge/control` to steer it all.
///
/// Belongs to the platform thread.
public final class EmulatedDevice {
  /// What is installed on a device besides `pwbridge/control`.
  public enum Apps: Sendable {
    /// The guide's app: `PW`, `pushwoosh` and the plugin's event channels.
    case guide
    /// Nothing: somebody else sets the handlers.
    case none
  }

  /// The plugin's event channels.
  static let eventChannels: [ChannelName] = [
    "pushwoosh/receive", "pushwoosh/accept", "pushwoosh/deeplink", "pushwoosh/jsinterface",
  ]
  private static let mostStreams = 256

  public let name: String
  public let messenger: RoutingMessenger
  public let clock: DeviceClock
  public let store: ActivityStore
  public let faults: Faults
  public let pushwoosh: PushwooshSDK

  let tasks: UnstructuredTasks
  private let initialOptions: DeviceOptions
  private let state: DeviceState
  private let stopwatch: StopwatchHandler
  private var streams: [ChannelName: DeviceStream] = [:]

  /// - Parameters:
  ///   - apps: whose handlers there are.
  ///   - nanoseconds: a monotonic clock, for durations and, with a running device clock, its pace.
  ///   - wallClock: what the device's clock shows first if the options say nothing.
  public init(
    name: String, options: DeviceOptions, apps: Apps = .guide, thread: any PlatformThread,
    nanoseconds: @escaping () -> UInt64, wallClock: DeviceTime
  ) {
    self.name = name
    initialOptions = options
    let start = nanoseconds()
    clock = DeviceClock(
      mode: options.clock, start: options.startTime ?? wallClock,
      microseconds: { Int64(clamping: (nanoseconds() &- start) / 1000) })
    store = ActivityStore(clock: clock, settings: options.activities, seed: options.seed)
    if case .guide = apps { store.registerDefaultAttributesType() }
    state = DeviceState(options, store: store)
    state.applyToStore()
    messenger = RoutingMessenger(
      side: .native, thread: thread, journal: Journal(maximumEntries: options.journalEntries),
      nanoseconds: nanoseconds)
    faults = Faults(clock: clock)
    faults.onFirstRule = { [unowned messenger, unowned faults] in
      messenger.interceptors.insert(faults, at: 0)
    }
    for rule in options.faults { faults.add(rule) }
    tasks = UnstructuredTasks(thread: thread, clock: clock, race: options.race)
    pushwoosh = PushwooshSDK(state)
    stopwatch = StopwatchHandler(state, tasks: tasks, pushwoosh: pushwoosh)
    if case .guide = apps { serve(PushwooshHandler(state, sdk: pushwoosh)) }
    serveControl()
  }

  /// Takes the device down: what a fault holds back goes out, and nobody is served any more.
  public func retire() {
    faults.removeAll()
    faults.releaseHeldReplies()
    tasks.reset()
    pushwoosh.reset()
    // Handlers keep the messenger that keeps them.
    for channel in messenger.handledChannels { messenger.setMessageHandler(on: channel, nil) }
    streams = [:]
    clock.cancelAll()
  }

  private func serve(_ plugin: PushwooshHandler) {
    MethodChannel(StopwatchHandler.channel, messenger: messenger)
      .setMethodCallHandler { [stopwatch] in stopwatch.handle($0, $1) }
    MethodChannel(PushwooshHandler.channel, messenger: messenger)
      .setMethodCallHandler { plugin.handle($0, $1) }
    for name in EmulatedDevice.eventChannels { addEventChannel(name) }
  }

  private func serveControl() {
    let control = ControlChannel(self)
    MethodChannel(ControlChannel.name, messenger: messenger)
      .setMethodCallHandler { control.handle($0, $1) }
  }

  // MARK: - Options

  public var options: DeviceOptions { state.options }

  /// Gives an option of a running device another value.
  /// - Throws: for unknown names and values, and for options that must be set before the start.
  public func setOption(_ name: String, to value: String) throws(DeviceOptionError) {
    let option = try DeviceOption.named(name)
    guard option.isLive else {
      throw DeviceOptionError(
        option: name, text: "\(name): must be set before the device starts")
    }
    try option.set(value, in: &state.options)
    state.applyToStore()
  }

  /// Back to how the device was made: no activities, options, faults and journal of the
  /// beginning. The clock goes on, and replies that a fault holds back go out.
  public func reset() {
    faults.releaseHeldReplies()
    faults.removeAll()
    for rule in initialOptions.faults { faults.add(rule) }
    tasks.reset()
    pushwoosh.reset()
    stopwatch.reset()
    state.options = initialOptions
    store.reset()
    state.applyToStore()
    messenger.journal.reset()
  }

  /// The activity that `updateLiveActivity` and `stopLiveActivity` go to.
  public var stopwatchActivity: LiveActivity? { stopwatch.currentActivity }

  // MARK: - Events

  /// The event channels of the device, sorted by name.
  public var eventChannelNames: [ChannelName] {
    streams.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Adds an event channel whose events come from ``eventSink(of:)``.
  /// - Returns: false when a handler has the channel already, or there are too many.
  @discardableResult
  public func addEventChannel(_ name: ChannelName) -> Bool {
    if streams[name] != nil { return true }
    guard !messenger.hasHandler(on: name), streams.count < EmulatedDevice.mostStreams else {
      return false
    }
    streams[name] = DeviceStream(EventChannel(name, messenger: messenger))
    return true
  }

  /// Where the events of a channel go; nil when there is no such event channel or Dart does not
  /// listen.
  public func eventSink(of channel: ChannelName) -> EventSink? {
    guard let stream = streams[channel], stream.isListening else { return nil }
    return stream.sink
  }
}
