import SystemInterface

// ObjCAttributeEraser SOURCE RESULT: writes the source without its Objective-C attributes, under
// the name of the original for whatever the compiler has to say.

private let largestSource = 64 << 20

private func fail(_ text: String) -> Never {
  try? FileDescriptorIO.writeAll(2, Array("ObjCAttributeEraser: \(text)\n".utf8))
  SystemCalls.leave(2)
}

private func read(_ path: String) -> [UInt8] {
  do {
    let file = try SystemCalls.openForReading(path)
    defer { SystemCalls.closeDescriptor(file) }
    return try FileDescriptorIO.readAll(file, limit: largestSource)
  } catch {
    fail("cannot read \(path): \(error)")
  }
}

private func write(_ bytes: [UInt8], to path: String) {
  do {
    let file = try SystemCalls.openForWriting(path, .replacing)
    defer { SystemCalls.closeDescriptor(file) }
    try FileDescriptorIO.writeAll(file, bytes)
  } catch {
    fail("cannot write \(path): \(error)")
  }
}

guard CommandLine.arguments.count == 3 else { fail("expected a source and a result") }
let source = CommandLine.arguments[1]
var name = ""
for character in source.unicodeScalars {
  if character == "\"" || character == "\\" { name += "\\" }
  name.unicodeScalars.append(character)
}
let head = "#sourceLocation(file: \"\(name)\", line: 1)\n"
write(Array(head.utf8) + AttributeEraser.erase(read(source)), to: CommandLine.arguments[2])
