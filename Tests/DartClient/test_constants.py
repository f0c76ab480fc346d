"""The constants of the Dart source say what Protocol/ says."""

import json
import re
import struct
import unittest

import sources
from sources import PROTOCOL, constants_of, table

FRAMES = PROTOCOL / "frames.md"
CODEC = PROTOCOL / "codec.md"


def camel(name):
    first, *rest = re.split(r"[ -]", name)
    return first.lower() + "".join(word.capitalize() for word in rest)


def fields_text(pairs):
    return "".join(f"{name}={value}\n" for name, value in pairs).encode()


class FrameConstants(unittest.TestCase):
    def setUp(self):
        self.found = constants_of("frames.dart")

    def named(self, prefix):
        return {name.removeprefix(prefix): value for name, value in self.found.items()
                if name.startswith(prefix)}

    def test_kinds(self):
        rows = [row for row in table(FRAMES, "kind", "name", "id") if row[0] != "0"]
        self.assertEqual(self.named("PwKind."), {camel(row[1]): int(row[0]) for row in rows})

    def test_flags(self):
        rows = table(FRAMES, "bit", "name", "meaning")
        flags = {row[1].strip("`"): 1 << int(row[0]) for row in rows}
        self.assertEqual(self.named("PwFlag."), {**flags, "all": sum(flags.values())})

    def test_head(self):
        text = FRAMES.read_text(encoding="utf-8")
        drawing = re.search(r"```\noffset  size  field\n(.*?)```", text, re.S)[1]
        rows = re.findall(r"^(\d+) +(\w) +(.+)$", drawing, re.M)
        at = {words.split(",")[0].split(":")[0]: int(offset) for offset, _, words in rows}
        layout = self.named("PwFrameLayout.")
        self.assertEqual(layout["payloadLengthOffset"], at["payload length"])
        self.assertEqual(layout["kindOffset"], at["kind"])
        self.assertEqual(layout["flagsOffset"], at["flags"])
        self.assertEqual(layout["channelLengthOffset"], at["channel-name length"])
        self.assertEqual(layout["idOffset"], at["id"])
        self.assertEqual(layout["headSize"], at["channel name"])
        self.assertIn(f"a multiple of {layout['alignment']} bytes", text)
        self.assertIn(f"ASCII bytes `{layout['magic']}`", text)

    def test_hello(self):
        meanings = {row[0].strip("`"): row[2] for row in table(FRAMES, "field", "from", "meaning")}
        layout = self.named("PwFrameLayout.")
        self.assertEqual(meanings["version"], f"`{layout['version']}`")
        for field, name in (("max-payload", "maxPayload"), ("max-open-calls", "maxOpenCalls"),
                            ("max-channel-name", "maxChannelName")):
            self.assertIn(f"{layout[name]} if absent", meanings[field])
        capabilities = re.findall(r"`(\w+)`", meanings["capabilities"])
        self.assertEqual(sorted(self.named("PwCapability.").values()), sorted(capabilities))

    def test_error_codes_are_those_of_the_table(self):
        codes = {row[0].strip("`") for row in table(FRAMES, "code", "fatal", "meaning")}
        used = set()
        for path in (sources.CLIENT / "pwbridge" / "lib" / "src").glob("*.dart"):
            used.update(re.findall(
                r"(?:_fail|PwFrameException|PwProtocolException)\(\s*'([a-z-]+)'",
                sources.Source.read(path).text))
        self.assertGreater(len(used), 10)
        self.assertEqual(used - codes, set())

    def test_reader_knows_every_code_for_streams(self):
        source = sources.Source.read(
            sources.CLIENT / "pwbridge" / "lib" / "src" / "frame_reader.dart")
        used = set(re.findall(r"_fail\(\s*'([a-z-]+)'", source.text))
        codes = [row[0].strip("`") for row in table(FRAMES, "code", "fatal", "meaning")]
        of_streams = set(codes[:codes.index("frame-incomplete") + 1])
        # The limit of payloads is no failure, and the version stands inside of the hello.
        self.assertEqual(used, of_streams - {"payload-too-long", "unsupported-version"})

    def test_frames_built_from_the_constants(self):
        """The hello and the messages of the golden transcripts, byte for byte."""
        layout, kind = self.named("PwFrameLayout."), self.named("PwKind.")
        flag = self.named("PwFlag.")

        def padded(data):
            return data + bytes(-len(data) % layout["alignment"])

        def frame(of_kind, id, channel, payload):
            head = bytearray(layout["headSize"])
            struct.pack_into("<I", head, layout["payloadLengthOffset"], len(payload or b""))
            head[layout["kindOffset"]] = of_kind
            head[layout["flagsOffset"]] = flag["noPayload"] if payload is None else 0
            struct.pack_into("<H", head, layout["channelLengthOffset"], len(channel.encode()))
            struct.pack_into("<Q", head, layout["idOffset"], id)
            return bytes(head) + padded(channel.encode()) + padded(payload or b"")

        hello = frame(
            kind["hello"], int.from_bytes(layout["magic"].encode(), "little"), "", fields_text([
                ("version", layout["version"]), ("max-payload", layout["maxPayload"]),
                ("capabilities", ",".join([self.found["PwCapability.cancel"],
                                           self.found["PwCapability.log"]])),
                ("software", "pwbridge_client (Python)")]))
        lines = (PROTOCOL / "transcripts" / "stopwatch.jsonl").read_text().splitlines()
        said = [json.loads(line) for line in lines[1:]]
        self.assertEqual(bytes.fromhex(said[0]["hex"]), hello)
        codec = constants_of("standard_codec.dart")
        compared = 0
        for entry in said:
            words = entry["frame"]
            if words["kind"] != "message":
                continue
            method = words["method"].encode()
            payload = bytes([codec["PwType.string"], len(method)]) + method
            if words["arguments"] is None:
                payload += bytes([codec["PwType.null_"]])
            else:
                (key, value), = words["arguments"].items()
                payload += bytes([codec["PwType.map"], 1, codec["PwType.string"], len(key)])
                payload += key.encode() + bytes([codec["PwType.int32"]])
                payload += value.to_bytes(4, "little")
            found = frame(kind["message"], words["id"], words["channel"], payload)
            self.assertEqual(found.hex(), entry["hex"])
            compared += 1
        self.assertGreater(compared, 60)


