"""The strict profile of the standard codec: encoder and decoder, written from the format."""

import struct

from .model import (ABSENT, FALSE, NO_MESSAGE, NULL, TRUE, Refused, custom)

DEPTH_LIMIT = 512
TYPED = {  # kind: (type byte, element width, struct letter)
    "uint8list": (8, 1, "B"), "int32list": (9, 4, "i"), "int64list": (10, 8, "q"),
    "float64list": (11, 8, "Q"), "float32list": (14, 4, "I"),
}
BY_BYTE = {byte: (kind, width, letter) for kind, (byte, width, letter) in TYPED.items()}


def utf8_error(b):
    """Index of the first byte of the first ill-formed sequence, or None."""
    try:
        b.decode("utf-8")
        return None
    except UnicodeDecodeError as e:
        return e.start


def big_error(b):
    """Index of the first byte that breaks -?[0-9a-fA-F]+, the length when digits are missing."""
    start = 1 if b[:1] == b"-" else 0
    for i in range(start, len(b)):
        if b[i] not in b"0123456789abcdefABCDEF":
            return i
    return len(b) if len(b) == start else None


# Encoding

class Writer:
    """Writes values as they are. `pad_empty` is false only for the Windows wrapper."""

    def __init__(self, extensions=None, pad_empty=True, check=True):
        self.out = bytearray()
        self.extensions, self.pad_empty, self.check = extensions, pad_empty, check

    def size(self, n):
        if n < 254:
            self.out.append(n)
        elif n <= 0xFFFF:
            self.out += b"\xfe" + struct.pack("<H", n)
        else:
            self.out += b"\xff" + struct.pack("<I", n)

    def align(self, width):
        self.out += bytes(-len(self.out) % width)

    def string(self, b):
        if self.check and utf8_error(b) is not None:
            raise Refused("invalidUTF8")
        self.out.append(7)
        self.size(len(b))
        self.out += b

    def optional_string(self, b):
        if b is None:
            self.out.append(0)
        else:
            self.string(b)

    def value(self, v):
        kind, out = v[0], self.out
        if kind == "null":
            out.append(0)
        elif kind == "bool":
            out.append(1 if v[1] else 2)
        elif kind == "int32":
            out += b"\x03" + struct.pack("<i", v[1])
        elif kind == "int64":
            out += b"\x04" + struct.pack("<q", v[1])
        elif kind == "bigint":
            out.append(5)
            self.size(len(v[1]))
            out += v[1]
        elif kind == "float64":
            out.append(6)
            self.align(8)
            out += struct.pack("<Q", v[1])
        elif kind == "string":
            self.string(v[1])
        elif kind in TYPED:
            byte, width, letter = TYPED[kind]
            out.append(byte)
            self.size(len(v[1]))
            if v[1] or self.pad_empty:
                self.align(width)
            self.out += struct.pack("<%d%s" % (len(v[1]), letter), *v[1])
        elif kind == "list":
            out.append(12)
            self.size(len(v[1]))
            for x in v[1]:
                self.value(x)
        elif kind == "map":
            out.append(13)
            self.size(len(v[1]))
            for k, x in v[1]:
                self.value(k)
                self.value(x)
        elif kind == "custom":
            if self.extensions is None or v[1] not in self.extensions:
                raise Refused("unsupportedValue")
            out.append(v[1])
            self.value(v[2])
        else:
            raise AssertionError(kind)

    def whole(self, v):
        """A message, a call or an envelope."""
        if v[0] == "call":
            self.string(v[1])
            self.value(v[2])
        elif v[0] == "success":
            self.out.append(0)
            self.value(v[1])
        elif v[0] == "failure":
            self.out.append(1)
            self.string(v[1])
            self.optional_string(v[2])
            self.value(v[3])
            if v[4] is not ABSENT:
                self.optional_string(v[4])
        else:
            self.value(v)
        return bytes(self.out)


def encode(v, extensions=None):
    if v is NO_MESSAGE:
        return None
    return Writer(extensions).whole(v)


# Decoding

