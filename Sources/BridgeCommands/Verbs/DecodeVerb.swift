import ChannelCodec
import ChannelNotation
import CommandLineFlags

extension Verb {
  /// `pwbridge decode`: bytes to typed JSON.
  static let decode = Verb(
    Command(
      "decode",
      summary: "print the value in a channel message as typed JSON",
      purpose: """
        Reads the bytes that went over a platform channel and prints the value in them on one \
        line. Typed JSON names the type of every value, so nothing is lost: `pwbridge encode` \
        makes the same value of it again. The word `null` stands for no payload at all, which \
        is not the same as a message that holds null.

        A malformed message prints nothing; one line on standard error says what is wrong, at \
        which byte and in which part of the value.
        """,
      usage: ["[FLAGS] HEX...", "[FLAGS] -", "[FLAGS] --file PATH"],
      operands: Operands("HEX", count: 0...Int.max),
      examples: [
        Example("A number", "pwbridge decode 03 05 00 00 00", output: #"{"int32":5}"#),
        Example(
          "A method call", "pwbridge decode --codec call 07 04 73 74 6f 70 00",
          output: #"{"method":"stop","args":{"null":null}}"#),
        Example(
          "A Pigeon enum, which is an extension type",
          "pwbridge decode --extensions pigeon 81 03 02 00 00 00",
          output: #"{"custom":{"type":129,"value":{"int32":2}}}"#),
        Example(
          "Raw bytes from another program",
          #"printf '\003\005\000\000\000' | pwbridge decode --raw -"#,
          output: #"{"int32":5}"#),
        Example(
          "A list whose second number is cut short", "pwbridge decode 0c 02 01 03 05 00",
          complaint: """
            pwbridge: truncated at byte 4 in [1]: \
            expected 4 bytes of int32 from byte 4, found 2
            """, exitCode: 1),
      ])
  ) { invocation throws(CommandFailure) in
    let message = try MessageInput.message(for: invocation)
    let codec = try invocation.options.namedCodec
    let line: String
    do throws(CodecError) {
      line = try codec.decode(message)
    } catch {
      throw .malformed(error)
    }
    try invocation.console.print(line.jsonSafeForTerminal)
  }
}
