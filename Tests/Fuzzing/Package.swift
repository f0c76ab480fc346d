// swift-tools-version: 6.2
import PackageDescription

// A package of its own: libFuzzer brings main, and its flags are not for anybody else.
//
// Each target reads one kind of input and stops at whatever must not be. Tests/fuzz.sh builds and
// runs them.

let fuzzTargets: [(name: String, dependencies: [Target.Dependency])] = [
  ("FuzzFrames", [product("ChannelTransport"), product("ChannelRouter")]),
  ("FuzzLines", [product("ChannelTransport"), product("ChannelRouter")]),
  ("FuzzStandardCodec", [product("ChannelCodec"), product("ChannelNotation")]),
  ("FuzzJSONCodec", [product("ChannelCodec"), product("ChannelNotation")]),
  ("FuzzTypedJSON", [product("ChannelCodec"), product("ChannelNotation")]),
  ("FuzzRecordings", [product("ChannelRecordings"), product("ChannelRouter")]),
  ("FuzzDevice", [product("EmulatedDevice"), product("ChannelRouter"), product("ChannelCodec")]),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "pwbridge") }

let package = Package(
  name: "Fuzzing",
  dependencies: [.package(name: "pwbridge", path: "../..")],
  targets: [.target(name: "FuzzSupport")]
    + fuzzTargets.map { name, dependencies in
      .executableTarget(
        name: name, dependencies: ["FuzzSupport"] + dependencies,
        swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    },
  swiftLanguageModes: [.v6]
)
