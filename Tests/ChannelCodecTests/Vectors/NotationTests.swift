import ChannelCodec
import ChannelNotation
import Foundation
import Testing

/// The vectors' values once more, through the project's own typed JSON and named codecs.
@Suite("Notation of vectors")
struct NotationTests {
  @Test("typed JSON reads what a vector says and prints it back", arguments: VectorFile.all)
  func typedJSON(_ file: VectorFile) throws {
    var failures: [String] = []
    for vector in file.vectors {
      guard let json = vector.value, !json.isFill, !(json.any is NSNull) else { continue }
      let text = Array(try JSONSerialization.data(withJSONObject: json.any))
      switch vector.codec {
      case "call", "json-call":
        let call = try TypedJSON.call(text)
        if try call != json.call() || TypedJSON.call(TypedJSON.text(of: call)) != call {
          failures.append("\(vector.id): \(call)")
        }
      case "envelope", "json-envelope":
        let envelope = try TypedJSON.envelope(text)
        let isRepeated = try TypedJSON.envelope(TypedJSON.text(of: envelope)) == envelope
        if try envelope != json.envelope() || !isRepeated {
          failures.append("\(vector.id): \(String(describing: envelope))")
        }
      default:
        let value = try TypedJSON.value(text)
        let isRepeated = try TypedJSON.value(TypedJSON.text(of: value)) == value
        if try value != json.message() || !isRepeated {
          failures.append("\(vector.id): \(String(describing: value))")
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.count):\n\(failures.prefix(12).joined(separator: "\n"))")
  }

  @Test("named codecs decode and encode as strict", arguments: VectorFile.all)
  func named(_ file: VectorFile) throws {
    var failures: [String] = []
    for vector in file.vectors {
      guard let name = NamedCodec.Name(rawValue: vector.codec) else {
        failures.append("\(vector.id): no codec \(vector.codec)")
        continue
      }
      let codec = NamedCodec(name, extensions: vector.extensions)
      if vector.decodes, case .error(let code, let offset)? = vector.error {
        do throws(CodecError) {
          failures.append("\(vector.id): accepted as \(try codec.decode(vector.hex).prefix(200))")
        } catch {
          if error.code.rawValue != code || (offset != nil && error.offset != offset) {
            failures.append("\(vector.id): \(error)")
          }
        }
      } else if vector.direction == "both" {
        let text = try codec.decode(vector.hex)
        let again = try codec.encode(Array(text.utf8))
        if again != vector.hex { failures.append("\(vector.id): \(text.prefix(200))") }
      }
    }
    #expect(failures.isEmpty, "\(failures.count):\n\(failures.prefix(12).joined(separator: "\n"))")
  }

  @Test("annotated dumps explain every byte once", arguments: VectorFile.all)
  func dump(_ file: VectorFile) throws {
    for vector in file.vectors {
      guard let payload = vector.hex, let name = NamedCodec.Name(rawValue: vector.codec) else {
        continue
      }
      let codec = NamedCodec(name, extensions: vector.extensions)
      let lines = AnnotatedDump.lines(of: payload, codec: codec)
      #expect(lines.flatMap(\.bytes) == payload, "\(vector.id)")
      var next = 0
      for line in lines {
        #expect(line.offset == next, "\(vector.id): gap or overlap at \(next)")
        next += line.bytes.count
        #expect(!line.meaning.isEmpty)
      }
      let isBroken = lines.contains { $0.role == .fault }
      let isRefused = (try? codec.decode(payload)) == nil
      #expect(isBroken == isRefused, "\(vector.id)")
    }
  }
}
