// swift-tools-version: 6.2
import PackageDescription

// Imports point downwards only. The layers to come slot in between without moving these:
//
//   ChannelCodec      values, codecs, profiles, errors; imports nothing
//   ChannelNotation   typed JSON, hex, annotated dump
//   ChannelRouter     messenger, method/event/basic channels             (on ChannelCodec)
//   ChannelTransport  frames, stdio and Unix sockets                     (on ChannelRouter)
//   LiveActivities    activity store, PW handler                         (on ChannelRouter)
//   ChannelRecordings record, replay, mock                               (on ChannelTransport)
//   Conformance       runner and testee                                  (on ChannelNotation)
//   Flutter, ActivityKit, UIKit, BridgeHost   iOS-shaped, Linux only     (on the above)
//   CommandLineFlags  one table for parser, help and completions; imports nothing
//   BridgeCommands    the verbs of pwbridge
//   pwbridge          main

let codeRules: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "pwbridge",
  products: [
    .library(name: "ChannelCodec", targets: ["ChannelCodec"]),
    .library(name: "ChannelNotation", targets: ["ChannelNotation"]),
    .executable(name: "pwbridge", targets: ["pwbridge"]),
  ],
  targets: [
    // The standard library's own rounding calls libm, which only an import of Glibc would link.
    .target(
      name: "ChannelCodec", swiftSettings: codeRules,
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "ChannelNotation", dependencies: ["ChannelCodec"], swiftSettings: codeRules),
    .target(name: "CommandLineFlags", swiftSettings: codeRules),
    .target(
      name: "BridgeCommands",
      dependencies: ["ChannelCodec", "ChannelNotation", "CommandLineFlags"],
      swiftSettings: codeRules),
    .executableTarget(
      name: "pwbridge", dependencies: ["BridgeCommands"], swiftSettings: codeRules),
    .testTarget(
      name: "ChannelCodecTests",
      dependencies: ["ChannelCodec", "ChannelNotation"],
      swiftSettings: codeRules),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "ChannelCodec", "ChannelNotation", "CommandLineFlags", "BridgeCommands", "pwbridge",
      ],
      swiftSettings: codeRules),
    // Not a test target: it runs for minutes and wants a release build.
    .executableTarget(
      name: "CodecSoak", dependencies: ["ChannelCodec"], path: "Tests/CodecSoak",
      swiftSettings: codeRules),
  ],
  swiftLanguageModes: [.v6]
)
