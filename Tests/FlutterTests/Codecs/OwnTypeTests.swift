import ChannelCodec
import Foundation
import Testing

@testable import Flutter

/// Codecs with types of their own, in the shapes that apps and generated code have.
@Suite struct OwnTypeTests {
  final class Pair: NSObject {
    let (first, second): (Any?, Any?)
    init(_ first: Any?, _ second: Any?) { (self.first, self.second) = (first, second) }
  }

  final class Raw: NSObject {
    let number: UInt16
    init(_ number: UInt16) { self.number = number }
  }

  private final class Reader: FlutterStandardReader {
    override func readValue(ofType type: UInt8) -> Any? {
      switch type {
      case 128:
        let fields = readValue() as? [Any?] ?? []
        return fields.count == 2 ? Pair(fields[0], fields[1]) : nil
      case 129:
        var number: UInt16 = 0
        readAlignment(4)
        readBytes(&number, length: 2)
        return Raw(number)
      case 130: return readUTF8()
      case 131: return readData(UInt(readSize()))
      default: return super.readValue(ofType: type)
      }
    }
  }

  private final class Writer: FlutterStandardWriter {
    override func writeValue(_ value: Any) {
      switch value {
      case let pair as Pair:
        writeByte(128)
        writeValue([pair.first, pair.second])
      case let raw as Raw:
        writeByte(129)
        writeAlignment(4)
        var number = raw.number
        writeBytes(&number, length: 2)
      case let url as URL:
        writeByte(130)
        writeUTF8(url.absoluteString)
      case let date as Date:
        writeByte(131)
        let data = Data("\(Int(date.timeIntervalSince1970))".utf8)
        writeSize(UInt32(data.count))
        write(data)
      default: super.writeValue(value)
      }
    }
  }

  private final class ReaderWriter: FlutterStandardReaderWriter {
    override func reader(with data: Data) -> FlutterStandardReader { Reader(data: data) }
    override func writer(with data: NSMutableData) -> FlutterStandardWriter {
      Writer(data: data)
    }
  }

  private let messages = FlutterStandardMessageCodec(readerWriter: ReaderWriter())
  private let methods = FlutterStandardMethodCodec(readerWriter: ReaderWriter())

  @Test func bytesAreTheCodecs() throws {
    let message = messages.encode(["p": Pair(Raw(7), nil), "q": 1.5] as [String: Any])
    #expect(
      message.map { hexText($0) }
        == hexText(
          hexBytes(
            "0d 02 07 01 70 80 0c 02 81 000000 0700 00 07 01 71 06 0000000000 000000000000f83f")))
    let back = messages.decode(message) as? [String: Any]
    let pair = try #require(back?["p"] as? Pair)
    #expect((pair.first as? Raw)?.number == 7)
    #expect(pair.second is NSNull)
    #expect(back?["q"] as? Double == 1.5)
  }

  @Test func ownTypesInCallsAndEnvelopes() throws {
    let call = FlutterMethodCall(methodName: "m", arguments: [Raw(1), Raw(2)])
    let back = methods.decodeMethodCall(methods.encode(call))
    #expect(back.method == "m")
    #expect((back.arguments as? [Raw])?.map(\.number) == [1, 2])
    let reply = methods.decodeEnvelope(methods.encodeSuccessEnvelope(Pair("a", Raw(9))))
    #expect(((reply as? Pair)?.second as? Raw)?.number == 9)
    let error = FlutterError(code: "c", message: nil, details: Raw(3))
    let failure = try #require(
      methods.decodeEnvelope(methods.encodeErrorEnvelope(error)) as? FlutterError)
    #expect((failure.details as? Raw)?.number == 3)
    #expect(failure.message == nil)
  }

  @Test func textAndBytes() {
    let url = URL(filePath: "/a")
    #expect(messages.decode(messages.encode(url)) as? String == url.absoluteString)
    let date = Date(timeIntervalSince1970: 12)
    #expect(messages.decode(messages.encode([date])) as? [Data] == [Data("12".utf8)])
  }

  static let damaged = [
    "80", "80 0c", "80 0c 02 00", "81", "81 00", "82 05 61", "83 fe 01", "83 ff ffffffff",
    "0c ff ffffffff", "0d ff ffffffff", "0c 01", "84", "0f", "00 00", "06", "07 05 61",
  ]

  @Test(arguments: damaged) func damageIsTold(_ hex: String) {
    let (value, trouble) = CodecTrouble.collecting { messages.decode(Data(hexBytes(hex))) }
    // A string that is too long reads as null on iOS, and what follows is missed.
    let isText = hex.hasPrefix("07") || hex.hasPrefix("82")
    #expect(trouble != nil || isText, "\(hex): \(value as Any)")
    #expect(value == nil || value as? String == "", "\(hex): \(value as Any)")
  }

  @Test func nestingEnds() {
    for type in [UInt8(12), 128] {
      let deep = (0..<100_000).flatMap { _ in type == 12 ? [UInt8(12), 1] : [128] }
      let (value, trouble) = CodecTrouble.collecting { messages.decode(Data(deep)) }
      #expect(value == nil)
      #expect(trouble?.code == .depthExceeded)
    }
  }

  @Test func aReaderByItself() {
    let reader = FlutterStandardReader(data: Data(hexBytes("fe 0001 07 02 6869 05")))
    #expect(reader.readSize() == 256)
    #expect(reader.readValue() as? String == "hi")
    #expect(reader.hasMore())
    #expect(reader.readByte() == 5)
    #expect(!reader.hasMore())
    #expect(reader.readByte() == 0)
    #expect(reader.trouble?.code == .truncated)
    #expect(reader.readValue() == nil)
  }

  @Test func aWriterByItself() {
    let data = NSMutableData()
    let writer = FlutterStandardWriter(data: data)
    writer.writeSize(253)
    writer.writeSize(254)
    writer.writeSize(65536)
    writer.writeAlignment(4)
    writer.writeUTF8("é")
    writer.writeValue(1.5)
    #expect(
      hexText(data as Data)
        == hexText(hexBytes("fd fefe00 ff00000100 000000 02c3a9 06 000000000000f83f")))
  }
}
