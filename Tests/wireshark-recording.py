#!/usr/bin/env python3
"""A recording with every type of the standard codec, with every kind of entry, and with payloads
that are broken in one way each."""
import json
import struct


def string(text):
    data = text.encode()
    assert len(data) < 254
    return bytes([7, len(data)]) + data


class Message:
    """Bytes with alignment from byte 0."""

    def __init__(self, start=b""):
        self.bytes = bytearray(start)

    def add(self, data):
        self.bytes += data
        return self

    def align(self, width):
        while len(self.bytes) % width:
            self.bytes.append(0)
        return self


def every_type():
    message = Message(string("all"))
    message.add(bytes([12, 15]))
    message.add(b"\x00\x01\x02")
    message.add(b"\x03" + struct.pack("<i", -5))
    message.add(b"\x04" + struct.pack("<q", 1 << 40))
    message.add(b"\x05\x02ff")
    message.add(b"\x06").align(8).add(struct.pack("<d", 1.5))
    message.add(string("tea"))
    message.add(b"\x08\x03\x01\x02\x03")
    message.add(b"\x09\x02").align(4).add(struct.pack("<2i", 7, -7))
    message.add(b"\x0a\x01").align(8).add(struct.pack("<q", -1))
    message.add(b"\x0b\x01").align(8).add(struct.pack("<d", 0.25))
    message.add(b"\x0e\x01").align(4).add(struct.pack("<f", 2.5))
    message.add(b"\x0d\x01" + string("k") + b"\x00")
    message.add(b"\x81\x03" + struct.pack("<i", 2))
    return bytes(message.bytes)


entries = []


def entry(direction, channel, identifier, kind, payload, **more):
    entries.append({"seq": len(entries), "t_us": 1000 * len(entries), "dir": direction,
                    "channel": channel, "id": identifier, "kind": kind,
                    "hex": None if payload is None else payload.hex(), **more})


codecs = {"types": "standard-method", "json": "json-method", "words": "string",
          "pigeon": "standard-message", "bytes": "binary"}
entry("dart->native", "types", 1, "message", every_type())
entry("native->dart", "types", 1, "reply", b"\0\0")
entry("dart->native", "types", 2, "message", string("buy") + b"\0")
entry("native->dart", "types", 2, "reply", b"\1" + string("418") + string("no tea") + b"\1")
entry("dart->native", "types", 3, "message", string("drop") + b"\0")
entry("native->dart", "types", 3, "dropped", None)
entry("native->dart", "types", 3, "message", b"\0" + string("event"))
entry("dart->native", "json", 4, "message", b'{"method":"go","args":[1,null]}')
entry("native->dart", "json", 4, "reply", b'["gone"]')
entry("native->dart", "words", 5, "message", "Grüße".encode())
entry("dart->native", "words", 5, "reply", None)
entry("dart->native", "pigeon", 6, "message", b"\x0c\x01\x04" + struct.pack("<q", 9))
entry("native->dart", "pigeon", 6, "reply", b"\x0c\x01\x00")
entry("native->dart", "pigeon", 6, "reply", b"\x0c\x01\x00")
entry("dart->native", "bytes", 7, "message", b"")
entry("native->dart", "bytes", 99, "reply", b"\xff\xfe")
# 16: from here on each payload is broken.
entry("dart->native", "types", 20, "message", string("cut") + b"\x03\x01")
entry("dart->native", "types", 21, "message", string("kind") + b"\x21")
entry("dart->native", "types", 22, "message", string("rest") + b"\0\0")
entry("dart->native", "types", 23, "message", string("size") + b"\x07\xff\xff\xff\xff\xff")
entry("dart->native", "types", 24, "message", string("list") + b"\x0c\xff\xff\xff\xff\x7f")
entry("native->dart", "types", 24, "reply", b"\x07")
entry("dart->native", "types", 25, "message", string("deep") + b"\x0c\x01" * 500 + b"\x00")

print(json.dumps({"pwbridge": "recording", "version": 1, "codecs": codecs}))
for line in entries:
    print(json.dumps(line))
