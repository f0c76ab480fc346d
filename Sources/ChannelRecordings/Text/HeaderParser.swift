import ChannelRouter

/// Reads the header line.
enum HeaderParser {
  /// Whether a line has the member that makes it a header.
  static func isHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    var scanner = LineScanner(line)
    do throws(LineFault) {
      try scanner.beginObject()
      var isFirst = true
      while try scanner.nextMember(isFirst: isFirst) {
        isFirst = false
        let name = try scanner.name()
        if scanner.line[name].elementsEqual("pwbridge".utf8) { return true }
        _ = try scanner.anyValue()
      }
    } catch {
      return false
    }
    return false
  }

  /// The header that a line is, given without its end.
  static func header(_ line: UnsafeRawBufferPointer) throws(LineFault) -> RecordingHeader {
    var scanner = LineScanner(line)
    var header = RecordingHeader()
    var version: UInt64?
    var seen: Set<String> = []
    try scanner.beginObject()
    while try scanner.nextMember(isFirst: seen.isEmpty) {
      let start = scanner.position
      let range = try scanner.name()
      let name = String(decoding: line[range], as: UTF8.self)
      guard seen.insert(name).inserted else {
        throw LineFault(.fieldRepeated, at: start, "\"\(name)\" stands here twice")
      }
      let value = scanner.position
      switch name {
      case "pwbridge":
        guard try scanner.text("pwbridge") == Array("recording".utf8) else {
          throw LineFault(
            .headerMalformed, at: value,
            "\"pwbridge\" is \(scanner.found(at: value)); in a recording it is \"recording\"")
        }
      case "version": version = try scanner.unsigned("version")
      case "start_us": header.startMicroseconds = try scanner.signed("start_us")
      case "software":
        header.software = String(decoding: try scanner.text("software"), as: UTF8.self)
      case "time": try timeBase(&scanner)
      case "codecs": header.codecs = try codecs(&scanner)
      case "options": header.options = try options(&scanner)
      case "meta": header.metadata = Array(line[try scanner.anyValue()])
      default:
        let content = try scanner.anyValue()
        if !header.unknownFields.isEmpty { header.unknownFields.append(UInt8(ascii: ",")) }
        header.unknownFields += line[(range.lowerBound - 1)...range.upperBound]
        header.unknownFields.append(UInt8(ascii: ":"))
        header.unknownFields += line[content]
      }
    }
    guard let version else {
      throw LineFault(.headerMalformed, at: nil, "the header lacks \"version\"")
    }
    guard version == RecordingHeader.currentVersion else {
      throw LineFault(
        .unsupportedVersion, at: nil,
        "a recording of version \(version); this program reads version "
          + "\(RecordingHeader.currentVersion)")
    }
    header.source = Array(line)
    return header
  }

  /// Reads a header from its text.
  static func header(_ text: [UInt8]) throws(LineFault) -> RecordingHeader {
    let result = text.withUnsafeBytes { line in
      Result { () throws(LineFault) in try header(line) }
    }
    return try result.get()
  }

  private static func timeBase(_ scanner: inout LineScanner) throws(LineFault) {
    let start = scanner.position
    guard try scanner.text("time") == Array("us".utf8) else {
      throw LineFault(
        .headerMalformed, at: start,
        "\"time\" is \(scanner.found(at: start)); only \"us\", microseconds, is known")
    }
  }

  private static func codecs(
    _ scanner: inout LineScanner
  ) throws(LineFault) -> ChannelCodecMap {
    var map = ChannelCodecMap()
    try members(&scanner, "codecs") { (name, text, start, end) throws(LineFault) in
      guard let codec = ChannelCodecKind(rawValue: String(decoding: text, as: UTF8.self)) else {
        let known = ChannelCodecKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw LineFault(
          .headerMalformed, at: end, "\"codecs\" has a codec that is none of \(known)")
      }
      guard let channel = ChannelName(validating: name) else {
        throw LineFault(.headerMalformed, at: start, "a channel name is UTF-8 without NUL")
      }
      map[channel] = codec
    }
    return map
  }

  private static func options(
    _ scanner: inout LineScanner
  ) throws(LineFault) -> [RecordingHeader.Option] {
    var options: [RecordingHeader.Option] = []
    try members(&scanner, "options") { (name, text, _, _) throws(LineFault) in
      options.append(
        RecordingHeader.Option(
          String(decoding: name, as: UTF8.self), String(decoding: text, as: UTF8.self)))
    }
    return options
  }

  /// Reads an object whose values are strings.
  private static func members(
    _ scanner: inout LineScanner, _ field: StaticString,
    _ body: (_ name: [UInt8], _ value: [UInt8], _ start: Int, _ end: Int) throws(LineFault) -> Void
  ) throws(LineFault) {
    guard scanner.take("{") else {
      throw LineFault(
        .headerMalformed, at: scanner.position,
        "\"\(field)\" is \(scanner.found(at: scanner.position)); it has to be an object")
    }
    scanner.skipSpace()
    if scanner.take("}") { return }
    while true {
      scanner.skipSpace()
      let start = scanner.position
      let name = try scanner.text(field)
      scanner.skipSpace()
      guard scanner.take(":") else { throw scanner.unexpected("\":\"") }
      scanner.skipSpace()
      let place = scanner.position
      try body(name, try scanner.text(field), start, place)
      scanner.skipSpace()
      if scanner.take("}") { return }
      guard scanner.take(",") else { throw scanner.unexpected("\",\" or \"}\"") }
    }
  }
}
