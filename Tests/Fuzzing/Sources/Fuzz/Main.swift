import Glibc

/// What each name of the program fuzzes. One program for all: linking takes longer than compiling.
private let targets: [String: @Sendable (inout FuzzInput) -> Void] = [
  "FuzzFrames": fuzzFrames, "FuzzLines": fuzzLines, "FuzzConnection": fuzzConnection,
  "FuzzStandardCodec": fuzzStandardCodec, "FuzzJSONCodec": fuzzJSONCodec,
  "FuzzTypedJSON": fuzzTypedJSON, "FuzzRecordings": fuzzRecordings,
  "FuzzRecordingUse": fuzzRecordingUse, "FuzzTexts": fuzzTexts, "FuzzDevice": fuzzDevice,
  "FuzzPlanted": fuzzPlanted,
]

/// Set once, before the first input.
nonisolated(unsafe) private var target: (@Sendable (inout FuzzInput) -> Void)?

@_cdecl("LLVMFuzzerInitialize")
public func chooseTarget(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
) -> CInt {
  guard let path = arguments.pointee?[0] else { fatalError("no name of the program") }
  let name = String(cString: path).split(separator: "/").last.map(String.init) ?? ""
  target = targets[name]
  require(target != nil, "\(name): call this program by one of \(targets.keys.sorted())")
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  var input = FuzzInput(data, size)
  let start = processorTime()
  target?(&input)
  let used = processorTime() - start
  require(used < longest, "an input of \(size) bytes takes \(used) s")
  return 0
}

/// Where the program begins in a debug build, for which the package manager renames `main`. In a
/// release build libFuzzer's own is found.
@_cdecl("Fuzz_main")
public func begin(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
  var (count, arguments) = (count, Optional(arguments))
  return runFuzzer(&count, &arguments, fuzzOneInput)
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ fuzz: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Seconds for an input, which has at most a few KiB. With the sanitizer everything takes several
/// times as long.
private let longest = 2.0

/// What the thread has used, in seconds: how busy the machine is makes no difference.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
