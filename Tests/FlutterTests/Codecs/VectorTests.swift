import ChannelCodec
import ChannelNotation
import Foundation
import Testing

@testable import Flutter

/// Every vector without extension types, through the API that iOS code sees.
@Suite struct VectorTests {
  /// Takes the way of a codec with types of its own, and has none.
  private final class ElementByElement: FlutterStandardReaderWriter {}

  private let messageCodecs: [String: [any FlutterMessageCodec]] = [
    "message": [
      FlutterStandardMessageCodec.sharedInstance(),
      FlutterStandardMessageCodec(readerWriter: ElementByElement()),
    ],
    "json-message": [FlutterJSONMessageCodec.sharedInstance()],
    "string": [FlutterStringCodec.sharedInstance()],
  ]

  private let methodCodecs: [String: [any FlutterMethodCodec]] = {
    let standard: [any FlutterMethodCodec] = [
      FlutterStandardMethodCodec.sharedInstance(),
      FlutterStandardMethodCodec(readerWriter: ElementByElement()),
    ]
    let json: [any FlutterMethodCodec] = [FlutterJSONMethodCodec.sharedInstance()]
    return [
      "call": standard, "envelope": standard, "json-call": json, "json-envelope": json,
    ]
  }()

  @Test func vectorsAreFound() {
    #expect(FlutterVector.all.count > 2000)
    #expect(FlutterVector.all.count { if case .value = $0.decodes { true } else { false } } > 900)
    #expect(FlutterVector.all.count { if case .failure = $0.decodes { true } else { false } } > 800)
  }

  /// Swift's strings are equal where Foundation's are not: two such keys become one.
  private static let mergedBySwift: Set = [
    "maps.keys.canonically-equivalent"
  ]

  @Test func messagesDecode() throws {
    var count = 0
    for vector in FlutterVector.all where !VectorTests.mergedBySwift.contains(vector.id) {
      for codec in messageCodecs[vector.codec] ?? [] {
        let data = vector.bytes.map { Data($0) }
        let (native, trouble) = CodecTrouble.collecting { codec.decode(data) }
        let label = "\(vector.id) by \(type(of: codec))"
        switch vector.decodes {
        case .value(let json):
          let value = try TypedJSON.value(json)
          #expect(trouble == nil, "\(label): \(trouble.map { "\($0)" } ?? "")")
          #expect(isNative(native, of: value ?? .null), "\(label): \(native ?? "nil")")
          count += 1
        case .failure:
          #expect(trouble != nil && native == nil, "\(label): \(native ?? "nil")")
          count += 1
        case .bytes, .open: break
        }
      }
    }
    #expect(count > 2300)
  }

  @Test func callsAndEnvelopesDecode() throws {
    var count = 0
    for vector in FlutterVector.all {
      for codec in methodCodecs[vector.codec] ?? [] {
        guard let bytes = vector.bytes else { continue }
        let label = "\(vector.id) by \(type(of: codec))"
        let isCall = vector.codec.hasSuffix("call")
        let (native, trouble) = CodecTrouble.collecting { () -> Any? in
          isCall ? codec.decodeMethodCall(Data(bytes)) : codec.decodeEnvelope(Data(bytes))
        }
        switch vector.decodes {
        case .value(let json):
          #expect(trouble == nil, "\(label): \(trouble.map { "\($0)" } ?? "")")
          #expect(try isCall ? isCallOf(json, native) : isEnvelope(json, native), "\(label)")
          count += 1
        case .failure:
          #expect(trouble != nil, "\(label): \(native ?? "nil")")
          count += 1
        case .bytes, .open: break
        }
      }
    }
    #expect(count > 800)
  }

  private func isCallOf(_ json: String, _ native: Any?) throws -> Bool {
    let expected = try TypedJSON.call(json)
    guard let call = native as? FlutterMethodCall else { return false }
    return call.method == expected.method.description
      && isNative(call.arguments, of: expected.arguments)
  }

  private func isEnvelope(_ json: String, _ native: Any?) throws -> Bool {
    switch try TypedJSON.envelope(json) {
    case nil: return native == nil
    case .success(let value): return isNative(native, of: value)
    case .error(let expected):
      guard let error = native as? FlutterError else { return false }
      return error.code == expected.code.description
        && error.message == expected.message?.description
        && isNative(error.details, of: expected.details)
    }
  }

  @Test func valuesEncode() throws {
    var count = 0
    for vector in FlutterVector.all {
      guard case .bytes(let expected) = vector.encodes, let json = vector.value else { continue }
      switch vector.codec {
      case "message", "json-message":
        guard let value = try TypedJSON.value(json), value.comesBackUnchanged, !value.isNull else {
          continue
        }
        for codec in messageCodecs[vector.codec] ?? [] {
          let (data, trouble) = CodecTrouble.collecting { codec.encode(NativeValue.of(value)) }
          let label = "\(vector.id) by \(type(of: codec)): \(trouble.map { "\($0)" } ?? "")"
          #expect(data.map { hexText($0) } == expected.map(hexText), "\(label)")
          count += 1
        }
      case "call":
        let call = try TypedJSON.call(json)
        guard call.arguments.comesBackUnchanged, call.method.isValidUTF8 else { continue }
        for codec in methodCodecs[vector.codec] ?? [] {
          let data = codec.encode(
            FlutterMethodCall(
              methodName: call.method.description, arguments: NativeValue.of(call.arguments)))
          #expect(hexText(data) == expected.map(hexText), "\(vector.id)")
          count += 1
        }
      case "envelope":
        guard case .success(let value)? = try TypedJSON.envelope(json), value.comesBackUnchanged
        else { continue }
        for codec in methodCodecs[vector.codec] ?? [] {
          let data = codec.encodeSuccessEnvelope(NativeValue.of(value))
          #expect(hexText(data) == expected.map(hexText), "\(vector.id)")
          count += 1
        }
      default: break
      }
    }
    #expect(count > 500)
  }

  /// Nothing that comes in may take the process down, and both ways of reading agree on it.
  @Test func bothWaysAgreeOnDamage() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = Shuffler(state: seed)
    let standard = FlutterStandardMethodCodec.sharedInstance()
    let other = FlutterStandardMethodCodec(readerWriter: ElementByElement())
    let seeds = FlutterVector.all.filter { $0.codec == "call" }.compactMap(\.bytes)
      .filter { $0.count > 2 && $0.count < 400 }
    for round in 0..<4000 {
      var bytes = seeds[Int(random.next() % UInt64(seeds.count))]
      for _ in 0...Int(random.next() % 3) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      let (first, trouble) = CodecTrouble.collecting { standard.decodeMethodCall(Data(bytes)) }
      let (second, otherTrouble) = CodecTrouble.collecting { other.decodeMethodCall(Data(bytes)) }
      #expect(
        (trouble == nil) == (otherTrouble == nil),
        "seed \(seed) round \(round) \(hexText(bytes)): \(trouble as Any), \(otherTrouble as Any)")
      if trouble == nil { #expect(first.method == second.method) }
    }
  }

  private struct Shuffler {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }
}
