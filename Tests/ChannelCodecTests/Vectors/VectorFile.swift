import ChannelCodec
import Foundation
import Testing

/// A file of `Protocol/vectors`, read with Foundation so that nothing of ours reads its own tests.
struct VectorFile: CustomTestStringConvertible, Sendable {
  let name: String
  let vectors: [Vector]
  var testDescription: String { name }

  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Protocol/vectors")

  static let all: [VectorFile] = {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
      ?? []
    return
      files
      .filter { $0.pathExtension == "json" && $0.lastPathComponent != "schema.json" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { VectorFile($0) }
  }()

  private init(_ url: URL) {
    name = url.deletingPathExtension().lastPathComponent
    let object = (try? Data(contentsOf: url)).flatMap {
      try? JSONSerialization.jsonObject(with: $0)
    }
    let members = object as? [String: Any] ?? [:]
    let list = members["vectors"] as? [[String: Any]] ?? []
    vectors = list.map(Vector.init)
    precondition(vectors.count == members["numberOfVectors"] as? Int, "\(name) is incomplete")
  }
}

struct Vector: Sendable {
  enum Expectation: Sendable {
    /// Typed JSON, as Foundation reads it.
    case value(VectorJSON)
    case bytes([UInt8]?)
    case error(code: String, offset: Int?)
    case platformError(String)
    case crash(String)
    case unspecified
  }

  let id: String
  let codec: String
  let direction: String
  let extensions: ExtensionTypes
  let hex: [UInt8]?
  let hasHex: Bool
  let value: VectorJSON?
  let error: Expectation?
  private let profiles: [String: [String: Expectation]]

  var decodes: Bool { direction != "encode" }
  var encodes: Bool { direction != "decode" }

  init(_ members: [String: Any]) {
    id = members["id"] as? String ?? ""
    codec = members["codec"] as? String ?? ""
    direction = members["direction"] as? String ?? ""
    var types = ExtensionTypes()
    for type in members["extensions"] as? [Int] ?? [] { types[UInt8(type)] = .oneValue }
    extensions = types
    hasHex = members["hex"] != nil || members["hex_parts"] != nil
    hex = Vector.bytes(members)
    value = Vector.value(members)
    error = (members["error"] as? [String: Any]).map {
      .error(code: $0["code"] as? String ?? "", offset: $0["offset"] as? Int)
    }
    let results = members["profiles"] as? [String: [String: [String: Any]]] ?? [:]
    profiles = results.mapValues { $0.mapValues(Vector.expectation) }
  }

  func expectedDecode(_ profile: Profile) -> Expectation {
    if let own = profiles[profile.rawValue]?["decode"] { return own }
    return error ?? value.map { .value($0) } ?? .unspecified
  }

  func expectedEncode(_ profile: Profile) -> Expectation {
    if let own = profiles[profile.rawValue]?["encode"] { return own }
    return error ?? .bytes(hex)
  }

  private static func expectation(_ members: [String: Any]) -> Expectation {
    if let text = members["error"] as? String { return .platformError(text) }
    if let text = members["crash"] as? String { return .crash(text) }
    if let value = value(members) { return .value(value) }
    if members["hex"] != nil || members["hex_parts"] != nil { return .bytes(bytes(members)) }
    return .unspecified
  }

  private static func value(_ members: [String: Any]) -> VectorJSON? {
    if let fill = members["value_fill"] { return VectorJSON(any: fill, isFill: true) }
    return members["value"].map { VectorJSON(any: $0, isFill: false) }
  }

  private static func bytes(_ members: [String: Any]) -> [UInt8]? {
    if let hex = members["hex"] as? String { return decodeHex(hex) }
    guard let parts = members["hex_parts"] as? [[Any]] else { return nil }
    return parts.flatMap { part in
      let bytes = decodeHex(part[0] as? String ?? "")
      return (0..<(part[1] as? Int ?? 0)).flatMap { _ in bytes }
    }
  }

  static func decodeHex(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16) ?? 0
    }
  }
}
