import ChannelCodec
import Testing

@Suite("Value: typed lists")
struct TypedListTests {
  @Test("a typed list is a random access collection of its numbers")
  func collection() {
    let list: Value.TypedList<Int32> = [1, -2, .max, .min]
    #expect(Array(list) == [1, -2, .max, .min])
    #expect(list.count == 4)
    #expect(list[3] == .min)
    #expect(list.last == .min)
    #expect(list.reversed().first == .min)
    #expect(list.index(list.startIndex, offsetBy: 2) == 2)
    #expect(Value.TypedList<Double>([]).isEmpty)
    #expect(Array(Value.TypedList(stride(from: Int64(0), to: 9, by: 3).map { $0 })) == [0, 3, 6])
  }

  @Test("bytes are little-endian")
  func bytes() {
    Value.TypedList<Int32>([1, -2]).withUnsafeBytes {
      #expect(Array($0) == wire("01 00 00 00 fe ff ff ff"))
    }
    Value.TypedList<Double>([1.5]).withUnsafeBytes {
      #expect(Array($0) == wire("00 00 00 00 00 00 f8 3f"))
    }
  }

  @Test(
    "every bit of a float is kept, signalling NaN included",
    arguments: [
      UInt32(0x7f80_0001), 0x7fa0_0000, 0xff80_0001, 0x7fc0_0000, 0xffff_ffff, 0x8000_0000, 1,
    ])
  func floatBits(_ bits: UInt32) throws {
    let list = Value.TypedList([Float(bitPattern: bits), 1])
    #expect(list[0].bitPattern == bits)
    let codec = StandardMessageCodec()
    let encoded = try #require(try codec.encode([.float32List(list)]))
    let bitBytes = (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    #expect(encoded == wire("0c 01 0e 02") + bitBytes + wire("00 00 80 3f"))
    guard case .float32List(let decoded)? = try codec.decode(encoded)?[0] else {
      Issue.record("no Float32List")
      return
    }
    #expect(decoded[0].bitPattern == bits)
    #expect(decoded == list)
  }

  @Test(
    "every bit of a double is kept, alone and in a list",
    arguments: [
      UInt64(0x7ff0_0000_0000_0001), 0x7ff4_0000_0000_0000, 0xfff0_0000_0000_0001,
      0x7ff8_0000_0000_0000, 0xffff_ffff_ffff_ffff, 0x8000_0000_0000_0000, 1,
    ])
  func doubleBits(_ bits: UInt64) throws {
    let number = Double(bitPattern: bits)
    let value: Value = [.float64(number), .float64List([number])]
    let codec = StandardMessageCodec()
    let decoded = try #require(try codec.decode(try codec.encode(value)))
    #expect(decoded[0]?.double?.bitPattern == bits)
    guard case .float64List(let list)? = decoded[1] else {
      Issue.record("no Float64List")
      return
    }
    #expect(list[0].bitPattern == bits)
    #expect(decoded == value)
  }

  @Test("equal bits, not equal numbers")
  func equality() {
    #expect(Value.TypedList<Double>([.nan]) == [.nan])
    #expect(Value.TypedList<Double>([0.0]) != [-0.0])
    #expect(Value.TypedList<Float>([.nan]) != [.signalingNaN])
    #expect(Set([Value.TypedList<Int32>([1]), [1], [2]]).count == 2)
    #expect(Value.int32List([1, 0]) != .int64List([1]), "the same bytes, another type")
    #expect(Value.int32List([1]) != .float32List([Float(bitPattern: 1)]))
  }

  @Test("kinds know their type byte, width and name")
  func kinds() {
    #expect(TypedListKind.allCases.map(\.rawValue) == [8, 9, 10, 11, 14])
    #expect(TypedListKind.allCases.map(\.width) == [1, 4, 8, 8, 4])
    #expect(
      TypedListKind.allCases.map(\.name)
        == ["Uint8List", "Int32List", "Int64List", "Float64List", "Float32List"])
    #expect(
      [UInt8.listKind, Int32.listKind, Int64.listKind, Double.listKind, Float.listKind]
        == TypedListKind.allCases)
  }
}
