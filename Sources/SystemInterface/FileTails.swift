#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a file that grows at its end needs.
extension SystemCalls {
  /// Opens a file for reading and writing, made when missing. The descriptor is the caller's to
  /// close; writes go where ``writeSome(_:_:)`` stands, which is the start.
  public static func openForUpdating(
    _ path: String, permissions: UInt32 = 0o644
  ) throws(Failure) -> Int32 {
    try retrying { open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode_t(permissions)) }
  }

  /// The size of an open file in bytes; nil for what has none, such as a pipe.
  public static func fileSize(_ descriptor: Int32) throws(Failure) -> UInt64? {
    var facts = stat()
    _ = try retrying { fstat(descriptor, &facts) }
    guard facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return UInt64(clamping: facts.st_size)
  }

  /// Cuts a file off, or fills it with zeros, to have `size` bytes.
  public static func resizeFile(_ descriptor: Int32, to size: UInt64) throws(Failure) {
    _ = try retrying { ftruncate(descriptor, off_t(clamping: size)) }
  }

  /// Has the next read or write begin at `offset`.
  public static func seek(_ descriptor: Int32, to offset: UInt64) throws(Failure) {
    if lseek(descriptor, off_t(clamping: offset), SEEK_SET) < 0 { throw .current }
  }

  /// Where `byte` first stands in `bytes`.
  @inline(__always)
  public static func firstIndex(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress, bytes.count > 0,
      let found = memchr(start, Int32(byte), bytes.count)
    else { return nil }
    return start.distance(to: UnsafeRawPointer(found))
  }
}
