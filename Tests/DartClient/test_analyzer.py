"""The client's files through the analyzer in analyzer/, and the analyzer through its paces.

It knows the SDK and Flutter by the declarations in signatures/, which were written down from their
documentation. What it cannot tell, it lets pass: no report is no proof, but a report is a mistake.
"""

import pathlib
import re
import sys
import tempfile
import textwrap
import unittest
import unittest.mock

import sources
from analyzer import checker, world

sys.setrecursionlimit(10000)
HEAD = "import 'dart:async';\n"
# A body and a part of what is reported; None for nothing.
BODIES = [
    ("final int? x = maybe();\n  x.isNaN;", "which may be null"),
    ("final int? x = maybe();\n  if (x == null) {\n    return;\n  }\n  use(x);", None),
    ("final int? x = maybe();\n  if (x != null && x > 2) {\n    use(x);\n  }", None),
    ("final int? x = maybe();\n  if (x != null || x > 2) {}", "which may be null"),
    ("final int? x = maybe();\n  while (x != null) {\n    use(x);\n    break;\n  }\n  use(x);",
     "int?"),
    ("int? x = maybe();\n  if (x == null) {\n    return;\n  }\n  x = maybe();\n  use(x);", "int?"),
    ("use(maybe()!);", None),
    ("use(1!);", "never null"),
    ("use(1 ?? 2);", "never null"),
    ("use(''?.length ?? 1);", "never null"),
    ("final String? x = null;\n  use(x?.trim().length ?? 1);", None),
    ("final String? x = null;\n  use(x?.trim().length);", "int?"),
    ("use('');", "argument of type String"),
    ("use();", "0 arguments"),
    ("use(1, 2);", "2 arguments"),
    ("named(b: 1);", "argument a is missing"),
    ("named(a: 1, c: 1);", "no parameter c"),
    ("''.lenght;", "has no lenght"),
    ("nothing();", "no nothing within reach"),
    ("final List<int> x = <String>[];\n  use(x.length);", "List<String>"),
    ("final List<int> x = <int>[1, if (maybe() == null) ''];\n  use(x.length);", "an element"),
    ("final Map<String, int> x = <String, int>{'a': 1};\n  use(x['a']);", "int?"),
    ("final int x = 1;", "x is not used"),
    ("int x = 1;\n  use(x);", "prefer_final_locals"),
    ("final int x = 1;\n  x = 2;\n  use(x);", "x is final"),
    ("return;\n  use(1);", "does not come here"),
    ("use(1 as int);", "without a cast"),
    ("if (1 is int) {}", "is always"),
    ("if (maybe()) {}", "a condition"),
    ("await later();", "await outside"),
    ("final Object x = 1;\n  if (x is String) {\n    use(x.length);\n  }", None),
    ("final Object x = 1;\n  use(x is int ? x : 2);", None),
    ("final Object x = 1;\n  x.length;", "has no length"),
    ("throw maybe();", "may be null"),
    ("final Completer<int> x = Completer<int>();\n  x.complete('');", "String"),
    ("final Future<int> x = later().then<int>((int y) => '');\n  unawaited(x);", "String"),
    ("final Future<String> x = later().then((int y) => 'a$y');\n  unawaited(x);", None),
    ("final (int, String) x = (1, '');\n  use(x.$2);", "String"),
    ("Timer(Duration.zero, (int x) {});", "argument of type"),
    ("final Node x = Node(1);\n  x.value = 2;", "cannot be assigned"),
    ("final Node x = Node(1)..next = Node(2);\n  x.next = null;", None),
    ("final Node x = Node(1);\n  x.next.value;", "which may be null"),
    ("final Node x = Node.of(1);\n  use(x.value);", "has no of"),
    ("final Uint8List x = Uint8List(1);\n  x[0] = '';", "String"),
    ("try {\n    use(1);\n  } on FormatException catch (error) {\n    return;\n  }",
     "error is not used"),
]
DECLARATIONS = [
    ("int f(int x) {\n  if (x > 1) {\n    return 1;\n  }\n}", "may end without"),
    ("int f(int x) {\n  while (true) {\n    use(x);\n  }\n}", None),
    ("int f(int x) {\n  switch (x) {\n    case 1:\n      return 1;\n    default:\n      throw x;\n"
     "  }\n}", None),
    ("String f() => 1;", "int is given"),
    ("Future<String> f() async => 1;", "int is given"),
    ("Future<String> f() async => 'a';", None),
    ("Future<void> f() async {\n  later();\n}", "unawaited_futures"),
    ("Future<void> f() async {\n  await later();\n}", None),
    ("void f([int x]) {}", "needs a default"),
    ("class A {\n  A();\n  final int x;\n}", "field x is not set"),
    ("class A extends Node {\n  A() : super('');\n}", "String"),
    ("class A extends Node {\n  A() : super(1);\n  int twice() => 2;\n}", "lacks the annotation"),
    ("class A {\n  @override\n  int twice() => 2;\n}", "overrides nothing"),
    ("class A extends Node {\n  A() : super(1);\n  @override\n  String twice() => '';\n}",
     "above it"),
    ("abstract class A {\n  int f();\n}\n\nclass B implements A {}", "has no f of A"),
    ("class A {\n  int f() => g();\n  static int h() => f();\n  int g() => h();\n}", "no f within"),
    ("final List<Strin> x = <String>[];", "no type Strin"),
    ("List x = <String>[];", "strict-raw-types"),
    ("int _f() => 1;", "_f is not used"),
]
AROUND = """
int? maybe() => null;
void use(int x) {}
void named({required int a, int b = 1}) {}
Future<int> later() => Completer<int>().future;

class Node {
  Node(this.value);

  final int value;
  Node? next;

  int twice() => value * 2;
}
"""
# A change of a file of the client, and a part of what must be reported.
CHANGES = [
    ("pwbridge/lib/src/bridge.dart", "_answered(frame.id)?.complete",
     "_answered(frame.id).complete", "may be null"),
    ("pwbridge/lib/src/bridge.dart", "      await bridge.abandon();\n      rethrow;",
     "      bridge.abandon();\n      rethrow;", "unawaited_futures"),
    ("pwbridge/lib/src/bridge.dart", "onProblem: _note, ", "", "onProblem is missing"),
    ("pwbridge/lib/src/connection.dart", "Future<void> destroy(Duration patience) async {\n    _s",
     "Future<void> destroy() async {\n    _s", "above it"),
    ("pwbridge/lib/src/connection.dart", "timeout: limit", "timeOut: limit",
     "no parameter timeOut"),
    ("pwbridge/lib/src/control.dart", "if (id != null) 'id': id", "'id': id.lenght", "may be null"),
    ("pwbridge/lib/src/frames.dart", "payload == null ? 0 : payload.length", "payload.length",
     "may be null"),
    ("pwbridge/lib/src/standard_codec.dart", "_number(8, (ByteData data) => data.setInt64(0, value",
     "_number(8, (ByteData data) => data.setInt64('0', value", "argument of type String"),
    ("pwbridge_flutter/lib/src/recording_messenger.dart",
     "void setMessageHandler(String channel, MessageHandler? handler)",
     "void setMessageHandler(String channel, MessageHandler handler)", "above it"),
    ("pwbridge_flutter_test/lib/src/binary_messenger.dart", "Future<ByteData?>? send(",
     "Future<ByteData?>? sent(", "overrides nothing"),
    ("pwbridge/lib/src/frames.dart", "import 'dart:convert';\n", "", "no utf8 within reach"),
    ("pwbridge/lib/src/pending_call.dart", "import 'dart:async';\n", "", "ignore of dart.async"),
    ("pwbridge/lib/src/frames.dart", "import 'fields.dart';\n", "", "no decodePwFields"),
    ("pwbridge/lib/src/frames.dart", "import 'fields.dart';", "import 'fields.dart';\n"
     "import 'glob.dart';", "nothing of glob.dart"),
    ("pwbridge/lib/src/frames.dart", "import 'dart:convert';\nimport 'dart:typed_data';",
     "import 'dart:typed_data';\nimport 'dart:convert';", "directives_ordering"),
    ("pwbridge/lib/src/frames.dart", "head.setUint32(", "head.setUInt32(", "has no setUInt32"),
    ("pwbridge_flutter_test/lib/src/binary_messenger.dart", "import 'dart:async';\n",
     "import 'dart:async';\nimport 'dart:typed_data';\n", "unnecessary_import"),
    ("pwbridge_flutter_test/lib/src/binary_messenger.dart", "_binding?.delegate.send",
     "_binding.delegate.send", "may be null"),
]


