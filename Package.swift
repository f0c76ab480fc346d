// swift-tools-version: 6.2
import PackageDescription

// Imports point downwards only. The layers to come slot in between without moving these:
//
//   ChannelCodec      values, codecs, profiles, errors; imports nothing
//   ChannelNotation   typed JSON, hex, annotated dump
//   SystemInterface   the C library, named nowhere else
//   TerminalSafety    which characters a terminal may be given; imports nothing
//   ChannelRouter     messenger, method/event/basic channels, clock      (on ChannelCodec)
//   ChannelTransport  frames, stdio and Unix sockets, server and client  (on ChannelRouter)
//   LiveActivities    activity store with ActivityKit's rules            (on ChannelRouter)
//   EmulatedDevice    PW, pushwoosh and pwbridge/control handlers        (on the above)
//   ChannelRecordings record, replay, mock                               (on ChannelTransport)
//   VectorData        the vectors' bytes, in C; imports nothing
//   Conformance       cases, testees, runner, reports                    (on ChannelNotation)
//   CommandLineFlags  one table for parser, help, completions, manual     (on TerminalSafety)
//   EchoBaseline      the plain C program that the benchmark compares with; imports nothing
//   BuildFacts        what a build was made from, in C; imports nothing
//   BridgeCommands    the verbs of pwbridge
//   pwbridge          main
//
// And on Linux only, for the native code of iOS apps:
//
//   AppDevice         the one device of a hosted app                     (on EmulatedDevice)
//   AppHost           serves it with the flags of `pwbridge serve`       (on BridgeCommands)
//   UIKit, Flutter, ActivityKit, BridgeHost   spelled as on iOS          (on the above)
//   ObjCAttributes    build-tool plugin: Objective-C attributes do not compile on Linux

let codeRules: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// What `.ci/release` tells the program about its build.
let buildFacts: [CSetting] = ["PWBRIDGE_COMMIT", "PWBRIDGE_COMMIT_DATE", "PWBRIDGE_SWIFT"]
  .compactMap { name in
    guard let value = Context.environment[name], !value.isEmpty,
      value.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789+-.".contains($0) })
    else { return nil }
    return .define(name, to: "\"\(value)\"")
  }

