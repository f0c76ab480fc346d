"""The codec against the vectors: what strict reads, writes and refuses."""

import array
import glob
import json
import math
import os
import struct
import unittest

from pwbridge_client import codec

VECTORS = os.path.join(os.path.dirname(__file__), "..", "..", "vectors")


class Unsupported(Exception):
    """A vector about something that this client does not have."""


def number(value, width=8):
    if not isinstance(value, str):
        return float(value)
    if value.startswith("0x"):
        return struct.unpack(">d" if width == 8 else ">f", bytes.fromhex(value[2:]))[0]
    return float(value)


def floats(kind, values):
    width = 4 if kind == "f" else 8
    numbers = array.array(kind)
    for value in values:
        if isinstance(value, str) and value.startswith("0x"):
            # Through the bits: a float that passes through a double loses its NaN.
            numbers.frombytes(bytes.fromhex(value[2:])[::-1])
        else:
            numbers.append(number(value, width))
    return numbers


def typed(value):
    """The Python value of typed JSON."""
    (kind, content), = value.items()
    if kind in ("null", "bool", "string"):
        if kind == "string":
            content.encode("utf-8")
        return content
    if kind == "int32":
        return content
    if kind == "int64":
        return codec.Int64(content)
    if kind == "bigint":
        return codec.BigInteger(content)
    if kind == "float64":
        return number(content)
    if kind == "uint8list":
        return bytes.fromhex(content)
    if kind == "int32list":
        return array.array("i", content)
    if kind == "int64list":
        return array.array("q", [int(item) for item in content])
    if kind in ("float32list", "float64list"):
        return floats("f" if kind == "float32list" else "d", content)
    if kind == "list":
        return [typed(item) for item in content]
    if kind == "map":
        return codec.Pairs((typed(key), typed(item)) for key, item in content)
    raise Unsupported(kind)


def filled(value):
    (kind, content), = value.items()
    if kind == "string":
        return content[0] * content[1]
    if kind == "uint8list":
        return bytes.fromhex(content[0]) * content[1]
    if kind == "list":
        return [typed(content[0])] * content[1]
    if kind in ("int32list", "int64list", "float32list", "float64list"):
        return typed({kind: [content[0]]}) * content[1]
    if kind == "map":
        return codec.Pairs([(typed(content[0]), typed(content[1]))] * content[2])
    if kind == "nested_list":
        value = typed(content[0])
        for _ in range(content[1]):
            value = [value]
        return value
    if kind == "map_int_keys":
        return codec.Pairs((key, None) for key in range(content))
    raise Unsupported(kind)


def payload(vector):
    if "hex_parts" in vector:
        return b"".join(bytes.fromhex(part) * count for part, count in vector["hex_parts"])
    return None if vector["hex"] is None else bytes.fromhex(vector["hex"])


def comparable(value):
    """Something that is equal exactly where wire type and content are."""
    if isinstance(value, dict):
        value = codec.Pairs(value.items())
    if isinstance(value, codec.Pairs):
        return ("map", [(comparable(key), comparable(item)) for key, item in value])
    if isinstance(value, list):
        return ("list", [comparable(item) for item in value])
    if isinstance(value, float):
        return ("float", "nan" if math.isnan(value) else struct.pack("<d", value))
    if isinstance(value, array.array):
        return (value.typecode, value.tobytes())
    return (type(value).__name__, value)


class Outcome:
    """What reading gives: a value, or code and offset of an error."""

    def __init__(self, run):
        self.value = self.error = None
        try:
            self.value = run()
        except codec.CodecError as error:
            self.error = (error.code, error.offset)


def decode(kind, data):
    if kind == "message":
        return codec.decode_message(data)
    if kind == "call":
        return list(codec.decode_call(data))
    try:
        return ["success", codec.decode_envelope(data)]
    except codec.PlatformException as error:
        return ["error", error.code, error.message, error.details, error.stacktrace]


