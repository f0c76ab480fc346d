import Testing

@testable import ObjCAttributeEraser

/// What is blanked and what is left alone. In a row, `~` stands for a blank in the place of a byte.
@Suite struct EraserTests {
  static let rows: [(source: String, result: String)] = [
    ("@objc class A {}", "~~~~~ class A {}"),
    ("@main\n@objc class A: B {\n}", "@main\n~~~~~ class A: B {\n}"),
    ("@objc(Name) class A {}", "~~~~~~~~~~~ class A {}"),
    ("@objc(name:with:) func a() {}", "~~~~~~~~~~~~~~~~~ func a() {}"),
    ("@objc (name) func a() {}", "~~~~~~~~~~~~ func a() {}"),
    ("@objc(a\nb) func a() {}", "~~~~~~~\n~~ func a() {}"),
    ("@objc\r\nfunc a() {}", "~~~~~\r\nfunc a() {}"),
    ("@objcMembers class A {}", "~~~~~~~~~~~~ class A {}"),
    ("@objc public static func a()", "~~~~~ public static func a()"),
    ("@objc(Zähler) class A {}", "~~~~~~~~~~~~~~ class A {}"),
    ("@objc", "~~~~~"),
    ("@objc(", "~~~~~("),
    // Others begin alike.
    ("@objcSomething @objc_a @nonobjc @main", "@objcSomething @objc_a @nonobjc @main"),
    ("@available(iOS 16, *) @objc var a", "@available(iOS 16, *) ~~~~~ var a"),
    // Comments.
    ("// @objc\n@objc", "// @objc\n~~~~~"),
    ("/* @objc */ @objc", "/* @objc */ ~~~~~"),
    ("/* /* @objc */ @objc */ @objc", "/* /* @objc */ @objc */ ~~~~~"),
    ("/// \"\n@objc", "/// \"\n~~~~~"),
    ("/* unfinished @objc", "/* unfinished @objc"),
    ("a / b // c\n@objc", "a / b // c\n~~~~~"),
    // Strings.
    (#""@objc" @objc"#, #""@objc" ~~~~~"#),
    (#""\"@objc" @objc"#, #""\"@objc" ~~~~~"#),
    (#""\\" @objc"#, #""\\" ~~~~~"#),
    (##"#"@objc\"# @objc"##, ##"#"@objc\"# ~~~~~"##),
    (##"#""@objc"# @objc"##, ##"#""@objc"# ~~~~~"##),
    ("\"\"\"\n@objc \" \"\" @objc\n\"\"\" @objc", "\"\"\"\n@objc \" \"\" @objc\n\"\"\" ~~~~~"),
    ("\"// not a comment\" @objc", "\"// not a comment\" ~~~~~"),
    ("\"unfinished @objc\n@objc", "\"unfinished @objc\n~~~~~"),
    ("\"\" @objc", "\"\" ~~~~~"),
    // Code in strings, and strings in it.
    (#""\(a("x)")) @objc" @objc"#, #""\(a("x)")) @objc" ~~~~~"#),
    (#""\(a ? "@objc" : "\(b)") @objc" @objc"#, #""\(a ? "@objc" : "\(b)") @objc" ~~~~~"#),
    (##"#"\(a) @objc \#(f(")")) @objc"# @objc"##, ##"#"\(a) @objc \#(f(")")) @objc"# ~~~~~"##),
    // Regular expressions with pounds, directives, raw identifiers.
    (##"#/"@objc\/"/# @objc"##, ##"#/"@objc\/"/# ~~~~~"##),
    ("#if os(macOS)\n@objc\n#endif", "#if os(macOS)\n~~~~~\n#endif"),
    // What iOS is to the compiler.
    ("#if os(iOS)\n@objc", "#if true~~~\n~~~~~"),
    ("#if os(macOS) || os(iOS) // os(iOS)\n", "#if os(macOS) || true~~~ // os(iOS)\n"),
    ("#elseif !os(iOS)\r\nos(iOS)", "#elseif !true~~~\r\nos(iOS)"),
    ("f(#line, os(iOS))", "f(#line, os(iOS))"),
    ("// #if os(iOS)", "// #if os(iOS)"),
    ("let `a @objc \"` = 1; @objc", "let `a @objc \"` = 1; ~~~~~"),
  ]

  @Test func table() {
    for row in EraserTests.rows {
      let result = AttributeEraser.erase(Array(row.source.utf8))
      let expected = row.result.utf8.map { $0 == UInt8(ascii: "~") ? UInt8(ascii: " ") : $0 }
      #expect(result == expected, "\(row.source)\n\(String(decoding: result, as: UTF8.self))")
    }
  }

  /// Whatever the source, nothing moves and only attributes change.
  @Test func placesAreKept() {
    let seed = UInt64.random(in: 0 ... .max)
    var state = seed
    let pieces = [
      "#if ", "os(iOS)",
      "@objc", "(a)", "\"", "\"\"\"", "#", "\\", "\\(", ")", "/*", "*/", "//", "\n", "`", " ", "x",
      "/", "é",
    ]
    for round in 0..<3000 {
      var source: [UInt8] = []
      for _ in 0..<20 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        source += Array(pieces[Int((state >> 33) % UInt64(pieces.count))].utf8)
      }
      let result = AttributeEraser.erase(source)
      #expect(result.count == source.count, "seed \(seed) round \(round)")
      let changed = zip(source, result).filter { $0 != $1 }
      let isOnlyBlanked = changed.allSatisfy { old, new in
        old != UInt8(ascii: "\n") && (new == UInt8(ascii: " ") || "true".utf8.contains(new))
      }
      #expect(isOnlyBlanked, "seed \(seed) round \(round)")
    }
  }
}
