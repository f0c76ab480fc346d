import ChannelCodec
import Foundation
import Testing

@Suite("Files in the standard codec")
struct FixtureTests {
  @Test("AssetManifest.bin says what AssetManifest.json says")
  func assetManifest() throws {
    let folder = Repository.fixtures.appending(path: "captures")
    let bytes = try [UInt8](Data(contentsOf: folder.appending(path: "AssetManifest.bin")))
    let json = try Data(contentsOf: folder.appending(path: "AssetManifest.json"))
    let twin = try #require(
      try JSONSerialization.jsonObject(with: json) as? [String: [String]])
    let codec = StandardMessageCodec()
    let value = try #require(try codec.decode(bytes))
    #expect(try codec.encode(value) == bytes)
    // The file has an object for each variant where its twin has the bare name.
    let expected = Value.map(
      Value.Map(
        twin.map { asset, variants in
          (
            key: .string(Value.Text(asset)),
            value: .list(Value.List(variants.map { ["asset": .string(Value.Text($0))] }))
          )
        }))
    #expect(twin.count == 6)
    #expect(value.isEqualInDart(to: expected))
    for (asset, variants) in twin {
      #expect(value[asset]?.list?.compactMap { $0["asset"]?.string } == variants)
    }
    let names = value.map?.compactMap(\.key.string) ?? []
    #expect(names == names.sorted())
  }

  static let payloadNames = [
    "a_call_start", "b_call_default", "c_contacts", "f_ints_100000", "g_strings_20000", "h_error",
    "h_success_null", "i_nested_64",
  ]

  @Test("benchmark payloads are canonical", arguments: payloadNames)
  func payloads(_ name: String) throws {
    let url = Repository.fixtures.appending(path: "bench/\(name).bin")
    let bytes = try [UInt8](Data(contentsOf: url))
    for profile in [Profile.strict, .dart, .android, .ios] {
      let codec = StandardMethodCodec(profile: profile)
      if name.contains("_call_") {
        let call = try codec.decodeMethodCall(bytes)
        #expect(call.method.string?.isEmpty == false)
        #expect(try codec.encodeMethodCall(call) == bytes, "\(profile)")
      } else if name.hasPrefix("h_") {
        let envelope = try #require(try codec.decodeEnvelope(bytes))
        #expect(try codec.encodeEnvelope(envelope) == bytes, "\(profile)")
      } else {
        let codec = StandardMessageCodec(profile: profile)
        let value = try #require(try codec.decode(bytes))
        #expect(try codec.encode(value) == bytes, "\(profile)")
        // The careful reader and the fast one agree on large messages.
        if profile == .strict { #expect(try codec.react(to: bytes).result.get() == value) }
      }
    }
  }

  @Test("every payload has a test")
  func allPayloads() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Repository.fixtures.appending(path: "bench").path)
    #expect(files.filter { $0.hasSuffix(".bin") }.count == Self.payloadNames.count)
  }
}
