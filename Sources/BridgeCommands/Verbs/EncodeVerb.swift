import ChannelCodec
import ChannelNotation
import CommandLineFlags

extension Verb {
  /// `pwbridge encode`: typed JSON to bytes.
  static let encode = Verb(
    Command(
      "encode",
      summary: "print the message for a value in typed JSON",
      purpose: """
        Reads a value in typed JSON, the form that `pwbridge decode` prints, and prints the \
        bytes of its message in hex. A value is an object with one member, named after its type:

          {"null":null}  {"bool":true}  {"int32":5}  {"int64":"5"}  {"bigint":"1a8"}
          {"float64":0.5}  {"string":"text"}  {"uint8list":"00ff"}  {"int32list":[1,2]}
          {"int64list":["1"]}  {"float32list":[0.5]}  {"float64list":[0.5]}
          {"list":[VALUE,...]}  {"map":[[KEY,VALUE],...]}
          {"custom":{"type":129,"value":VALUE}}

        A method call is {"method":"name","args":VALUE}; an envelope is {"success":VALUE} or \
        {"error":{"code":"c","message":"m","details":VALUE}}. No payload is null, and prints as \
        null.

        Plain JSON will do where types are plain: any other object is a map with string keys, \
        and a whole number is the narrowest integer that holds it.
        """,
      usage: ["[FLAGS] JSON", "[FLAGS] -", "[FLAGS] --file PATH"],
      operands: Operands("JSON", count: 0...1),
      examples: [
        Example("A number", #"pwbridge encode '{"int32":5}'"#, output: "0305000000"),
        Example(
          "A method call", #"pwbridge encode -c call '{"method":"stop","args":null}'"#,
          output: "070473746f7000"),
        Example(
          "The same number as Dart on the web writes it",
          #"pwbridge encode --profile dartWeb '{"int32":5}'"#,
          output: "06000000000000000000000000001440"),
        Example(
          "Plain JSON, and what it stands for",
          #"pwbridge encode '{"seconds":90,"ids":[1,2.5]}' | pwbridge decode -"#,
          output: """
            {"map":[[{"string":"seconds"},{"int32":90}],\
            [{"string":"ids"},{"list":[{"int32":1},{"float64":2.5}]}]]}
            """),
        Example("No payload", "pwbridge encode null", output: "null"),
      ])
  ) { invocation throws(CommandFailure) in
    let text = try MessageInput.text(for: invocation)
    let codec = try invocation.options.namedCodec
    let message: [UInt8]?
    do throws(CodecError) {
      message = try codec.encode(text)
    } catch {
      throw .malformed(error)
    }
    let isRaw = invocation.options.isRaw
    switch message {
    case let message? where isRaw: try invocation.console.write(message)
    case let message?: try invocation.console.print(Hex.text(of: message))
    // Zero bytes would read as an empty message.
    case nil where isRaw: throw .checkFailed("no payload has no bytes that --raw could write")
    case nil: try invocation.console.print(MessageInput.noPayload)
    }
  }
}
