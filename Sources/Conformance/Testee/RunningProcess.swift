import SystemInterface

/// A testee's process: what goes to it, what came from it, its last words.
///
/// Whatever it starts shares its process group and ends with it.
final class RunningProcess {
  /// Of standard error; what is written before is dropped.
  private static let keptErrors = 4096
  private static let keptLines = 5
  /// The time to end by itself, once its streams are closed.
  private static let patience: UInt64 = 1_000_000_000

  private let process: ChildProcess
  private(set) var input: Int32?
  private(set) var output: Int32?
  private(set) var errors: Int32?
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var incoming: [UInt8] = []
  private var searched = 0
  private var lastErrors: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 64 << 10)
  private var isOver = false

  init(_ command: [String], profile: String) throws(SystemCalls.Failure) {
    process = try ChildProcess(
      command, environment: [("PWBRIDGE_PROFILE", profile)], input: .piped, output: .piped,
      errors: .piped, hasOwnGroup: true)
    (input, output, errors) = (process.input, process.output, process.errors)
    for descriptor in [output, errors] {
      if let descriptor { try SystemCalls.setNonBlocking(descriptor, true) }
    }
  }

  deinit { _ = end(kills: true) }

  // MARK: - Streams

  var isSending: Bool { sent < outgoing.count && input != nil }
  var queuedBytes: Int { outgoing.count - sent }
  /// Bytes of a line whose end has not come.
  var unfinishedBytes: Int { incoming.count }

  func send(_ line: [UInt8]) { outgoing += line }

  /// Writes what fits. Where nobody reads, the input is closed and the rest dropped.
  func flush() {
    while isSending, let input {
      let outcome = outgoing.withUnsafeBufferPointer { memory in
        Result { () throws(SystemCalls.Failure) in
          try SystemCalls.writeAvailable(
            input, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: memory[sent...])))
        }
      }
      switch outcome {
      case .success(let count?): sent += count
      case .success(nil): return
      case .failure: closeInput()
      }
    }
    outgoing = []
    sent = 0
  }

  func closeInput() {
    input.map(SystemCalls.closeDescriptor)
    input = nil
  }

  /// Reads what has come; false at the end of its output.
  func receive() -> Bool {
    while let output {
      guard let count = read(output) else { return true }
      if count == 0 { return false }
      incoming += chunk[..<count]
      // Lines are taken before more is read: an endless one must not fill the memory.
      if count < chunk.count || incoming.count > 1 << 20 { return true }
    }
    return false
  }

  /// Reads what it complains about; false at the end.
  @discardableResult
  func receiveErrors() -> Bool {
    while let errors {
      guard let count = read(errors) else { return true }
      if count == 0 {
        SystemCalls.closeDescriptor(errors)
        self.errors = nil
        return false
      }
      lastErrors += chunk[..<count]
      if lastErrors.count > 2 * Self.keptErrors {
        lastErrors.removeFirst(lastErrors.count - Self.keptErrors)
        return true
      }
    }
    return false
  }

  /// nil when there is nothing yet; 0 at the end, and where reading fails.
  private func read(_ descriptor: Int32) -> Int? {
    let outcome = chunk.withUnsafeMutableBufferPointer { memory in
      Result { () throws(SystemCalls.Failure) in
        try SystemCalls.readAvailable(descriptor, into: UnsafeMutableRawBufferPointer(memory))
      }
    }
    switch outcome {
    case .success(let count): return count
    case .failure: return 0
    }
  }

  /// The next whole line without its end.
  func takeLine() -> [UInt8]? {
    let found = incoming.withUnsafeBytes { bytes in
      SystemCalls.firstIndex(
        of: UInt8(ascii: "\n"), in: UnsafeRawBufferPointer(rebasing: bytes[searched...]))
    }
    guard let found else {
      if searched > 0, consumed > 0 {
        incoming.removeFirst(consumed)
        searched -= consumed
        consumed = 0
      }
      searched = incoming.count
      return nil
    }
    var end = searched + found
    let next = end + 1
    if end > consumed, incoming[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    let line = Array(incoming[consumed..<end])
    consumed = next
    searched = next
    return line
  }
  /// Bytes of `incoming` whose lines have been taken.
  private var consumed = 0

  // MARK: - End

  /// Ends it, unless it ends by itself, and says how it ended, for example `ended by signal 11`.
  ///
  /// - Parameter kills: at once.
  func end(kills: Bool) -> String {
    guard !isOver else { return "it has ended" }
    isOver = true
    closeInput()
    var code: Int32?
    if !kills {
      let limit = SystemCalls.monotonicNanoseconds() + Self.patience
      code = checkForEnd()
      while code == nil, SystemCalls.monotonicNanoseconds() < limit {
        _ = try? PollTable().wait(nanoseconds: 2_000_000)
        code = checkForEnd()
      }
    }
    try? SystemCalls.killProcessGroup(process.processID)
    let wasKilled = code == nil
    if wasKilled { code = (try? process.wait()) ?? -1 }
    receiveErrors()
    for descriptor in [output, errors] { descriptor.map(SystemCalls.closeDescriptor) }
    (output, errors) = (nil, nil)
    if wasKilled { return "it was ended" }
    return Self.description(code ?? -1)
  }

  private func checkForEnd() -> Int32? {
    do throws(SystemCalls.Failure) { return try process.checkForEnd() } catch { return -1 }
  }

  private static func description(_ code: Int32) -> String {
    let names: [Int32: String] = [
      4: "illegal instruction", 6: "abort", 8: "arithmetic error", 9: "killed",
      11: "segmentation fault", 13: "broken pipe", 15: "terminated",
    ]
    guard code > 128 else { return "ended with exit code \(code)" }
    let name = names[code - 128].map { ", \($0)" } ?? ""
    return "ended by signal \(code - 128)\(name)"
  }

  /// The last lines of standard error, as the end of a sentence; empty where it said nothing.
  var lastWords: String {
    let lines = lastErrors.split(separator: UInt8(ascii: "\n")).suffix(Self.keptLines)
    if lines.isEmpty { return "" }
    return "; its last words: "
      + lines.map { String(decoding: $0.prefix(400), as: UTF8.self) }.joined(separator: " | ")
  }
}
