import ChannelRecordings
import ChannelRouter
import FuzzSupport

/// Bytes as a recording of either form. Reading goes on behind what is wrong, ends, and keeps to
/// its limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecordings(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = FuzzInput(data, size).remainder()
  let options = RecordingReader.Options(maximumPayload: 1 << 16, keepsShown: true)
  guard let reader = try? RecordingReader(bytes: bytes, options: options) else { return 0 }
  var turns = 0
  while true {
    turns += 1
    require(turns <= bytes.count + 2, "more entries than bytes")
    do throws(RecordingError) {
      guard let event = try reader.next() else { break }
      require((event.payload?.count ?? 0) <= 1 << 16, "a payload over the limit")
    } catch {
      require(!error.description.isEmpty, "an error without text")
      if error.isFatal { break }
    }
    require(reader.byteOffset <= UInt64(bytes.count), "read beyond the end")
  }
  return 0
}
