import ChannelTransport
import EchoBaseline
import SystemInterface

/// How a peer is reached.
enum BenchTransport: String, CaseIterable {
  case socket
  case stdio
}

/// A process at the other end of blocking descriptors: a server of this program, or the C echo.
/// It is ended and waited for when the object goes.
final class BenchPeer {
  let processID: Int32
  let input: Int32
  let output: Int32
  private let isSocketServer: Bool
  /// Where a server complains.
  private let errors: Int32?

  private init(
    processID: Int32, input: Int32, output: Int32, isSocketServer: Bool = false,
    errors: Int32? = nil
  ) {
    (self.processID, self.input, self.output) = (processID, input, output)
    (self.isSocketServer, self.errors) = (isSocketServer, errors)
  }

  deinit {
    SystemCalls.closeDescriptor(output)
    if input != output { SystemCalls.closeDescriptor(input) }
    // A server of a socket would go on for other clients.
    echo_end(processID, isSocketServer, 2)
    errors.map(SystemCalls.closeDescriptor)
  }

  /// The C echo.
  static func echo(
    _ transport: BenchTransport, request: Int, reply: Int
  ) throws(SystemCalls.Failure) -> BenchPeer {
    switch transport {
    case .socket:
      let (here, there) = try SystemCalls.makeSocketPair()
      defer { SystemCalls.closeDescriptor(there) }
      return try closing([here]) { () throws(SystemCalls.Failure) in
        try SystemCalls.setNonBlocking(here, false)
        try SystemCalls.setNonBlocking(there, false)
        return BenchPeer(
          processID: try start(there, there, request, reply), input: here, output: here)
      }
    case .stdio:
      let requests = try PipeEnds(nonBlocking: false)
      defer { SystemCalls.closeDescriptor(requests.readEnd) }
      return try closing([requests.writeEnd]) { () throws(SystemCalls.Failure) in
        let replies = try PipeEnds(nonBlocking: false)
        defer { SystemCalls.closeDescriptor(replies.writeEnd) }
        return try closing([replies.readEnd]) { () throws(SystemCalls.Failure) in
          BenchPeer(
            processID: try start(requests.readEnd, replies.writeEnd, request, reply),
            input: replies.readEnd, output: requests.writeEnd)
        }
      }
    }
  }

  private static func start(
    _ input: Int32, _ output: Int32, _ request: Int, _ reply: Int
  ) throws(SystemCalls.Failure) -> Int32 {
    let process = echo_start(input, output, request, reply)
    if process < 0 { throw .current }
    return process
  }

  private static func closing<Outcome>(
    _ descriptors: [Int32], _ body: () throws(SystemCalls.Failure) -> Outcome
  ) throws(SystemCalls.Failure) -> Outcome {
    do throws(SystemCalls.Failure) {
      return try body()
    } catch {
      descriptors.forEach(SystemCalls.closeDescriptor)
      throw error
    }
  }

  // MARK: - Servers

  /// A server. A socket is served in `folder`, which has to be private.
  static func server(
    _ program: String, _ transport: BenchTransport, folder: String
  ) throws(BenchTrouble) -> BenchPeer {
    do {
      switch transport {
      case .stdio:
        let child = try ChildProcess(
          [program, "serve", "--quiet"], input: .piped, output: .piped, errors: .piped)
        guard let input = child.output, let output = child.input else {
          throw BenchTrouble("no pipes to the server")
        }
        let peer = BenchPeer(
          processID: child.processID, input: input, output: output, errors: child.errors)
        try SystemCalls.setNonBlocking(input, false)
        try SystemCalls.setNonBlocking(output, false)
        return peer
      case .socket:
        let path = "\(folder)/socket"
        let child = try ChildProcess(
          [program, "serve", "--quiet", "--socket", path], input: .null, output: .null,
          errors: .piped)
        do {
          try awaitReady(child)
          let descriptor = try SystemCalls.connectSocket(path)
          let peer = BenchPeer(
            processID: child.processID, input: descriptor, output: descriptor,
            isSocketServer: true, errors: child.errors)
          try SystemCalls.setNonBlocking(descriptor, false)
          return peer
        } catch {
          echo_end(child.processID, true, 2)
          child.errors.map(SystemCalls.closeDescriptor)
          throw error
        }
      }
    } catch let trouble as BenchTrouble {
      throw trouble
    } catch let failure as SystemCalls.Failure {
      throw BenchTrouble("cannot start a server: \(failure.text)")
    } catch let failure as SocketFailure {
      throw BenchTrouble("cannot reach the server: \(failure.text)")
    } catch {
      throw BenchTrouble("cannot start a server: \(error)")
    }
  }

  /// The program that runs.
  static var thisProgram: String {
    #if os(Linux)
      // Also when the file has been replaced by a newer build meanwhile.
      "/proc/self/exe"
    #else
      CommandLine.arguments.first ?? BridgeProgram.grammar.program
    #endif
  }

  /// The server says `ready` on its standard error.
  private static func awaitReady(_ child: ChildProcess) throws {
    guard let errors = child.errors else { return }
    let end = SystemCalls.monotonicNanoseconds() + 10_000_000_000
    var said = ""
    while !said.hasPrefix("ready ") || !said.hasSuffix("\n") {
      let now = SystemCalls.monotonicNanoseconds()
      guard now < end,
        try SystemCalls.waitUntilReady(errors, .readable, nanoseconds: end - now)
      else { throw BenchTrouble("the server was not ready within 10 s") }
      guard let more = read(errors) else {
        throw BenchTrouble("the server ended at once: \(said.firstLine)")
      }
      said += more
      if said.utf8.count > 4096 { throw BenchTrouble("the server says: \(said.firstLine)") }
    }
  }

  /// What is there at the moment; nil at the end.
  private static func read(_ descriptor: Int32) -> String? {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { memory in
      guard let count = try? SystemCalls.readAvailable(descriptor, into: memory) else { return "" }
      if count == 0 { return nil }
      return String(decoding: UnsafeRawBufferPointer(rebasing: memory[..<count]), as: UTF8.self)
    }
  }

  /// What a server that failed had to say.
  var complaint: String {
    guard let errors, let said = BenchPeer.read(errors), !said.isEmpty else { return "" }
    return ": \(said.firstLine)"
  }

  // MARK: - Facts

  /// Bytes of memory that the process holds; nil where the system does not tell.
  var residentBytes: Int? {
    guard let descriptor = try? SystemCalls.openForReading("/proc/\(processID)/status") else {
      return nil
    }
    defer { SystemCalls.closeDescriptor(descriptor) }
    guard let bytes = try? FileDescriptorIO.readAll(descriptor, limit: 1 << 16) else { return nil }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("VmRSS:") {
      return line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }
        .map { $0 << 10 }
    }
    return nil
  }
}

/// Why a measurement came to nothing.
struct BenchTrouble: Error {
  var text: String
  init(_ text: String) { self.text = text }
}

extension String {
  fileprivate var firstLine: String { split(separator: "\n").first.map(String.init) ?? "" }
}
