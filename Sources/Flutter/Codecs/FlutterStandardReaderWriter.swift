import ChannelCodec
import Foundation

/// Makes the reader and writer of a standard codec (`FlutterCodecs.h`). Subclasses give codecs with
/// types of their own.
open class FlutterStandardReaderWriter: NSObject {
  public override init() { super.init() }

  /// The writer of one message, which appends to `data`.
  open func writer(with data: NSMutableData) -> FlutterStandardWriter {
    FlutterStandardWriter(data: data)
  }

  /// The reader of one message.
  open func reader(with data: Data) -> FlutterStandardReader { FlutterStandardReader(data: data) }

  /// Whether nothing but standard values is read and written, which goes faster as a whole.
  var isPlain: Bool { type(of: self) == FlutterStandardReaderWriter.self }

  /// What `work` writes.
  func write(_ work: (FlutterStandardWriter) -> Void) throws(CodecError) -> Data {
    let data = NSMutableData()
    let writer = writer(with: data)
    work(writer)
    if let trouble = writer.trouble { throw trouble }
    return Data(referencing: data)
  }

  /// What `work` reads; the message must then be at its end.
  func read<Result>(
    _ data: Data, _ what: String, _ work: (FlutterStandardReader) -> Result
  ) throws(CodecError) -> Result {
    let reader = reader(with: data)
    let result = work(reader)
    if let trouble = reader.trouble { throw trouble }
    if reader.hasMore() {
      reader.fail(
        .trailingBytes, at: reader.position, "the end of the message", "more bytes",
        iOS: "assert: Corrupted \(what)")
    }
    if let trouble = reader.trouble { throw trouble }
    return result
  }
}

/// Reads the values of a message one by one (`FlutterCodecs.h`).
///
/// What iOS stops at, such as a read past the end, is remembered here: the reader is then at its
/// end, reads zeros and nils, and the codec reports what was wrong and where.
open class FlutterStandardReader: NSObject {
  private var reader: StandardReader
  private(set) var trouble: CodecError?
  private var depth = 0

  /// Reads from the first byte on, from which alignment counts.
  public init(data: Data) {
    reader = StandardReader(Array(data), profile: .ios)
  }

  /// Bytes from byte 0 of the message.
  var position: Int { reader.position }

  /// Whether there are bytes left.
  open func hasMore() -> Bool { trouble == nil && !reader.isAtEnd }

  /// Reads one byte.
  open func readByte() -> UInt8 {
    attempt(0) { (reader) throws(CodecError) in try reader.uint8() }
  }

  /// Reads `length` bytes into `destination`.
  open func readBytes(_ destination: UnsafeMutableRawPointer, length: UInt) {
    let bytes = readData(length)
    let memory = UnsafeMutableRawBufferPointer(start: destination, count: Int(clamping: length))
    memory.copyBytes(from: bytes)
    for missing in bytes.count..<memory.count { memory[missing] = 0 }
  }

  /// Reads `length` bytes.
  open func readData(_ length: UInt) -> Data {
    attempt(Data()) { (reader) throws(CodecError) in Data(try reader.bytes(Int(clamping: length))) }
  }

  /// Reads a size field of one, three or five bytes.
  open func readSize() -> UInt32 {
    attempt(0) { (reader) throws(CodecError) in UInt32(clamping: try reader.size()) }
  }

  /// Moves to the next multiple of `alignment` from the start of the message.
  open func readAlignment(_ alignment: UInt8) {
    let alignment = max(1, Int(alignment))
    attempt(()) { (reader) throws(CodecError) in
      let excess = reader.position % alignment
      if excess > 0 { _ = try reader.bytes(alignment - excess) }
    }
  }

  /// Reads a size and so many bytes of text.
  open func readUTF8() -> String {
    attempt("") { (reader) throws(CodecError) in
      let value = try reader.leaf(ofType: 7)
      return value.text?.description ?? ""
    }
  }

  /// Reads a type byte and the value behind it.
  open func readValue() -> Any? {
    guard trouble == nil else { return nil }
    // Subclasses nest values too, and each level takes of the stack.
    guard depth <= NativeValue.deepest else {
      fail(.depthExceeded, at: position, "at most \(NativeValue.deepest) nested values", "one more")
      return nil
    }
    depth += 1
    defer { depth -= 1 }
    let type = readByte()
    return trouble == nil ? readValue(ofType: type) : nil
  }

  /// Reads the value behind a type byte. Subclasses override it for the types 128 and up, and call
  /// `super` for the others.
  open func readValue(ofType type: UInt8) -> Any? {
    switch type {
    case 12: return readList(Int(readSize()))
    case 13: return readMap(Int(readSize()))
    default:
      let value = attempt(Value.null) { (reader) throws(CodecError) in
        try reader.leaf(ofType: type)
      }
      return NativeValue.of(value)
    }
  }