let package = Package(
  name: "pwbridge",
  products: [
    .library(name: "ChannelCodec", targets: ["ChannelCodec"]),
    .library(name: "ChannelNotation", targets: ["ChannelNotation"]),
    .library(name: "ChannelRouter", targets: ["ChannelRouter"]),
    .library(name: "ChannelTransport", targets: ["ChannelTransport"]),
    .library(name: "LiveActivities", targets: ["LiveActivities"]),
    .library(name: "EmulatedDevice", targets: ["EmulatedDevice"]),
    .library(name: "ChannelRecordings", targets: ["ChannelRecordings"]),
    .library(name: "Conformance", targets: ["Conformance"]),
    .executable(name: "pwbridge", targets: ["pwbridge"]),
  ],
  targets: [
    // The standard library's own rounding calls libm, which only an import of Glibc would link.
    .target(
      name: "ChannelCodec", swiftSettings: codeRules,
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "ChannelNotation", dependencies: ["ChannelCodec"], swiftSettings: codeRules),
    .target(name: "SystemInterface", swiftSettings: codeRules),
    .target(name: "TerminalSafety", swiftSettings: codeRules),
    .target(name: "ChannelRouter", dependencies: ["ChannelCodec"], swiftSettings: codeRules),
    .target(
      name: "ChannelTransport",
      dependencies: ["ChannelCodec", "ChannelRouter", "SystemInterface", "TerminalSafety"],
      swiftSettings: codeRules),
    .target(
      name: "LiveActivities", dependencies: ["ChannelCodec", "ChannelRouter"],
      swiftSettings: codeRules),
    .target(
      name: "EmulatedDevice",
      dependencies: [
        "ChannelCodec", "ChannelRouter", "ChannelTransport", "LiveActivities", "TerminalSafety",
      ],
      swiftSettings: codeRules),
    .target(
      name: "ChannelRecordings",
      dependencies: [
        "ChannelCodec", "ChannelNotation", "ChannelRouter", "ChannelTransport", "SystemInterface",
        "TerminalSafety",
      ],
      swiftSettings: codeRules),
    .target(name: "VectorData"),
    .target(
      name: "Conformance",
      dependencies: [
        "ChannelCodec", "ChannelNotation", "SystemInterface", "TerminalSafety", "VectorData",
      ],
      swiftSettings: codeRules),
    .target(
      name: "CommandLineFlags", dependencies: ["TerminalSafety"], swiftSettings: codeRules),
    .target(name: "EchoBaseline"),
    .target(name: "BuildFacts", cSettings: buildFacts),
    .target(
      name: "BridgeCommands",
      dependencies: [
        "ChannelCodec", "ChannelNotation", "SystemInterface", "ChannelRouter", "ChannelTransport",
        "LiveActivities", "EmulatedDevice", "ChannelRecordings", "Conformance", "CommandLineFlags",
        "EchoBaseline", "BuildFacts", "TerminalSafety",
      ],
      swiftSettings: codeRules),
    .executableTarget(
      name: "pwbridge", dependencies: ["BridgeCommands"], swiftSettings: codeRules),
    // What the environment says about a run of the tests; shared by them.
    .target(name: "TestSurroundings", path: "Tests/TestSurroundings", swiftSettings: codeRules),
    // Runs the built program; shared by tests.
    .target(
      name: "ProgramRunner", dependencies: ["TestSurroundings"], path: "Tests/ProgramRunner",
      swiftSettings: codeRules),
    .testTarget(
      name: "ChannelCodecTests",
      dependencies: ["ChannelCodec", "ChannelNotation"],
      swiftSettings: codeRules),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "ChannelCodec", "ChannelNotation", "SystemInterface", "ChannelRouter", "ChannelTransport",
        "EmulatedDevice", "ChannelRecordings", "CommandLineFlags", "BridgeCommands", "EchoBaseline",
        "ProgramRunner", "TerminalSafety", "TestSurroundings", "pwbridge",
      ],
      swiftSettings: codeRules),
    .testTarget(
      name: "ChannelRouterTests", dependencies: ["ChannelCodec", "ChannelRouter"],
      swiftSettings: codeRules),
    .testTarget(
      name: "ChannelTransportTests",
      dependencies: [
        "ChannelCodec", "ChannelRouter", "ChannelTransport", "SystemInterface", "TestSurroundings",
      ],
      swiftSettings: codeRules),
    .testTarget(
      name: "LiveActivitiesTests",
      dependencies: ["ChannelCodec", "ChannelRouter", "LiveActivities"],
      swiftSettings: codeRules),
    .testTarget(
      name: "EmulatedDeviceTests",
      dependencies: [
        "ChannelCodec", "ChannelNotation", "ChannelRouter", "ChannelTransport", "LiveActivities",
        "EmulatedDevice",
      ],
      swiftSettings: codeRules),
    .testTarget(
      name: "ChannelRecordingsTests",
      dependencies: [
        "ChannelCodec", "ChannelNotation", "ChannelRouter", "ChannelTransport", "ChannelRecordings",
        "EmulatedDevice", "SystemInterface", "TestSurroundings",
      ],
      swiftSettings: codeRules),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "ChannelCodec", "ChannelNotation", "Conformance", "VectorData", "SystemInterface",
        "ProgramRunner", "pwbridge",
      ],
      exclude: ["broken_testee.py"], swiftSettings: codeRules),
    // Against the real program, from outside.
    .testTarget(
      name: "BridgeTests",
      dependencies: [
        "ChannelCodec", "ChannelRouter", "ChannelTransport", "ProgramRunner", "pwbridge",
      ],
      exclude: ["scenarios"], swiftSettings: codeRules),
    // Not a test target: it runs for minutes and wants a release build.
    .executableTarget(
      name: "CodecSoak", dependencies: ["ChannelCodec"], path: "Tests/CodecSoak",
      swiftSettings: codeRules),
  ],
  swiftLanguageModes: [.v6]
)

