"""Frames byte by byte, in any pieces, and what is refused."""

import os
import re
import tempfile
import unittest

from pwbridge_client import frames
from pwbridge_client.frames import Frame, FrameError

CONTRACT = os.path.join(os.path.dirname(__file__), "..", "..", "frames.md")

SAMPLES = [
    ("05000000 02 00 0200 0700000000000000 5057000000000000 0102030405000000",
     Frame(frames.MESSAGE, channel="PW", id=7, payload=bytes([1, 2, 3, 4, 5]))),
    ("00000000 02 01 0200 0100000000000000 5057000000000000",
     Frame(frames.MESSAGE, channel="PW", id=1)),
    ("00000000 02 00 0200 0100000000000000 5057000000000000",
     Frame(frames.MESSAGE, channel="PW", id=1, payload=b"")),
    ("01000000 02 00 0900 ffffffffffffffff 6162636465666768 6900000000000000 ff00000000000000",
     Frame(frames.MESSAGE, channel="abcdefghi", id=(1 << 64) - 1, payload=b"\xff")),
    ("02000000 03 00 0000 0700000000000000 0000000000000000",
     Frame(frames.REPLY, id=7, payload=b"\0\0")),
    ("00000000 03 01 0000 0700000000000000", Frame(frames.REPLY, id=7)),
    ("00000000 04 01 0000 0700000000000000", Frame(frames.DROPPED, id=7)),
    ("00000000 05 01 0000 0700000000000000", Frame(frames.CANCEL, id=7)),
    ("0b000000 07 02 0200 0300000000000000 5057000000000000 6c6576656c3d696e666f0a 0000000000",
     Frame(frames.LOG, flags=frames.OPTIONAL, channel="PW", id=3, payload=b"level=info\n")),
    ("00000000 08 00 0000 0000000000000000", Frame(frames.BYE, payload=b"")),
]


def read(data, pieces=1, **options):
    reader = frames.FrameReader(expects_hello=False, **options)
    result = []
    for start in range(0, len(data), pieces):
        reader.feed(data[start:start + pieces])
        result += reader.frames()
    reader.finish()
    return result, reader


class FrameTests(unittest.TestCase):
    def test_bytes(self):
        for text, frame in SAMPLES:
            with self.subTest(repr(frame)):
                data = bytes.fromhex(text)
                self.assertEqual(frames.encode_frame(frame), data)
                self.assertEqual(read(data)[0], [frame])

    def test_any_pieces(self):
        data = b"".join(bytes.fromhex(text) for text, _ in SAMPLES)
        for pieces in (1, 2, 3, 7, 16, 17, len(data)):
            self.assertEqual(read(data, pieces)[0], [frame for _, frame in SAMPLES])

    def test_ends(self):
        data = bytes.fromhex(SAMPLES[0][0])
        for end in range(1, len(data)):
            with self.assertRaises(FrameError) as caught:
                read(data[:end])
            self.assertEqual((caught.exception.code, caught.exception.offset),
                             ("frame-incomplete", end))

    def test_refused(self):
        for text, code, offset in [
            ("00000000 00 02 0000 0000000000000000", "unknown-kind", 4),
            ("00000000 09 00 0000 0000000000000000", "unknown-kind", 4),
            ("00000000 03 04 0000 0000000000000000", "reserved-flags", 5),
            ("00000000 02 01 0000 0300000000000000", "channel-name-missing", 6),
            ("00000000 02 01 0110 0300000000000000", "channel-name-too-long", 6),
            ("00000000 02 01 0200 0300000000000000 c328000000000000",
             "channel-name-malformed", 16),
            ("00000000 03 01 0200 0300000000000000 5057000000000000",
             "channel-name-unexpected", 6),
            ("00000000 02 01 0200 0300000000000000 5057570000000000", "padding-not-zero", 18),
            ("01000000 03 00 0000 0300000000000000 0001000000000000", "padding-not-zero", 17),
            ("01000000 04 00 0000 0300000000000000", "payload-unexpected", 0),
            ("01000000 03 01 0000 0300000000000000", "payload-unexpected", 0),
        ]:
            with self.subTest(text), self.assertRaises(FrameError) as caught:
                read(bytes.fromhex(text))
            self.assertEqual((caught.exception.code, caught.exception.offset), (code, offset))

    def test_skipped(self):
        data = bytes.fromhex("09000000 63 fe 0000 0000000000000000" + "ff" * 16)
        data += bytes.fromhex("09000000 03 00 0000 0500000000000000" + "ff" * 16)
        data += bytes.fromhex(SAMPLES[-1][0])
        for pieces in (1, len(data)):
            result, reader = read(data, pieces, max_payload=8)
            self.assertEqual(result, [SAMPLES[-1][1]])
            self.assertEqual(reader.too_long, [(frames.REPLY, 5, 9)])

    def test_first_frame(self):
        hello = frames.encode_frame(frames.hello_frame("d", {"handler": "guide"}))
        self.assertEqual(hello[8:16], b"PWBRIDGE")
        got = frames.read_stream(hello)
        self.assertEqual(got[0].fields["option.handler"], "guide")
        self.assertEqual(got[0].fields["version"], "1")
        self.assertEqual(got[0].fields["device"], "d")
        for data, code in [(b"GET / HTTP/1.1\r\n", "not-a-frame"),
                           (bytes.fromhex(SAMPLES[0][0]), "hello-expected"),
                           (hello + hello, "hello-expected")]:
            with self.assertRaises(FrameError) as caught:
                frames.read_stream(data)
            self.assertEqual(caught.exception.code, code)

    def test_file(self):
        data = frames.encode_frame(frames.hello_frame()) + bytes.fromhex(SAMPLES[0][0])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "conversation")
            with open(path, "wb") as file:
                file.write(data)
            self.assertEqual(frames.read_file(path)[1], SAMPLES[0][1])


