import ChannelRouter
import LiveActivities

extension DeviceOption {
  /// Every option, in the order in which help shows them.
  public static let all: [DeviceOption] = behaviour + device + limits + times + unpublished + own

  private static let behaviour: [DeviceOption] = [
    .choice(
      "handler", \.handler,
      "how PW and pushwoosh answer: one reply to every call, or the guide's code with its silences"),
    .choice(
      "clock", \.clock, "whether the device's clock runs or waits to be advanced", isLive: false),
    DeviceOption(
      name: "start-time", values: "seconds since 1970, or 2026-01-31T12:00:00Z, or now",
      meaning: "what the device's clock shows first", isLive: false,
      read: { $0.startTime.map { TimeText.text(of: $0) } ?? "now" },
      write: { text, options throws(OptionProblem) in
        let time = TimeText.time(text)
        guard time != nil || text == "now" else { throw .notOneOf }
        options.startTime = time
      }),
    DeviceOption(
      name: "seed", values: "0 to 2^64 - 1", meaning: "makes activity ids and tokens",
      isLive: false, read: { String($0.seed) },
      write: { text, options throws(OptionProblem) in
        guard let seed = UInt64(text) else { throw .notOneOf }
        options.seed = seed
      }),
    DeviceOption(
      name: "race", values: "off, or a seed from 0 to 2^64 - 1",
      meaning: "with a seed, tasks of the handler guide may overtake each other",
      isLive: false, read: { $0.race.map { String($0) } ?? "off" },
      write: { text, options throws(OptionProblem) in
        let seed = UInt64(text)
        guard seed != nil || text == "off" else { throw .notOneOf }
        options.race = seed
      }),
    DeviceOption(
      name: "fault", values: "rules such as PW.updateLiveActivity#3: delay 200ms, with ; between",
      meaning: "what goes wrong on purpose; a further one adds to those before", isLive: false,
      read: {
        $0.faults.isEmpty ? "none" : $0.faults.map(\.description).joined(separator: "; ")
      },
      write: { text, options throws(OptionProblem) in
        do throws(FaultSyntaxError) {
          let rules = text == "none" ? [] : try FaultRule.rules(separatedBySemicolons: text)
          if text != "none" { try Faults.checkCount(rules.count, besides: options.faults.count) }
          options.faults = text == "none" ? [] : options.faults + rules
        } catch {
          throw .because(error.text)
        }
      }),
  ]

  private static let device: [DeviceOption] = [
    .toggle(
      "authorization", \.isAuthorized, "the person allows Live Activities (areActivitiesEnabled)"),
    .toggle(
      "foreground", \.isForeground, "the app is in the foreground; only there it may start one"),
    DeviceOption(
      name: "os-version", values: "a version such as 17.2", meaning: "the version of iOS",
      isLive: true, read: { $0.activities.osVersion.description },
      write: { text, options throws(OptionProblem) in
        guard let version = OSVersion(text) else { throw .notOneOf }
        options.activities.osVersion = version
      }),
    .toggle(
      "device-support", \.activities.deviceSupportsActivities,
      "the kind of device has Live Activities at all"),
    .toggle("dynamic-island", \.activities.hasDynamicIsland, "the device has a Dynamic Island"),
    .toggle(
      "plist-support", \.activities.plistSupportsActivities,
      "NSSupportsLiveActivities in the app's Info.plist"),
    .toggle(
      "plist-frequent-updates", \.activities.plistSupportsFrequentUpdates,
      "NSSupportsLiveActivitiesFrequentUpdates in the app's Info.plist"),
    .toggle(
      "push-capability", \.activities.hasPushCapability,
      "the app has the push capability, which a push type needs"),
    DeviceOption(
      name: "hardware-id", values: "text, or none for any",
      meaning: "the Pushwoosh hardware id, which the devices list of a server request must name",
      isLive: true, read: { $0.activities.hardwareID ?? "none" },
      write: { text, options throws(OptionProblem) in
        options.activities.hardwareID = text == "none" || text.isEmpty ? nil : text
      }),
    DeviceOption(
      name: "application", values: "text", meaning: "the Pushwoosh application code",
      isLive: true, read: { $0.application },
      write: { text, options throws(OptionProblem) in
        guard !text.isEmpty else { throw .notOneOf }
        options.application = text
      }),
  ]

