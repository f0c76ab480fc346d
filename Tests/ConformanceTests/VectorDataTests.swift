import ChannelCodec
import Foundation
import Testing

@testable import Conformance

/// The vectors in the program are those of the folder.
@Suite("Vector data") struct VectorDataTests {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let folder = root.appending(path: "Protocol/vectors").path

  @Test func everyFileIsCompiledIn() throws {
    let files = try VectorSource.files(in: VectorDataTests.folder)
    #expect(files.count >= 16)
    #expect(files.map(\.name) == VectorSource.compiledIn.map(\.name))
    for (file, compiled) in zip(files, VectorSource.compiledIn) {
      #expect(file.bytes == compiled.bytes, "\(file.name)")
    }
    #expect(VectorSource.digest(files) == VectorSource.digest(VectorSource.compiledIn))
  }

  @Test func foldersThatAreNone() throws {
    #expect(throws: VectorFailure.self) { try VectorSource.files(in: "/nonexistent") }
    #expect(throws: VectorFailure.self) {
      try VectorSource.files(in: VectorDataTests.root.appending(path: "Sources").path)
    }
  }

  @Test func aFileThatIsTooLargeIsRefused() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "vectors-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // It has no blocks on the disk.
    let file = folder.appending(path: "large.json")
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: (256 << 20) + 1)
    try handle.close()
    do {
      _ = try VectorSource.files(in: folder.path)
      Issue.record("it was read")
    } catch {
      #expect(error.description == "\(file.path) is larger than 256 MiB")
    }
  }

  @Test(
    "files that are broken",
    arguments: [
      "", "[]", "{", #"{"vectors":[]}"#, #"{"vectors":[{"id":1}]}"#,
      #"{"vectors":[{"id":"a","codec":"no"}]}"#,
      #"{"vectors":[{"id":"a","codec":"message","direction":"both","hex":"0","value":{"null":null}}]}"#,
      #"{"vectors":[{"id":"a","codec":"message","direction":"both","hex_parts":[["00",99999999999]]}]}"#,
      #"{"vectors":[{"id":"a","codec":"message","direction":"both","hex":"00","value":{"int32":0.5}}]}"#,
      #"{"vectors":[{"id":"a","codec":"message","direction":"both","value_fill":{"list":[]}}]}"#,
      #"{"vectors":[{"id":"a","codec":"call","direction":"both","value":{}}]}"#,
      #"{"vectors":[{"id":"a","codec":"message","direction":"both","profiles":{"palm":{}}}]}"#,
      #"{"vectors":[{"id":"a","codec":"message","direction":"both","profiles":{"dart":{"encode":{"hex":"0"}}}}]}"#,
      #"{"vectors":[{"id":"a","codec":"message","direction":"both","profiles":{"dart":{"decode":{"value":{"int32":0.5}}}}}]}"#,
    ])
  func broken(_ text: String) {
    #expect(throws: VectorFailure.self) {
      try CaseList([VectorText(name: "x", bytes: Array(text.utf8))], profile: .strict)
    }
  }

  /// Each stays below what one note may stand for; together they are too much.
  @Test(
    "repetitions are bounded over a whole file",
    arguments: [
      #""hex_parts":[["00",600],["00",600]]"#,
      #""value_fill":{"list":[{"string":"0123456789012345678901234567890123456789"},30]}"#,
      #""value_fill":{"nested_list":[{"null":null},100]}"#,
      #""value_fill":{"string":["",2000]}"#,
      #""value_fill":{"map_int_keys":100}"#,
    ])
  func repetitions(_ note: String) throws {
    let vector = #"{"id":"a","codec":"message","direction":"both",\#(note)}"#
    let text = VectorText(name: "x", bytes: Array(#"{"vectors":[\#(vector)]}"#.utf8))
    #expect(try VectorFile.vectors(of: text).count == 1)
    let failure = #expect(throws: VectorFailure.self) {
      try VectorFile.vectors(of: text, mostExpanded: 1000)
    }
    #expect(failure?.description.contains("repetitions come to more than") == true)
  }
}
