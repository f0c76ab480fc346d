import ChannelRecordings
import ChannelRouter
import Testing

/// The numbers here were counted by a Python program that shares nothing with ours.
@Suite("Inspecting a real capture")
struct CaptureInspectionTests {
  let whole: RecordingInspection

  init() throws { whole = try inspection(ofFile: Captures.desktopApp) }

  private func row(
    _ channel: String, _ direction: RecordedEvent.Direction, _ method: String?
  ) throws -> MethodRow {
    let number = try #require(whole.channels.firstIndex { $0.name == channel })
    return try #require(
      whole.rows.first {
        $0.channel == number && $0.direction == direction
          && $0.method == method.map { Array($0.utf8) }
      })
  }

  @Test("sums")
  func sums() {
    let total = whole.total
    #expect(total.messages == 2008)
    #expect(total.answers == 1772)
    #expect(total.messageBytes == 218_866)
    #expect(total.answerBytes == 16_977)
    #expect(total.nullReplies == 204)
    #expect(total.errors == 9)
    #expect(total.overtaken == 7)
    #expect(total.doubleReplies == 0)
    #expect(total.unanswered == 236)
    #expect(total.openAtEnd == 1)
    #expect(total.unheeded == 235)
    #expect(total.latency.maximum == 303_979)
    #expect(whole.answersWithoutMessage == 0)
    #expect(whole.givenUp == 0 && whole.reusedIDs == 0 && whole.timesBackwards == 0)
    #expect(whole.firstTime == 196_202 && whole.lastTime == 76_456_972)
  }

  @Test("20 channels, 17 with those as one that differ in an id")
  func channels() throws {
    #expect(whole.channelCount == 20)
    #expect(whole.channels.count == 20)
    let grouped = whole.grouped()
    #expect(grouped.channels.count == 17)
    #expect(grouped.channelCount == 20)
    let events = try #require(grouped.channels.first { $0.members > 1 })
    #expect(events.name == "xyz.luan/audioplayers/events/*")
    #expect(events.members == 4)
    #expect(grouped.total.messages == whole.total.messages)
    #expect(grouped.total.latency == whole.total.latency)
  }

  @Test("methods")
  func methods() throws {
    let state = try row("flutter/platform", .dartToNative, "Clipboard.hasStrings")
    #expect(state.messages == 96 && state.answers == 96 && state.overtaken == 7)
    #expect(state.messageBytes == 5088 && state.answerBytes == 1548)
    let maximized = try row("window_manager", .dartToNative, "isMaximized")
    #expect(maximized.messages == 43 && maximized.answers == 42 && maximized.openAtEnd == 1)
    let caret = try row("flutter/textinput", .dartToNative, "TextInput.setCaretRect")
    #expect(caret.messages == 78 && caret.nullReplies == 78 && caret.messageBytes == 6782)
    let keys = try row("flutter/keydata", .nativeToDart, nil)
    #expect(keys.messages == 335 && keys.answers == 335 && keys.messageBytes == 18_876)
    let source = try row("xyz.luan/audioplayers", .dartToNative, "setSourceBytes")
    #expect(source.largestMessage == 25_721 && source.nullReplies == 1)
    let windows = try row("window_manager", .nativeToDart, "onEvent")
    #expect(windows.messages == 132 && windows.unheeded == 132)
  }

  @Test(
    "percentiles, within what the histogram promises",
    arguments: [
      (
        "flutter/platform", RecordedEvent.Direction.dartToNative, "Clipboard.hasStrings",
        [305, 8954, 62_122, 62_122]
      ),
      ("window_manager", .dartToNative, "getBounds", [241, 3061, 16_355, 16_355]),
      (
        "flutter/textinput", .nativeToDart, "TextInputClient.updateEditingState",
        [10_817, 130_077, 303_979, 303_979]
      ),
      ("flutter/textinput", .dartToNative, "TextInput.setCaretRect", [33, 56, 173, 173]),
    ])
  func percentiles(
    channel: String, direction: RecordedEvent.Direction, method: String, exact: [UInt64]
  ) throws {
    let latency = try row(channel, direction, method).latency
    for (share, exact) in zip([0.5, 0.9, 0.99, 1], exact) {
      let found = try #require(latency.percentile(share))
      #expect(abs(Double(found) - Double(exact)) <= Double(exact) * 0.032, "\(method) \(share)")
    }
    #expect(latency.maximum == exact[3])
  }

  @Test("codecs")
  func codecs() {
    #expect(whole.codecs["window_manager"] == .standardMethod)
    #expect(whole.codecs["flutter/platform"] == .jsonMethod)
    #expect(whole.codecs["flutter/keyevent"] == .jsonMessage)
    #expect(whole.codecs["flutter/accessibility"] == .standardMessage)
    #expect(whole.codecs["flutter/lifecycle"] == .string)
    #expect(whole.codecs["flutter/keydata"] == .binary)
  }

  @Test("a call is told once, with what became of it")
  func calls() throws {
    let reader = try RecordingReader(path: Captures.desktopApp)
    var answered = 0
    var unanswered: [String] = []
    var numbers: Set<UInt64> = []
    var inspector = RecordingInspector { call in
      numbers.insert(call.number)
      switch call.ending {
      case .answered(let event, let latency):
        answered += 1
        #expect(event.microseconds - call.microseconds == latency)
      case .unanswered: unanswered.append(call.channel.description)
      case .answeredAgain, .oneWay: Issue.record("none of them is there")
      }
    }
    while let event = try reader.next() { inspector.add(event, at: 0) }
    _ = inspector.finish()
    #expect(answered == 1772)
    #expect(unanswered.count == 236)
    #expect(unanswered.last == "window_manager")
    #expect(numbers.count == 2008)
  }

  @Test("what the lint finds in it")
  func lint() throws {
    var lint = RecordingLint(whole)
    let reader = try RecordingReader(path: Captures.desktopApp)
    var line: UInt64 = 0
    while let event = try reader.next() {
      line += 1
      lint.add(event, at: line)
    }
    let groups = lint.finish()
    #expect(groups.map(\.rule) == [.unansweredCall, .nullReply, .unbuffered])
    #expect(groups[0].count == 1 && groups[0].first[0].place == 3780)
    #expect(groups[0].first[0].method == "isMaximized")
    #expect(groups[1].first[0].place == 3706)
    #expect(groups[2].first.map(\.place) == [4, 5, 6, 7])
  }
}
