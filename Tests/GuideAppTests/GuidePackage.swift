import Foundation
import ProgramRunner
import Testing

/// A package outside of this repository with the guide's files in it, byte for byte, built against
/// this package as a plugin author's would be.
enum GuidePackage {
  /// The guide's Swift files that run on the phone; the widget's draw and need SwiftUI.
  static let files = [
    "AppDelegate.swift", "LiveActivityManager.swift", "StopwatchWidgetAttributes.swift",
  ]

  /// Only a build from nothing on a busy machine takes as long.
  static let limit = Duration.seconds(1500)

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// `PWBRIDGE_GUIDE`, or the folder beside the repository.
  static let guide: URL = {
    let given = ProcessInfo.processInfo.environment["PWBRIDGE_GUIDE"]
    let folder =
      given.map { URL(filePath: $0) }
      ?? root.deletingLastPathComponent().appending(path: "shared/guide")
    return folder.appending(path: "ios")
  }()

  static var isThere: Bool {
    files.allSatisfy {
      FileManager.default.isReadableFile(atPath: guide.appending(path: $0).path())
    }
  }

  /// Where the build is kept between runs, so that only the app itself is compiled again; the
  /// newcomer's package is built there as well. Not the folder that these tests were built in: a
  /// build locks it.
  private static let scratch = root.appending(path: ".build/outside").path(
    percentEncoded: false)

  struct Failure: Error { var reason: String }

  /// The program, built once for all tests.
  static let program = Result { try build() }

  private static func build() throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "pwbridge-guide-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let sources = folder.appending(path: "Sources/GuideApp")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    for file in files {
      try FileManager.default.copyItem(
        at: guide.appending(path: file), to: sources.appending(path: file))
    }
    try manifest.write(
      to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
    try surroundings.write(
      to: sources.appending(path: "Surroundings.swift"), atomically: true, encoding: .utf8)

    let outcome = try run(
      "swift build --package-path '\(folder.path())' --scratch-path '\(scratch)' "
        + "--disable-index-store --product GuideApp 2>&1")
    guard outcome.code == 0, !outcome.isTimedOut else {
      throw Failure(reason: "the guide's app does not build:\n\(outcome.text)")
    }
    for file in files {
      let original = try Data(contentsOf: guide.appending(path: file))
      let built = try Data(contentsOf: sources.appending(path: file))
      guard original == built else {
        throw Failure(reason: "\(file) is not the guide's, byte for byte")
      }
    }
    return "\(scratch)/debug/GuideApp"
  }

  /// Runs a line with the compiler, Python and whatever else this process finds.
  static func run(
    _ line: String, environment: [String] = [], limit: Duration = limit
  ) throws -> BuiltProgram.Outcome {
    let here = ProcessInfo.processInfo.environment
    let path = "export PATH=\"$PATH:\(here["PATH"] ?? "")\"; "
    return try BuiltProgram.run(
      path + line, environment: ["HOME=\(here["HOME"] ?? "/")"] + environment, limit: limit)
  }

  private static var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "guide-app",
      dependencies: [.package(name: "pwbridge", path: "\(root.path())")],
      targets: [
        .executableTarget(
          name: "GuideApp",
          dependencies: [
            .product(name: "Flutter", package: "pwbridge"),
            .product(name: "ActivityKit", package: "pwbridge"),
            .product(name: "UIKit", package: "pwbridge"),
          ],
          exclude: ["AppDelegate.swift"],
          plugins: [.plugin(name: "ObjCAttributes", package: "pwbridge")])
      ],
      swiftLanguageModes: [.v5]
    )
    """
  }

  /// What surrounds the guide's files in an app: the registrant that Flutter generates, and for
  /// StopwatchWidgetAttributes.swift, which the guide prints without the imports of the file that
  /// it stands in, an import that holds for the whole module.
  private static let surroundings = """
    @_exported import ActivityKit
    import Flutter

    enum GeneratedPluginRegistrant {
      static func register(with registry: any FlutterPluginRegistry) {}
    }
    """
}
