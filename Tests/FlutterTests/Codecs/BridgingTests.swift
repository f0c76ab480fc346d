import ChannelCodec
import Foundation
import Testing

@testable import Flutter

/// What `as?` finds in decoded values; the rows are those that iOS has by SE-0170.
@Suite struct BridgingTests {
  private let codec = FlutterStandardMessageCodec.sharedInstance()

  /// The value under `x` in a map, as a handler gets it.
  private func decoded(_ value: Value) throws -> Any? {
    let message = try StandardMessageCodec().encode(["x": value])
    let map = codec.decode(message.map { Data($0) }) as? [String: Any]
    return try #require(map)["x"]
  }

  struct Row: Sendable {
    let value: Value
    let int: Int?
    init(_ value: Value, _ int: Int?) { (self.value, self.int) = (value, int) }
  }

  static let integers: [Row] = [
    Row(.int32(7), 7), Row(.int64(7), 7), Row(.int32(-1), -1), Row(.int64(1 << 40), 1 << 40),
    Row(.int64(.min), .min), Row(.int64(.max), .max), Row(.int64(1 << 53 + 1), 1 << 53 + 1),
    Row(.float64(1), 1), Row(.float64(-0.0), 0), Row(.float64(9.2e18), 9_200_000_000_000_000_000),
    Row(.float64(1.5), nil), Row(.float64(.nan), nil), Row(.float64(.infinity), nil),
    Row(.float64(1e19), nil), Row(.bool(true), 1), Row(.bool(false), 0), Row("7", nil),
    Row(.null, nil), Row([7], nil), Row([:], nil),
  ]

  @Test(arguments: integers) func asInt(_ row: Row) throws {
    #expect(try decoded(row.value) as? Int == row.int)
  }

  @Test func otherCasts() throws {
    #expect(try decoded(7) as? Double == 7)
    #expect(try decoded(1.5) as? Double == 1.5)
    #expect(try decoded(1.5) as? Float == 1.5)
    #expect(try decoded(true) as? Bool == true)
    #expect(try decoded(0) as? Bool == false)
    #expect(try decoded(1.0) as? Bool == true)
    #expect(try decoded(2) as? Bool == nil)
    #expect(try decoded(300) as? UInt8 == nil)
    #expect(try decoded(200) as? UInt8 == 200)
    #expect(try decoded(.int64(-1)) as? UInt == nil)
    #expect(try decoded("x") as? String == "x")
    #expect(try decoded("x") as? NSString == "x")
    #expect(try decoded(7) as? String == nil)
    #expect(try decoded(7) as? NSNumber == 7)
    #expect(try decoded(.null) is NSNull)
    #expect(try decoded(.null) as? String == nil)
    #expect(try decoded([1, 2]) as? [Int] == [1, 2])
    #expect(try decoded([1, 2.5]) as? [Int] == nil)
    #expect(try decoded([1, 2.5]) as? [Double] == [1, 2.5])
    #expect(try decoded(["a"]) as? [String] == ["a"])
    #expect(try (decoded([nil, 1]) as? [Any])?.first is NSNull)
    #expect(try decoded(["a": 1]) as? [String: Int] == ["a": 1])
    #expect(try (decoded([["a": 1]]) as? [[String: Any]])?.first?["a"] as? Int == 1)
    #expect(try decoded(["a": 1]) as? NSDictionary == ["a": 1])
    #expect(try decoded([1]) as? NSArray == [1])
  }

  @Test func keys() throws {
    let value: Value = [1: "one", "two": 2]
    let map = try #require(try decoded(value) as? [AnyHashable: Any])
    #expect(map[1] as? String == "one")
    #expect(map[1.0] as? String == "one")
    #expect(map["two"] as? Int == 2)
    #expect(try decoded(value) as? [String: Any] == nil)
    #expect(try (decoded([1: "x"]) as? [Int: Any])?[1] as? String == "x")
    let nullKey = try #require(try decoded([nil: 1]) as? [AnyHashable: Any])
    #expect(nullKey.first?.key.base is NSNull)
    #expect(try decoded([nil: 1]) as? [String: Any] == nil)
  }