class Reader:
    def __init__(self, data, extensions=None):
        self.data, self.pos, self.extensions = data, 0, extensions or ()

    def left(self):
        return len(self.data) - self.pos

    def size(self):
        start = self.pos
        if not self.left():
            raise Refused("truncated", start)
        first = self.data[start]
        width = {254: 2, 255: 4}.get(first, 0)
        if self.left() < 1 + width:
            raise Refused("truncated", start)
        self.pos += 1 + width
        if not width:
            return first, start
        return int.from_bytes(self.data[start + 1:self.pos], "little"), start

    def take(self, n):
        self.pos += n
        return self.data[self.pos - n:self.pos]

    def padding(self, width):
        return -self.pos % width

    def fixed(self, width, aligned=False):
        pad = self.padding(width) if aligned else 0
        if self.left() < pad + width:
            raise Refused("truncated", self.pos)
        self.pos += pad
        return self.take(width)

    def bytes_of_size(self):
        n, start = self.size()
        if n > self.left():
            raise Refused("sizeTooLarge", start)
        return self.take(n)

    def typed(self, byte):
        kind, width, letter = BY_BYTE[byte]
        n, start = self.size()
        pad = self.padding(width)
        if pad + n * width > self.left():
            raise Refused("sizeTooLarge", start) if n else Refused("truncated", self.pos)
        self.pos += pad
        raw = self.take(n * width)
        return (kind, raw if width == 1 else struct.unpack("<%d%s" % (n, letter), raw))

    def value(self, depth=0):
        if not self.left():
            raise Refused("truncated", len(self.data))
        at = self.pos
        byte = self.data[at]
        self.pos += 1
        if byte == 0:
            return NULL
        if byte in (1, 2):
            return TRUE if byte == 1 else FALSE
        if byte == 3:
            return ("int32", int.from_bytes(self.fixed(4), "little", signed=True))
        if byte == 4:
            return ("int64", int.from_bytes(self.fixed(8), "little", signed=True))
        if byte == 6:
            return ("float64", int.from_bytes(self.fixed(8, aligned=True), "little"))
        if byte in (5, 7):
            b = self.bytes_of_size()
            bad = (big_error if byte == 5 else utf8_error)(b)
            if bad is not None:
                code = "invalidLargeInteger" if byte == 5 else "invalidUTF8"
                raise Refused(code, self.pos - len(b) + bad)
            return ("bigint" if byte == 5 else "string", b)
        if byte in BY_BYTE:
            return self.typed(byte)
        if byte not in (12, 13) and byte not in self.extensions:
            raise Refused("unknownType", at)
        if depth + 1 > DEPTH_LIMIT:
            raise Refused("depthExceeded", at)
        if byte in self.extensions:
            return custom(byte, self.value(depth + 1))
        n, start = self.size()
        if n * (byte - 11) > self.left():
            raise Refused("sizeTooLarge", start)
        if byte == 12:
            return ("list", [self.value(depth + 1) for _ in range(n)])
        return ("map", [(self.value(depth + 1), self.value(depth + 1)) for _ in range(n)])

    def end(self):
        if self.left():
            raise Refused("trailingBytes", self.pos)


def decode(codec, data, extensions=None):
    """codec: message, call or envelope."""
    if data is None:
        if codec == "call":
            raise Refused("noMessage", 0)
        return NO_MESSAGE
    if not data:
        raise Refused("emptyMessage", 0)
    r = Reader(data, extensions)
    if codec == "message":
        result = r.value()
    elif codec == "call":
        name = r.value()
        if name[0] != "string":
            raise Refused("invalidMethodCall", 0)
        result = ("call", name[1], r.value())
    else:
        result = _envelope(r)
    r.end()
    return result


def _envelope(r):
    flag = r.take(1)[0]
    if flag > 1:
        raise Refused("invalidEnvelope", 0)
    if flag == 0:
        return ("success", r.value())

    def string(nullable):
        at = r.pos
        v = r.value()
        if v[0] != "string" and not (nullable and v == NULL):
            raise Refused("invalidEnvelope", at)
        return v[1] if v[0] == "string" else None

    code, message, details = string(False), string(True), r.value()
    return ("failure", code, message, details, string(True) if r.left() else ABSENT)
