import Testing

@testable import ChannelCodec

/// What the profile `android` says of Java's class library, asked of a real one.
@Suite("Android's text against a JVM", .enabled(if: JavaProgram.isThere))
struct JavaTests {
  private static let source = """
    import java.io.*;
    import java.math.BigInteger;
    import java.nio.charset.StandardCharsets;

    public class Main {
      static byte[] bytes(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
      }

      static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) text.append(String.format("%02x", b & 255));
        return text.toString();
      }

      public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        String line;
        while ((line = in.readLine()) != null) {
          String[] parts = line.split(" ", -1);
          switch (parts[0]) {
            case "decode": {
              String text = new String(bytes(parts[1]), StandardCharsets.UTF_8);
              out.println(hex(text.getBytes(StandardCharsets.UTF_8)));
              break;
            }
            case "utf16": {
              StringBuilder text = new StringBuilder();
              byte[] units = bytes(parts[1]);
              for (int i = 0; i < units.length; i += 2) {
                text.append((char) ((units[i] & 255) << 8 | units[i + 1] & 255));
              }
              out.println(hex(text.toString().getBytes(StandardCharsets.UTF_8)));
              break;
            }
            case "integer": {
              try {
                String text = new String(bytes(parts[1]), StandardCharsets.UTF_8);
                out.println(new BigInteger(text, 16).toString(16));
              } catch (NumberFormatException e) {
                out.println("NumberFormatException");
              }
              break;
            }
            case "double": {
              double number = Double.longBitsToDouble(Long.parseUnsignedLong(parts[1], 16));
              out.println(Long.toHexString(Double.doubleToLongBits(number)));
              break;
            }
            default: {
              float number = Float.intBitsToFloat(Integer.parseUnsignedInt(parts[1], 16));
              out.println(Integer.toHexString(Float.floatToIntBits(number)));
            }
          }
        }
        out.flush();
      }
    }
    """

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { Hexadecimal.byte($0) }.joined()
  }

  /// Asks for all of `inputs` at once; a JVM takes longer to start than to answer.
  private static func compare<Input>(
    _ inputs: [Input], question: (Input) -> String, answer: (Input) throws -> String
  ) throws {
    let answers = try JavaProgram.run(source, lines: inputs.map(question))
    try #require(answers.count == inputs.count)
    var complaints: [String] = []
    for (input, java) in zip(inputs, answers) {
      let ours = try answer(input)
      if ours != java { complaints.append("\(question(input)): ours \(ours), Java's \(java)") }
    }
    let shown = complaints.prefix(20).joined(separator: "\n")
    #expect(complaints.isEmpty, "\(complaints.count) of \(inputs.count):\n\(shown)")
  }

  private static func compareDecoding(_ inputs: [[UInt8]]) throws {
    try compare(
      inputs, question: { "decode \(hex($0))" },
      answer: { bytes in hex(bytes.withUnsafeBytes { JDKText.decode($0) }.utf8) })
  }

  private static let leads: [UInt8] = [
    0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8,
    0xfc, 0xff,
  ]
  private static let followers: [UInt8] = [
    0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4,
  ]

  @Test("every replacement: short sequences over all ranges")
  func exhaustive() throws {
    var inputs: [[UInt8]] = (UInt8.min...255).map { [$0] }
    for lead in Self.leads {
      for second in Self.followers {
        inputs.append([lead, second])
        for third in Self.followers {
          inputs.append([lead, second, third])
          for fourth in Self.followers { inputs.append([lead, second, third, fourth]) }
        }
      }
    }
    try Self.compareDecoding(inputs)
  }

  @Test("every replacement: random mixes")
  func random() throws {
    var random = TestRandom(stream: 3)
    let inputs = (0..<60_000).map { _ in
      (0..<1 + random.below(8)).map { _ in
        switch random.below(4) {
        case 0: Self.leads[random.below(Self.leads.count)]
        case 1, 2: UInt8(0x80 + random.below(0x40))
        default: UInt8(random.below(256))
        }
      }
    }
    try Self.compareDecoding(inputs)
  }

  @Test("lone surrogates are written as Java writes them")
  func surrogates() throws {
    var random = TestRandom(stream: 4)
    let inputs: [[UInt16]] = (0..<5000).map { _ in
      (0..<1 + random.below(5)).map { _ in
        switch random.below(4) {
        case 0: UInt16(0xd800 + random.below(0x400))
        case 1: UInt16(0xdc00 + random.below(0x400))
        default: UInt16(random.below(0xd800))
        }
      }
    }
    try Self.compare(
      inputs,
      question: { units in
        "utf16 " + Self.hex(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
      },
      answer: { units in
        // Each unit by itself in its three-byte form, so that pairs too arrive as two halves.
        let bytes = units.flatMap { unit -> [UInt8] in
          guard let scalar = Unicode.Scalar(UInt32(unit)) else {
            return [0xed, UInt8(0x80 | (unit >> 6) & 0x3f), UInt8(0x80 | unit & 0x3f)]
          }
          return Array(UTF8.encode(scalar) ?? .init())
        }
        return Self.hex(try StringCodec(profile: .android).encode(Value.Text(bytes: bytes)) ?? [])
      })
  }

  @Test("type 5 is read and printed as BigInteger does")
  func bigIntegers() throws {
    var random = TestRandom(stream: 5)
    let alphabet = Array("0019afAFgx+- .".utf8)
    var inputs = [
      "", "-", "+", "0", "-0", "+0", "00", "-00ff", "+ff", "+-1", "--1", "FF", "fF", "0x1", " 1",
      "1 ", "1_0", "\u{0}1", "8000000000000000", "-8000000000000000", "ffffffffffffffffffff",
    ].map { Array($0.utf8) }
    for _ in 0..<5000 {
      inputs.append((0..<random.below(7)).map { _ in alphabet[random.below(alphabet.count)] })
    }
    try Self.compareIntegers(inputs)
  }

  @Test("type 5 with digits of other scripts, which BigInteger takes too")
  func otherDigits() throws {
    let texts = ["\u{661}\u{662}", "\u{ff11}\u{ff21}", "-\u{967}", "1\u{6f5}", "\u{ff41}\u{ff46}"]
    try Self.compareIntegers(texts.map { Array($0.utf8) })
  }

  private static func compareIntegers(_ inputs: [[UInt8]]) throws {
    let codec = StandardMessageCodec(profile: .android)
    func answer(_ bytes: [UInt8]) -> String {
      do throws(CodecError) {
        let value = try codec.decode([5, UInt8(bytes.count)] + bytes)
        guard case .largeInteger(let number)? = value else { return "\(String(describing: value))" }
        return number.description
      } catch {
        return error.platformError ?? ""
      }
    }
    try compare(inputs, question: { "integer \(hex($0))" }, answer: answer)
  }

  @Test("NaN is written as doubleToLongBits and floatToIntBits have it")
  func canonicalNaN() throws {
    var random = TestRandom(stream: 6)
    let codec = StandardMessageCodec(profile: .android)
    let doubles = (0..<500).map { round in
      round < 250 ? random.next() | 0x7ff0_0000_0000_0000 : random.next()
    }
    try Self.compare(
      doubles, question: { "double \(String($0, radix: 16))" },
      answer: { bits in
        let number = Double(bitPattern: bits)
        let alone = try #require(try codec.encode(.float64(number)))
        let list = try #require(try codec.encode(.float64List([number])))
        #expect(alone.suffix(8) == list.suffix(8))
        let written = alone.suffix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return String(written, radix: 16)
      })
    let floats = doubles.map { UInt32(truncatingIfNeeded: $0 >> 32) }
    try Self.compare(
      floats, question: { "float \(String($0, radix: 16))" },
      answer: { bits in
        let list = try #require(try codec.encode(.float32List([Float(bitPattern: bits)])))
        let written = list.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return String(written, radix: 16)
      })
  }
}
