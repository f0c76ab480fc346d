import ChannelCodec
import LiveActivities

/// Between the app's Swift types and the values that the store keeps, by way of JSON with default
/// strategies, as between an app and its widget extension on a device.
enum Payload {
  /// - Throws: what `JSONEncoder` throws, such as an `EncodingError` for NaN.
  static func value(of subject: some Encodable) throws -> Value {
    let encoder = JSONEncoder()
    // Equal subjects must give equal values, and dictionaries come in any order.
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(subject)
    do {
      return try JSONMessageCodec().decode([UInt8](json)) ?? .null
    } catch {
      throw EncodingError.invalidValue(
        subject,
        EncodingError.Context(
          codingPath: [], debugDescription: "its JSON cannot be kept: \(error)"))
    }
  }

  /// - Throws: what `JSONDecoder` throws, as a rule a `DecodingError`.
  static func subject<Subject: Decodable>(
    _ type: Subject.Type, from value: Value
  ) throws -> Subject {
    let json = try JSONMessageCodec().encode(value) ?? []
    return try JSONDecoder().decode(type, from: Data(json))
  }

  /// Why `value` would not decode as `type`, or nil. `root` begins the path.
  static func problem<Subject: Decodable>(
    _ type: Subject.Type, in value: Value, root: String
  ) -> DecodingProblem? {
    do {
      _ = try subject(type, from: value)
      return nil
    } catch {
      return PayloadProbe(value: value, root: root) {
        do {
          _ = try subject(type, from: $0)
          return nil
        } catch {
          return error
        }
      }.explain(error)
    }
  }
}
