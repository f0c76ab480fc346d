extension Unicode.Scalar {
  /// Whether a terminal shows the character and does nothing else with it: it steers nothing, does
  /// not turn the direction of writing, and hides no text.
  ///
  /// The one answer for all that is printed, logged or written into reports and recordings.
  public var isSafeForTerminal: Bool {
    if isASCII { return value >= 0x20 && value != 0x7f }
    // The two joiners change no direction, and many scripts and emoji need them.
    if value == 0x200c || value == 0x200d { return true }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }
}
