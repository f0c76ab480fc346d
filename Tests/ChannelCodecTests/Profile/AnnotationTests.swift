import ChannelCodec
import Testing

@Suite("Annotation")
struct AnnotationTests {
  private static func spans(
    _ hex: String, as root: MessageAnnotation.Root
  ) -> (lines: [String], annotation: MessageAnnotation) {
    let annotation = MessageAnnotation(wire(hex), as: root, extensions: .pigeon)
    let lines = annotation.spans.map { span in
      "\(span.range.lowerBound)..<\(span.range.upperBound) \(span.role) \(span.depth) \(span.path)"
    }
    return (lines, annotation)
  }

  @Test("every byte of a good message has one span, in order")
  func wholeMessages() throws {
    var random = TestRandom(stream: 7)
    for round in 0..<200 {
      let tree = ValueTree.random(1 + random.below(30), using: &random)
      let bytes = ReferenceWriter.bytes(of: tree)
      let annotation = MessageAnnotation(bytes, as: .message, extensions: .pigeon)
      #expect(annotation.error == nil)
      #expect(Self.covers(annotation.spans, bytes.count), "round \(round): \(bytes.wireText)")
    }
  }

  @Test("a broken message is covered too, and says where it breaks")
  func brokenMessages() throws {
    for malformed in Malformed.all {
      guard let hex = malformed.hex else { continue }
      let root: MessageAnnotation.Root =
        switch malformed.kind {
        case .message: .message
        case .call: .call
        case .envelope: .envelope
        }
      let (_, annotation) = Self.spans(hex, as: root)
      #expect(annotation.error?.code == malformed.code, "\(malformed)")
      #expect(annotation.spans.count { $0.role == .fault } == 1, "\(malformed)")
      let fault = try #require(annotation.spans.first { $0.role == .fault })
      #expect(fault.meaning.hasPrefix(malformed.code.rawValue))
      #expect(Self.covers(annotation.spans, wire(hex).count), "\(malformed)")
    }
  }

  @Test("a call, byte by byte")
  func call() {
    let (lines, annotation) = Self.spans(
      "07 01 66 0d 01 07 01 61 06 00000000000000 000000000000f83f", as: .call)
    #expect(
      lines == [
        "0..<1 type 0 method", "1..<2 size 0 method", "2..<3 content 0 method",
        "3..<4 type 0 arguments", "4..<5 size 0 arguments", "5..<6 type 1 arguments[key 0]",
        "6..<7 size 1 arguments[key 0]", "7..<8 content 1 arguments[key 0]",
        "8..<9 type 1 arguments.a", "9..<16 padding 1 arguments.a", "16..<24 content 1 arguments.a",
      ])
    #expect(annotation.spans.map(\.meaning).contains("1.5"))
    #expect(annotation.error == nil)
  }

  @Test("envelopes, odd sizes and dirty padding are told")
  func oddities() {
    let (lines, success) = Self.spans("00 0c fe 0100 06 ee 000000000000f83f", as: .envelope)
    #expect(lines.first == "0..<1 flag 0 the value")
    let meanings = success.spans.map(\.meaning)
    #expect(meanings.contains("success envelope"))
    #expect(meanings.contains("size 1, longer than it needs to be"))
    #expect(meanings.contains { $0.contains("not zero") })
    let (_, error) = Self.spans("01 07 01 63 00 81 05 01 66", as: .envelope)
    #expect(error.spans.first?.meaning == "error envelope")
    #expect(error.spans.map(\.meaning).contains("custom type 129"))
    #expect(error.error == nil)
  }

  private static func covers(_ spans: [MessageSpan], _ count: Int) -> Bool {
    var end = 0
    for span in spans {
      guard span.range.lowerBound == end else { return false }
      end = span.range.upperBound
    }
    return end == count
  }
}
