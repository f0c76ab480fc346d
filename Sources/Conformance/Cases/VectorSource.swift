import ChannelCodec
import SystemInterface
import VectorData

/// The text of one file of vectors.
public struct VectorText: Sendable {
  /// The file's name without `.json`.
  public let name: String
  public let bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Why vectors cannot be had.
public struct VectorFailure: Error, CustomStringConvertible {
  public let description: String
  init(_ description: String) { self.description = description }
}

/// Where vectors come from.
public enum VectorSource {
  private static let largestFile = 256 << 20

  /// The files that were compiled into the program.
  public static let compiledIn: [VectorText] = (0..<vectorDataFileCount()).map { number in
    let file = vectorDataFile(number)
    return VectorText(
      name: String(cString: file.name),
      bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.size)))
  }

  /// All files of a folder whose names end with `.json`, but for the schema.
  public static func files(in folder: String) throws(VectorFailure) -> [VectorText] {
    let names: [String]
    do throws(SystemCalls.Failure) {
      names = try SystemCalls.names(inDirectory: folder)
    } catch {
      throw VectorFailure("cannot list \(folder): \(error.text)")
    }
    var files: [VectorText] = []
    for name in names.sorted() where name.hasSuffix(".json") && name != "schema.json" {
      let bytes = try read("\(folder)/\(name)")
      files.append(VectorText(name: String(name.dropLast(5)), bytes: bytes))
    }
    if files.isEmpty { throw VectorFailure("no vectors: there is no file *.json in \(folder)") }
    return files
  }

  private static func read(_ path: String) throws(VectorFailure) -> [UInt8] {
    let descriptor: Int32
    do throws(SystemCalls.Failure) {
      descriptor = try SystemCalls.openForReading(path)
    } catch {
      throw VectorFailure("cannot open \(path): \(error.text)")
    }
    defer { SystemCalls.closeDescriptor(descriptor) }
    let tooLarge = VectorFailure("\(path) is larger than \(largestFile >> 20) MiB")
    // What says so by itself need not be read.
    if let size = (try? SystemCalls.fileSize(descriptor)) ?? nil, size > largestFile {
      throw tooLarge
    }
    do throws(FileDescriptorIO.ReadFailure) {
      return try FileDescriptorIO.readAll(descriptor, limit: largestFile)
    } catch {
      switch error {
      case .tooLong: throw tooLarge
      case .system(let failure): throw VectorFailure("cannot read \(path): \(failure.text)")
      }
    }
  }

  /// 16 hexadecimal digits that tell vectors apart (FNV-1a, 64 bits, over names and bytes).
  public static func digest(_ files: [VectorText]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    for file in files {
      add(file.name.utf8)
      file.bytes.withUnsafeBufferPointer { add($0) }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
