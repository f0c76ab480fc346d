import AppDevice
import LiveActivities

// The sequences of one activity end when it is gone: after that nothing can come.
extension Activity {
  /// Every new state (`/documentation/activitykit/activity/activitystateupdates-swift.struct`).
  public struct ActivityStateUpdates: AsyncSequence, @unchecked Sendable {
    public typealias Element = ActivityState
    let activity: Activity

    public func makeAsyncIterator() -> Iterator {
      let stored = activity.stored
      return Iterator(
        feed: activity.feed {
          ActivityState(stored.state)
        } next: { event in
          guard case .stateChanged(let changed, _, let state) = event, changed === stored else {
            return nil
          }
          return ActivityState(state)
        })
    }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: Feed<ActivityState>
      public func next() async -> ActivityState? { await feed.next() }
    }
  }

  /// Every new content, by the app or by push (iOS 16.2).
  public struct ContentUpdates: AsyncSequence, @unchecked Sendable {
    public typealias Element = ActivityContent<ContentState>
    let activity: Activity

    public func makeAsyncIterator() -> Iterator { Iterator(feed: activity.contentFeed { $0 }) }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: Feed<ActivityContent<ContentState>>
      public func next() async -> ActivityContent<ContentState>? { await feed.next() }
    }
  }

  /// Every new content state, by the app or by push. Deprecated with iOS 16.2.
  public struct ContentStateUpdates: AsyncSequence, @unchecked Sendable {
    public typealias Element = ContentState
    let activity: Activity

    public func makeAsyncIterator() -> Iterator {
      Iterator(feed: activity.contentFeed { $0.state })
    }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: Feed<ContentState>
      public func next() async -> ContentState? { await feed.next() }
    }
  }

  /// Tokens: of one activity, or for starting activities of the app.
  public struct PushTokenUpdates: AsyncSequence, @unchecked Sendable {
    public typealias Element = Data
    let feed: () -> Feed<Data>

    public func makeAsyncIterator() -> Iterator { Iterator(feed: feed()) }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: Feed<Data>
      public func next() async -> Data? { await feed.next() }
    }
  }

  /// Every activity of this type that starts, by the app or by push. Never ends by itself.
  public struct ActivityUpdates: AsyncSequence, @unchecked Sendable {
    public typealias Element = Activity<Attributes>

    public func makeAsyncIterator() -> Iterator {
      let feed = onDevice { device, book, _ in
        Feed(device) { store in
          store.activities.compactMap { handle(to: $0, device: device, book: book) }
        } next: { event in
          guard case .started(let stored, by: _) = event,
            let activity = handle(to: stored, device: device, book: book)
          else { return .nothing }
          return .value(activity)
        }
      }
      return Iterator(feed: feed)
    }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: Feed<Activity<Attributes>>
      public func next() async -> Activity<Attributes>? { await feed.next() }
    }
  }

  // MARK: - Properties

  /// Every new state of the activity.
  public var activityStateUpdates: ActivityStateUpdates { ActivityStateUpdates(activity: self) }

  /// Every new content of the activity (iOS 16.2).
  public var contentUpdates: ContentUpdates { ContentUpdates(activity: self) }

  /// Every new content state of the activity. Deprecated with iOS 16.2.
  public var contentStateUpdates: ContentStateUpdates { ContentStateUpdates(activity: self) }

  /// Every token for pushes to the activity. The first comes some time after the request.
  public var pushTokenUpdates: PushTokenUpdates {
    PushTokenUpdates { [self] in
      feed { [stored] in
        stored.pushToken.flatMap(Data.init(hexadecimal:))
      } next: { [stored] event in
        guard case .tokenChanged(let changed, let token) = event, changed === stored else {
          return nil
        }
        return Data(hexadecimal: token)
      }
    }
  }

  /// Every activity of this type that starts.
  public static var activityUpdates: ActivityUpdates { ActivityUpdates() }

  /// Every token with which a server starts activities of the app (iOS 17.2).
  public static var pushToStartTokenUpdates: PushTokenUpdates {
    PushTokenUpdates {
      onDevice { device, book, store in
        book.needs(OSVersion(17, 2), for: "pushToStartTokenUpdates", on: store)
        return Feed(device) { store in
          [store.pushToStartToken.flatMap(Data.init(hexadecimal:))].compactMap { $0 }
        } next: { event in
          guard case .pushToStartTokenChanged(let token) = event,
            let data = Data(hexadecimal: token)
          else { return .nothing }
          return .value(data)
        }
      }
    }
  }

  // MARK: - Feeds

  private func contentFeed<Element>(
    _ part: @escaping (ActivityContent<ContentState>) -> Element
  ) -> Feed<Element> {
    var last = device.perform { _ in stored.content }
    return feed { [self] in
      part(content(of: stored.content))
    } next: { [self] event in
      switch event {
      case .updated(let changed, _, _) where changed === stored: break
      // An end may bring a last content.
      case .ended(let changed, _) where changed === stored && changed.content != last: break
      default: return nil
      }
      last = stored.content
      return part(content(of: last))
    }
  }

  /// A feed that ends with the activity.
  private func feed<Element>(
    current: () -> Element?, next: @escaping (ActivityEvent) -> Element?
  ) -> Feed<Element> {
    let stored = stored
    return Feed(device) { _ in
      [current()].compactMap { $0 }
    } next: { event in
      if let element = next(event) { return .value(element) }
      switch event {
      case .dismissed(let gone, _) where gone === stored: return .end
      case .reset: return .end
      default: return .nothing
      }
    }
  }
}
