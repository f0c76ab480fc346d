import ChannelTransport
import Foundation
import Synchronization
import SystemInterface
import Testing

@Suite(.serialized) struct SocketTests {
  @Test func serverAndClientMeetAndKnowEachOthersUser() throws {
    try withPrivateDirectory { directory in
      let path = directory + "/bridge.sock"
      let listener = try ListeningSocket(path: path)
      let loop = try EventLoop()
      var server: Int32?
      let acceptor = Acceptor(on: loop, listener.descriptor) {
        Issue.record("\($0.text)")
      } onConnection: {
        server = $0
      }
      let client = try SystemCalls.connectSocket(path)
      try run(loop) { server != nil }
      let accepted = try #require(server)
      #expect(try SystemCalls.peerUserID(accepted) == SystemCalls.userID)
      #expect(try SystemCalls.peerUserID(client) == SystemCalls.userID)
      try send([1, 2, 3], to: client)
      #expect(try SystemCalls.waitUntilReady(accepted, .readable, nanoseconds: 5_000_000_000))
      #expect(try drain(accepted) == [1, 2, 3])
      // Non-blocking from the start.
      #expect(try drain(accepted) == [])
      try SystemCalls.endWriting(client)
      #expect(try SystemCalls.waitUntilReady(accepted, .readable, nanoseconds: 5_000_000_000))
      #expect(try drain(accepted) == nil)
      acceptor.stop()
      #expect(loop.watchCount == 0)
      SystemCalls.closeDescriptor(client)
      SystemCalls.closeDescriptor(accepted)
      listener.close()
      #expect(throws: SystemCalls.Failure.self) { try SystemCalls.identity(of: path) }
    }
  }

  @Test(arguments: [0o000, 0o022, 0o177, 0o777] as [mode_t])
  func modeIsForTheUserAloneWhateverTheUmask(mask: mode_t) throws {
    try withPrivateDirectory { directory in
      let path = directory + "/s"
      let previous = umask(mask)
      defer { _ = umask(previous) }
      let listener = try ListeningSocket(path: path)
      #expect(umask(mask) == mask)
      let found = try SystemCalls.identity(of: path)
      #expect(found.kind == .socket && found.permissions == 0o600)
      listener.close()
    }
  }

  @Test func staleSocketIsReplaced() throws {
    try withPrivateDirectory { directory in
      let path = directory + "/s"
      let dead = try ListeningSocket(path: path)
      // A server that died leaves the name behind.
      SystemCalls.closeDescriptor(dead.descriptor)
      #expect(throws: SocketFailure.self) { try SystemCalls.connectSocket(path) }
      let listener = try ListeningSocket(path: path)
      SystemCalls.closeDescriptor(try SystemCalls.connectSocket(path))
      listener.close()
    }
  }

  @Test func liveServerIsLeftAlone() throws {
    try withPrivateDirectory { directory in
      let path = directory + "/s"
      let live = try ListeningSocket(path: path, backlog: 1)
      #expect(throws: SocketFailure.inUse) { try ListeningSocket(path: path) }
      // Even when it has more callers than it takes.
      var callers: [Int32] = []
      while let caller = try? SystemCalls.connectSocket(path, nanoseconds: 0), callers.count < 64 {
        callers.append(caller)
      }
      #expect(throws: SocketFailure.inUse) { try ListeningSocket(path: path) }
      #expect(live.ownsName)
      callers.forEach(SystemCalls.closeDescriptor)
      live.close()
    }
  }

  @Test func whatIsNoSocketIsLeftAlone() throws {
    try withPrivateDirectory { directory in
      let file = directory + "/file"
      let opened = try SystemCalls.openForWriting(file, .creating)
      try send(Array("precious".utf8), to: opened)
      SystemCalls.closeDescriptor(opened)
      #expect(throws: SocketFailure.notASocket(.file)) { try ListeningSocket(path: file) }
      let read = try SystemCalls.openForReading(file)
      #expect(try FileDescriptorIO.readAll(read, limit: 100) == Array("precious".utf8))
      SystemCalls.closeDescriptor(read)

      let inner = directory + "/directory"
      #expect(mkdir(inner, 0o700) == 0)
      #expect(throws: SocketFailure.notASocket(.directory)) { try ListeningSocket(path: inner) }
      #expect(try SystemCalls.identity(of: inner).kind == .directory)

      // To a stale socket, to a file, and to nothing.
      let dead = try ListeningSocket(path: directory + "/stale")
      SystemCalls.closeDescriptor(dead.descriptor)
      for (name, target) in [("a", "stale"), ("b", "file"), ("c", "nothing")] {
        let link = directory + "/" + name
        #expect(symlink(target, link) == 0)
        #expect(throws: SocketFailure.notASocket(.link)) { try ListeningSocket(path: link) }
        #expect(try SystemCalls.identity(of: link).kind == .link)
      }
      #expect(try SystemCalls.identity(of: directory + "/stale").kind == .socket)
      let fifo = directory + "/fifo"
      #expect(mkfifo(fifo, 0o600) == 0)
      #expect(throws: SocketFailure.notASocket(.other)) { try ListeningSocket(path: fifo) }
    }
  }

