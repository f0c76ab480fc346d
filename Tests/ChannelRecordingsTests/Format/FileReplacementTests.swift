import Foundation
import SystemInterface
import Testing

/// New files that take the place of old ones: `convert` and `replay --update`.
@Suite("Replacing files") struct FileReplacementTests {
  /// A new folder, and what is in it at the end.
  private func withFolder(_ expected: [String], _ body: (String) throws -> Void) throws {
    let folder = try SystemCalls.makePrivateDirectory(prefix: "replacement-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == expected)
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func text(of path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private func replace(_ path: String, with text: String, commits: Bool = true) throws {
    let file = try FileReplacement(of: path)
    defer { SystemCalls.closeDescriptor(file.descriptor) }
    try FileDescriptorIO.writeAll(file.descriptor, Array(text.utf8))
    if commits { try file.commit() }
  }

  @Test(arguments: [0o640, 0o600, 0o666, 0o444] as [UInt32])
  func theModeIsThatOfTheOldFile(mode: UInt32) throws {
    try withFolder(["a"]) { folder in
      let path = "\(folder)/a"
      try write("old", to: path)
      try FileManager.default.setAttributes([.posixPermissions: Int(mode)], ofItemAtPath: path)
      try replace(path, with: "new")
      #expect(try text(of: path) == "new")
      #expect(try SystemCalls.identity(of: path).permissions == mode)
    }
  }

  @Test func nothingIsLeftOfWhatWasNotCommitted() throws {
    try withFolder(["a"]) { folder in
      try write("old", to: "\(folder)/a")
      try replace("\(folder)/a", with: "new", commits: false)
      try replace("\(folder)/b", with: "new", commits: false)
      #expect(try text(of: "\(folder)/a") == "old")
    }
  }

  @Test func namesCannotBeForeseen() throws {
    try withFolder([]) { folder in
      let files = try (0..<50).map { _ in try FileReplacement(of: "\(folder)/a") }
      for file in files { SystemCalls.closeDescriptor(file.descriptor) }
      #expect(Set(files.map(\.temporaryPath)).count == 50)
      let random = files.map { $0.temporaryPath.dropFirst(folder.count + 3).dropLast(4) }
      // 64 bits in base 36; eight digits or fewer come once in 26 million.
      #expect(random.allSatisfy { $0.count > 8 }, "\(random)")
    }
  }

  @Test func aLinkStaysOneAndItsFileIsReplaced() throws {
    try withFolder(["file", "link", "nowhere"]) { folder in
      try write("old", to: "\(folder)/file")
      for (name, target) in [("link", "file"), ("nowhere", "missing")] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(folder)/\(name)", withDestinationPath: target)
        try replace("\(folder)/\(name)", with: "new")
      }
      #expect(try SystemCalls.identity(of: "\(folder)/link").kind == .link)
      #expect(try text(of: "\(folder)/file") == "new")
      #expect(try SystemCalls.identity(of: "\(folder)/nowhere").kind == .file)
    }
  }

  @Test func onlyFilesAreReplaced() throws {
    #expect(!FileReplacement.isPossible(at: "/dev/null"))
    #expect(!FileReplacement.isPossible(at: "/"))
    #expect(FileReplacement.isPossible(at: "/no/such/file"))
    #expect(throws: SystemCalls.Failure.self) { try FileReplacement(of: "/no/such/file") }
  }

  @Test func aLongNameIsNoObstacle() throws {
    let name = String(repeating: "é", count: 127)
    try withFolder([name]) { folder in
      try replace("\(folder)/\(name)", with: "new")
      #expect(try text(of: "\(folder)/\(name)") == "new")
    }
  }
}
