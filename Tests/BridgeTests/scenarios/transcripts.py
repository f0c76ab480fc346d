"""The transcripts in Protocol/transcripts: server and Python client say them byte for byte."""

import sys

from support.harness import REPOSITORY, Scenario, main

FOLDER = REPOSITORY / "Protocol" / "transcripts"
sys.path.insert(0, str(FOLDER))

import generate  # noqa: E402
import transcript  # noqa: E402


class Transcripts(Scenario):
    def each(self):
        for name, _, script, arguments, *options in generate.TRANSCRIPTS:
            stored = transcript.Transcript.read(generate.path_of(name))
            self.assertEqual((stored.name, stored.arguments), (name, arguments))
            self.assertEqual(stored.options, options[0] if options else {})
            yield stored, script

    def test_all_files_are_known(self):
        names = {path.name for path in FOLDER.glob("*.jsonl")}
        self.assertEqual(names, {generate.path_of(name).name for name, *_ in generate.TRANSCRIPTS})
        text = (FOLDER / "README.md").read_text()
        for name in names:
            self.assertIn(f"`{name}`", text)

    def test_words_go_with_the_bytes(self):
        for stored, _ in self.each():
            with self.subTest(stored.name):
                path = generate.path_of(stored.name)
                self.assertEqual(stored.write(), path.read_text(encoding="utf-8"))
                for _, data in stored.said:
                    self.assertEqual(len(data) % 8, 0)

    def test_the_server(self):
        for stored, _ in self.each():
            with self.subTest(stored.name):
                transcript.check_server(stored)

    def test_the_client(self):
        for stored, script in self.each():
            with self.subTest(stored.name):
                transcript.check_client(stored, script)

    def test_a_wrong_byte_is_found(self):
        """The comparison itself can fail."""
        refused = transcript.Transcript.read(generate.path_of("refused"))
        with self.assertRaisesRegex(AssertionError, "turn 1, frame 1"):
            refused.options = {}
            transcript.check_client(refused, None)
        stored, script = next(self.each())
        who, data = stored.said[4]
        stored.said[4] = (who, data[:-1] + b"\1")
        with self.assertRaisesRegex(AssertionError, "turn 3, frame 1"):
            transcript.check_client(stored, script)
        stored.said[4] = (who, data)
        who, data = stored.said[5]
        stored.said[5] = (who, data[:16] + b"\1" + data[17:])
        with self.assertRaisesRegex(AssertionError, "turn 3, frame 1"):
            transcript.check_server(stored)

    def test_the_guides_conversation(self):
        stored, _ = next(self.each())
        calls = [transcript.describe(data) for who, data in stored.said if who == "client"]
        self.assertEqual(
            [call["method"] for call in calls[1:-1]],
            ["startLiveActivity"] + ["updateLiveActivity"] * 60 + ["stopLiveActivity"])


if __name__ == "__main__":
    main()
