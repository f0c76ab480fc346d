"""The interpreter itself: small programs and what Dart makes of them."""

import pathlib
import tempfile
import unittest

from interpreter import runtime

PROGRAMS = {
    "bitwise operators bind tighter than comparisons": ("6 & 2 == 2", True),
    "conditionals bind loosest": ("1 + 2 < 4 ? 5 : 6", 5),
    "shifts and bitwise or": ("1 << 4 | 3 & 2", 18),
    "and before or": ("true || false && false", True),
    "truncating division": ("-7 ~/ 2", -3),
    "unary minus": ("-2 * 3 + 1", -5),
    "64 bits": ("0x7fffffffffffffff + 1", -(1 << 63)),
    "if null": ("null ?? 3", 3),
    "strings": ("'a${1 + 1}b' 'c' r'$d'", "a2bc$d"),
    "escapes": (r"'\u0041\n\\\''", "A\n\\'"),
    "code units": ("'\U0001f600'.length", 2),
    "spread and if": (
        "<int>[1, ...<int>[2, 3], if (false) 4 else 5, for (int i = 6; i < 8; i++) i]",
        [1, 2, 3, 5, 6, 7]),
    "true is not 1": ("<Object?, int>{1: 2, true: 3}.length", 2),
    "1.0 is 1": ("<Object?, int>{1: 2, 1.0: 3}.length", 1),
    "equality of lists": ("<int>[1] == <int>[1]", False),
    "is": ("(1 as Object?) is! String", True),
}
BODIES = {
    "closures keep their round": ("""
        final List<int Function()> all = <int Function()>[];
        for (int i = 0; i < 3; i++) { all.add(() => i); }
        return <int>[for (final int Function() one in all) one()];""", [0, 1, 2]),
    "cases fall through only when empty": ("""
        final List<int> found = <int>[];
        for (final int i in <int>[1, 2, 3]) {
          switch (i) { case 1: case 2: found.add(i); default: found.add(-i); } }
        return found;""", [1, 2, -3]),
    "catch by type": ("""
        try { throw RangeError('x'); } on FormatException { return 1; }
        on ArgumentError catch (error) { return error is RangeError ? 2 : 3; }""", 2),
    "finally runs": ("""
        final List<int> found = <int>[];
        try { try { throw StateError('x'); } finally { found.add(1); } } on StateError {
          found.add(2); }
        return found;""", [1, 2]),
    "null checks": ("""
        int? none;
        try { return none!; } on TypeError { return 'refused'; }""", "refused"),
    "null chains": ("String? none; return none?.substring(1).length;", None),
    "cascades": (
        "final StringBuffer b = StringBuffer()..write(1)..write('x'); return b.toString();", "1x"),
    "records": ("final (int, String) r = (1, 'b'); return r.$2;", "b"),
    "while and break": ("int i = 0; while (true) { i += 2; if (i > 5) { break; } } return i;", 6),
    "views share bytes": ("""
        final Uint8List bytes = Uint8List(8);
        ByteData.sublistView(bytes, 4).setInt32(0, -2, Endian.little);
        return bytes.sublist(3, 6);""", [0, 254, 255]),
    "views must be aligned": ("""
        try { Int32List.sublistView(Uint8List.sublistView(Uint8List(8), 2, 6)); return 0; }
        on ArgumentError { return 1; }""", 1),
    "list bounds": ("try { return <int>[1][1]; } on RangeError { return 'range'; }", "range"),
}
ASYNC = """
Future<int> later(List<String> log, int value) async {
  log.add('in $value');
  await Future<void>.delayed(Duration.zero);
  log.add('out $value');
  if (value == 2) { throw StateError('two'); }
  return value;
}

Future<Object?> main() async {
  final List<String> log = <String>[];
  final Future<int> one = later(log, 1);
  final Future<int> two = later(log, 2);
  log.add('between');
  log.add('got ${await one}');
  try { await two; } on StateError catch (error) { log.add(error.message); }
  return log;
}
"""


def run(text):
    from interpreter.asynchrony import LOOP, Future
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.dart"
        path.write_text("import 'dart:async';\nimport 'dart:typed_data';\n" + text,
                        encoding="utf-8")
        value = runtime.Runtime().load(path).look("main")()
    if isinstance(value, Future):
        LOOP.run(lambda: value.state is not None, 5)
        value = value.result
    return value.elements() if hasattr(value, "elements") else value


class InterpreterTests(unittest.TestCase):
    def test_expressions(self):
        for name, (text, expected) in PROGRAMS.items():
            with self.subTest(name):
                found = run(f"Object? main() => {text};")
                self.assertEqual((type(found), found), (type(expected), expected))

    def test_bodies(self):
        for name, (text, expected) in BODIES.items():
            with self.subTest(name):
                self.assertEqual(run(f"Object? main() {{ {text} }}"), expected)

    def test_async(self):
        self.assertEqual(run(ASYNC), [
            "in 1", "in 2", "between", "out 1", "got 1", "out 2", "two"])


if __name__ == "__main__":
    unittest.main()
