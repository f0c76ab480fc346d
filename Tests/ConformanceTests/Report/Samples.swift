import Conformance

/// Runs for the tests of the reports.
enum Samples {
  /// Text that breaks a page, a file or a terminal which does not escape it.
  static let hostile =
    "</script><img src=x onerror=alert(1)>\"'&amp;]]>\u{1b}[31m\u{0}\u{202e}\u{7f}\u{85}\r\n\t🎉"

  /// One case of each verdict, level and kind of payload.
  static var everything: ConformanceResults {
    var results = ConformanceResults(
      testee: "python3 codec.py", profile: "dart", seed: .max, generatedCount: 500,
      vectorsDigest: "0123456789abcdef", startedAt: "2026-01-31T12:00:00Z", seconds: 1.25,
      isPartial: true, generatedPasses: ["generated.decode": 248, "generated.encode": 250],
      staleKnownFailures: ["a.*.decode"], unknownListEntries: ["b.c"], restarts: 3)
    let payloads: [Payload] = [
      .bytes([]), .bytes([0x03, 0x05, 0x00]), .noMessage, .value(#"{"string":"a\"b"}"#),
      .refusal(""), .refusal("no"),
    ]
    for level in Level.allCases {
      for verdict in Verdict.allCases {
        for (number, payload) in payloads.enumerated() {
          let isPass = verdict == .pass
          results.cases.append(
            CaseResult(
              id: "area-\(number).\(level.rawValue).\(verdict.rawValue).decode",
              area: "area-\(number)", level: level, operation: "decode", codec: "message",
              verdict: verdict, knownReason: number == 1 ? "reason" : nil,
              request: isPass ? nil : payload, expected: isPass ? [] : [payload, .refusal("x")],
              actual: verdict == .fail ? .bytes([0x03, 0x06]) : nil,
              note: number == 2 ? "two\nlines" : nil,
              explanation: isPass ? [] : ["First.", "It looks like something else."],
              shrunkFrom: number == 3 ? "0305000000" : nil))
        }
      }
    }
    return results
  }

  /// Every text from outside is ``hostile``.
  static var hostileRun: ConformanceResults {
    var results = ConformanceResults(
      testee: hostile, profile: hostile, vectorsDigest: hostile, startedAt: hostile,
      generatedPasses: [hostile: 5], staleKnownFailures: [hostile], unknownListEntries: [hostile])
    for verdict in Verdict.allCases {
      for known in [nil, hostile] {
        results.cases.append(
          CaseResult(
            id: "\(hostile).\(verdict.rawValue).\(known == nil)", area: hostile, operation: hostile,
            codec: hostile, verdict: verdict, knownReason: known, request: .value(hostile),
            expected: [.refusal(hostile), .value(hostile)], actual: .refusal(hostile),
            note: hostile,
            explanation: [hostile, "It looks like \(hostile)"], shrunkFrom: hostile))
      }
    }
    return results
  }

  /// So many cases that pass.
  static func passes(_ count: Int) -> ConformanceResults {
    let cases = (0..<count).map { number in
      CaseResult(
        id: "standard-values.standard.case-\(number).decode", area: "standard-values",
        operation: "decode", codec: "message", verdict: .pass)
    }
    return ConformanceResults(testee: "passes", profile: "strict", cases: cases)
  }

  /// A call whose double is aligned from its arguments.
  static var misaligned: CaseResult {
    var result = CaseResult(
      id: "method-calls.call.float64.phase-3.encode", area: "method-calls", operation: "encode",
      codec: "call", verdict: .fail, request: .value(#"{"method":"a","args":{"float64":1.5}}"#),
      expected: [.bytes([7, 1, 0x61, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f])],
      actual: .bytes([7, 1, 0x61, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f]))
    result.explanation = FailureExplanation.sentences(
      for: result, bugClass: "wrong padding", effect: "every later value shifts")
    return result
  }
}
