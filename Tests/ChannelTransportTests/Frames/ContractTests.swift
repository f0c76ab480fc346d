import ChannelRouter
import ChannelTransport
import Foundation
import Testing

/// The examples in `Protocol/frames.md` are read as they stand there.
///
/// A block is hexadecimal lines, each with `-> ` and words behind it, and a last line `= ` with
/// what a reader makes of it.
struct ContractTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let outcome: String
    var testDescription: String { outcome }
  }

  static let contract: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = root.appending(path: "Protocol/frames.md")
    return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
  }()

  static let examples: [Example] = {
    contract.components(separatedBy: "```hex frame\n").dropFirst().map { rest in
      let block = rest.components(separatedBy: "\n```")[0]
      var lines = block.split(separator: "\n").map(String.init)
      let outcome = lines.popLast() ?? ""
      let hex = lines.map { $0.components(separatedBy: "->")[0] }.joined()
      return Example(bytes: wireBytes(hex), outcome: outcome)
    }
  }()

  @Test func thereAreExamples() { #expect(Self.examples.count >= 12) }

  @Test(arguments: examples) func example(_ example: Example) throws {
    let isHello = example.bytes[4] == FrameKind.hello.rawValue
    let outcome = readStream(example.bytes, expectsHello: isHello)
    #expect(try Self.words(outcome) == example.outcome)
    // What is right is also what the writer writes.
    for frame in outcome.frames {
      #expect(try encodedFrame(frame).hexText == example.bytes.hexText)
    }
  }

  @Test func everyCodeIsInTheTable() {
    let rows = Self.contract.split(separator: "\n").filter { $0.hasPrefix("| `") }
    for problem in FrameProblem.allCases {
      let fatal = problem.isUsuallyFatal ? "yes" : "no"
      let start = "| `\(problem.rawValue)` | \(fatal) |"
      #expect(rows.contains { $0.hasPrefix(start) }, "\(start)")
    }
  }

  @Test func everyKindIsInTheTable() {
    for kind in FrameKind.allCases {
      #expect(Self.contract.contains("| \(kind.rawValue) | \(kind) |"))
    }
  }

  private static func words(_ outcome: StreamOutcome) throws -> String {
    if let error = outcome.error { return "= error \(error.problem.rawValue)" }
    if case .skippedOptional(let kind) = outcome.events.first { return "= skipped \(kind)" }
    let frame = try #require(outcome.frames.first)
    var words = ["=", frame.kind == .error ? "error-frame" : "\(frame.kind)"]
    if frame.kind == .hello {
      _ = try Hello(frame)
    } else if frame.id != 0 {
      words.append("id=\(frame.id)")
    }
    if let channel = frame.channel { words.append("channel=\(channel)") }
    if frame.kind == .message || frame.kind == .reply {
      let digits = frame.payload?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      if let digits { words.append("payload=" + digits.joined()) }
    } else {
      for field in try Fields(parsing: frame.payload ?? []).all {
        words.append("\(field.name)=\(field.value)")
      }
    }
    return words.joined(separator: " ")
  }
}
