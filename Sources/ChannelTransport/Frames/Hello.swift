import TerminalSafety

/// The first frame in each direction: who speaks, and what it accepts.
public struct Hello: Equatable, Sendable {
  /// The id of a hello, so that bytes 8 to 15 of a stream read `PWBRIDGE`.
  public static let magic = UInt64(littleEndian: 0x4547_4449_5242_5750)
  /// The one version there is.
  public static let version = 1
  /// In bytes of UTF-8.
  public static let longestDeviceName = 128

  /// What a side can do beyond the basic frames.
  public enum Capability: String, Sendable, CaseIterable {
    /// Takes note of cancel frames.
    case cancel
    /// Wants log frames, or can send them.
    case log
  }

  /// An option for the device, as the client gives it: `option.NAME=VALUE`.
  public struct Option: Hashable, Sendable {
    /// Without the prefix `option.`.
    public var name: String
    /// As given; what it means is for the device to know.
    public var value: String

    /// An option with this name and value.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What the sender of this hello accepts.
  public var limits: FrameLimits
  /// As they stand in the hello, unknown ones included.
  public var capabilities: [String]
  /// Name and version of the program, for people.
  public var software: String
  /// Client: the device wanted, nil for a fresh one of its own. Server: the device given.
  public var device: String?
  /// For the device; the last of a name counts.
  public var options: [Option]

  /// A hello of this version.
  public init(
    limits: FrameLimits = FrameLimits(), capabilities: [Capability] = Capability.allCases,
    software: String = "", device: String? = nil, options: [Option] = []
  ) {
    self.limits = limits
    self.capabilities = capabilities.map(\.rawValue)
    self.software = software
    self.device = device
    self.options = options
  }

  /// Whether the sender has the capability.
  public func has(_ capability: Capability) -> Bool { capabilities.contains(capability.rawValue) }

  /// Reads the hello in `frame`. Which options there are is for the device to know.
  ///
  /// - Throws: ``FrameProblem/helloExpected``, ``FrameProblem/fieldsMalformed``,
  ///   ``FrameProblem/unsupportedVersion`` or ``FrameProblem/deviceName``, all of them fatal, with
  ///   the offset in the stream where there is one.
  public init(_ frame: Frame) throws(FrameError) {
    guard frame.kind == .hello, frame.id == Self.magic else {
      throw FrameError(.helloExpected, "a \(frame.kind) frame in the place of the hello", offset: 4)
    }
    let fields: Fields
    do throws(FrameError) {
      fields = try Fields(parsing: frame.payload ?? [])
    } catch {
      var moved = error
      moved.offset = error.offset.map { $0 + UInt64(FrameHead.size) }
      throw moved
    }
    guard let version = fields["version"] else {
      throw FrameError(.unsupportedVersion, "the hello lacks its version; this side speaks 1")
    }
    guard version == String(Self.version) else {
      let text = "version \(version.forOneLine) of the protocol is not known; this side speaks 1"
      throw FrameError(.unsupportedVersion, text)
    }
    let standard = FrameLimits()
    limits = FrameLimits(
      maximumPayload: try Self.number(fields, "max-payload", 1...FrameLimits.largestPayload)
        ?? standard.maximumPayload,
      maximumChannelName: try Self.number(
        fields, "max-channel-name", 1...FrameLimits.longestChannelName)
        ?? standard.maximumChannelName,
      maximumOpenCalls: try Self.number(fields, "max-open-calls", 1...Int(UInt32.max))
        ?? standard.maximumOpenCalls)
    capabilities = (fields["capabilities"] ?? "").split(separator: ",").map(String.init)
    software = fields["software"] ?? ""
    device = try Self.deviceName(fields["device"])
    options = []
    for field in fields.all where field.name.hasPrefix(Self.optionPrefix) {
      let name = String(field.name.dropFirst(Self.optionPrefix.count))
      options.removeAll { $0.name == name }
      options.append(Option(name: name, value: field.value))
    }
  }

  /// What goes into the frame.
  var fields: Fields {
    var fields = Fields([
      ("version", String(Self.version)),
      ("max-payload", String(limits.maximumPayload)),
      ("max-channel-name", String(limits.maximumChannelName)),
      ("max-open-calls", String(limits.maximumOpenCalls)),
      ("capabilities", capabilities.joined(separator: ",")),
    ])
    if !software.isEmpty { fields.append("software", software) }
    if let device { fields.append("device", device) }
    for option in options { fields.append(Self.optionPrefix + option.name, option.value) }
    return fields
  }

  private static let optionPrefix = "option."

  private static func number(
    _ fields: Fields, _ name: String, _ range: ClosedRange<Int>
  ) throws(FrameError) -> Int? {
    guard let text = fields[name] else { return nil }
    let isDecimal = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isDecimal, let number = Int(text), range.contains(number) else {
      let bounds = "from \(range.lowerBound) to \(range.upperBound)"
      throw FrameError(
        .fieldsMalformed, "\(name)=\(text.forOneLine) in the hello; it is a number \(bounds)")
    }
    return number
  }

  private static func deviceName(_ name: String?) throws(FrameError) -> String? {
    guard let name, !name.isEmpty else { return nil }
    guard name.utf8.count <= longestDeviceName else {
      throw FrameError(
        .deviceName, "a device name has \(longestDeviceName) bytes at most, not \(name.utf8.count)")
    }
    guard name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) else {
      throw FrameError(.deviceName, "a device name has no control characters")
    }
    return name
  }
}

extension String {
  /// A piece of foreign text fit for a line of an error.
  fileprivate var forOneLine: String {
    let start = String(String.UnicodeScalarView(unicodeScalars.prefix(40))).safeForTerminal
    return start + (unicodeScalars.dropFirst(40).isEmpty ? "" : "...")
  }
}
