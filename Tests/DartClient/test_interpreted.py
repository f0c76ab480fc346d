"""The Dart tests of the package pwbridge, run by the small interpreter in interpreter/.

It is no Dart: it looks at no types beyond `is`, `as`, `!` and `catch`, knows one zone and as much
of the libraries as these files use. But the frames, the codec, the connection and the helpers of
the control channel are run by it as they are written, against the golden transcripts, the vectors
and a real server, whose program PWBRIDGE names.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import sources
from interpreter import dart_io, runtime

TESTS = sources.CLIENT / "pwbridge" / "test"
PROGRAM = os.environ.get("PWBRIDGE")
# Lists of tens of thousands of elements take minutes here.
os.environ.setdefault("PWBRIDGE_QUICK", "1")
sys.setrecursionlimit(20000)
dart_io.folder = sources.CLIENT / "pwbridge"


def run(path):
    """Test names to what went wrong, or None."""
    tests = list(runtime.Runtime().run_tests(path))
    found = dict(tests)
    assert tests, f"no tests in {path.name}"
    assert len(found) == len(tests), f"two tests of {path.name} have one name"
    return found


class InterpretedTests(unittest.TestCase):
    def check(self, name, least):
        found = run(TESTS / name)
        self.assertGreaterEqual(len(found), least)
        for test, problem in found.items():
            with self.subTest(test):
                self.assertIsNone(problem, problem)

    def check_flutter(self, package, name, least):
        self.check(sources.CLIENT / package / "test" / name, least)

    def test_all_are_here(self):
        self.assertEqual(
            sorted(path.name for path in TESTS.glob("*_test.dart")),
            ["bridge_test.dart", "control_test.dart", "ends_test.dart", "frames_test.dart",
             "pieces_test.dart", "stopwatch_test.dart", "transcripts_test.dart",
             "vectors_test.dart"])
        # Each is named in this file.
        text = pathlib.Path(__file__).read_text(encoding="utf-8")
        for package in sources.PACKAGES[1:]:
            for path in (sources.CLIENT / package / "test").glob("*_test.dart"):
                self.assertIn(f'self.check_flutter("{package}", "{path.name}"', text)

    def test_ends(self):
        self.check("ends_test.dart", 8)

    def test_pieces(self):
        self.check("pieces_test.dart", 5)

    def test_frames(self):
        self.check("frames_test.dart", 26)

    def test_transcripts(self):
        self.check("transcripts_test.dart", 20)

    def test_vectors(self):
        self.check("vectors_test.dart", 16)

    @unittest.skipUnless(PROGRAM, "PWBRIDGE names no program")
    def test_stopwatch(self):
        self.check("stopwatch_test.dart", 4)

    @unittest.skipUnless(PROGRAM, "PWBRIDGE names no program")
    def test_control(self):
        self.check("control_test.dart", 9)

    @unittest.skipUnless(PROGRAM, "PWBRIDGE names no program")
    def test_bridge(self):
        self.check("bridge_test.dart", 10)

    def test_recording_messenger(self):
        self.check_flutter("pwbridge_flutter", "recording_messenger_test.dart", 3)

    def test_recording_binding(self):
        self.check_flutter("pwbridge_flutter", "recording_binding_test.dart", 1)

    @unittest.skipUnless(PROGRAM, "PWBRIDGE names no program")
    def test_recording_file(self):
        self.check_flutter("pwbridge_flutter", "recording_file_test.dart", 3)

    @unittest.skipUnless(PROGRAM, "PWBRIDGE names no program")
    def test_binary_messenger(self):
        self.check_flutter("pwbridge_flutter_test", "binary_messenger_test.dart", 7)

    @unittest.skipUnless(PROGRAM, "PWBRIDGE names no program")
    def test_widgets(self):
        self.check_flutter("pwbridge_flutter_test", "stopwatch_test.dart", 3)

    @unittest.skipUnless(PROGRAM, "PWBRIDGE names no program")
    def test_native_messages(self):
        self.check_flutter("pwbridge_flutter_test", "native_messages_test.dart", 5)

    @unittest.skipUnless(PROGRAM, "PWBRIDGE names no program")
    def test_example_of_the_readme(self):
        text = (sources.CLIENT / "README.md").read_text(encoding="utf-8")
        example, = [block for block in re.findall(r"```dart\n(.*?)```", text, re.S)
                    if "package:test/" in block]
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "pwbridge").symlink_to(PROGRAM)
            path = pathlib.Path(folder) / "activity_test.dart"
            path.write_text(example, encoding="utf-8")
            before = os.environ["PATH"]
            os.environ["PATH"] = f"{folder}:{before}"
            try:
                self.assertEqual(set(run(path).values()), {None})
            finally:
                os.environ["PATH"] = before

    @unittest.skipUnless(PROGRAM and "PWBRIDGE_SOCKET" not in os.environ, "PWBRIDGE names none")
    def test_both_over_a_socket(self):
        names = [f"test_interpreted.InterpretedTests.test_{name}"
                 for name in ("stopwatch", "bridge", "control")]
        result = subprocess.run(
            [PROGRAM, "exec", "--", sys.executable, "-m", "unittest", *names],
            cwd=sources.HERE, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])
        self.assertIn("Ran 3 tests", result.stderr)


class MutationTests(unittest.TestCase):
    """What is changed in the source must make a test fail."""

    # Package, file in lib/src, what stands there, what stands there then, test.
    CASES = [
        ("pwbridge", "frames.dart", "(length + 7) & ~7", "(length + 3) & ~3", "frames_test.dart"),
        ("pwbridge", "frames.dart", "getInt64(0, Endian.little)", "getInt64(0)",
         "transcripts_test.dart"),
        ("pwbridge", "frame_reader.dart", "_start += count;", "_start += count + 8;",
         "frames_test.dart"),
        ("pwbridge", "frame_reader.dart", "_checkPadding(payloadStart + length, size);", "",
         "frames_test.dart"),
        ("pwbridge", "channel_buffers.dart", "kept.length >= channel", "kept.length > channel",
         "pieces_test.dart"),
        ("pwbridge", "channel_buffers.dart", "channel.kept.removeFirst();\n      listener",
         "channel.kept.removeFirst();\n      answer", "pieces_test.dart"),
        ("pwbridge", "recorder.dart", "unit == 0x7f", "unit == 0x7e", "pieces_test.dart"),
        ("pwbridge", "open_calls.dart", "_nextId += 1;", "_nextId += 2;", "transcripts_test.dart"),
        ("pwbridge", "bridge.dart", "PwDroppedException(call", "PwDisconnectedException(call",
         "transcripts_test.dart"),
        ("pwbridge", "waiters.dart", "if (!_waiting.remove(completer))", "if (false)",
         "ends_test.dart"),
        ("pwbridge", "bridge.dart", "_isEnded && !_calls.hasWaiting", "_isEnded",
         "ends_test.dart"),
        ("pwbridge", "channels.dart", "return null;\n    } on Object", "rethrow;\n    } on Object",
         "transcripts_test.dart"),
        ("pwbridge_flutter", "recording_messenger.dart", "_bytes(message), fromDart: true",
         "_bytes(message), fromDart: false", "recording_messenger_test.dart"),
        ("pwbridge_flutter", "recording_binding.dart", "_instance ??= ", "_instance = ",
         "recording_binding_test.dart"),
    ]
    WITH_PROGRAM = [
        ("pwbridge_flutter", "recording_messenger.dart", "recorder.reply(id, channel, _bytes(b",
         "recorder.reply(id + 1, channel, _bytes(b", "recording_file_test.dart"),
        ("pwbridge_flutter_test", "binary_messenger.dart", "allMessagesHandler = _previous;",
         "allMessagesHandler = null;", "binary_messenger_test.dart"),
        ("pwbridge_flutter_test", "binary_messenger.dart", "error is! PwDroppedException",
         "error is PwDroppedException", "binary_messenger_test.dart"),
        ("pwbridge_flutter_test", "binary_messenger.dart", "== PwDelivery.direct ? _direct",
         "!= PwDelivery.direct ? _direct", "binary_messenger_test.dart"),
        ("pwbridge_flutter_test", "binary_messenger.dart",
         "if (bridge.openCalls == 0 && bridge.openMessages == 0)", "if (true)",
         "binary_messenger_test.dart"),
        ("pwbridge_flutter_test", "binary_messenger.dart", "if (matches(channel)) {",
         "if (!matches(channel)) {", "stopwatch_test.dart"),
    ]

    def test_changes_are_caught(self):
        self.check(self.CASES)

    @unittest.skipUnless(PROGRAM, "PWBRIDGE names no program")
    def test_changes_are_caught_with_the_program(self):
        self.check(self.WITH_PROGRAM)

    def check(self, cases):
        original = sources.CLIENT
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "clients" / "dart"
            copy.mkdir(parents=True)
            for name in ("vectors", "transcripts"):
                (pathlib.Path(folder) / name).symlink_to(sources.PROTOCOL / name)
            for package in sources.PACKAGES:
                shutil.copytree(original / package, copy / package)
            sources.CLIENT, dart_io.folder = copy, copy / "pwbridge"
            try:
                for package, name, old, new, tests in cases:
                    with self.subTest(f"{name}: {old}"):
                        path = copy / package / "lib" / "src" / name
                        text = path.read_text(encoding="utf-8")
                        self.assertIn(old, text)
                        # Every place: some texts stand in two functions that do the same.
                        path.write_text(text.replace(old, new), encoding="utf-8")
                        try:
                            self.assertTrue(self.fails(copy / package / "test" / tests))
                        finally:
                            path.write_text(text, encoding="utf-8")
            finally:
                sources.CLIENT, dart_io.folder = original, original / "pwbridge"

    @staticmethod
    def fails(path):
        try:
            return any(problem for _, problem in runtime.Runtime().run_tests(path, patience=1))
        except Exception:  # A file that cannot be run at all has failed as well.
            return True


if __name__ == "__main__":
    unittest.main()
