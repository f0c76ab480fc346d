import CommandLineFlags
import SystemInterface

/// A line on the terminal that says how far a long reading has come. Nothing is written where
/// standard error is no terminal, nor about what is over at once.
struct ProgressLine {
  private static let patience: UInt64 = 500_000_000
  private static let period: UInt64 = 100_000_000

  /// What is counted.
  enum Unit { case bytes, cases }

  private let total: UInt64
  private let unit: Unit
  private let isWanted: Bool
  private var next: UInt64
  private var isShown = false

  /// - Parameter total: nil where it is not known.
  init(total: UInt64?, unit: Unit = .bytes) {
    self.total = total ?? 0
    self.unit = unit
    isWanted = self.total > 0 && SystemCalls.isTerminal(2)
    next = SystemCalls.monotonicNanoseconds() + Self.patience
  }

  /// To be called now and then, such as every thousand entries.
  mutating func update(_ done: UInt64) {
    guard isWanted else { return }
    let now = SystemCalls.monotonicNanoseconds()
    guard now >= next else { return }
    next = now + Self.period
    isShown = true
    let share = Double(min(done, total)) / Double(total)
    let filled = Int(share * 30)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
    let amount =
      switch unit {
      case .bytes: "\(total >> 20) MiB"
      case .cases: "\(total) cases"
      }
    write("\r[\(bar)] \(Int(share * 100)) % of \(amount) ")
  }

  /// Takes the line away.
  mutating func finish() {
    if isShown { write("\r\u{1b}[K") }
    isShown = false
  }

  private func write(_ text: String) {
    try? FileDescriptorIO.writeAll(2, Array(text.utf8))
  }
}