def expected(kind, vector):
    if "value_fill" in vector:
        return filled(vector["value_fill"])
    value = vector["value"]
    if kind == "message":
        return None if value is None else typed(value)
    if kind == "call":
        return [value["method"], typed(value["args"])]
    if "success" in value:
        return ["success", typed(value["success"])]
    error = value["error"]
    details = typed(error["details"])
    return ["error", error["code"], error["message"], details, error.get("stacktrace")]


def encode(kind, value):
    if kind == "message":
        return codec.encode_message(value)
    if kind == "call":
        return codec.encode_call(*value)
    if value[0] == "success":
        return codec.encode_success(value[1])
    return codec.encode_error(*value[1:4])


class VectorTests(unittest.TestCase):
    def vectors(self):
        for path in sorted(glob.glob(os.path.join(VECTORS, "*.json"))):
            if path.endswith("schema.json"):
                continue
            with open(path, encoding="utf-8") as file:
                for vector in json.load(file)["vectors"]:
                    standard = vector["codec"] in ("message", "call", "envelope")
                    if standard and not vector.get("extensions"):
                        yield vector

    def test_decode(self):
        count = 0
        for vector in self.vectors():
            kind = vector["codec"]
            if vector["direction"] == "encode":
                continue
            data = payload(vector)
            if data is None and kind == "envelope":
                continue  # Not implemented: the client looks for that first.
            with self.subTest(vector["id"]):
                outcome = Outcome(lambda: decode(kind, data))
                if "error" in vector:
                    refusal = vector["error"]
                    if "offset" in refusal:
                        self.assertEqual(outcome.error, (refusal["code"], refusal["offset"]))
                    else:
                        self.assertIsNotNone(outcome.error)
                        self.assertEqual(outcome.error[0], refusal["code"])
                else:
                    self.assertIsNone(outcome.error)
                    want = expected(kind, vector)
                    self.assertEqual(comparable(outcome.value), comparable(want))
                count += 1
        self.assertGreater(count, 1500)

    def test_encode(self):
        count = 0
        for vector in self.vectors():
            kind = vector["codec"]
            if vector["direction"] == "decode" or "error" in vector or payload(vector) is None:
                continue
            with self.subTest(vector["id"]):
                try:
                    value = expected(kind, vector)
                except Unsupported:
                    continue
                if kind == "envelope" and (value[0] == "error" and "stacktrace" in
                                           vector["value"].get("error", {})):
                    continue  # Only Android writes one.
                self.assertEqual(encode(kind, value).hex(), payload(vector).hex())
                count += 1
        self.assertGreater(count, 500)


class ValueTests(unittest.TestCase):
    def test_widths(self):
        self.assertEqual(codec.encode_message(5).hex(), "0305000000")
        self.assertEqual(codec.encode_message(codec.Int64(5)).hex(), "040500000000000000")
        self.assertEqual(codec.encode_message(1 << 31).hex(), "040000008000000000")
        with self.assertRaises(codec.CodecError):
            codec.encode_message(1 << 63)

    def test_maps(self):
        plain = codec.decode_message(codec.encode_message({"a": 1, "b": [True, None]}))
        self.assertEqual(plain, {"a": 1, "b": [True, None]})
        self.assertIs(type(plain), dict)
        # Three keys that are one to Python.
        same = codec.Pairs([(1, "a"), (True, "b"), (1.0, "c")])
        self.assertEqual(codec.decode_message(codec.encode_message(same)), same)
        unhashable = codec.Pairs([([1], "a")])
        self.assertEqual(codec.decode_message(codec.encode_message(unhashable)), unhashable)

    def test_refused_values(self):
        for value in (object(), {1, 2}, 1j, array.array("h", [1]), "\ud800"):
            with self.assertRaises(codec.CodecError):
                codec.encode_message(value)

    def test_depth(self):
        value = None
        for _ in range(512):
            value = [value]
        self.assertEqual(codec.decode_message(codec.encode_message(value)), value)
        with self.assertRaises(codec.CodecError):
            codec.encode_message([value])
        with self.assertRaises(codec.CodecError) as caught:
            codec.decode_message(b"\x0c\x01" * 513 + b"\x00")
        self.assertEqual(caught.exception.code, "depthExceeded")


if __name__ == "__main__":
    unittest.main()