  /// The difference that cannot be bridged: on iOS this succeeds, with nil for the null.
  @Test func nullsInsideOptionalsFailHere() throws {
    #expect(try decoded(["sound": nil]) as? [String: String?] == nil)
  }

  @Test func nullAtTheTopIsNil() {
    #expect(codec.decode(Data([0])) == nil)
    #expect(codec.decode(Data()) == nil)
    #expect(codec.decode(nil) == nil)
    #expect(codec.encode(nil) == nil)
    #expect(codec.encode(NSNull()) == Data([0]))
  }

  @Test func typedData() throws {
    let bytes = try #require(try decoded(.uint8List([1, 2])) as? FlutterStandardTypedData)
    #expect(bytes.data == Data([1, 2]))
    #expect(bytes.type == .uInt8)
    let doubles = try #require(try decoded(.float64List([1.5])) as? FlutterStandardTypedData)
    #expect((doubles.elementCount, doubles.elementSize) == (1, 8))
    #expect(doubles == FlutterStandardTypedData(float64: doubles.data))
    #expect(doubles != FlutterStandardTypedData(int64: doubles.data))
    #expect(FlutterStandardTypedData(int32: Data([1, 2, 3, 4, 5])).elementCount == 1)
  }

  @Test func switchingOverTypesFindsBoolFirst() throws {
    func kind(_ value: Any?) -> String {
      switch value {
      case is Bool: "bool"
      case is Int: "int"
      default: "other"
      }
    }
    #expect(try kind(decoded(1)) == "bool")
    #expect(try kind(decoded(true)) == "bool")
    #expect(try kind(decoded(2)) == "int")
  }
}

/// What Swift and Foundation values are on the wire.
@Suite struct WidthTests {
  private let codec = FlutterStandardMessageCodec.sharedInstance()

  static let rows: [(label: String, native: @Sendable () -> Any, hex: String)] = [
    ("Int", { 5 }, "04 0500000000000000"),
    ("Int64", { Int64(5) }, "04 0500000000000000"),
    ("Int32", { Int32(5) }, "03 05000000"),
    ("Int16", { Int16(-2) }, "03 feffffff"),
    ("Int8", { Int8(-2) }, "03 feffffff"),
    ("UInt8", { UInt8(200) }, "03 c8000000"),
    ("UInt16", { UInt16(65535) }, "03 ffff0000"),
    ("UInt32", { UInt32.max }, "04 ffffffff00000000"),
    ("UInt", { UInt(5) }, "04 0500000000000000"),
    ("UInt64", { UInt64(5) }, "04 0500000000000000"),
    ("Bool", { true }, "01"),
    ("false", { false }, "02"),
    ("Double", { 1.5 }, "06 00000000000000 000000000000f83f"),
    ("Float", { Float(1.5) }, "06 00000000000000 000000000000f83f"),
    ("CGFloat", { CGFloat(1.5) }, "06 00000000000000 000000000000f83f"),
    ("Decimal", { Decimal(1.5) }, "06 00000000000000 000000000000f83f"),
    ("NSNumber bool", { NSNumber(value: true) }, "01"),
    ("NSNumber double", { NSNumber(value: 1.5) }, "06 00000000000000 000000000000f83f"),
    ("NSNumber Int", { NSNumber(value: 500) }, "04 f401000000000000"),
    ("NSNumber Int32", { NSNumber(value: Int32(500)) }, "03 f4010000"),
    ("String", { "hé" }, "07 03 68c3a9"),
    ("Substring", { "xhé".dropFirst() }, "07 03 68c3a9"),
    ("NSString", { NSString(string: "h") }, "07 01 68"),
    ("Data", { Data([1, 2]) }, "08 02 0102"),
    ("NSData", { NSData(data: Data([1, 2])) }, "08 02 0102"),
    ("typed", { FlutterStandardTypedData(int32: Data([1, 0, 0, 0])) }, "09 01 0000 01000000"),
    ("NSNull", { NSNull() }, "00"),
    ("[Int]", { [1] }, "0c 01 04 0100000000000000"),
    ("[Any?]", { [nil, true] as [Any?] }, "0c 02 00 01"),
    ("[UInt8]", { [UInt8(1)] }, "0c 01 03 01000000"),
    ("NSArray", { NSArray(array: ["a"]) }, "0c 01 07 01 61"),
    ("map", { ["b": true, "a": false] }, "0d 02 07 01 61 02 07 01 62 01"),
    (
      "map of optionals", { ["a": nil, "b": "x"] as [String: String?] },
      "0d 02 07 01 61 00 07 01 62 07 01 78"
    ),
    ("map with Int keys", { [1: true] }, "0d 01 04 0100000000000000 01"),
    ("NSDictionary", { NSDictionary(dictionary: ["a": true]) }, "0d 01 07 01 61 01"),
    ("Optional some", { Optional.some(Int32(5)) as Any }, "03 05000000"),
    ("Optional none", { Int?.none as Any }, "00"),
    ("AnyHashable", { AnyHashable(true) }, "01"),
  ]

