import ChannelCodec
import Testing

/// Settling maps takes time in proportion to the message, however keys nest.
@Suite("Maps inside keys")
struct MapTimeTests {
  /// Maps of two pairs, each the first key of the one around it, around `core`.
  private static func nest(_ levels: Int, around core: [UInt8]) -> [UInt8] {
    [UInt8]((0..<levels).flatMap { _ in [0x0d, 0x02] as [UInt8] }) + core
      + [UInt8]((0..<levels).flatMap { _ in [0x00, 0x01, 0x00] as [UInt8] })
  }

  @Test("a long string deep in keys is not read again at every level", arguments: Profile.allCases)
  func longString(_ profile: Profile) throws {
    let string = [0x07, 0xff, 0, 0, 4, 0] + [UInt8](repeating: 0x61, count: 1 << 18)
    let message = Self.nest(500, around: string)
    let clock = ContinuousClock()
    let time = try clock.measure {
      let value = try #require(try StandardMessageCodec(profile: profile).decode(message))
      _ = try StandardMessageCodec(profile: profile).encode(value)
      #expect(value.isEqualInDart(to: value))
    }
    // Far longer, in a debug build, where every level made the key's signature anew.
    #expect(time < .seconds(5), "\(time)")
  }

  @Test("20,000 levels of keys", arguments: Profile.allCases)
  func deep(_ profile: Profile) throws {
    let codec = StandardMessageCodec(profile: profile, maximumDepth: 100_000)
    let clock = ContinuousClock()
    let time = try clock.measure {
      let value = try #require(try codec.decode(Self.nest(20_000, around: [0x00])))
      #expect(value.isEqualInDart(to: value))
    }
    #expect(time < .seconds(20), "\(time)")
  }
}
