import SystemInterface

/// Standard input and output, made non-blocking where they could wait, and given back as they were:
/// other processes have them as well.
struct StandardStreams {
  static let input: Int32 = 0
  static let output: Int32 = 1

  private var changed: [Int32] = []

  /// - Parameter output: standard output, or where it has been moved to.
  init(output: Int32 = StandardStreams.output) {
    for descriptor in [StandardStreams.input, output]
    where SystemCalls.isPipeOrSocket(descriptor) {
      guard let isNonBlocking = try? SystemCalls.isNonBlocking(descriptor), !isNonBlocking,
        (try? SystemCalls.setNonBlocking(descriptor, true)) != nil
      else { continue }
      changed.append(descriptor)
    }
  }

  func restore() {
    for descriptor in changed { try? SystemCalls.setNonBlocking(descriptor, false) }
  }
}
