#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if os(Linux)
  /// The interests of a ``PollTable``, kept by the system from one wait to the next (`epoll`). A call
  /// of `poll` takes every descriptor up and down again; here a wait costs the same however many
  /// there are.
  ///
  /// The system forgets a descriptor that is closed, so a change is told late, before the next wait,
  /// but an end is told at once: by the next wait the number may be another descriptor's.
  final class StandingPoll {
    /// What the system was told about a slot.
    private struct Told {
      var descriptor: Int32 = -1
      var events: Int16 = 0
      /// The slot that it will name.
      var slot = -1
    }

    private let descriptor: Int32
    @exclusivity(unchecked) private var told: [Told] = []
    /// Slots that may have changed since, some of them more than once.
    @exclusivity(unchecked) private var changed: [Int] = []
    /// Slots that the last wait reported.
    @exclusivity(unchecked) private var reported: [Int] = []
    private let found: UnsafeMutableRawPointer

    /// What is ready beyond this is reported by the next wait.
    private static let mostFound = 128

    /// nil where the system has no more descriptors.
    init?() {
      guard
        let made = try? SystemCalls.retrying({ linuxMakePoll(O_CLOEXEC) }),
        let descriptor = try? SystemCalls.aboveStandardStreams(made)
      else { return nil }
      self.descriptor = descriptor
      found = .allocate(byteCount: Self.mostFound * LinuxPollEvent.size, alignment: 8)
    }

    deinit {
      SystemCalls.closeDescriptor(descriptor)
      found.deallocate()
    }

    /// A slot is to be waited for otherwise from now on; -1 for not at all.
    func change(_ slot: Int, to descriptor: Int32) {
      while told.count <= slot { told.append(Told()) }
      if told[slot].descriptor >= 0, told[slot].descriptor != descriptor { forget(slot) }
      if descriptor >= 0 { changed.append(slot) }
    }

    /// The last slot takes the place of another one, which is not waited for.
    func move(_ last: Int, to slot: Int) {
      guard last < told.count else { return }
      if slot != last {
        while told.count <= slot { told.append(Told()) }
        told[slot] = told[last]
        if told[slot].descriptor >= 0 { changed.append(slot) }
        // A change of the last slot may not have been told yet.
        changed.append(slot)
      }
      told[last] = Told()
    }

    private func forget(_ slot: Int) {
      _ = linuxChangePoll(descriptor, LinuxPollEvent.forget, told[slot].descriptor, nil)
      told[slot] = Told()
    }

    /// Tells the system what has changed. False when it does not take a descriptor, such as a file.
    func tell(_ slots: UnsafeMutablePointer<pollfd>, _ count: Int) -> Bool {
      if changed.isEmpty { return true }
      for slot in changed where slot < count {
        let wanted = slots[slot]
        let before = told[slot]
        if wanted.fd < 0 { continue }
        if before.descriptor == wanted.fd, before.events == wanted.events, before.slot == slot {
          continue
        }
        let isKnown = before.descriptor == wanted.fd
        var event = LinuxPollEvent(events: wanted.events, slot: slot)
        let result = event.withPointer {
          linuxChangePoll(
            descriptor, isKnown ? LinuxPollEvent.change : LinuxPollEvent.add, wanted.fd, $0)
        }
        if result != 0 { return false }
        told[slot] = Told(descriptor: wanted.fd, events: wanted.events, slot: slot)
      }
      changed.removeAll(keepingCapacity: true)
      return true
    }

    /// As `poll` does: notes in the slots what they have to report and returns how many have.
    func wait(
      _ slots: UnsafeMutablePointer<pollfd>, _ count: Int, _ nanoseconds: UInt64?
    ) -> Int32 {
      for slot in reported where slot < count { slots[slot].revents = 0 }
      reported.removeAll(keepingCapacity: true)
      var isBounded = false
      if let nanoseconds {
        isBounded = true
        // The wait itself counts in milliseconds only.
        if nanoseconds > 0 {
          var own = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          var time = timespec(nanoseconds: nanoseconds)
          let ready = linuxPoll(&own, 1, &time, nil)
          if ready <= 0 { return ready }
        }
      }
      let ready = linuxAwaitPoll(descriptor, found, Int32(Self.mostFound), isBounded ? 0 : -1)
      if ready <= 0 { return ready }
      var noted: Int32 = 0
      for number in 0..<Int(ready) {
        let (events, slot) = LinuxPollEvent.read(found, number)
        guard slot < count, slots[slot].fd >= 0 else { continue }
        slots[slot].revents = events
        reported.append(slot)
        noted += 1
      }
      return noted
    }
  }

  /// The system's `struct epoll_event`, which has no gap on x86-64 alone.
  private struct LinuxPollEvent {
    #if arch(x86_64)
      static let size = 12
      private static let slotOffset = 4
    #else
      static let size = 16
      private static let slotOffset = 8
    #endif
    static let add: Int32 = 1
    static let forget: Int32 = 2
    static let change: Int32 = 3

    private var words: (UInt64, UInt64) = (0, 0)

    /// The events have the same numbers as those of `poll`.
    init(events: Int16, slot: Int) {
      withUnsafeMutableBytes(of: &words) {
        $0.storeBytes(of: UInt32(UInt16(bitPattern: events)), as: UInt32.self)
        $0.storeBytes(of: UInt64(slot), toByteOffset: Self.slotOffset, as: UInt64.self)
      }
    }

    mutating func withPointer(_ body: (UnsafeMutableRawPointer?) -> Int32) -> Int32 {
      withUnsafeMutableBytes(of: &words) { body($0.baseAddress) }
    }

    static func read(_ events: UnsafeMutableRawPointer, _ number: Int) -> (Int16, Int) {
      let start = number &* size
      let bits = events.loadUnaligned(fromByteOffset: start, as: UInt32.self)
      let slot = events.loadUnaligned(fromByteOffset: start &+ slotOffset, as: UInt64.self)
      return (Int16(truncatingIfNeeded: bits), Int(truncatingIfNeeded: slot))
    }
  }

  extension timespec {
    init(nanoseconds: UInt64) {
      self.init(
        tv_sec: Int(min(nanoseconds / 1_000_000_000, 1 << 30)),
        tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
  }
#endif