class CodecConstants(unittest.TestCase):
    def setUp(self):
        self.found = constants_of("standard_codec.dart", "method_codec.dart")

    def test_types(self):
        names = {"null": "null_", "true": "true_", "false": "false_", "large int": "largeInt",
                 "Uint8List": "uint8List"}
        expected = {}
        for row in table(CODEC, "type", "name", "size counts"):
            bytes_, words = re.findall(r"`(\w\w)`", row[0]), row[1].split(", ")
            for byte, word in zip(bytes_, words):
                name = names.get(word) or word[0].lower() + word[1:]
                expected[name] = int(byte, 16)
        found = {name.removeprefix("PwType."): value for name, value in self.found.items()
                 if name.startswith("PwType.")}
        self.assertEqual(found, expected)
        self.assertEqual(len(found), 15)

    def test_sizes(self):
        rows = table(CODEC, "count", "bytes", "length")
        self.assertEqual(rows[0][0], f"0 to {self.found['PwSizeForm.byteMax']}")
        self.assertTrue(rows[1][0].endswith(f"to {self.found['PwSizeForm.wordMax']:,}"))
        self.assertTrue(rows[1][1].startswith(f"`{self.found['PwSizeForm.wordMark']:02x}`"))
        self.assertTrue(rows[2][1].startswith(f"`{self.found['PwSizeForm.longMark']:02x}`"))
        self.assertEqual(self.found["PwSizeForm.longMax"], 2**32 - 1)

    def test_envelopes(self):
        drawing = re.search(r"success +(\w\w) .*\nerror +(\w\w) ", CODEC.read_text())
        self.assertEqual(self.found["PwEnvelope.success"], int(drawing[1], 16))
        self.assertEqual(self.found["PwEnvelope.error"], int(drawing[2], 16))


class ChannelNames(unittest.TestCase):
    def test_channels(self):
        found = constants_of("control.dart", "channel_buffers.dart")
        self.assertEqual(found["PwControl.channelName"], "pwbridge/control")
        transcript = (PROTOCOL / "transcripts" / "native.jsonl").read_text()
        self.assertIn(f'"{found["PwChannelBuffers.controlChannel"]}"', transcript)
        self.assertEqual(found["PwChannelBuffers.defaultCapacity"], 1)


if __name__ == "__main__":
    unittest.main()
