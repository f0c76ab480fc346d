import ChannelCodec
import TerminalSafety

/// Reads a JSON payload for what some platform would trip over.
enum JSONScan {
  static func scan(
    _ payload: [UInt8], as form: StandardScan.Form, isMethod: Bool
  ) -> [StandardScan.Spot] {
    var spots: [StandardScan.Spot] = []
    func note(_ rule: LintRule, _ offset: Int, _ path: String, _ found: String) {
      spots.append(StandardScan.Spot(rule: rule, offset: offset, path: path, found: found))
    }
    payload.withUnsafeBytes { bytes in
      if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
        note(.byteOrderMark, 0, "", "a text that begins with U+FEFF")
      }
      var reader = JSONReader(
        bytes, options: .init(loneSurrogates: .kept), handler: Collector())
      do throws(CodecError) {
        try reader.read()
        spots += reader.handler.spots
      } catch {
        let offset = error.offset ?? 0
        let isNaN = error.code == .invalidJSON && isLikeNaN(bytes, offset)
        note(
          isNaN ? .nanInJSON : error.code == .invalidUTF8 ? .invalidUTF8 : .malformed, offset,
          error.path.isRoot ? "" : error.path.description.safeForTerminal,
          isNaN ? "NaN, infinity, or nothing in its place" : error.found.safeForTerminal)
      }
    }
    if !spots.isEmpty || !isMethod { return spots }
    do throws(CodecError) {
      if form == .call {
        _ = try JSONMethodCodec().decodeMethodCall(payload)
      } else if case .error(let error)? = try JSONMethodCodec().decodeEnvelope(payload),
        error.stackTrace != .absent
      {
        note(.stackTrace, 0, "stacktrace", "a fourth field, the stack trace")
      }
    } catch {
      note(
        form == .call ? .malformed : .malformedEnvelope, error.offset ?? 0,
        error.path.isRoot ? "" : error.path.description.safeForTerminal,
        error.found.safeForTerminal)
    }
    return spots
  }

  /// RapidJSON writes nothing for NaN, others its name.
  private static func isLikeNaN(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Bool {
    guard offset < bytes.count else { return false }
    let rest = bytes[offset...]
    for name in ["NaN", "nan", "Infinity", "inf"] {
      if rest.starts(with: name.utf8) || rest.dropFirst().starts(with: name.utf8) { return true }
    }
    guard [UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}")].contains(bytes[offset]) else {
      return false
    }
    let before = bytes[..<offset].last { $0 != 0x20 && !(0x09...0x0d).contains($0) }
    return before == UInt8(ascii: ":") || before == UInt8(ascii: "[")
      || (before == UInt8(ascii: ",") && bytes[offset] == UInt8(ascii: ","))
  }

  /// Names that repeat and numbers that lose digits.
  private struct Collector: JSONHandler {
    private static let mostSpots = 32
    var spots: [StandardScan.Spot] = []
    private var names: [Set<[UInt8]>?] = []

    mutating func null(at offset: Int) {}
    mutating func bool(_ bool: Bool, at offset: Int) {}
    mutating func number(_ number: JSONNumber, at offset: Int) {
      guard number.isWhole else { return }
      if let integer = number.integer, integer.magnitude <= 1 << 53 { return }
      note(.largeInteger, offset, String(number.string.prefix(40)))
    }
    mutating func string(_ text: JSONText, at offset: Int) {
      if !text.isValidUTF8 { note(.invalidUTF8, offset, "a lone surrogate in a string") }
      if text.bytes.contains(0) { note(.nulInString, offset, "a string with U+0000 in it") }
    }
    mutating func name(_ text: JSONText, at offset: Int) {
      guard let last = names.indices.last else { return }
      let name = Array(text.bytes)
      if names[last]?.insert(name).inserted == false {
        note(.duplicateKey, offset, "the name \(Value.Text(bytes: name).quoted) once more")
      }
    }
    mutating func beginList(at offset: Int) { names.append(nil) }
    mutating func beginMap(at offset: Int) { names.append([]) }
    mutating func end(at offset: Int) { names.removeLast() }

    private mutating func note(_ rule: LintRule, _ offset: Int, _ found: String) {
      guard spots.count < Self.mostSpots else { return }
      spots.append(StandardScan.Spot(rule: rule, offset: offset, path: "", found: found))
    }
  }
}
