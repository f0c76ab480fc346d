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
    recordings += [text.encode() for language, text in blocks if "json" in language]
    recordings += [bytes.fromhex("".join(row.split("->")[0] for row in text.splitlines()))
                   for language, text in blocks if language == "hex"]
    calls, streams, lines = transcripts()
    return {
        "FuzzStandardCodec": [bytes([STANDARD.index(codec), extended]) + payload
                              for codec, payload, extended in payloads if codec in STANDARD],
        "FuzzJSONCodec": [bytes([JSON.index(codec)]) + payload
                          for codec, payload, _ in payloads if codec in JSON],
        "FuzzTypedJSON": [bytes([kind(codec)]) + text for codec, text in typed],
        "FuzzFrames": streams,
        "FuzzLines": lines,
        "FuzzRecordings": pieces(recordings),
        "FuzzDevice": calls,
    }


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
                messages += bytes([CHANNELS.index(channel)]) + size + payload
                calls.append(bytes([CHANNELS.index(channel)]) + size + payload)
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