  @Test func pathsThatCannotBe() throws {
    let limit = SystemCalls.socketPathLimit
    let long = "/tmp/" + String(repeating: "x", count: limit - 4)
    #expect(throws: SocketFailure.pathTooLong(length: limit + 1, limit: limit)) {
      try ListeningSocket(path: long)
    }
    #expect(throws: SocketFailure.pathTooLong(length: limit + 1, limit: limit)) {
      try SystemCalls.connectSocket(long)
    }
    #expect(
      SocketFailure.pathTooLong(length: limit + 1, limit: limit).text.contains("\(limit + 1) bytes")
    )
    #expect(throws: SocketFailure.malformedPath) { try ListeningSocket(path: "") }
    #expect(throws: SocketFailure.malformedPath) { try ListeningSocket(path: "a\0b") }
    do {
      _ = try ListeningSocket(path: "/nowhere-at-all/s")
      Issue.record("no such directory")
    } catch {
      #expect(error.text.hasPrefix("opening the directory"))
    }
  }

  @Test func longestPathWorks() throws {
    try withPrivateDirectory { directory in
      let room = SystemCalls.socketPathLimit - directory.utf8.count - 1
      let path = directory + "/" + String(repeating: "p", count: room)
      let listener = try ListeningSocket(path: path)
      SystemCalls.closeDescriptor(try SystemCalls.connectSocket(path))
      listener.close()
    }
  }

  @Test func onlyItsOwnNameIsRemoved() throws {
    try withPrivateDirectory { directory in
      let path = directory + "/s"
      let first = try ListeningSocket(path: path)
      try SystemCalls.removeFile(path)
      let second = try ListeningSocket(path: path)
      #expect(!first.ownsName && second.ownsName)
      first.close()
      #expect(second.ownsName)
      SystemCalls.closeDescriptor(try SystemCalls.connectSocket(path))
      try SystemCalls.removeFile(path)
      SystemCalls.closeDescriptor(try SystemCalls.openForWriting(path, .creating))
      second.close()
      #expect(try SystemCalls.identity(of: path).kind == .file)
    }
  }

  @Test func oneOfSeveralServersWins() throws {
    try withPrivateDirectory { directory in
      for round in 0..<20 {
        let path = directory + "/s\(round)"
        // Every other race is for a name that a dead server left.
        if round % 2 == 0 {
          SystemCalls.closeDescriptor(try ListeningSocket(path: path).descriptor)
        }
        let winners = Mutex<[ListeningSocket]>([])
        let failures = Mutex<[SocketFailure]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
          do throws(SocketFailure) {
            let won = try ListeningSocket(path: path)
            winners.withLock { $0.append(won) }
          } catch {
            failures.withLock { $0.append(error) }
          }
        }
        let won = winners.withLock { $0 }
        #expect(won.count == 1)
        #expect(failures.withLock { $0 } == Array(repeating: .inUse, count: 5))
        #expect(won.allSatisfy { $0.ownsName })
        SystemCalls.closeDescriptor(try SystemCalls.connectSocket(path))
        for listener in won { listener.close() }
      }
    }
  }

  @Test func serversWaitForEachOther() throws {
    try withPrivateDirectory { directory in
      // What another server does while it starts.
      let held = open(directory, O_RDONLY | O_CLOEXEC)
      #expect(flock(held, LOCK_EX) == 0)
      let released = Mutex(false)
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.1)
        released.withLock { $0 = true }
        close(held)
      }
      let listener = try ListeningSocket(path: directory + "/s")
      #expect(released.withLock { $0 })
      listener.close()
    }
  }

  @Test func privateDirectoryIsPrivate() throws {
    try withPrivateDirectory { directory in
      let found = try SystemCalls.identity(of: directory)
      #expect(found.kind == .directory && found.permissions == 0o700)
      #expect(found.owner == SystemCalls.userID)
    }
  }
}
