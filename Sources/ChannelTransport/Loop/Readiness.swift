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
  /// The other end of a socket writes nothing more but may still read; told as a hang-up is, where
  /// the system can.
  public static let inputEnded = Readiness(rawValue: 16)
  /// The descriptor is not open; the watch has been silenced.
  public static let invalid = Readiness(rawValue: 8)

  init(_ events: PollTable.Events, _ interests: Readiness) {
    let trouble = !events.isDisjoint(with: [.hangUp, .failure, .invalid])
    var ready: Readiness = []
    if trouble || events.contains(.readable) { ready.insert(.reads) }
    if trouble || events.contains(.writable) { ready.insert(.writes) }
    ready.formIntersection(interests)
    if interests.contains(.hungUp) {
      if trouble {
        ready.insert(.hungUp)
      } else if events.inputHasEnded {
        ready.insert(.inputEnded)
      }
    }
    if !ready.isEmpty {
      if events.contains(.hangUp) { ready.insert(.hungUp) }
      if events.contains(.invalid) { ready.insert(.invalid) }
    }
    self = ready
  }
}
