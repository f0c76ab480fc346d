import ChannelCodec
import ChannelNotation
import Foundation
import ProgramRunner
import Testing

/// What the documents show is what the program does.
@Suite("Documents") struct DocumentTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  struct Block: Sendable, CustomTestStringConvertible {
    /// The words behind the three backticks.
    var info: [String]
    var lines: [String]
    var line: Int
    var testDescription: String { "line \(line): \(info.joined(separator: " "))" }
  }

  /// The fenced blocks of a document.
  static func blocks(_ path: String) -> [Block] {
    let text = (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
    var blocks: [Block] = []
    var open: Block?
    for (number, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          open = nil
        } else {
          let info = line.dropFirst(3).split(separator: " ").map(String.init)
          open = Block(info: info, lines: [], line: number + 1)
        }
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }

  // MARK: - Protocol/codec.md

  private static let examples = blocks("Protocol/codec.md").filter { $0.info.first == "hex" }

  @Test func theCodecDocumentHasExamples() {
    #expect(DocumentTests.examples.flatMap(\.lines).count >= 80)
  }

  /// Lines are `HEX -> typed JSON` or `HEX -> error CODE at OFFSET`; behind the codec's name may
  /// stand `pigeon` or a profile.
  @Test(arguments: examples)
  func codecExample(_ block: Block) throws {
    let name = try #require(block.info.dropFirst().first.flatMap(NamedCodec.Name.init(rawValue:)))
    let option = block.info.dropFirst(2).first
    let profile = option.flatMap(Profile.init(rawValue:)) ?? .strict
    let extensions: ExtensionTypes = option == "pigeon" ? .pigeon : .none
    #expect(option == nil || option == "pigeon" || profile != .strict, "unknown word \(option!)")
    let codec = NamedCodec(name, profile: profile, extensions: extensions)
    for line in block.lines where !line.isEmpty {
      let sides = line.components(separatedBy: " -> ")
      try #require(sides.count == 2, "\(line)")
      let payload = try Hex.bytes(of: sides[0])
      let outcome: String
      do throws(CodecError) {
        outcome = try codec.decode(payload)
      } catch {
        outcome = "error \(error.code.rawValue) at \(error.offset ?? -1)"
      }
      #expect(outcome == sides[1], "\(sides[0])")
    }
  }

  // MARK: - README.md

  /// Those with a further word are run by other tests.
  private static let sessions = blocks("README.md").filter { $0.info == ["console"] }

  @Test func theReadmeHasSessions() {
    #expect(!DocumentTests.sessions.isEmpty)
  }

  /// `$ command`, then what it prints; commands of the Swift toolchain are run by `.ci/run`.
  @Test(arguments: sessions)
  func readmeSession(_ block: Block) throws {
    var command: String?
    var expected: [String] = []
    func check() throws {
      defer { expected = [] }
      guard let command, !command.hasPrefix("swift ") else { return }
      let outcome = try BuiltProgram.run(command)
      let printed = outcome.text + outcome.complaint
      #expect(printed == expected.map { $0 + "\n" }.joined(), "\(command)")
    }
    for line in block.lines {
      if line.hasPrefix("$ ") {
        try check()
        command = String(line.dropFirst(2))
      } else {
        expected.append(line)
      }
    }
    try check()
  }

  /// The README's Swift is compiled: it stands word for word in tests.
  @Test func readmeSwiftIsCompiled() throws {
    let files = [
      "Tests/ChannelCodecTests/ReadmeExample.swift", "Tests/BridgeTests/ReadmeClientExample.swift",
    ]
    let compiled = try files.map { file in
      try String(contentsOf: DocumentTests.root.appending(path: file), encoding: .utf8)
        .components(separatedBy: "\n")
        .map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : $0 }.joined(separator: "\n")
    }.joined(separator: "\n")
    let blocks = DocumentTests.blocks("README.md").filter { $0.info == ["swift"] }
    #expect(!blocks.isEmpty)
    for block in blocks where !block.lines.contains(where: { $0.contains(".package(") }) {
      let code = block.lines.filter { !$0.hasPrefix("import ") && !$0.isEmpty }
      for line in code { #expect(compiled.contains(line), "\(line)") }
    }
  }
}
