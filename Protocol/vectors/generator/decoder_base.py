"""What the models of the platforms' standard decoders have in common."""

import struct

from .keys import merge
from .model import ABSENT, FALSE, NULL, TRUE, custom
from .strict import BY_BYTE

BOM = b"\xef\xbb\xbf"


class Decoder:
    """The shape all five share; faults are left to the subclasses."""

    profile = None

    def __init__(self, data, extensions=None):
        self.data, self.pos, self.extensions = data, 0, extensions or ()

    def more(self):
        return self.pos < len(self.data)

    def align(self, width):
        self.pos += -self.pos % width

    def size(self):
        first = self.byte()
        if first < 254:
            return first
        return int.from_bytes(self.fixed(2 if first == 254 else 4), "little")

    def integer(self, width):
        return int.from_bytes(self.fixed(width), "little", signed=True)

    def value(self):
        kind = self.type_byte()
        if kind == 0:
            return NULL
        if kind in (1, 2):
            return TRUE if kind == 1 else FALSE
        if kind == 3:
            return ("int32", self.integer(4))
        if kind == 4:
            return self.wide()
        if kind == 5:
            return self.big()
        if kind == 6:
            self.align(8)
            return ("float64", int.from_bytes(self.fixed(8), "little"))
        if kind == 7:
            return self.string()
        if kind in BY_BYTE:
            return self.typed(*BY_BYTE[kind])
        if kind == 12:
            return self.list_of(self.size())
        if kind == 13:
            return self.map_of(self.size())
        if kind in self.extensions:
            return custom(kind, self.value())
        return self.unknown()

    def wide(self):
        return ("int64", self.integer(8))

    def big(self):
        return self.string()

    def string(self):
        return ("string", self.text(self.raw(self.size())))

    def typed(self, kind, width, letter):
        n = self.size()
        self.align(width)
        return unpack(kind, width, letter, self.raw(n * width))

    def list_of(self, n):
        return ("list", [self.value() for _ in range(n)])

    def map_of(self, n):
        pairs = []
        for _ in range(n):
            key = self.value()
            pairs.append((key, self.value()))
        return ("map", merge(self.profile, pairs))


def unpack(kind, width, letter, raw):
    return (kind, raw if width == 1 else struct.unpack("<%d%s" % (len(raw) // width, letter), raw))


def is_string(v, nullable=False):
    return v[0] == "string" or (nullable and v == NULL)


def failure_of(code, message, details, stack=ABSENT, null_message=None):
    return ("failure", code[1], message[1] if message[0] == "string" else null_message, details,
            stack)
