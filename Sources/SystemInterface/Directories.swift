#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemCalls {
  /// The names of everything in a directory but `.` and `..`, in no order. A name that is not UTF-8
  /// is repaired, and so cannot be opened.
  public static func names(inDirectory path: String) throws(Failure) -> [String] {
    guard let directory = opendir(path) else { throw .current }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