// macOS has modules of these names.
#if os(Linux)
  package.products += [
    .library(name: "Flutter", targets: ["Flutter"]),
    .library(name: "ActivityKit", targets: ["ActivityKit"]),
    .library(name: "UIKit", targets: ["UIKit", "_Testing_UIKit"]),
    .library(name: "BridgeHost", targets: ["BridgeHost"]),
    .plugin(name: "ObjCAttributes", targets: ["ObjCAttributes"]),
  ]
  package.targets += [
    .target(
      name: "AppDevice",
      dependencies: ["ChannelRouter", "ChannelTransport", "EmulatedDevice", "SystemInterface"],
      swiftSettings: codeRules),
    .target(
      name: "AppHost", dependencies: ["AppDevice", "BridgeCommands"], swiftSettings: codeRules),
    .target(name: "UIKit", swiftSettings: codeRules),
    // Swift Testing looks for a module of this name wherever UIKit is imported beside it.
    .target(name: "_Testing_UIKit", dependencies: ["UIKit"], swiftSettings: codeRules),
    .target(
      name: "Flutter",
      dependencies: [
        "AppDevice", "AppHost", "UIKit", "ChannelCodec", "ChannelRouter", "EmulatedDevice",
        "LiveActivities",
      ],
      swiftSettings: codeRules),
    .target(
      name: "ActivityKit",
      dependencies: [
        "AppDevice", "ChannelCodec", "ChannelRouter", "EmulatedDevice", "LiveActivities",
        "SystemInterface",
      ],
      swiftSettings: codeRules),
    .target(
      name: "BridgeHost", dependencies: ["AppHost", "UIKit", "Flutter"], swiftSettings: codeRules),
    .executableTarget(
      name: "ObjCAttributeEraser", dependencies: ["SystemInterface"], swiftSettings: codeRules),
    .plugin(
      name: "ObjCAttributes", capability: .buildTool(), dependencies: ["ObjCAttributeEraser"],
      path: "Sources/ObjCAttributes"),
    // In the shape of a plugin author's project.
    .executableTarget(
      name: "ExamplePlugin", dependencies: ["BridgeHost", "Flutter", "UIKit"],
      path: "Tests/ExamplePlugin", exclude: ["WorkoutPlugin.swift", "DistancesPlugin.swift"],
      swiftSettings: [.swiftLanguageMode(.v5)], plugins: ["ObjCAttributes"]),
    // Keeps suites of all targets from taking the process's one device from each other.
    .target(name: "DeviceTurns", path: "Tests/DeviceTurns", swiftSettings: codeRules),
    .testTarget(
      name: "UIKitTests", dependencies: ["UIKit", "_Testing_UIKit", "DeviceTurns"],
      swiftSettings: codeRules),
    .testTarget(
      name: "FlutterTests",
      dependencies: [
        "Flutter", "AppDevice", "ObjCAttributeEraser", "ChannelCodec", "ChannelRouter",
        "ChannelNotation", "EmulatedDevice", "DeviceTurns",
      ],
      swiftSettings: codeRules),
    .testTarget(
      name: "ActivityKitTests",
      dependencies: [
        "ActivityKit", "AppDevice", "ChannelCodec", "ChannelRouter", "EmulatedDevice",
        "LiveActivities", "DeviceTurns",
      ],
      swiftSettings: codeRules),
    .testTarget(
      name: "HostedAppTests",
      dependencies: [
        "ChannelCodec", "ChannelRouter", "ChannelTransport", "ProgramRunner", "ExamplePlugin",
        "pwbridge",
      ],
      swiftSettings: codeRules),
    // Builds the guide's own files, which are not the project's.
    .testTarget(
      name: "GuideAppTests", dependencies: ["ProgramRunner", "pwbridge"],
      exclude: ["differential.py", "telling.py"], swiftSettings: codeRules),
  ]
#endif
