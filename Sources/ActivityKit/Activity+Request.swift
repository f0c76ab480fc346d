import AppDevice
import ChannelRouter
import EmulatedDevice
import LiveActivities

extension Activity {
  /// Starts an activity (iOS 16.1; deprecated with 16.2).
  ///
  /// - Throws: ``ActivityAuthorizationError`` with the device's reason, or what `JSONEncoder`
  ///   throws.
  public static func request(
    attributes: Attributes, contentState: ContentState, pushType: PushType? = nil
  ) throws -> Activity<Attributes> {
    try start(
      attributes, ActivityContent(state: contentState, staleDate: nil), pushType, OSVersion(16, 1))
  }

  /// Starts an activity (iOS 16.2).
  public static func request(
    attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil
  ) throws -> Activity<Attributes> {
    try start(attributes, content, pushType, OSVersion(16, 2))
  }

  /// Starts an activity of a certain style (iOS 18).
  public static func request(
    attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil,
    style: ActivityStyle
  ) throws -> Activity<Attributes> {
    try start(attributes, content, pushType, OSVersion(18, 0), style: style)
  }

  /// Has an activity start by itself later (iOS 26). Until then it is pending, and counts towards
  /// the limits.
  ///
  /// - Parameters:
  ///   - alertConfiguration: how the person is told when it starts.
  ///   - start: on the device's clock; past: at once.
  public static func request(
    attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil,
    style: ActivityStyle = .standard, alertConfiguration: AlertConfiguration, start: Date
  ) throws -> Activity<Attributes> {
    try self.start(
      attributes, content, pushType, OSVersion(26, 0), style: style, alert: alertConfiguration,
      at: start)
  }

  private static func start(
    _ attributes: Attributes, _ content: ActivityContent<ContentState>, _ pushType: PushType?,
    _ version: OSVersion, style: ActivityStyle = .standard, alert: AlertConfiguration? = nil,
    at start: Date? = nil
  ) throws -> Activity<Attributes> {
    let cause = MessageCause.current
    let request: ActivityRequest
    do {
      request = ActivityRequest(
        attributesType: String(describing: Attributes.self),
        attributes: try Payload.value(of: attributes), content: try stored(content),
        pushType: pushType?.stored ?? .none, style: style.stored, alert: alert?.stored,
        start: start.map { .init($0) })
    } catch {
      onDevice { _, book, _ in
        book.acting(for: cause) {
          book.report(
            .warning,
            "a request for \(Attributes.self) has failed: it cannot be written as JSON: \(error)")
        }
      }
      throw error
    }
    do {
      return try onDevice { (device, book, store) throws(ActivityRefusal) in
        let stored = try book.acting(for: cause) { () throws(ActivityRefusal) in
          book.needs(version, for: "this request(attributes:…)", on: store)
          return try book.request(request, from: store)
        }
        return Activity(
          stored, attributes: attributes, state: content.state, device: device, book: book)
      }
    } catch {
      if let authorization = ActivityAuthorizationError(error.reason) { throw authorization }
      throw EncodingError.invalidValue(
        content.state, EncodingError.Context(codingPath: [], debugDescription: error.message))
    }
  }

  /// What the store keeps of a content.
  static func stored(
    _ content: ActivityContent<ContentState>
  ) throws -> LiveActivity.Content {
    LiveActivity.Content(
      state: try Payload.value(of: content.state), staleDate: content.staleDate.map { .init($0) },
      relevanceScore: content.relevanceScore)
  }
}
