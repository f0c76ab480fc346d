"""Vectors restated from existing implementations, and checks of the models against them."""

import json
import pathlib
import re

from . import build
from .build import Area, attempt, payload_fields, payload_of, value_fields, value_of
from .model import NO_MESSAGE, double_of, expand_fill, to_json

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "sources"
FAMILIES = [  # part of a source, short name for ids, the profile that must reproduce it
    ("fl_standard_message_codec_test.cc", "linux-message", "linux"),
    ("fl_standard_method_codec_test.cc", "linux-method", "linux"),
    ("fl_json_message_codec_test.cc", "linux-json-message", "linux"),
    ("fl_json_method_codec_test.cc", "linux-json-method", "linux"),
    ("message_codecs_test.dart", "dart", "dart"), ("message_codecs_vm_test.dart", "dart-vm", "dart"),
    ("flutter_standard_codec_unittest.mm", "darwin", "ios"),
    ("standard_message_codec_unittests.cc", "cpp-message", "windows"),
    ("standard_method_codec_unittests.cc", "cpp-method", "windows"),
    ("method_channel_unittests.cc", "cpp-channel", "windows"),
    ("StandardMessageCodecTest.java", "android-message", "android"),
    ("StandardMethodCodecTest.java", "android-method", "android"),
    ("MethodChannelTest.java", "android-channel", "android"),
    ("channel_buffers_test.dart", "channel-buffers", "dart"),
    ("platform_channel.dart", "dart-event", "dart"),
    ("standard-message-codec_test.go", "go-message", "strict"),
    ("standard-method-codec_test.go", "go-method", "strict"),
    ("platformchannel_test.c", "flutter-pi", "strict"),
    ("FlutterStandardEncoderTests.swift", "flutterswift-encoder", "strict"),
    ("AnyFlutterStandardCodableWritingTests.swift", "flutterswift-writing", "strict"),
    ("FlutterStandardDecoderErrorTests.swift", "flutterswift-errors", "strict"),
]


def load(name):
    return json.loads((FOLDER / name).read_text())


def family(source):
    return next((short, profile) for part, short, profile in FAMILIES if part in source)


def slug(source):
    word = source.split(": ", 1)[1] if ": " in source else source
    word = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", word)
    return re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-")


def implementations(report):
    a, seen = Area("implementations"), {}
    left_out = [r for r in load("implementations.json") if "left_out" in r]
    for row in load("implementations.json"):
        if "left_out" in row:
            continue
        short, profile = family(row["source"])
        id = "impl.%s.%s" % (short, slug(row["source"]))
        seen[id] = seen.get(id, 0) + 1
        if seen[id] > 1:
            id += ".%d" % seen[id]
        data, fill = payload_of(row), row.get("value_fill")
        value = expand_fill(fill) if fill else value_of(row)
        _check_model(id, profile, row, data, value)
        common = {"codec": row["codec"], "flags": ["Restated"], "source": row["source"]}
        comment = row.get("about") or ("Bytes derived from the format: the test only goes round."
                                       if row.get("derived") else "As that project's test has it.")
        if "refused" in row:
            out = a.decode(id, comment, data, **common)
            assert "error" in out, id
        elif row["direction"] == "decode":
            out = a.decode(id, comment, data, **common)
            assert "error" not in out and value_of(out) == value, (id, out, row)
        elif row["direction"] == "both":
            a.both(id, comment, value, data=data, fill=fill, **common)
        else:
            out = a.encode(id, comment, value, fill=fill, **common)
            assert "error" in out or payload_of(out) == data, (id, out, row)
    for row in left_out:
        report("left out: %s: %s" % (row["source"].split("/")[-1], row["left_out"]))
    return a


def _check_model(id, profile, row, data, value):
    """The model of the platform a vector comes from must give what the vector says."""
    if profile == "strict":
        return
    codec = row["codec"]
    if row["direction"] != "encode" and codec != "string":
        r = attempt(lambda: build.profile_decode(profile, codec, data), value_fields)
        if "refused" in row:
            assert "error" in r, (id, r)
            assert row["refused"] in ("", r["error"]), (id, r)
        else:
            want = _as_platform_sees(profile, value)
            assert r.get("value") == to_json(want), (id, r, to_json(want))
    written_by_hand = "stacktrace" in ((row.get("value") or {}).get("error") or {})
    if row["direction"] != "decode" and codec != "string" and not written_by_hand:
        r = attempt(lambda: build.profile_encode(profile, codec, value), payload_fields)
        assert payload_of(r) == data, (id, r)


def _as_platform_sees(profile, value):
    if profile == "windows" and value is not NO_MESSAGE and value[0] == "failure":
        return (*value[:2], value[2] or b"", *value[3:])
    return value


# Reactions and measurements

def reactions(report):
    """Odd inputs and how each platform reacts. The models must agree with the recorded reactions."""
    a = Area("platform-reactions")
    for n, row in enumerate(load("reactions.json"), 1):
        data = payload_of(row)
        for profile, want in row["profiles"].items():
            r = attempt(lambda: build.profile_decode(profile, row["codec"], data), value_fields)
            got = {k: v for k, v in r.items() if k != "note"}
            expected = {k: v for k, v in want.items() if k != "anyOrder"}
            if got != expected:
                report("model differs: %s %s %s: %s, recorded %s"
                       % (profile, row["codec"], row["hex"], got, expected))
        a.decode("reaction.%s.%s" % (row["codec"], row["hex"] or "empty"),
                 "Each platform's reaction is recorded.", data, codec=row["codec"],
                 flags=["Restated"])
    return a


def linux_engine(report):
    """Inputs tried on the Linux engine of Flutter 3.29.2. The Linux model must agree."""
    a, seen = Area("linux-engine"), set()
    for row in load("linux-engine.json"):
        codec, want = row["codec"], row["result"]
        key = "%s.%s" % (codec, row["hex"] or "empty") if "hex" in row else None
        if row["op"] == "encode":
            value = value_of(row)
            r = attempt(lambda: build.profile_encode("linux", codec, value), payload_fields)
            id = "linux-engine.encode.%s.%s" % (codec, _value_slug(row["value"]))
            if id not in seen:
                a.encode(id, "Tried on the engine of Flutter 3.29.2.", value, codec=codec,
                         flags=["Restated"])
        else:
            data = payload_of(row)
            r = attempt(lambda: build.profile_decode("linux", codec, data), value_fields)
            if row["op"] == "roundtrip":
                value = build.profile_decode("linux", codec, data)
                r = {"hex": build.profile_encode("linux", codec, value).hex()}
            id = "linux-engine.decode.%s" % key
            if id not in seen:
                a.decode(id, "Tried on the engine of Flutter 3.29.2.", data, codec=codec,
                         flags=["Restated"])
        seen.add(id)
        if r != want and _plain_floats(r) != _plain_floats(want):
            report("model differs from the engine: %s %s: %s, measured %s"
                   % (row["op"], row.get("hex", row.get("value")), r, want))
    return a


def _plain_floats(result):
    """A result with floats as numbers where it notes their bits."""
    value = result.get("value", {})
    word = value.get("float64") if isinstance(value, dict) else None
    if isinstance(word, str) and word.startswith("0x"):
        return {"value": {"float64": double_of(int(word, 16))}}
    return result


def _value_slug(value):
    word = json.dumps(value, separators=(",", ":"))
    return re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-")[:60]
