import ChannelCodec
import ChannelRouter
import EmulatedDevice
import Foundation
import Testing

/// Runs the examples of `Protocol/control.md` and compares its tables with the code.
@Suite("Protocol/control.md") struct ControlDocumentTests {
  private static let document = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Protocol/control.md")

  private static func lines() throws -> [String] {
    try String(contentsOf: document, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A block of examples, with the options of its device.
  struct Block: Sendable, CustomTestStringConvertible {
    var line: Int
    var options: [String]
    var lines: [String]
    var testDescription: String { "line \(line)" }
  }

  static func blocks() throws -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    for (number, line) in try lines().enumerated() {
      if var block = open {
        if line == "```" {
          blocks.append(block)
          open = nil
        } else {
          block.lines.append(line)
          open = block
        }
      } else if line == "```control" || line.hasPrefix("```control ") {
        let options = line.split(separator: " ").dropFirst().map(String.init)
        open = Block(line: number + 1, options: options, lines: [])
      }
    }
    return blocks
  }

  @Test func thereAreExamples() throws {
    #expect(try Self.blocks().count >= 10)
  }

  @Test(arguments: try ControlDocumentTests.blocks()) func examples(block: Block) throws {
    let bench = try Bench()
    for option in block.options {
      let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
      try bench.device.setOption(parts[0], to: parts[1])
    }
    var last: ReplyOutcome?
    for line in block.lines where !line.isEmpty && !line.hasPrefix("#") {
      if let mark = line.range(of: "> ") {
        let channel = line[..<mark.lowerBound]
        let parts = line[mark.upperBound...].split(separator: " ", maxSplits: 1).map(String.init)
        let arguments = parts.count > 1 ? try Value.json(parts[1]) : .null
        last = try bench.outcome(
          channel.isEmpty ? "pwbridge/control" : ChannelName(String(channel)), parts[0], arguments)
        continue
      }
      try check(line, try #require(last, "\(block.line): \(line)"))
    }
  }

  private func check(_ line: String, _ outcome: ReplyOutcome) throws {
    let text = String(line.dropFirst(2))
    switch (line.first, MethodOutcome(outcome, codec: Bench.codec)) {
    case ("<", .success(let value)):
      #expect(Self.fits(value, try Value.json(text)), "\(line)\nfound \(value)")
    case ("!", .error(let error)):
      let value: Value = [
        "code": .string(error.code), "message": error.message.map { .string($0) } ?? .null,
        "details": error.details,
      ]
      #expect(Self.fits(value, try Value.json(text)), "\(line)\nfound \(value)")
    case ("-", .notImplemented), ("~", .dropped): break
    default: Issue.record("\(line)\nfound \(outcome)")
    }
  }

  /// `"…"` stands for any value, and as a key for further fields.
  static func fits(_ value: Value, _ pattern: Value) -> Bool {
    switch (value, pattern) {
    case (_, .string("…")): return true
    case (.list(let value), .list(let pattern)):
      return value.count == pattern.count && zip(value, pattern).allSatisfy(fits)
    case (.map(let value), .map(let pattern)):
      let isOpen = pattern["…"] != nil
      let keys = pattern.compactMap { $0.key.string }.filter { $0 != "…" }
      return (isOpen || keys.count == value.count)
        && keys.allSatisfy { key in
          value[key].flatMap { found in pattern[key].map { fits(found, $0) } } ?? false
        }
    case (.float64(let value), _) where pattern.integer != nil:
      return value == pattern.integer.map { Double($0) }
    default: return value == pattern
    }
  }

  @Test func theTableOfOptionsIsTheCodes() throws {
    let lines = try Self.lines()
    for option in DeviceOption.all {
      let values = option.values.replacingOccurrences(of: "|", with: "\\|")
      let live = option.isLive ? "yes" : "no"
      let row =
        "| `\(option.name)` | \(values) | `\(option.defaultValue)` | \(live) | \(option.meaning) |"
      #expect(lines.contains(row), "missing: \(row)")
    }
  }

  @Test func everyMethodHasItsSection() throws {
    let bench = try Bench()
    let lines = try Self.lines()
    for method in try bench.control("help").list ?? [] {
      let name = method["method"]?.string ?? ""
      #expect(lines.contains("### `\(name)`"), "no section: ### `\(name)`")
      for argument in method["arguments"]?.map ?? [:] where argument.key != "OPTION" {
        let row = "- `\(argument.key.string ?? "")` ("
        #expect(lines.contains { $0.hasPrefix(row) }, "\(name): no line begins with \(row)")
      }
    }
  }
}
