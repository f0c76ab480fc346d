import AppDevice
import ChannelCodec
import ChannelRouter
import EmulatedDevice
import LiveActivities

/// A Live Activity, by the app's handle to it (`/documentation/activitykit/activity`).
///
/// A skin over the store of the emulated device: what is refused, ignored, shown and removed when is
/// decided there. While the app holds a handle, it gets that same one wherever the activity comes
/// by.
public class Activity<Attributes: ActivityAttributes>: Identifiable, @unchecked Sendable {
  public typealias ContentState = Attributes.ContentState

  /// UUID text in upper case.
  public let id: String
  /// What does not change about it.
  public final let attributes: Attributes

  let device: AppDevice
  let book: DeviceBook
  /// Belongs to the device's thread.
  let stored: LiveActivity
  private let lock = NSLock()
  /// The last content state as the app's type, and as the store has it.
  private var last: (value: Value, state: ContentState)

  init(
    _ stored: LiveActivity, attributes: Attributes, state: ContentState, device: AppDevice,
    book: DeviceBook
  ) {
    id = stored.id
    self.attributes = attributes
    self.stored = stored
    self.device = device
    self.book = book
    last = (stored.content.state, state)
    book.keep(self, to: stored)
  }

  deinit {
    let (book, stored, cause) = (book, Unchecked(stored), MessageCause.current)
    device.async { _ in book.acting(for: cause) { book.lose(stored.value) } }
  }

  // MARK: - Looking

  /// Where the activity stands in its life.
  public var activityState: ActivityState {
    device.perform { _ in ActivityState(stored.state) }
  }

  /// What the activity shows (iOS 16.2).
  public var content: ActivityContent<ContentState> {
    content(of: device.perform { _ in stored.content })
  }

  /// The state of what the activity shows. Deprecated with iOS 16.2.
  public var contentState: ContentState { content.state }

  /// The token for pushes to this activity; nil until it has come through ``pushTokenUpdates``.
  public var pushToken: Data? {
    device.perform { _ in stored.pushToken.flatMap(Data.init(hexadecimal:)) }
  }

  /// The content in the app's type. What does not decode never gets here, for a push is checked
  /// before; should it, the content of before stays.
  func content(of content: LiveActivity.Content) -> ActivityContent<ContentState> {
    ActivityContent(
      state: state(of: content.state), staleDate: content.staleDate.map { Date($0) },
      relevanceScore: content.relevanceScore)
  }

  /// Keeps what the app has just shown: JSON loses a digit here and there, such as those of a
  /// `UInt64` that no `Int64` holds.
  func remember(_ state: ContentState, as value: Value) {
    lock.withLock { last = (value, state) }
  }

  private func state(of value: Value) -> ContentState {
    let (known, isSame) = lock.withLock { (last.state, last.value == value) }
    // Not under the lock: the app's decoder may come back here.
    guard !isSame, let state = try? Payload.subject(ContentState.self, from: value) else {
      return known
    }
    remember(state, as: value)
    return state
  }

  // MARK: - Handles

  /// The app's handle to an activity of this type; on the device's thread.
  /// - Returns: nil where attributes or content do not decode as the app's types.
  static func handle(
    to stored: LiveActivity, device: AppDevice, book: DeviceBook
  ) -> Activity? {
    guard stored.attributesType == String(describing: Attributes.self) else { return nil }
    if let handle = book.handle(to: stored) { return handle as? Activity }
    do {
      return Activity(
        stored, attributes: try Payload.subject(Attributes.self, from: stored.attributes),
        state: try Payload.subject(ContentState.self, from: stored.content.state),
        device: device, book: book)
    } catch {
      book.report(
        .warning,
        "the activity \(stored.id) cannot be read as \(Attributes.self): \(error)")
      return nil
    }
  }

  /// The activities of this type: without ended ones, as far as is known.
  public static var activities: [Activity<Attributes>] {
    onDevice { device, book, store in
      store.activities.compactMap { handle(to: $0, device: device, book: book) }
    }
  }

  /// The token with which a server starts activities (iOS 17.2); nil until it has come through
  /// ``pushToStartTokenUpdates``. It is the same for all types.
  public static var pushToStartToken: Data? {
    onDevice { _, book, store in
      book.needs(OSVersion(17, 2), for: "pushToStartToken", on: store)
      return store.pushToStartToken.flatMap(Data.init(hexadecimal:))
    }
  }

  /// Does `body` on the thread of the app's device, to which the type is then known.
  static func onDevice<Result, Failure: Error>(
    _ body: (AppDevice, DeviceBook, ActivityStore) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let device = AppDevice.shared
    let book = DeviceBook.of(device)
    return try device.perform { (emulated) throws(Failure) in
      book.register(Attributes.self, with: emulated.store)
      return try body(device, book, emulated.store)
    }
  }
}

/// Carries a value across threads whose owner knows it to be safe.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

extension Data {
  /// From the text that the store keeps of a token; nil for anything else.
  init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for start in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[start..<start + 2], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    self.init(bytes)
  }
}
