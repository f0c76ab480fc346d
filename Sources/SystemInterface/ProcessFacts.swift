#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemCalls {
  /// A variable of the process's environment; nil when it is not set.
  public static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Ends the process, after what the C library has to do at its end.
  public static func leave(_ code: Int32) -> Never { exit(code) }

  /// The effective user.
  public static var userID: UInt32 { UInt32(geteuid()) }

  /// This process.
  public static var processID: Int32 { getpid() }

  /// Something that tells running threads apart; a thread that has ended may pass it on.
  @inline(__always)
  public static var currentThread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #elseif canImport(Musl)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// Bytes of memory that the process holds right now; nil where the system does not tell.
  public static func residentBytes() -> Int? {
    #if os(Linux)
      guard let descriptor = try? openForReading("/proc/self/statm") else { return nil }
      defer { closeDescriptor(descriptor) }
      guard let bytes = try? FileDescriptorIO.readAll(descriptor, limit: 4096) else { return nil }
      let fields = bytes.split(separator: UInt8(ascii: " "))
      guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else {
        return nil
      }
      let (size, overflow) = pages.multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
      return overflow ? nil : size
    #else
      return nil
    #endif
  }

  /// How often the calling thread has lost its processor to another one without having to wait;
  /// always 0 where the system does not tell.
  public static func involuntarySwitches() -> Int {
    #if os(Linux)
      var usage = rusage()
      // RUSAGE_THREAD, which the headers hide from Swift.
      let thread: Int32 = 1
      linuxUsage(thread, &usage)
      return usage.ru_nivcsw
    #else
      return 0
    #endif
  }

  /// Keeps the calling thread on one processor, for steady measurements. False where the system
  /// does not offer it or has no such processor.
  @discardableResult
  public static func pinThread(toProcessor number: Int) -> Bool {
    #if os(Linux)
      // The set is an array of words with the lowest processor in the lowest bit.
      var processors = [UInt](repeating: 0, count: 16)
      guard number >= 0, number < processors.count * UInt.bitWidth else { return false }
      processors[number / UInt.bitWidth] = 1 << UInt(number % UInt.bitWidth)
      return processors.withUnsafeBytes { memory in
        memory.baseAddress.map { linuxSetAffinity(0, memory.count, $0) } == 0
      }
    #else
      return false
    #endif
  }
}
