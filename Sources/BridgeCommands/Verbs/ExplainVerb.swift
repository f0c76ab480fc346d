import ChannelCodec
import ChannelNotation
import CommandLineFlags

extension Verb {
  /// `pwbridge explain`: the annotated dump and the platforms' reactions.
  static let explain = Verb(
    Command(
      "explain",
      summary: "show what each byte of a message means and how platforms react",
      purpose: """
        Prints the message byte by byte, with what each byte means and which part of the value it \
        belongs to. A malformed message is shown up to the byte at fault. Below stands, in one \
        line each, what every profile makes of the message: the value it reads, or the error it \
        reports. The exit code is 0 for a malformed message too, since explaining one is the \
        point; use decode to check.
        """,
      usage: ["[FLAGS] HEX...", "[FLAGS] -", "[FLAGS] --file PATH"],
      operands: Operands("HEX", count: 0...Int.max),
      examples: [
        Example(
          "A double behind its padding",
          "pwbridge explain 06 00000000000000 000000000000f83f | head -n 3",
          output: """
                 0  06                       float64
                 1  00 00 00 00 00 00 00     padding to a multiple of 8
                 8  00 00 00 00 00 00 f8 3f  1.5
            """),
        Example(
          "A number that is cut short", "pwbridge explain 03 05 00",
          output: """
                 0  03                       int32
                 1  05                       truncated: expected 4 bytes of int32 from byte 1, found 2
                 2  00                       1 byte not read

            strict   refuses      truncated at byte 1: expected 4 bytes of int32 from byte 1, found 2
            dart     refuses      RangeError
            dartWeb  refuses      RangeError
            ios      crashes      range exception
            android  refuses      BufferUnderflowException
            windows  reads        {"int32":0}; bytes behind the value are ignored
            linux    refuses      OUT_OF_DATA
            """),
        Example(
          "Which part of a method call is where",
          "pwbridge explain -c call 07 02 676f 0d 01 07 02 6964 01 | sed '/^$/,$d'",
          output: """
                 0  07                       string  method
                 1  02                       size 2  method
                 2  67 6f                    "go"  method
                 4  0d                       map  arguments
                 5  01                       size 1  arguments
                 6  07                         string  arguments[key 0]
                 7  02                         size 2  arguments[key 0]
                 8  69 64                      "id"  arguments[key 0]
                10  01                         true  arguments.id
            """),
        Example(
          "The reaction of one platform", "pwbridge explain 05 03 316138 | grep android",
          output: """
            android  reads        {"bigint":"1a8"}
            """),
      ])
  ) { invocation throws(CommandFailure) in
    let message = try MessageInput.message(for: invocation)
    let codec = try invocation.options.namedCodec
    let console = invocation.console
    let explanation = MessageExplanation(
      isColored: console.usesColor(invocation.options.color))
    if let message, !message.isEmpty {
      for line in AnnotatedDump.lines(of: message, codec: codec) {
        for row in explanation.rows(of: line) { try console.print(row) }
      }
      try console.print("")
    }
    for reaction in ProfileReactions.lines(of: message, codec: codec) {
      try console.print(explanation.row(of: reaction))
    }
  }
}