class FieldsTests(unittest.TestCase):
    def test_escapes(self):
        fields = {"text": "a\nb\rc\\d\0e=f \u00e9", "empty": ""}
        data = frames.encode_fields(fields)
        self.assertEqual(data, "text=a\\nb\\rc\\\\d\\0e=f \u00e9\nempty=\n".encode())
        self.assertEqual(frames.parse_fields(data), fields)

    def test_malformed(self):
        for data in (b"a=1", b"\n", b"a\n", b"=1\n", b"A=1\n", b"a=1\r\n", b"a=\\x\n",
                     b"a=\\\n", b"a=\0\n", b"a=\xff\n"):
            with self.subTest(data), self.assertRaises(FrameError) as caught:
                frames.parse_fields(data)
            self.assertEqual(caught.exception.code, "fields-malformed")


class ContractTests(unittest.TestCase):
    """The examples in frames.md."""

    def test_examples(self):
        with open(CONTRACT, encoding="utf-8") as file:
            blocks = re.findall(r"```hex frame\n(.*?)```", file.read(), re.DOTALL)
        self.assertGreater(len(blocks), 8)
        for block in blocks:
            lines = block.strip().splitlines()
            data = bytes.fromhex("".join(line.split("->")[0] for line in lines[:-1]))
            with self.subTest(block):
                self.assertEqual(self.outcome(data), lines[-1])

    @staticmethod
    def outcome(data):
        kind = data[4]
        try:
            reader = frames.FrameReader(expects_hello=kind == frames.HELLO)
            reader.feed(data)
            got = list(reader.frames())
            reader.finish()
        except FrameError as error:
            return f"= error {error.code}"
        if not got:
            return f"= skipped {kind}"
        frame = got[0]
        name = frames.KIND_NAMES[frame.kind]
        words = ["=", "error-frame" if name == "error" else name]
        if frame.id and frame.kind != frames.HELLO:
            words.append(f"id={frame.id}")
        if frame.channel:
            words.append(f"channel={frame.channel}")
        if frame.kind in (frames.MESSAGE, frames.REPLY):
            if frame.payload is not None:
                words.append(f"payload={frame.payload.hex()}")
        else:
            words += [f"{name}={value}" for name, value in frame.fields.items()]
        return " ".join(words)


if __name__ == "__main__":
    unittest.main()
