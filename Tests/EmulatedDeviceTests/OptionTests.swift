import ChannelCodec
import ChannelRouter
import EmulatedDevice
import LiveActivities
import Testing

@Suite("Device options") struct OptionTests {
  @Test func everyDefaultCanBeSetAgain() throws {
    #expect(DeviceOption.all.count > 40)
    #expect(Set(DeviceOption.all.map(\.name)).count == DeviceOption.all.count)
    var options = DeviceOptions()
    for option in DeviceOption.all {
      try options.set(option.name, to: option.defaultValue)
      #expect(option.value(in: options) == option.defaultValue, "\(option.name)")
      #expect(
        option.name.utf8.allSatisfy { $0 == 45 || (97...122).contains($0) }, "\(option.name)")
      #expect(!option.meaning.hasSuffix(".") && !option.values.isEmpty)
    }
    #expect(options.activities == ActivitySettings())
  }

  @Test func valuesArrive() throws {
    let options = try DeviceOptions(fields: [
      ("handler", "guide"), ("clock", "stepped"), ("start-time", "2026-02-28T23:59:59.5Z"),
      ("seed", "18446744073709551615"), ("race", "3"), ("authorization", "off"),
      ("foreground", "no"), ("os-version", "17.2"), ("maximum-per-app", "none"),
      ("active-lifetime", "90m"), ("size-rule", "each"), ("hardware-id", "HW"),
      ("fault", "PW: no-reply"), ("fault", "*.x#2: delay 1s"),
    ])
    #expect(options.handler == .guide && options.clock == .stepped)
    #expect(options.startTime?.microseconds == 1_772_323_199_500_000)
    #expect(options.seed == .max && options.race == 3)
    #expect(!options.isAuthorized && !options.isForeground)
    #expect(options.activities.osVersion == OSVersion(17, 2))
    #expect(options.activities.maximumPerApp == nil)
    #expect(options.activities.activeLifetime == .seconds(5400))
    #expect(options.faults.count == 2)
    for option in DeviceOption.all where option.name != "fault" {
      var copy = DeviceOptions()
      try copy.set(option.name, to: option.value(in: options))
      #expect(option.value(in: copy) == option.value(in: options), "\(option.name)")
    }
  }

  @Test func mistakesAreNamed() {
    let cases: [(String, String)] = [
      ("handlr=guide", "no device option \"handlr\"; did you mean handler?"),
      ("handler", "handler: expected handler=VALUE; VALUE is answering|guide"),
      ("handler=guid", "handler: expected answering|guide, found \"guid\""),
      ("handler=", "handler: expected answering|guide, found nothing"),
      ("seed=-1", "found \"-1\""), ("seed=18446744073709551616", "seed: expected 0 to 2^64 - 1"),
      ("start-time=2026-02-29T00:00:00Z", "start-time: expected seconds since 1970"),
      ("start-time=nan", "start-time"), ("start-time=1e300", "start-time"),
      ("active-lifetime=-1s", "active-lifetime: expected a time such as"),
      ("active-lifetime=1e3h", "found \"1e3h\""), ("active-lifetime=900000000h", "expected a time"),
      ("maximum-size=0", "maximum-size: expected 1 to 16777216"),
      ("foreground=maybe", "foreground: expected on|off"),
      ("fault=PW", "fault: fault \"PW\": expected CHANNEL.METHOD#CALLS: FAULT, found no colon"),
    ]
    for (text, words) in cases {
      do throws(DeviceOptionError) {
        var options = DeviceOptions()
        try options.set(text)
        Issue.record("\(text) was taken")
      } catch {
        #expect(error.text.contains(words), "\(error.text)")
      }
    }
  }

  @Test func aRunningDeviceTakesMostOptions() throws {
    let bench = try Bench()
    try bench.device.setOption("authorization", to: "off")
    #expect(!bench.device.store.areActivitiesEnabled)
    #expect(throws: DeviceOptionError.self) { try bench.device.setOption("seed", to: "2") }
    #expect(throws: DeviceOptionError.self) { try bench.device.setOption("clock", to: "real") }
    bench.device.reset()
    #expect(bench.device.store.areActivitiesEnabled)
  }

  @Test func datesComeBack() throws {
    for text in [
      "1970-01-01T00:00:00Z", "2000-02-29T12:34:56.000001Z", "1900-03-01T00:00:00Z",
      "2100-12-31T23:59:59.25Z", "1969-12-31T23:59:59Z",
    ] {
      var options = DeviceOptions()
      try options.set("start-time", to: text)
      #expect(try DeviceOption.named("start-time").value(in: options) == text)
    }
  }
}
