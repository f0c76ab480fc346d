import Foundation

/// A Java program of one file, run on the machine's own JVM: lines in, lines out.
struct JavaProgram {
  private static let java: URL? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":")
      .map { URL(filePath: String($0)).appending(path: "java") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  static var isThere: Bool {
    if java == nil { print("SKIPPED: no java on PATH, nothing is compared with a real JVM") }
    return java != nil
  }

  struct Failed: Error {
    let status: Int32
    let output: String
  }

  static func run(_ source: String, lines: [String]) throws -> [String] {
    guard let java else { return [] }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "pwbridge-java-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appending(path: "Main.java")
    let input = folder.appending(path: "input.txt")
    let output = folder.appending(path: "output.txt")
    try source.write(to: program, atomically: true, encoding: .utf8)
    try (lines.joined(separator: "\n") + "\n").write(to: input, atomically: true, encoding: .utf8)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = java
    process.arguments = [program.path]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOf: output, encoding: .utf8)
    guard process.terminationStatus == 0 else {
      throw Failed(status: process.terminationStatus, output: text)
    }
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}
