import CommandLineFlags
import SystemInterface
import TerminalSafety

/// Files that a command writes beside what it prints.
extension Console {
  /// Writes a file anew, from its beginning.
  ///
  /// - Parameter path: `-` is standard output.
  func writeFile(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    if path == "-" { return try writeToStandardOutput(bytes) }
    do throws(SystemCalls.Failure) {
      let descriptor = try SystemCalls.openForWriting(path, .replacing)
      defer { SystemCalls.closeDescriptor(descriptor) }
      try FileDescriptorIO.writeAll(descriptor, bytes)
    } catch {
      throw Console.cannotWrite(path, error)
    }
  }

  /// Writes a file that may hold work of people, such as comments: whoever opens the name finds all
  /// of the old one or all of the new one, also after a full disk or a signal.
  ///
  /// - Parameter path: what is no file, such as a pipe, is written to.
  func replaceFile(_ bytes: [UInt8], at path: String) throws(CommandFailure) {
    guard FileReplacement.isPossible(at: path) else { return try writeFile(bytes, to: path) }
    do throws(SystemCalls.Failure) {
      let file = try FileReplacement(of: path)
      defer {
        SystemCalls.closeDescriptor(file.descriptor)
        file.discard()
      }
      try FileDescriptorIO.writeAll(file.descriptor, bytes)
      try file.commit()
    } catch {
      throw Console.cannotWrite(path, error)
    }
  }

  private static func cannotWrite(
    _ path: String, _ failure: SystemCalls.Failure
  ) -> CommandFailure {
    .trouble("cannot write \(path.quotedForTerminal): \(failure.text)")
  }
}
