import ChannelRouter
import LiveActivities

/// One line of the table of device options: help, documentation, flags and hello fields all come
/// from it.
public struct DeviceOption: Sendable {
  /// Lower-case letters and hyphens: a field name of the hello frame behind `option.`.
  public let name: String
  /// What may be given, such as `answering|guide`.
  public let values: String
  /// One sentence without a full stop.
  public let meaning: String
  /// Whether a running device can be given another value.
  public let isLive: Bool

  let read: @Sendable (DeviceOptions) -> String
  let write: @Sendable (String, inout DeviceOptions) throws(OptionProblem) -> Void

  /// The value of a device that was told nothing.
  public var defaultValue: String { read(DeviceOptions()) }

  /// The value in `options`, in the form in which it can be set.
  public func value(in options: DeviceOptions) -> String { read(options) }

  /// - Throws: an error that names the option, what is expected and what was found.
  public func set(_ value: String, in options: inout DeviceOptions) throws(DeviceOptionError) {
    do throws(OptionProblem) {
      try write(value, &options)
    } catch {
      let found = value.isEmpty ? "nothing" : NearMiss.quoted(value)
      let text: String
      switch error {
      case .notOneOf: text = "\(name): expected \(values), found \(found)"
      case .because(let reason): text = "\(name): \(reason)"
      }
      throw DeviceOptionError(option: name, text: text)
    }
  }

  /// - Throws: an error that names the nearest option.
  public static func named(_ name: String) throws(DeviceOptionError) -> DeviceOption {
    if let option = all.first(where: { $0.name == name }) { return option }
    throw DeviceOptionError(
      option: name,
      text: "no device option \(NearMiss.quoted(name))"
        + NearMiss.hint(for: name, among: all.map(\.name)))
  }
}

enum OptionProblem: Error {
  case notOneOf
  case because(String)
}

// MARK: - Kinds of options

extension DeviceOption {
  typealias Path<Member> = any WritableKeyPath<DeviceOptions, Member> & Sendable

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: Path<Choice>, _ meaning: String, isLive: Bool = true
  ) -> DeviceOption {
    DeviceOption(
      name: name, values: Choice.allCases.map(\.rawValue).joined(separator: "|"),
      meaning: meaning, isLive: isLive
    ) {
      $0[keyPath: path].rawValue
    } write: { text, options throws(OptionProblem) in
      guard let choice = Choice(rawValue: text) else { throw .notOneOf }
      options[keyPath: path] = choice
    }
  }

  static func toggle(_ name: String, _ path: Path<Bool>, _ meaning: String) -> DeviceOption {
    DeviceOption(name: name, values: "on|off", meaning: meaning, isLive: true) {
      $0[keyPath: path] ? "on" : "off"
    } write: { text, options throws(OptionProblem) in
      switch text {
      case "on", "true", "yes", "1": options[keyPath: path] = true
      case "off", "false", "no", "0": options[keyPath: path] = false
      default: throw .notOneOf
      }
    }
  }

  static func number(
    _ name: String, _ path: Path<Int>, in range: ClosedRange<Int>, _ meaning: String,
    isLive: Bool = true
  ) -> DeviceOption {
    DeviceOption(
      name: name, values: "\(range.lowerBound) to \(range.upperBound)", meaning: meaning,
      isLive: isLive
    ) {
      String($0[keyPath: path])
    } write: { text, options throws(OptionProblem) in
      guard let number = Int(text), range.contains(number) else { throw .notOneOf }
      options[keyPath: path] = number
    }
  }

  static func limit(_ name: String, _ path: Path<Int?>, _ meaning: String) -> DeviceOption {
    let most = 1_000_000
    return DeviceOption(name: name, values: "0 to \(most), or none", meaning: meaning, isLive: true)
    {
      $0[keyPath: path].map { String($0) } ?? "none"
    } write: { text, options throws(OptionProblem) in
      let number = Int(text)
      guard number.map((0...most).contains) ?? (text == "none") else { throw .notOneOf }
      options[keyPath: path] = number
    }
  }

  static func span(_ name: String, _ path: Path<Duration>, _ meaning: String) -> DeviceOption {
    DeviceOption(
      name: name, values: "a time such as 200ms, 90s, 8h", meaning: meaning, isLive: true
    ) {
      TimeText.text(of: $0[keyPath: path])
    } write: { text, options throws(OptionProblem) in
      guard let span = TimeText.span(text) else { throw .notOneOf }
      options[keyPath: path] = span
    }
  }
}