  private func readList(_ count: Int) -> [Any] {
    var list: [Any] = []
    // No room is made ahead: the size may promise more than there is.
    for _ in 0..<count {
      let element = readValue()
      if trouble != nil { break }
      list.append(element ?? NativeValue.null)
    }
    return list
  }

  private func readMap(_ count: Int) -> [AnyHashable: Any] {
    var map: [AnyHashable: Any] = [:]
    for _ in 0..<count {
      let (key, value) = (readValue(), readValue())
      if trouble != nil { break }
      NativeValue.add(NativeValue.key(key ?? NativeValue.null), value ?? NativeValue.null, to: &map)
    }
    return map
  }

  // MARK: - Trouble

  private func attempt<Result>(
    _ fallback: @autoclosure () -> Result,
    _ read: (inout StandardReader) throws(CodecError) -> Result
  ) -> Result {
    guard trouble == nil else { return fallback() }
    do throws(CodecError) {
      return try read(&reader)
    } catch {
      trouble = error
      return fallback()
    }
  }

  func fail(
    _ code: CodecError.Code, at offset: Int, _ expected: String, _ found: String,
    iOS: String = "assert: Corrupted standard message"
  ) {
    guard trouble == nil else { return }
    trouble = CodecError(
      code, offset: offset, expected: expected, found: found, consequence: .crash,
      platformError: iOS)
  }
}

/// Writes the values of a message one by one (`FlutterCodecs.h`).
///
/// What the codec cannot write, where iOS stops at an assertion, is remembered here, and the codec
/// reports it.
open class FlutterStandardWriter: NSObject {
  private let data: NSMutableData
  private(set) var trouble: CodecError?
  private var path: [ValuePath.Component] = []

  /// Appends to `data`, from whose first byte alignment counts.
  public init(data: NSMutableData) { self.data = data }

  /// Writes one byte.
  open func writeByte(_ value: UInt8) { append([value]) }

  /// Writes `length` bytes.
  open func writeBytes(_ bytes: UnsafeRawPointer, length: UInt) {
    data.append(bytes, length: Int(clamping: length))
  }

  /// Writes bytes as they are.
  open func write(_ data: Data) { self.data.append(data) }

  /// Writes a size field in its shortest form.
  open func writeSize(_ size: UInt32) {
    var writer = StandardWriter(profile: .ios)
    writer.put(size: Int(size))
    append(writer.bytes)
  }

  /// Zeros up to the next multiple of `alignment` from the start of the message.
  open func writeAlignment(_ alignment: UInt8) {
    let alignment = max(1, Int(alignment))
    let excess = data.length % alignment
    if excess > 0 { append([UInt8](repeating: 0, count: alignment - excess)) }
  }

  /// Writes the size of a text and its bytes.
  open func writeUTF8(_ value: String) {
    let bytes = Array(value.utf8)
    writeSize(UInt32(clamping: bytes.count))
    append(bytes)
  }

  /// Writes a value with its type byte. Subclasses override it for types of their own, and call
  /// `super` for the others; what lists and maps hold comes back here.
  open func writeValue(_ value: Any) {
    switch NativeShape.of(value) {
    case .leaf(let value): append(leaf: value)
    case .list(let list):
      guard enter() else { return }
      writeByte(12)
      writeSize(UInt32(clamping: list.count))
      for (number, element) in list.enumerated() { writeValue(element, at: .element(number)) }
    case .map(let pairs):
      guard enter() else { return }
      writeByte(13)
      writeSize(UInt32(clamping: pairs.count))
      for (number, pair) in pairs.enumerated() {
        writeValue(pair.key, at: .keyOfPair(number))
        var step = ValuePath.Component.valueOfPair(number)
        if case .leaf(let key) = NativeShape.of(pair.key) { step = .key(key) }
        writeValue(pair.value, at: step)
      }
    case .unsupported(let found): note(NativeValue.unsupported(found, at: path))
    }
  }

  /// Writes a part of a call or envelope, which is named in the path of an error.
  func write(_ value: Any?, part: String) {
    path = [.part(part)]
    writeValue(value ?? NSNull())
    path = []
  }

  private func writeValue(_ value: Any, at step: ValuePath.Component) {
    path.append(step)
    writeValue(value)
    path.removeLast()
  }

  private func enter() -> Bool {
    if trouble != nil { return false }
    guard path.count < NativeValue.deepest else {
      note(
        NativeValue.unsupported(
          "more than \(NativeValue.deepest) lists and maps in each other", at: []))
      return false
    }
    return true
  }

  private func append(leaf value: Value) {
    do throws(CodecError) {
      var writer = StandardWriter(profile: .ios, position: data.length)
      try writer.put(value)
      append(writer.bytes)
    } catch {
      note(error)
    }
  }

  private func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { data.append(start, length: bytes.count) }
    }
  }

  private func note(_ error: CodecError) { if trouble == nil { trouble = error } }
}
