#!/usr/bin/env python3
"""Writes seed inputs for the fuzzers, one folder for each target.

    make-corpus.py FOLDER

They come from the vectors, the golden transcripts and the captures. The first bytes of an input
steer its fuzzer; see the fuzzers' sources.
"""

import hashlib
import json
import pathlib
import re
import struct
import sys

root = pathlib.Path(__file__).resolve().parents[2]
STANDARD = ["message", "call", "envelope", "string", "binary"]
JSON = ["json-message", "json-call", "json-envelope"]
CHANNELS = ["pwbridge/control", "PW", "pushwoosh", "dev.flutter/channel-buffers"]
LARGEST = 4096


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    target = pathlib.Path(sys.argv[1])
    count = 0
    for fuzzer, seeds in corpus().items():
        folder = target / fuzzer
        folder.mkdir(parents=True, exist_ok=True)
        for seed in sorted({seed for seed in seeds if len(seed) <= LARGEST}):
            (folder / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
            count += 1
    print(f"{count} seeds")


def corpus():
    vectors = [vector for path in sorted((root / "Protocol/vectors").glob("*.json"))
               if path.name != "schema.json"
               for vector in json.loads(path.read_text(encoding="utf-8"))["vectors"]]
    payloads = [(vector["codec"], bytes.fromhex(vector["hex"]), bool(vector.get("extensions")))
                for vector in vectors if vector.get("hex")]
    typed = [(vector["codec"], json.dumps(vector["value"], separators=(",", ":")).encode())
             for vector in vectors if vector.get("value") is not None]
    document = (root / "Protocol/recording.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(\S+)[^\n]*\n(.*?)```", document, re.DOTALL)
    recordings = [(root / "Tests/Fixtures/captures/desktop-app.jsonl").read_bytes()]
    recordings += recordings[0].splitlines(keepends=True)[::90]
    recordings += [text.encode() for language, text in blocks if "json" in language]
    recordings += [bytes.fromhex("".join(row.split("->")[0] for row in text.splitlines()))
                   for language, text in blocks if language == "hex"]
    calls, streams, lines = transcripts()
    smaller = texts()
    return {
        "FuzzStandardCodec": [bytes([STANDARD.index(codec), extended]) + payload
                              for codec, payload, extended in payloads if codec in STANDARD],
        "FuzzJSONCodec": [bytes([JSON.index(codec)]) + payload
                          for codec, payload, _ in payloads if codec in JSON],
        "FuzzTypedJSON": [bytes([kind(codec)]) + text for codec, text in typed],
        "FuzzFrames": streams,
        "FuzzLines": lines,
        "FuzzRecordings": list(pieces(recordings)),
        "FuzzRecordingUse": [bytes([mode, 0, 1]) + piece for piece in pieces(recordings)
                             for mode in (0, 1, 0x2a)],
        "FuzzTexts": smaller,
        "FuzzDevice": [bytes([mode]) + call for call in calls for mode in (0, 3)],
        "FuzzConnection": [conversation(stream) for stream in streams]
                          + [b"\3\0" + chunks(line[1:]) for line in lines],
    }


def chunks(stream):
    """The steps of FuzzConnection that send a stream, with a round of the server after each."""
    return b"".join(bytes([0, len(piece)]) + piece + b"\4\5" for piece in
                    (stream[start:start + 255] for start in range(0, len(stream), 255)))


def conversation(seed):
    return b"\0\7" + chunks(seed[2:])


def texts():
    """Inputs of FuzzTexts: the number of a reader, in the order of its source, and a text."""
    control = (root / "Protocol/control.md").read_text(encoding="utf-8")
    conformance = (root / "Protocol/conformance.md").read_text(encoding="utf-8")
    quoted = re.findall(r"`([^`\n]+)`", control)
    seeds = [(0, text) for text in quoted if ": " in text]
    seeds += [(0, "PW.start*#2-: delay 200ms; *: error \"a b\" null {\"x\":[1]}; x#%3: corrupt 00ff")]
    seeds += [(1, text) for text in ("200ms", "1.5h", "2026-01-31T12:00:00.25Z", "-1e9", "3d")]
    seeds += [(2, text) for text in quoted if "=" in text]
    seeds += [(2, "maximum-size=4096\nrace=7\nos-version=17.2\nactive-lifetime=8h\nfault=*: close")]
    seeds += [(3, text) for _, text in re.findall(r"```(json\S*)\n(.*?)```", control, re.DOTALL)]
    seeds += [(3, '{"aps": {"event": "update", /* now */ "content-state": {"a": [1, 2,],},},} // x')]
    seeds += [(4, line) for line in conformance.splitlines() if line.startswith(("{", "1 ", "2 "))]
    seeds += [(4, '{"id":7,"hex":"00ff"}'), (4, "7 hex 00ff"), (4, "8 value {\"int32\":5}"),
              (4, '{"id":7,"value":{"int32":5}}'), (4, '{"id":7,"error":"no"}'), (4, "9 hex -")]
    case = {"id": "a.b", "area": "a", "level": "required", "operation": "decode",
            "codec": "message", "verdict": "fail", "request": {"hex": "00"},
            "expected": [{"value": "{\"null\":null}"}, {"error": "x"}], "actual": {"hex": None},
            "note": "n", "explanation": ["e"], "knownReason": None}
    seeds += [(5, json.dumps({"format": "pwbridge-conformance", "version": 1, "testee": "t",
                              "profile": "strict", "seed": "7", "seconds": 1.5, "cases": [case],
                              "generatedPasses": {"generated.x": 3}, "isPartial": True}))]
    seeds += [(6, "a.b.c # known\r\n\n# remark\na.*.d\ngenerated.x#1\n")]
    seeds += [(7, json.dumps(small)) for small in small_vectors()]
    seeds += [(8, text) for text in ("PW.start*: $.token\nPW", '$..a[*]["k"][3]\nb', "?*x\nyyx")]
    seeds += [(9, "00 fF\n12"), (10, "GET / HTTP/1.1\r\n"), (11, '{"a":[1,"\\u00e9",null]}')]
    return [bytes([number]) + text.encode() for number, text in seeds]


def small_vectors():
    """A file of vectors for each of the short ones."""
    for path in sorted((root / "Protocol/vectors").glob("standard-*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        for vector in file["vectors"][::9]:
            yield {"area": file.get("area"), "flags": {}, "vectors": [vector]}


def kind(codec):
    return 1 if codec.endswith("call") else 2 if codec.endswith("envelope") else 0


def pieces(recordings):
    """The start of each recording, at whole lines where it has any."""
    for recording in recordings:
        cut = recording[:LARGEST]
        if len(recording) > LARGEST and b"\n" in cut:
            cut = cut[:cut.rindex(b"\n") + 1]
        yield cut


def transcripts():
    calls, streams, lines = [], [], []
    for path in sorted((root / "Protocol/transcripts").glob("*.jsonl")):
        stream, messages = {}, b""
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            data = next((entry[name] for name in ("hex", "bytes") if name in entry), None)
            sender = next((entry[name] for name in ("from", "dir", "direction") if name in entry),
                          "client")
            if not data:
                continue
            frame = bytes.fromhex(data)
            stream[sender] = stream.get(sender, b"") + frame
            channel, payload = message(frame)
            if channel in CHANNELS:
                size = struct.pack("<H", min(len(payload), 0xFFFF))
                call = bytes([0, CHANNELS.index(channel)]) + size + payload
                messages += call
                calls.append(call)
                lines.append(b"\x07" + channel.encode() + b" " + payload.hex().encode() + b"\n")
        streams += [bytes([0, 7]) + bytes_of for bytes_of in stream.values()]
        calls.append(messages)
    lines += [b"\x03# a remark\n\n\"PW\" -\nPW \"\"\n< 00\n", b"\x00PW 07\r\nPW 0 7 0\n"]
    return calls, streams, lines


def message(frame):
    if len(frame) < 16:
        return None, b""
    length, frame_kind, flags, name = struct.unpack_from("<IBBH", frame)
    if frame_kind != 2:
        return None, b""
    start = 16 + (name + 7) // 8 * 8
    return frame[16:16 + name].decode(errors="replace"), frame[start:start + length]


if __name__ == "__main__":
    main()
