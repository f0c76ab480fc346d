/// The fast writer: for values with nothing odd about them. One walk measures the message and, while
/// it fits a little memory on the stack, writes it there too; a larger one is written by a second
/// walk into memory of its exact size. At anything odd it gives up without a word, and
/// ``StandardEncoder``, which knows every rule and every error, starts again.
enum PlainEncoder {
  private static let stackBytes = 512

  static func encode(
    _ message: some PlainMessage, extensions: ExtensionTypes.Plain
  ) -> [UInt8]? {
    withUnsafeTemporaryAllocation(byteCount: stackBytes, alignment: 8) { scratch -> [UInt8]? in
      var measurer = Measurer(sink: MeasuringSink(scratch), extensions: extensions)
      message.write(to: &measurer)
      guard !measurer.isOdd else { return nil }
      let size = measurer.sink.position
      // Copying a small array costs less than the standard library's uninitialised one.
      if size <= stackBytes {
        return Array(UnsafeRawBufferPointer(rebasing: scratch[..<size]))
      }
      return [UInt8](unsafeUninitializedCapacity: size) { memory, count in
        var writer = WireWriter(sink: MemorySink(UnsafeMutableRawBufferPointer(memory)))
        message.write(to: &writer)
        count = writer.sink.position
      }
    }
  }

  /// Writes and measures, on the look-out for what only the careful writer may decide.
  private struct Measurer: PlainWriter {
    let extensions: ExtensionTypes.Plain
    var isOdd = false
    private var writer: WireWriter<MeasuringSink>

    init(sink: MeasuringSink, extensions: ExtensionTypes.Plain) {
      writer = WireWriter(sink: sink)
      self.extensions = extensions
    }

    var sink: MeasuringSink {
      get { writer.sink }
      set { writer.sink = newValue }
    }

    mutating func visitNull() { writer.visitNull() }
    mutating func visit(bool: Bool) { writer.visit(bool: bool) }
    mutating func visit(int32: Int32) { writer.visit(int32: int32) }
    mutating func visit(int64: Int64) { writer.visit(int64: int64) }
    mutating func visit(largeInteger text: UnsafeRawBufferPointer) {
      if Value.LargeInteger.firstError(in: text) != nil { isOdd = true }
      writer.visit(largeInteger: text)
    }
    mutating func visit(float64Bits: UInt64) { writer.visit(float64Bits: float64Bits) }
    mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {
      if !isValidUTF8 { isOdd = true }
      writer.visit(string: string, isValidUTF8: isValidUTF8)
    }
    mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) {
      writer.visit(typedList: typedList, kind: kind)
    }
    mutating func visit(listCount: Int) { writer.visit(listCount: listCount) }
    mutating func visit(mapCount: Int) { writer.visit(mapCount: mapCount) }
    mutating func visit(customType: UInt8, payload: () -> Value) -> Bool {
      if !extensions.contains(customType) { isOdd = true }
      return writer.visit(customType: customType, payload: payload)
    }
  }
}

/// A visitor that writes and cannot fail.
protocol PlainWriter: ValueVisitor where Failure == Never {
  associatedtype Sink: WireSink
  var sink: Sink { get set }
}

extension PlainWriter {
  mutating func visit(_ text: Value.Text) {
    let isValid = text.isValidUTF8
    text.withUTF8 { visit(string: $0, isValidUTF8: isValid) }
  }
}

extension WireWriter: PlainWriter {}

/// What can stand at byte 0 of a message.
protocol PlainMessage {
  func write<Writer: PlainWriter>(to writer: inout Writer)
}

extension Value: PlainMessage {
  func write<Writer: PlainWriter>(to writer: inout Writer) { visit(with: &writer) }
}

extension MethodCall: PlainMessage {
  func write<Writer: PlainWriter>(to writer: inout Writer) {
    writer.visit(method)
    arguments.visit(with: &writer)
  }
}

extension Envelope: PlainMessage {
  func write<Writer: PlainWriter>(to writer: inout Writer) {
    switch self {
    case .success(let result):
      writer.sink.put(StandardMessage.successFlag)
      result.visit(with: &writer)
    case .error(let error):
      writer.sink.put(StandardMessage.errorFlag)
      writer.visit(error.code)
      if let message = error.message { writer.visit(message) } else { writer.visitNull() }
      error.details.visit(with: &writer)
      switch error.stackTrace {
      case .absent: break
      case .null: writer.visitNull()
      case .text(let text): writer.visit(text)
      }
    }
  }
}
