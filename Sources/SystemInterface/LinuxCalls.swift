#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if os(Linux)
  // Linux has these calls, but Swift sees the C library's headers without `_GNU_SOURCE`, which hides
  // them. Integers and pointers are passed alike in Swift and C.

  @_silgen_name("pipe2")
  func linuxPipe(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32

  @_silgen_name("ppoll")
  func linuxPoll(
    _ slots: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ time: UnsafePointer<timespec>?,
    _ signals: UnsafeRawPointer?
  ) -> Int32

  @_silgen_name("epoll_create1")
  func linuxMakePoll(_ flags: Int32) -> Int32

  @_silgen_name("epoll_ctl")
  func linuxChangePoll(
    _ poll: Int32, _ operation: Int32, _ descriptor: Int32, _ event: UnsafeMutableRawPointer?
  ) -> Int32

  @_silgen_name("epoll_wait")
  func linuxAwaitPoll(
    _ poll: Int32, _ events: UnsafeMutableRawPointer, _ count: Int32, _ milliseconds: Int32
  ) -> Int32

  @_silgen_name("accept4")
  func linuxAccept(
    _ listener: Int32, _ address: UnsafeMutableRawPointer?,
    _ size: UnsafeMutablePointer<socklen_t>?, _ flags: Int32
  ) -> Int32

  @_silgen_name("timerfd_create")
  func linuxMakeTimer(_ clock: Int32, _ flags: Int32) -> Int32

  @_silgen_name("timerfd_settime")
  func linuxSetTimer(
    _ timer: Int32, _ flags: Int32, _ time: UnsafeRawPointer, _ before: UnsafeMutableRawPointer?
  ) -> Int32

  @_silgen_name("getrusage") @discardableResult
  func linuxUsage(_ who: Int32, _ usage: UnsafeMutablePointer<rusage>) -> Int32

  @_silgen_name("sched_setaffinity")
  func linuxSetAffinity(_ thread: Int32, _ size: Int, _ processors: UnsafeRawPointer) -> Int32
#endif
