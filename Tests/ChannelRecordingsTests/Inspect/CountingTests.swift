import ChannelRouter
import Testing

@testable import ChannelRecordings

@Suite("Counting")
struct CountingTests {
  @Test("a histogram's percentiles are within 3.2 percent", arguments: [1, 10, 1000, 100_000])
  func histogram(count: Int) throws {
    let seed = UInt64.random(in: 0..<UInt64.max)
    var random = SeededNumbers(seed)
    var histogram = LatencyHistogram()
    var other = LatencyHistogram()
    var values: [Int64] = []
    for number in 0..<count {
      let value = Int64(random.next() >> (20 + random.next() % 44))
      values.append(value)
      if number.isMultiple(of: 2) { histogram.add(value) } else { other.add(value) }
    }
    histogram.add(other)
    values.sort()
    #expect(histogram.count == UInt64(count))
    #expect(histogram.maximum == UInt64(values[count - 1]))
    for share in [0.01, 0.5, 0.9, 0.99, 1] {
      let exact = Double(values[max(1, Int((Double(count) * share).rounded(.up))) - 1])
      let found = Double(try #require(histogram.percentile(share)))
      #expect(abs(found - exact) <= exact * 0.032, "seed \(seed), share \(share)")
    }
  }

  @Test("no durations, negative ones, the largest")
  func histogramEdges() {
    var histogram = LatencyHistogram()
    #expect(histogram.percentile(0.5) == nil)
    histogram.add(-5)
    #expect(histogram.percentile(0.5) == 0)
    histogram.add(.max)
    #expect(histogram.maximum == UInt64(Int64.max))
    #expect(histogram.percentile(1) == UInt64(Int64.max))
  }

  /// Against a model that forgets nothing.
  @Test("open calls are matched whatever the order", arguments: 0..<20)
  func calls(round: Int) {
    let seed = UInt64.random(in: 0..<UInt64.max)
    var random = SeededNumbers(seed)
    var table = CallTable(bits: 4, keptAside: 1_000_000)
    var open: [RecordedEvent.Call: UInt64] = [:]
    var number: UInt64 = 0
    for _ in 0..<3000 {
      let direction: RecordedEvent.Direction =
        random.next().isMultiple(of: 2) ? .dartToNative : .nativeToDart
      let call = RecordedEvent.Call(direction: direction, id: random.next() % 200)
      if random.next() % 3 > 0 {
        number += 1
        var reused: [UInt64] = []
        table.open(record(call, number)) { record, isReuse in
          #expect(isReuse)
          reused.append(record.number)
        }
        #expect(reused == (open[call].map { [$0] } ?? []), "seed \(seed)")
        open[call] = number
      } else {
        switch table.answer(call) {
        case .first(let record):
          #expect(open[call] == record.number, "seed \(seed)")
          open[call] = nil
        case .again, .none:
          #expect(open[call] == nil, "seed \(seed)")
        }
      }
    }
    var left: [UInt64] = []
    table.drain { left.append($0.number) }
    #expect(left == open.values.sorted(), "seed \(seed)")
  }

  @Test("a second answer is recognised while the message is near")
  func again() {
    var table = CallTable(bits: 4)
    let call = RecordedEvent.Call(direction: .dartToNative, id: 7)
    table.open(record(call, 1)) { _, _ in }
    guard case .first = table.answer(call) else {
      Issue.record("the first")
      return
    }
    guard case .again(let record) = table.answer(call) else {
      Issue.record("again")
      return
    }
    #expect(record.number == 1)
  }

  @Test("more open calls than there is room for: the older half is given up, and said so")
  func givenUp() {
    var table = CallTable(bits: 4, keptAside: 100)
    var givenUp: [UInt64] = []
    for number in UInt64(1)...1000 {
      let call = RecordedEvent.Call(direction: .nativeToDart, id: number)
      table.open(record(call, number)) { record, isReuse in
        #expect(!isReuse)
        givenUp.append(record.number)
      }
    }
    var left: [UInt64] = []
    table.drain { left.append($0.number) }
    #expect(givenUp == Array(1...UInt64(givenUp.count)))
    #expect(givenUp + left == Array(1...1000))
    #expect(left.count <= 117 && left.count >= 66)
  }

  private func record(_ call: RecordedEvent.Call, _ number: UInt64) -> CallTable.Record {
    CallTable.Record(
      call: call, microseconds: 0, number: number, place: 0, row: 0, shape: .other)
  }

  @Test(
    "names that differ in an id",
    arguments: [
      (
        "xyz.luan/audioplayers/events/546c917b-b477-4b68-9ffd-4480644fb3c4",
        "xyz.luan/audioplayers/events/*"
      ),
      ("flutter.io/videoPlayer/videoEvents12", "flutter.io/videoPlayer/videoEvents*"),
      ("plugins.flutter.io/webview_3", "plugins.flutter.io/webview_*"),
      ("a/17/b/18", "a/*/b/*"),
      ("window_manager", nil),
      ("com.example/v2", nil),
      ("deadbeef/cafe", nil),
      ("deadbee5", "*"),
      ("", nil),
    ] as [(String, String?)])
  func groups(name: String, pattern: String?) {
    #expect(
      ChannelGroup.pattern(of: ChannelName(name)).map { String(decoding: $0, as: UTF8.self) }
        == pattern)
  }

  @Test(
    "JSON errors are told from results",
    arguments: [
      ("[null]", false), ("[[1,2,3]]", false), (#"[{"a":1,"b":[1,2]}]"#, false),
      (#"["a,\"b,"]"#, false), (#"["418","no",null]"#, true), ("[]", false), ("", false),
    ])
  func jsonEnvelopes(text: String, isError: Bool) {
    #expect(JSONEnvelopeShape.isError(Array(text.utf8)) == isError)
  }
}
