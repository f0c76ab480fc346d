"""Every file is Dart, and imports what its package may."""

import re
import unittest

import sources

ALLOWED = {
    "pwbridge": {
        "lib": ("dart:", "package:pwbridge/"),
        "test": ("dart:", "package:pwbridge/", "package:test/"),
    },
    "pwbridge_flutter": {
        "lib": ("dart:", "package:flutter/", "package:pwbridge/"),
        "test": ("dart:", "package:flutter/", "package:flutter_test/", "package:pwbridge/",
                 "package:pwbridge_flutter/"),
    },
    "pwbridge_flutter_test": {
        "lib": ("dart:", "package:flutter/", "package:flutter_test/", "package:pwbridge/"),
        "test": ("dart:", "package:flutter/", "package:flutter_test/",
                 "package:pwbridge_flutter_test/"),
    },
}
# An app has no dart:io in a browser, and what it records must not depend on it.
WITHOUT_IO = ["recording.dart", "glob.dart", "src/recorder.dart", "src/glob.dart"]


class SourceTests(unittest.TestCase):
    def test_there_are_files(self):
        self.assertGreater(len(sources.dart_files()), 25)

    def test_grammar(self):
        for path in sources.dart_files():
            with self.subTest(path.name):
                self.assertEqual(sources.Source.read(path).problems(), [])

    def test_imports(self):
        for path in sources.dart_files():
            package, kind = path.relative_to(sources.CLIENT).parts[:2]
            for uri in sources.Source.read(path).uris():
                with self.subTest(f"{path.name} {uri}"):
                    if ":" in uri:
                        self.assertTrue(uri.startswith(ALLOWED[package][kind]))
                        name, *rest = uri.removeprefix("package:").split("/", 1)
                        if name in sources.PACKAGES:
                            self.assertTrue((sources.CLIENT / name / "lib" / rest[0]).is_file())
                    else:
                        self.assertTrue((path.parent / uri).is_file())

    def test_recording_needs_no_io(self):
        for name in WITHOUT_IO:
            path = sources.CLIENT / "pwbridge" / "lib" / name
            self.assertNotIn("dart:io", sources.Source.read(path).uris(), name)

    def test_style(self):
        for path in sources.dart_files():
            text = path.read_text(encoding="utf-8")
            with self.subTest(path.name):
                self.assertLessEqual(max(map(len, text.splitlines())), 100)
                self.assertIsNone(re.search(r"[ \t]\n|\t|\r", text))
                self.assertTrue(text.endswith("}\n") or text.endswith(";\n"))

    def test_public_classes_are_documented(self):
        for path in sources.dart_files():
            if "lib" not in path.parts:
                continue
            source = sources.Source.read(path)
            for node in source.walk("class_definition", "enum_declaration", "type_alias"):
                if "class _" in source.of(node)[:60]:
                    continue
                before = node.prev_sibling
                self.assertTrue(before is not None and "comment" in before.type
                                and source.of(before).startswith("///"), source.place(node))


if __name__ == "__main__":
    unittest.main()