def found_in(text):
    if "Uint8List" in text:
        text = text.replace(HEAD, f"{HEAD}import 'dart:typed_data';\n")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.dart"
        path.write_text(text, encoding="utf-8")
        return checker.problems(world.World(), path)


class AnalyzerTests(unittest.TestCase):
    def expect(self, found, wanted, text):
        if wanted is None:
            self.assertEqual(found, [], text)
        else:
            self.assertTrue(any(wanted in one for one in found), f"{text}\n{found}")

    def test_client(self):
        seen = world.World()
        for path in sources.dart_files():
            with self.subTest(path.name):
                self.assertEqual(checker.problems(seen, path), [])

    def test_bodies(self):
        for body, wanted in BODIES:
            with self.subTest(body):
                self.expect(found_in(f"{HEAD}\nvoid main() {{\n  {body}\n}}\n{AROUND}"),
                            wanted, body)

    def test_declarations(self):
        for text, wanted in DECLARATIONS:
            with self.subTest(text):
                self.expect(found_in(f"{HEAD}\n{text}\n{AROUND}"), wanted, text)

    def test_examples_of_the_readme(self):
        """With a newcomer's own names added."""
        own = {
            "import 'package:my_app/stopwatch_screen.dart';\n": "",
            "const MaterialApp(home: StopWatchScreen())": "const MaterialApp(home: Text('x'))",
            "const MyApp()": "const Text('x')",
        }
        text = (sources.CLIENT / "README.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^ *```dart\n(.*?)^ *```", text, re.S | re.M)
        self.assertGreaterEqual(len(blocks), 4)
        recording = next(block for block in blocks if "PwRecordingFile.create" in block)
        for block in map(textwrap.dedent, blocks):
            if "import" not in block:
                # A piece of the program above it.
                block = recording.replace(
                    "  runApp", f"{block}  channel.setMethodCallHandler(null);\n  runApp")
                block = block.replace("package:flutter/widgets", "package:flutter/services.dart';\n"
                                      "import 'package:flutter/widgets")
            for old, new in own.items():
                block = block.replace(old, new)
            with self.subTest(block[:300]):
                self.assertEqual(found_in(block), [])

    def test_changes_of_the_client(self):
        for name, old, new, wanted in CHANGES:
            with self.subTest(f"{name}: {new}"):
                path = sources.CLIENT / name
                text = path.read_text(encoding="utf-8")
                self.assertIn(old, text)
                changed = world.World()
                with unittest.mock.patch.object(
                        world.Library, "read", staticmethod(
                            lambda file, path=path, text=text.replace(old, new, 1):
                            text if file == path else file.read_text(encoding="utf-8"))):
                    self.expect(checker.problems(changed, path), wanted, new)


if __name__ == "__main__":
    unittest.main()
