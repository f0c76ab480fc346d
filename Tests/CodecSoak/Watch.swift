import Foundation

/// The input at hand, where a signal handler and a second thread can reach it.
enum Watch {
  private static let capacity = 1 << 20
  private nonisolated(unsafe) static let bytes = UnsafeMutablePointer<UInt8>.allocate(
    capacity: capacity)
  private nonisolated(unsafe) static var count = 0
  private nonisolated(unsafe) static var iteration: UInt64 = 0
  private nonisolated(unsafe) static var started: UInt64 = 0
  private nonisolated(unsafe) static var stage: StaticString = "start"

  /// Nanoseconds of CPU time that an input may take.
  nonisolated(unsafe) static var limit: UInt64 = .max >> 1

  static func begin(_ input: [UInt8], iteration: UInt64) {
    count = min(input.count, capacity)
    input.withUnsafeBufferPointer {
      if let base = $0.baseAddress { bytes.update(from: base, count: count) }
    }
    self.iteration = iteration
    started = cpuNanoseconds()
  }

  static func stage(_ name: StaticString) { stage = name }

  /// CPU time that the input has taken; wall-clock time would count what other programs take.
  static func end() -> UInt64 {
    let taken = cpuNanoseconds() - started
    started = 0
    return taken
  }

  static func cpuNanoseconds() -> UInt64 { time(CLOCK_PROCESS_CPUTIME_ID) }
  static func wallNanoseconds() -> UInt64 { time(CLOCK_MONOTONIC) }

  private static func time(_ clock: clockid_t) -> UInt64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  // MARK: - Crashes and hangs

  /// Ends the process with the input in hand if one takes longer than the limit.
  static func startTimer() {
    Thread.detachNewThread {
      while true {
        Thread.sleep(forTimeInterval: 0.1)
        let start = started
        if start != 0, cpuNanoseconds() > start + limit { dump("HANG") }
      }
    }
  }

  static func catchCrashes() {
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
      #if os(Linux)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in Watch.dump("CRASH") }
        // A stack that overflows has no room for a handler.
        action.sa_flags = Int32(SA_ONSTACK)
        sigaction(number, &action, nil)
      #else
        signal(number) { _ in Watch.dump("CRASH") }
      #endif
    }
    #if os(Linux)
      let size = 1 << 16
      var stack = stack_t()
      stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      stack.ss_size = size
      sigaltstack(&stack, nil)
    #endif
  }

  /// Uses nothing but `write`, as a signal handler must.
  private static func dump(_ what: StaticString) -> Never {
    put(what)
    put(" in ")
    put(stage)
    put(" at iteration ")
    var digits: (UInt64, Int) = (1, 1)
    while iteration / digits.0 >= 10 { digits = (digits.0 * 10, digits.1 + 1) }
    for _ in 0..<digits.1 {
      put(byte: UInt8(ascii: "0") + UInt8(iteration / digits.0 % 10))
      digits.0 /= 10
    }
    put(", hex ")
    for offset in 0..<min(count, 8192) {
      for shift: UInt8 in stride(from: 4, through: 0, by: -4) {
        let digit = bytes[offset] >> shift & 15
        put(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
    put("\n")
    _exit(1)
  }

  private static func put(_ text: StaticString) {
    _ = write(2, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func put(byte: UInt8) {
    withUnsafeBytes(of: byte) { _ = write(2, $0.baseAddress, 1) }
  }
}

/// Memory as Linux accounts for it; zeros elsewhere.
enum Memory {
  static func peakKiB() -> Int { status("VmHWM:") }
  static func residentKiB() -> Int { status("VmRSS:") }

  /// Makes the peak start again from what is resident now.
  static func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  private static func status(_ name: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix(name) else { continue }
      return Int(text.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0
    }
    return 0
  }
}
