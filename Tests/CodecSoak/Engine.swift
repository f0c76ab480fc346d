import Foundation

/// A program that answers requests as `Tests/EngineComparison/engine_serve.c` says.
final class Engine {
  struct Answer {
    var isRefusal: Bool
    var payload: [UInt8]
  }

  /// What a pipe holds: a batch that fits is written without waiting for the other side.
  static let batchBytes = 60_000

  private let command: [String]
  private var process = Process()
  private var input = Pipe()
  private var output = Pipe()

  init(_ command: [String]) throws {
    guard !command.isEmpty else { throw Options.Misuse(text: "--against needs a program") }
    self.command = command
    signal(SIGPIPE, SIG_IGN)
    try start()
  }

  private func start() throws {
    process = Process()
    input = Pipe()
    output = Pipe()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // Or the end of the program would not be the end of its output.
    try output.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The answers in order; nil for a request that ends the program.
  func answers(to requests: [(operation: UInt8, payload: [UInt8])]) throws -> [Answer?] {
    if let answers = exchange(requests) { return answers }
    // One at a time, to find the one that did it.
    return try requests.map { request in
      try restart()
      return exchange([request])?.first
    }
  }

  private func restart() throws {
    if process.isRunning { return }
    try start()
  }

  private func exchange(_ requests: [(operation: UInt8, payload: [UInt8])]) -> [Answer]? {
    var frames: [UInt8] = []
    for request in requests {
      withUnsafeBytes(of: UInt32(request.payload.count + 1).littleEndian) { frames += $0 }
      frames.append(request.operation)
      frames += request.payload
    }
    guard send(frames) else { return gone() }
    var answers: [Answer] = []
    for _ in requests {
      guard let head = receive(4) else { return gone() }
      let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
      guard let answer = receive(length) else { return gone() }
      answers.append(Answer(isRefusal: answer[0] != 0, payload: Array(answer.dropFirst())))
    }
    return answers
  }

  private func gone() -> [Answer]? {
    process.waitUntilExit()
    received = []
    position = 0
    return nil
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(input.fileHandleForWriting.fileDescriptor, $0.baseAddress! + done, bytes.count - done)
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  private var received: [UInt8] = []
  private var position = 0

  private func receive(_ count: Int) -> [UInt8]? {
    while received.count - position < count {
      received.removeFirst(position)
      position = 0
      let size = 1 << 16
      let more = [UInt8](unsafeUninitializedCapacity: size) { memory, filled in
        filled = max(0, read(output.fileHandleForReading.fileDescriptor, memory.baseAddress, size))
      }
      guard !more.isEmpty else { return nil }
      received += more
    }
    defer { position += count }
    return Array(received[position..<position + count])
  }
}
