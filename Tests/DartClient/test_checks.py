"""The checks themselves: what is wrong must be found."""

import unittest

import sources

GOOD = sources.CLIENT / "pwbridge" / "lib" / "src" / "frames.dart"


class CheckTests(unittest.TestCase):
    def changed(self, old, new):
        text = GOOD.read_text(encoding="utf-8")
        self.assertIn(old, text)
        return sources.Source(text.replace(old, new, 1), GOOD)

    def test_broken_dart(self):
        self.assertEqual(sources.Source.read(GOOD).problems(), [])
        for old, new in ((";\n}", "\n}"), ("{this.flags", "{this flags"),
                         ("int pwPadded(", "int pwPadded"),
                         ("class PwFrame {", "clas PwFrame {"), ("'PWBRIDGE'", "'PWBRIDGE")):
            with self.subTest(new):
                self.assertNotEqual(self.changed(old, new).problems(), [])

    def test_cut_off_anywhere(self):
        text = GOOD.read_text(encoding="utf-8")
        code = text.index("class PwFrame {")
        for length in range(code, text.rindex("}") - 1, 97):
            self.assertNotEqual(sources.Source(text[:length] + "\n(").problems(), [], length)

    def test_changed_constants(self):
        for old, new, name in (("hello = 1;", "hello = 9;", "PwKind.hello"),
                               ("idOffset = 8;", "idOffset = 0x10;", "PwFrameLayout.idOffset"),
                               ("'PWBRIDGE'", "'PWBRIDGf'", "PwFrameLayout.magic")):
            self.assertNotEqual(self.changed(old, new).constants()[name],
                                sources.Source.read(GOOD).constants()[name])

    def test_tables(self):
        with self.assertRaises(LookupError):
            sources.table(sources.PROTOCOL / "frames.md", "no", "such", "table")


if __name__ == "__main__":
    unittest.main()
