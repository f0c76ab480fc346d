/// All rules of one profile, made once and shared: readers and writers that nest carry a reference
/// instead of some fifty fields on the stack of every level.
final class Platform: Sendable {
  let decoding: DecodingRules
  let encoding: EncodingRules

  private init(_ profile: Profile) {
    decoding = DecodingRules.of(profile)
    encoding = EncodingRules.of(profile)
  }

  private static let strict = Platform(.strict)
  private static let dart = Platform(.dart)
  private static let dartWeb = Platform(.dartWeb)
  private static let ios = Platform(.ios)
  private static let android = Platform(.android)
  private static let windows = Platform(.windows)
  private static let linux = Platform(.linux)

  static func of(_ profile: Profile) -> Platform {
    switch profile {
    case .strict: strict
    case .dart: dart
    case .dartWeb: dartWeb
    case .ios: ios
    case .android: android
    case .windows: windows
    case .linux: linux
    }
  }

  /// Extension readers and writers may nest only this deep: they call each other on the stack, and
  /// a thread may have no more than 512 KiB of it.
  static let deepestProcedure = 32
}
