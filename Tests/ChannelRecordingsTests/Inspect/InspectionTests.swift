import ChannelRecordings
import ChannelRouter
import Foundation
import Testing

@Suite("Inspecting")
struct InspectionTests {
  @Test("what becomes of calls")
  func outcomes() throws {
    var made = Made()
    for id in UInt64(1)...8 { made.call("c", id, "m", [0]) }
    made.reply("c", 1, [0, 0])
    made.reply("c", 3, nil)
    made.reply("c", 2, [1] + wireString("e") + [0, 0])
    made.add(.nativeToDart, "c", 4, .dropped, nil)
    made.add(.nativeToDart, "c", 5, .refused(Refusal(code: "x", text: "y")), nil)
    made.reply("c", 5, [0, 0])
    made.reply("c", 7, [])
    made.reply("c", 70, [0, 0])
    made.add(.dartToNative, "c", 9, .message, wireString("m") + [0], isOneWay: true)
    made.add(.nativeToDart, "c", 1, .message, [0, 1])
    let inspection = made.inspection()
    let row = try #require(inspection.rows.first)
    #expect(row.method.map { String(decoding: $0, as: UTF8.self) } == "m")
    #expect(row.messages == 9 && row.answers == 6 && row.oneWay == 1)
    #expect(row.nullReplies == 2 && row.errors == 1 && row.dropped == 1 && row.refused == 1)
    #expect(row.doubleReplies == 1 && row.overtaken == 1)
    #expect(row.neverAnswered == 1 && row.openAtEnd == 1 && row.unheeded == 0)
    #expect(inspection.answersWithoutMessage == 1)
    #expect(inspection.rows.count == 2)
    #expect(inspection.rows[1].kind == "event" && inspection.rows[1].unheeded == 1)
  }

  @Test("clocks that go backwards, and times at the ends of what there is")
  func times() throws {
    var made = Made()
    made.add(.dartToNative, "c", 1, .message, wireString("m") + [0], at: .max)
    made.add(.nativeToDart, "c", 1, .reply, [0, 0], at: .min)
    let inspection = made.inspection()
    #expect(inspection.timesBackwards == 1)
    #expect(inspection.firstTime == .min && inspection.lastTime == .max)
    #expect(inspection.rows[0].latency.maximum == 0)
    #expect(!InspectionText(inspection).lines().isEmpty)
  }

  @Test("more channels and methods than are told apart")
  func bounds() throws {
    var made = Made()
    for number in UInt64(0)..<5000 {
      made.call(ChannelName("c\(number)x"), number, "m", [0])
    }
    for number in UInt64(5000)..<14_000 { made.call("c0x", number, "m\(number)", [0]) }
    let inspection = made.inspection()
    #expect(inspection.total.messages == 14_000)
    #expect(inspection.channelCount == 4097)
    #expect(inspection.hasOtherMethods)
    #expect(inspection.rows.count < 13_000)
  }

  @Test("a message is a call only where the channel has calls")
  func codecs() throws {
    var made = Made()
    made.add(.dartToNative, "c", 1, .message, [7, 1, 0x61, 0])
    made.add(.dartToNative, "c", 2, .message, [1, 1])
    var codecs = ChannelCodecMap()
    codecs["c"] = .binary
    let inspection = made.inspection(codecs: codecs)
    #expect(inspection.rows.count == 1)
    #expect(inspection.rows[0].method == nil && inspection.rows[0].messages == 2)
    #expect(inspection.channels[0].isGiven && inspection.channels[0].confidence == 1)
  }

  @Test("the JSON has what the table has")
  func json() throws {
    var made = Made()
    made.call("a\"\u{7f}\n", 1, "m\u{1b}", [0])
    made.reply("a\"\u{7f}\n", 1, [0, 0])
    let bytes = InspectionJSON.bytes(made.inspection())
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(object["messages"] as? Int == 1)
    let channel = try #require((object["channels"] as? [[String: Any]])?.first)
    #expect(channel["channel"] as? String == "a\"\u{7f}\n")
    let method = try #require((channel["methods"] as? [[String: Any]])?.first)
    #expect(method["method"] as? String == "m\u{1b}")
    #expect((method["latency_us"] as? [String: Any])?["p50"] as? Int == 1000)
  }

  @Test("an empty recording")
  func empty() throws {
    let inspection = Made().inspection()
    #expect(InspectionText(inspection).lines() == ["0 messages, 0 replies in 0us on 0 channels"])
    let object = try JSONSerialization.jsonObject(with: Data(InspectionJSON.bytes(inspection)))
    #expect(object is [String: Any])
  }

  @Test("figures are short and lines whole")
  func text() throws {
    let lines = InspectionText(try inspection(ofFile: Captures.desktopApp).grouped()).lines()
    #expect(
      lines[0]
        == "2,008 messages, 1,772 replies in 76.2s on 20 channels (17 but for ids in names)")
    #expect(lines[1] == "204 null replies, 9 errors, 7 replies out of order")
    #expect(lines.contains { $0.hasPrefix("xyz.luan/audioplayers/events/* x4 standard-method 9") })
  }
}
