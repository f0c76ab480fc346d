import BridgeCommands
import CommandLineFlags
import ProgramRunner
import Testing

/// Every example of every help text does what it says.
@Suite("Examples") struct ExampleTests {
  static let examples = BridgeProgram.grammar.commands.flatMap(\.examples)

  @Test(arguments: examples.indices) func works(number: Int) throws {
    let example = ExampleTests.examples[number]
    let outcome = try BuiltProgram.run(example.line)
    #expect(outcome.text == example.output + (example.output.isEmpty ? "" : "\n"))
    #expect(outcome.complaint == example.complaint + (example.complaint.isEmpty ? "" : "\n"))
    #expect(outcome.code == example.exitCode)
  }
}
