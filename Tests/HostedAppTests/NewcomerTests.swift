import Foundation
import ProgramRunner
import Testing

/// Follows the README: a package outside this one, made of what stands there, builds and serves.
@Suite(.serialized) struct NewcomerTests {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// What is built lasts until the next run, which then takes seconds. The guide's app is built
  /// there as well, with the same flags, so that the package below both is compiled once.
  private static let built = repository.appending(path: ".build/outside")

  /// The blocks of the README's section, by the words behind the backticks.
  private static let blocks: [(language: String, text: String)] = {
    let readme = try? String(
      contentsOf: repository.appending(path: "README.md"), encoding: .utf8)
    guard
      let section = readme?.components(separatedBy: "\n## ").first(where: {
        $0.hasPrefix("Test your iOS plugin on Linux in five minutes\n")
      })
    else { return [] }
    let parts = section.components(separatedBy: "\n```")
    // Every other part is a block, which begins with its language.
    return stride(from: 1, to: parts.count, by: 2).map { number in
      let lines = parts[number].split(separator: "\n", maxSplits: 1)
      return (String(lines.first ?? ""), lines.count > 1 ? String(lines[1]) : "")
    }
  }()

  private static func blocks(_ language: String) -> [String] {
    blocks.filter { $0.language == language }.map(\.text)
  }

  @Test(.enabled(if: !blocks.isEmpty, "the README has no such section"))
  func theReadmesPackageBuildsAndServes() throws {
    let sources = NewcomerTests.blocks("swift newcomer")
    let consoles = NewcomerTests.blocks("console newcomer")
    try #require(sources.count == 3 && consoles.count == 2)
    let package = FileManager.default.temporaryDirectory
      .appending(path: "pwbridge-newcomer-\(UInt32.random(in: 0 ... .max))")
    defer { try? FileManager.default.removeItem(at: package) }
    let folder = package.appending(path: "Sources/BatteryHost")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(sources[0], to: folder.appending(path: "BatteryPlugin.swift"))
    try write(sources[1], to: folder.appending(path: "main.swift"))
    let repository = NewcomerTests.plain(NewcomerTests.repository)
    try write(
      sources[2].replacingOccurrences(of: "../pwbridge", with: repository),
      to: package.appending(path: "Package.swift"))
    try? FileManager.default.removeItem(
      at: NewcomerTests.built.appending(path: "debug/BatteryHost"))
    try FileManager.default.createDirectory(
      at: NewcomerTests.built, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: package.appending(path: ".build"), withDestinationURL: NewcomerTests.built)
    try run(consoles[0], consoles[1], in: NewcomerTests.plain(package))
  }

  /// Runs the first block, whose last command goes on, and the second meanwhile.
  private func run(_ server: String, _ client: String, in folder: String) throws {
    let steps = server.split(separator: "\n").map(String.init)
    try #require(steps.count == 3 && steps.allSatisfy { !$0.isEmpty })
    // By its own name: what is built remembers the path of the folder that it is built in.
    let scratch = NewcomerTests.plain(NewcomerTests.built)
    let build = try BuiltProgram.run(
      "export PATH=\"$PATH:$OUTER_PATH\" && cd '\(folder)' && \(steps[0].dropFirst(2)) "
        + "--scratch-path '\(scratch)' --disable-index-store 2>&1 | tail -n 40 | "
        + "grep -v '^\\[' ; [ -e .build/debug/BatteryHost ]",
      environment: NewcomerTests.surroundings, limit: .seconds(1500))
    try #require(build.code == 0, "\(build.text)")
    #expect(!build.text.contains("warning:"), "\(build.text)")
    // A socket of this run's own.
    let socket = "\(folder)/socket"
    let written = "/tmp/pwbridge-battery.socket"
    let host = steps[1].dropFirst(2).replacingOccurrences(of: written, with: socket)
    let script = commands(of: client).map { command in
      "(\(command.replacingOccurrences(of: written, with: socket))) 2>&1"
    }
    let exported = "export PWBRIDGE_SOCKET='\(socket)'"
    let line = """
      cd '\(folder)'
      \(host) 2> log &
      for i in $(seq 600); do grep -q '^ready' log && break; sleep 0.1; done
      head -n 1 log
      \(exported)
      \(script.filter { !$0.contains("export ") }.joined(separator: "\n"))
      kill $!
      wait $!
      """
    let outcome = try BuiltProgram.run(line, limit: .seconds(120))
    let expected =
      [steps[2].replacingOccurrences(of: written, with: socket)] + outputs(of: client)
    #expect(outcome.text == expected.map { $0 + "\n" }.joined(), "\(outcome.complaint)")
    #expect(outcome.leftBehind.isEmpty)
  }

  private func commands(of block: String) -> [String] {
    block.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
  }

  private func outputs(of block: String) -> [String] {
    block.split(separator: "\n").filter { !$0.hasPrefix("$ ") }.map(String.init)
  }

  private func write(_ text: String, to file: URL) throws {
    try Data((text + "\n").utf8).write(to: file)
  }

  /// What the compiler wants to find.
  private static var surroundings: [String] {
    let own = ProcessInfo.processInfo.environment
    return ["OUTER_PATH=\(own["PATH"] ?? "")", "HOME=\(own["HOME"] ?? "/")"]
  }

  /// The path of a folder without a slash at its end.
  private static func plain(_ folder: URL) -> String {
    let path = folder.path(percentEncoded: false)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
