import ChannelCodec
import ChannelNotation
import Foundation

/// A vector of `Protocol/vectors` with what it says about iOS.
struct FlutterVector: Sendable {
  enum Expectation: Sendable {
    /// Typed JSON.
    case value(String)
    case bytes([UInt8]?)
    case failure
    /// Nothing that can be checked here.
    case open
  }

  let id: String
  let codec: String
  let bytes: [UInt8]?
  let decodes: Expectation
  /// What is written for the value of ``value``.
  let encodes: Expectation
  let value: String?

  /// All vectors but those with extension types, which need a reader of their own.
  static let all: [FlutterVector] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Protocol/vectors")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "json" }
      .sorted { $0.path() < $1.path() }
      .flatMap { file -> [FlutterVector] in
        let object = (try? Data(contentsOf: file)).flatMap {
          try? JSONSerialization.jsonObject(with: $0) as? [String: Any]
        }
        let vectors = object?["vectors"] as? [[String: Any]] ?? []
        return vectors.filter { $0["extensions"] == nil }.map(FlutterVector.init)
      }
  }()

  private init(_ members: [String: Any]) {
    id = members["id"] as? String ?? ""
    codec = members["codec"] as? String ?? ""
    let direction = members["direction"] as? String ?? ""
    bytes = FlutterVector.bytes(members)
    value = FlutterVector.value(members)
    let own = (members["profiles"] as? [String: [String: [String: Any]]])?["ios"] ?? [:]
    let common: Expectation? = members["error"] == nil ? nil : .failure
    let isFilled = members["value_fill"] != nil
    decodes =
      direction == "encode" || (isFilled && own["decode"] == nil)
      ? .open
      : own["decode"].map(FlutterVector.expectation) ?? common ?? value.map { .value($0) } ?? .open
    encodes =
      direction == "decode" || isFilled
      ? .open : own["encode"].map(FlutterVector.expectation) ?? common ?? .bytes(bytes)
  }

  private static func expectation(_ members: [String: Any]) -> Expectation {
    if members["error"] != nil || members["crash"] != nil { return .failure }
    if let value = value(members) { return .value(value) }
    if members["hex"] != nil || members["hex_parts"] != nil { return .bytes(bytes(members)) }
    return .open
  }

  private static func value(_ members: [String: Any]) -> String? {
    members["value"].flatMap {
      try? JSONSerialization.data(withJSONObject: $0, options: .fragmentsAllowed)
    }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func bytes(_ members: [String: Any]) -> [UInt8]? {
    if let hex = members["hex"] as? String { return hexBytes(hex) }
    guard let parts = members["hex_parts"] as? [[Any]] else { return nil }
    return parts.flatMap { part in
      let bytes = hexBytes(part[0] as? String ?? "")
      return (0..<(part[1] as? Int ?? 0)).flatMap { _ in bytes }
    }
  }
}

/// The bytes of hexadecimal text; spaces are for the reader.
func hexBytes(_ text: String) -> [UInt8] {
  let digits = Array(text.utf8.filter { $0 != UInt8(ascii: " ") })
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16) ?? 0
  }
}

func hexText(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