  private static let limits: [DeviceOption] = [
    .number(
      "maximum-size", \.activities.maximumSize, in: 1...16_777_216,
      "most bytes of attributes and content as JSON"),
    .choice(
      "size-rule", \.activities.sizeRule, "whether the limit holds for both together or for each"),
    .number(
      "maximum-push-size", \.activities.maximumPushSize, in: 1...16_777_216,
      "most bytes of a push payload as JSON"),
    .limit(
      "maximum-per-app", \.activities.maximumPerApp, "most activities of this app at a time"),
    .limit(
      "maximum-on-device", \.activities.maximumOnDevice, "most activities of all apps at a time"),
    .number(
      "activities-of-other-apps", \.activities.activitiesOfOtherApps, in: 0...1_000_000,
      "how many of those other apps hold"),
    .toggle(
      "counts-ended", \.activities.countsEnded,
      "an ended activity on the Lock Screen counts towards the limits"),
    .number(
      "maximum-ended-on-screen", \.activities.maximumEndedOnScreen, in: 0...1_000_000,
      "most ended activities on the Lock Screen"),
    .limit(
      "push-budget", \.activities.pushBudget,
      "most pushes of priority 10 to an activity within an hour"),
    .limit(
      "frequent-push-budget", \.activities.frequentPushBudget,
      "the same where frequent updates are allowed"),
  ]

  private static let times: [DeviceOption] = [
    .span(
      "active-lifetime", \.activities.activeLifetime,
      "from start until the system ends an activity"),
    .span(
      "ended-lifetime", \.activities.endedLifetime,
      "from end until the Lock Screen drops it, at most"),
    .span(
      "total-lifetime", \.activities.totalLifetime,
      "from start until the Lock Screen drops it, at most"),
    .span(
      "push-token-delay", \.activities.pushTokenDelay,
      "from start until an activity's push token arrives"),
    .span(
      "push-to-start-token-delay", \.activities.pushToStartTokenDelay,
      "from launch until the push-to-start token arrives"),
  ]

  private static let unpublished: [DeviceOption] = [
    .toggle(
      "update-revives-stale", \.activities.updateRevivesStale,
      "an update makes a stale activity active again"),
    .toggle(
      "observers-get-current-first", \.activities.observersGetCurrentFirst,
      "an observer is told of activities that were there before it"),
    .toggle(
      "lists-ended", \.activities.listsEnded, "ended activities stay in ActivityKit's list"),
    .toggle(
      "immediate-end-passes-ended", \.activities.immediateEndPassesEnded,
      "an activity that ends at once is ended before it is dismissed"),
    .toggle(
      "disabling-dismisses", \.activities.disablingDismisses,
      "taking the authorization away dismisses what is on screen"),
    .toggle(
      "start-push-needs-alert", \.activities.startPushNeedsAlert,
      "a start push without an alert is dropped"),
    .toggle(
      "any-codable-defect", \.hasAnyCodableDefect,
      "the Pushwoosh SDK turns the numbers 0 and 1 into false and true"),
  ]

  private static let own: [DeviceOption] = [
    .number(
      "history-length", \.activities.historyLength, in: 0...100_000,
      "changes kept for each activity"),
    .number(
      "remembered-activities", \.activities.rememberedActivities, in: 0...100_000,
      "removed activities that can still be listed"),
    .number(
      "push-token-bytes", \.activities.pushTokenBytes, in: 1...1024, "length of a push token"),
    .number(
      "journal-entries", \.journalEntries, in: 1...1_000_000, "calls that the journal keeps",
      isLive: false),
  ]
}
