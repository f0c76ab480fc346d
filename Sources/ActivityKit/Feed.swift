import AppDevice
import EmulatedDevice
import LiveActivities

/// What an asynchronous sequence of ActivityKit gives out: the store's events, as values, from the
/// moment when its iterator was made.
///
/// Whether such a sequence begins with what there is, Apple does not publish:
/// ``ActivitySettings/observersGetCurrentFirst`` decides.
final class Feed<Element>: @unchecked Sendable {
  enum Step {
    case value(Element)
    case nothing
    /// Nothing more can come.
    case end
  }

  /// Values that nobody has taken yet; beyond that the oldest are lost.
  private static var mostWaiting: Int { 4096 }

  private var iterator: AsyncStream<Unchecked<Element>>.Iterator
  private let continuation: AsyncStream<Unchecked<Element>>.Continuation

  /// Both functions run on the device's thread.
  /// - Parameters:
  ///   - current: what there is.
  ///   - next: what an event brings.
  init(
    _ device: AppDevice, current: (ActivityStore) -> [Element],
    next: @escaping (ActivityEvent) -> Step
  ) {
    let (stream, continuation) = AsyncStream<Unchecked<Element>>.makeStream(
      bufferingPolicy: .bufferingNewest(Feed.mostWaiting))
    iterator = stream.makeAsyncIterator()
    self.continuation = continuation
    let observation = device.perform { emulated in
      let store = emulated.store
      if store.settings.observersGetCurrentFirst {
        for value in current(store) { continuation.yield(Unchecked(value)) }
      }
      return store.observe { event in
        // What was there before has been told above, by what it is now.
        if case .present = event { return }
        switch next(event) {
        case .value(let value): continuation.yield(Unchecked(value))
        case .nothing: break
        case .end: continuation.finish()
        }
      }
    }
    continuation.onTermination = { _ in
      device.async { $0.store.stopObserving(observation) }
    }
  }

  deinit { continuation.finish() }

  func next() async -> Element? {
    // The iterator is a handle to the stream; a copy takes from the same one.
    var iterator = iterator
    return await iterator.next()?.value
  }
}
