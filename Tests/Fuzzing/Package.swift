// swift-tools-version: 6.2
import PackageDescription

// A package of its own: libFuzzer brings main, and its flags are not for anybody else.
//
// One program holds all fuzzers and runs the one by whose name it is called. Each reads one kind of
// input and stops at whatever must not be. Tests/fuzz.sh builds and runs them.

let libraries = [
  "ChannelCodec", "ChannelNotation", "ChannelRouter", "ChannelTransport", "LiveActivities",
  "EmulatedDevice", "ChannelRecordings", "Conformance",
]

let package = Package(
  name: "Fuzzing",
  dependencies: [.package(name: "pwbridge", path: "../..")],
  targets: [
    .executableTarget(
      name: "Fuzz", dependencies: libraries.map { .product(name: $0, package: "pwbridge") },
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ],
  swiftLanguageModes: [.v6]
)
