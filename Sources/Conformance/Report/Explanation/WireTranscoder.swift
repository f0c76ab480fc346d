import ChannelNotation

/// Reads a message and writes it again, making a mistake on either side.
enum WireTranscoder {
  /// Longer messages are not tried: a guess is not worth the wait.
  static let longestMessage = 1 << 20

  /// What was written; nil where the message cannot be read this way, is too long, or the codec is
  /// not one of the standard ones.
  static func transcode(
    _ message: [UInt8], codec: NamedCodec.Name, reading: CodecBug? = nil, writing: CodecBug? = nil
  ) -> WireWriter? {
    guard message.count <= longestMessage else { return nil }
    var copier = Copier(
      reader: WireReader(message, bug: reading), writer: WireWriter(bug: writing))
    do throws(WireReader.Broken) {
      switch codec {
      case .message: try copier.value()
      case .call: try copier.call()
      case .envelope: try copier.envelope()
      case .jsonMessage, .jsonCall, .jsonEnvelope, .string, .binary: return nil
      }
    } catch { return nil }
    return copier.reader.isAtEnd ? copier.writer : nil
  }

  private struct Copier {
    var reader: WireReader
    var writer: WireWriter
    /// Asked once: most mistakes leave the values alone, and messages may hold many.
    let changesValues: Bool

    init(reader: WireReader, writer: WireWriter) {
      self.reader = reader
      self.writer = writer
      changesValues =
        reader.bug?.changesValues == true || writer.bug?.changesValues == true
    }

    mutating func value(isPart: Bool = false) throws(WireReader.Broken) {
      if isPart { (reader.part, writer.part) = (reader.position, writer.bytes.count) }
      var left = 1
      while left > 0 {
        let token = try reader.token()
        left += token.childCount - 1
        if changesValues {
          for read in token.applying(reader.bug) {
            for written in read.applying(writer.bug) { writer.put(written) }
          }
        } else {
          writer.put(token)
        }
        // Values made of nothing would never end.
        if left > reader.bytes.count + 1 { throw WireReader.Broken() }
      }
    }

    mutating func call() throws(WireReader.Broken) {
      try value()
      let isNull = reader.position == reader.bytes.count - 1 && reader.bytes.last == 0
      if writer.bug == .leavesOutNullArguments, isNull {
        _ = try reader.byte()
        return
      }
      if reader.bug == .leavesOutNullArguments, isNull { throw WireReader.Broken() }
      try value(isPart: true)
    }

    mutating func envelope() throws(WireReader.Broken) {
      let flag = try reader.byte()
      writer.put(flag: flag)
      if flag == 0 { return try value(isPart: true) }
      for _ in 0..<3 { try value(isPart: true) }
      if !reader.isAtEnd { try value(isPart: true) }
    }
  }
}
