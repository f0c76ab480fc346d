/// A content state with what the system needs to know about it (iOS 16.2;
/// `/documentation/activitykit/activitycontent`).
public struct ActivityContent<State: Decodable & Encodable & Hashable> {
  public var state: State
  /// From when on the content is out of date; nil: never.
  public var staleDate: Date?
  /// The activity with the highest score gets the Dynamic Island; of equal ones the first that was
  /// started.
  public var relevanceScore: Double

  public init(state: State, staleDate: Date?, relevanceScore: Double = 0.0) {
    self.state = state
    self.staleDate = staleDate
    self.relevanceScore = relevanceScore
  }
}

extension ActivityContent: Sendable where State: Sendable {}

extension ActivityContent: CustomStringConvertible {
  public var description: String {
    "ActivityContent(state: \(state), staleDate: \(staleDate.map { "\($0)" } ?? "nil"), "
      + "relevanceScore: \(relevanceScore))"
  }
}
