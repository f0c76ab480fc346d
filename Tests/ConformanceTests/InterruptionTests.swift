import ProgramRunner
import Testing

/// A run that is stopped by a signal takes its testee with it.
@Suite("Interruption") struct InterruptionTests {
  @Test func theTesteeEndsWithTheRun() throws {
    let line = """
      file=$(mktemp); pwbridge conform --only 'standard.bool.*' --timeout 300 -- \
      sh -c "echo \\$\\$ > $file; exec sleep 617" & run=$!
      while ! test -s $file; do sleep 0.1; done
      kill -TERM $run; wait $run; echo "exit code $?"
      kill -0 $(cat $file) 2> /dev/null && echo "the testee is still there"; rm $file
      """
    let outcome = try BuiltProgram.run(line, limit: .seconds(120))
    #expect(!outcome.isTimedOut && outcome.leftBehind.isEmpty)
    #expect(outcome.complaint.contains("interrupted by signal 15"))
    #expect(outcome.text == "exit code 2\n")
  }
}
