import ChannelCodec
import Foundation

struct Options {
  var inputs: UInt64 = 10_000_000
  var seed: UInt64 = 20_250_601
  var first: UInt64 = 0
  var profiles = Profile.allCases
  var vectors: String? = "Protocol/vectors"
  var replayed: [UInt8]?
  var failureLimit = 20
  var seconds: UInt64 = .max
  var timeLimit: UInt64 = 1000
  var hasHostileInputs = true
  var engine: [String]?
  var values = 200_000
  var mutations = 200_000

  static let usage = """
    usage: CodecSoak [--inputs N] [--seed S] [--profile P] [--vectors FOLDER] [--first N]
                     [--failures N] [--seconds N] [--time-limit MILLISECONDS] [--no-hostile]
           CodecSoak --hex HEX [--profile P]
           CodecSoak --against "PROGRAM serve" [--values N] [--mutations N] [--seed S]
    """

  struct Misuse: Error {
    var text: String
  }

  init(_ arguments: [String]) throws(Misuse) {
    var rest = arguments[...]
    func number<Number: FixedWidthInteger>(_ text: String, _ name: String) throws(Misuse) -> Number
    {
      guard let number = Number(text), number >= 0 else {
        throw Misuse(text: "\(name) takes a number, not \(text)")
      }
      return number
    }
    while let name = rest.popFirst() {
      if name == "--no-hostile" {
        hasHostileInputs = false
        continue
      }
      guard let text = rest.popFirst() else { throw Misuse(text: "\(name) needs a value") }
      switch name {
      case "--inputs": inputs = try number(text, name)
      case "--seed": seed = try number(text, name)
      case "--first": first = try number(text, name)
      case "--failures": failureLimit = try number(text, name)
      case "--time-limit": timeLimit = try number(text, name)
      case "--seconds": seconds = try number(text, name)
      case "--values": values = try number(text, name)
      case "--mutations": mutations = try number(text, name)
      case "--vectors": vectors = text
      case "--against":
        // The last word alone is an argument: the path of the program may have spaces.
        let words = text.split(separator: " ")
        engine = [words.dropLast().joined(separator: " "), words.last.map(String.init) ?? ""]
      case "--profile":
        guard let profile = Profile(rawValue: text) else {
          throw Misuse(text: "no profile \(text)")
        }
        profiles = [profile]
      case "--hex":
        guard let bytes = Hex.bytes(text) else {
          throw Misuse(text: "no hexadecimal text: \(text)")
        }
        replayed = bytes
      default: throw Misuse(text: "unknown option \(name)")
      }
    }
  }

  static func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}

/// Prints at once, so that a crash loses nothing.
func say(_ words: String...) {
  FileHandle.standardOutput.write(Data("\(words.joined(separator: " "))\n".utf8))
}
