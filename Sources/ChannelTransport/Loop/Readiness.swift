import SystemInterface

/// What a watched descriptor can do, as a handler is told. Only what is watched for is reported, and
/// trouble makes all of that ready: the read or write that follows says what it is.
public struct Readiness: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A read will not wait; it may meet the end or an error.
  public static let reads = Readiness(rawValue: 1)
  /// A write will not wait; it may meet an error.
  public static let writes = Readiness(rawValue: 2)
  /// The other end is closed. What it sent before may still wait to be read.
  public static let hungUp = Readiness(rawValue: 4)
  /// The descriptor is not open; the watch has been silenced.
  public static let invalid = Readiness(rawValue: 8)

  init(_ events: PollTable.Events, _ interests: Readiness) {
    let trouble = !events.isDisjoint(with: [.hangUp, .failure, .invalid])
    var ready: Readiness = []
    if trouble || events.contains(.readable) { ready.insert(.reads) }
    if trouble || events.contains(.writable) { ready.insert(.writes) }
    ready.formIntersection(interests)
    if trouble && interests.contains(.hungUp) { ready.insert(.hungUp) }
    if !ready.isEmpty {
      if events.contains(.hangUp) { ready.insert(.hungUp) }
      if events.contains(.invalid) { ready.insert(.invalid) }
    }
    self = ready
  }
}