  @Test func widths() {
    for row in WidthTests.rows {
      let (data, trouble) = CodecTrouble.collecting { codec.encode(row.native()) }
      #expect(trouble == nil, "\(row.label)")
      #expect(data.map { hexText($0) } == row.hex.filter { $0 != " " }, "\(row.label)")
    }
  }

  struct Point {}
  enum Color: String { case red }

  static let unsupported: [(label: String, native: @Sendable () -> Any, found: String)] = [
    ("UInt64.max", { UInt64.max }, "the UInt64 18446744073709551615"),
    ("NSNumber max", { NSNumber(value: UInt64.max) }, "the number 18446744073709551615"),
    ("Date", { Date() }, "found Date"),
    ("URL", { URL(filePath: "/") }, "found URL"),
    ("struct", { Point() }, "found Point"),
    ("enum", { Color.red }, "found Color"),
    ("Set", { Set([1]) }, "found Set<Int>"),
    ("object", { NSObject() }, "class NSObject"),
    ("error", { FlutterError(code: "", message: nil, details: nil) }, "class FlutterError"),
    ("nested", { ["a": [1, Date()] as [Any]] }, "in [\"a\"][1]"),
  ]

  /// Both ways of writing name the type and the place, and neither writes anything.
  @Test func whatCannotBeWrittenIsNamed() {
    final class Own: FlutterStandardReaderWriter {}
    for row in WidthTests.unsupported {
      for codec in [self.codec, FlutterStandardMessageCodec(readerWriter: Own())] {
        let (data, trouble) = CodecTrouble.collecting { codec.encode(row.native()) }
        #expect(data == nil, "\(row.label)")
        let text = trouble.map { "\($0)" } ?? ""
        #expect(text.contains(row.found), "\(row.label): \(text)")
        #expect(text.contains("Unsupported value for standard codec"))
      }
    }
  }

  @Test func nestingEnds() {
    final class Own: FlutterStandardReaderWriter {}
    var list: [Any] = []
    for _ in 0..<600 { list = [list] }
    for codec in [self.codec, FlutterStandardMessageCodec(readerWriter: Own())] {
      let (data, trouble) = CodecTrouble.collecting { codec.encode(list) }
      #expect(data == nil && trouble != nil)
    }
  }

  @Test func decodedNumbersKeepTheirWidth() {
    for hex in ["03 0d000000", "04 0d00000000000000", "03 00000000", "0e 01 0000 0000c03f"] {
      #expect(codec.encode(codec.decode(Data(hexBytes(hex)))) == Data(hexBytes(hex)))
    }
  }

  @Test func callsAndErrorsAreEqualByValue() {
    let call = FlutterMethodCall(methodName: "m", arguments: ["a": 1])
    #expect(call == FlutterMethodCall(methodName: "m", arguments: ["a": 1]))
    #expect(call != FlutterMethodCall(methodName: "m", arguments: ["a": 2]))
    #expect(call != FlutterMethodCall(methodName: "m", arguments: nil))
    let error = FlutterError(code: "c", message: nil, details: [1])
    #expect(error == FlutterError(code: "c", message: nil, details: [1]))
    #expect(error != FlutterError(code: "c", message: "", details: [1]))
    #expect(!((error as Any) is any Error))
  }
}
