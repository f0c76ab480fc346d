import ChannelRouter
import TerminalSafety

/// Writes a recording as a pcapng file (https://pcapng.com), a packet for each message and answer,
/// with the link type that is left to users (147, `LINKTYPE_USER0`). Each packet begins with a head
/// of 32 bytes, which `Protocol/wireshark/README.md` lays down and its dissector reads.
public final class PacketExport {
  static let linkType: UInt16 = 147
  /// Wireshark reads no larger packets; what is longer is cut, and its whole length noted.
  static let largestPacket = 262_144
  static let headSize = 32
  static let version: UInt8 = 1

  private let output: ExportOutput
  private let codecs: ChannelCodecMap
  private let start: Int64
  /// Packets written.
  public private(set) var count: UInt64 = 0
  /// Of these, packets that were cut.
  public private(set) var cut: UInt64 = 0

  /// - Parameters:
  ///   - inspection: of the same recording, for the codecs.
  ///   - header: of the recording; its wall clock dates the packets, which else begin in 1970.
  ///   - output: gets the bytes.
  public init(
    _ inspection: RecordingInspection, header: RecordingHeader?, to output: ExportOutput
  ) throws(RecordingError) {
    self.output = output
    codecs = inspection.codecs
    start = header?.startMicroseconds ?? 0
    try output.write { bytes in
      // Section header: byte order, version 1.0, length unknown.
      Self.block(0x0a0d_0d0a, to: &bytes) { bytes in
        Self.put(UInt32(0x1a2b_3c4d), &bytes)
        Self.put(UInt16(1), &bytes)
        Self.put(UInt16(0), &bytes)
        Self.put(UInt64.max, &bytes)
        Self.option(4, Array("pwbridge".utf8), &bytes)
        Self.put(UInt32(0), &bytes)
      }
      // Interface: link type, largest packet, name, time in microseconds.
      Self.block(1, to: &bytes) { bytes in
        Self.put(Self.linkType, &bytes)
        Self.put(UInt16(0), &bytes)
        Self.put(UInt32(Self.largestPacket), &bytes)
        Self.option(2, Array("platform channels".utf8), &bytes)
        Self.option(9, [6], &bytes)
        Self.put(UInt32(0), &bytes)
      }
    }
  }

  /// Adds an entry; entries come in their order.
  public func add(_ event: RecordedEvent) throws(RecordingError) {
    count += 1
    let body = Self.body(of: event)
    let name = event.channel.utf8.prefix(Int(UInt16.max))
    let whole = Self.headSize + name.count + body.count
    let captured = min(whole, Self.largestPacket)
    if captured < whole { cut += 1 }
    let time = UInt64(max(0, start.addingReportingOverflow(event.microseconds).partialValue))
    try output.write { bytes in
      Self.block(6, to: &bytes) { bytes in
        Self.put(UInt32(0), &bytes)
        Self.put(UInt32(truncatingIfNeeded: time >> 32), &bytes)
        Self.put(UInt32(truncatingIfNeeded: time), &bytes)
        Self.put(UInt32(captured), &bytes)
        Self.put(UInt32(clamping: whole), &bytes)
        let begin = bytes.count
        bytes.append(Self.version)
        bytes.append(event.direction.rawValue)
        bytes.append(Self.kind(event.kind))
        bytes.append((event.payload == nil ? 1 : 0) | (event.isOneWay ? 2 : 0))
        bytes.append(Self.number(of: codecs[event.channel]))
        bytes.append(0)
        Self.put(UInt16(name.count), &bytes)
        Self.put(event.id, &bytes)
        Self.put(event.sequence, &bytes)
        Self.put(UInt32(clamping: body.count), &bytes)
        Self.put(UInt32(0), &bytes)
        bytes += name
        bytes += body.prefix(captured - Self.headSize - name.count)
        while (bytes.count - begin) & 3 != 0 { bytes.append(0) }
      }
    }
  }

  /// Ends the file.
  public func finish() throws(RecordingError) { try output.flush() }

  // MARK: -

  private static func body(of event: RecordedEvent) -> [UInt8] {
    guard case .refused(let refusal) = event.kind else { return event.payload ?? [] }
    var lines = "code=\(refusal.code.safeForTerminal)\ntext=\(refusal.text.safeForTerminal)\n"
    if let offset = refusal.offset { lines += "offset=\(offset)\n" }
    return Array(lines.utf8)
  }

  private static func kind(_ kind: RecordedEvent.Kind) -> UInt8 {
    switch kind {
    case .message: 1
    case .reply: 2
    case .dropped: 3
    case .refused: 4
    }
  }

  private static func number(of codec: ChannelCodecKind?) -> UInt8 {
    switch codec {
    case nil: 0
    case .standardMethod: 1
    case .standardMessage: 2
    case .jsonMethod: 3
    case .jsonMessage: 4
    case .string: 5
    case .binary: 6
    }
  }

  /// Adds a block; its length stands before and behind its contents, which are a multiple of 4.
  private static func block(
    _ type: UInt32, to bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void
  ) {
    put(type, &bytes)
    let begin = bytes.count
    put(UInt32(0), &bytes)
    body(&bytes)
    let length = UInt32(truncatingIfNeeded: bytes.count - begin + 8)
    put(length, &bytes)
    withUnsafeBytes(of: length.littleEndian) { length in
      for offset in 0..<4 { bytes[begin + offset] = length[offset] }
    }
  }

  private static func option(_ code: UInt16, _ value: [UInt8], _ bytes: inout [UInt8]) {
    put(code, &bytes)
    put(UInt16(value.count), &bytes)
    bytes += value
    for _ in 0..<((4 - value.count & 3) & 3) { bytes.append(0) }
  }

  private static func put<Number: FixedWidthInteger>(_ number: Number, _ bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }
}
