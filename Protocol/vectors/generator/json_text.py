"""The strict JSON reader and writer, and how the platforms differ from it."""

import decimal

from .model import (ABSENT, FALSE, NO_MESSAGE, NULL, TRUE, Refused, by_value, double_of, f64)
from .strict import DEPTH_LIMIT, utf8_error

SPACE = b" \t\n\r"
ESCAPES = {0x22: b'"', 0x5C: b"\\", 0x2F: b"/", 0x62: b"\b", 0x66: b"\f", 0x6E: b"\n",
           0x72: b"\r", 0x74: b"\t"}
SHORT = {8: b"\\b", 9: b"\\t", 10: b"\\n", 12: b"\\f", 13: b"\\r", 0x22: b'\\"', 0x5C: b"\\\\"}


class LoneSurrogate(Exception):
    """An escape for a lone surrogate: its strict meaning is not settled, so no vector has one."""


class Parser:
    def __init__(self, data):
        self.data, self.pos = data, 0

    def peek(self):
        return self.data[self.pos] if self.pos < len(self.data) else None

    def bad(self):
        raise Refused("invalidJSON", self.pos)

    def space(self):
        while self.pos < len(self.data) and self.data[self.pos] in SPACE:
            self.pos += 1

    def expect(self, token):
        for c in token:
            if self.peek() != c:
                self.bad()
            self.pos += 1

    def document(self):
        v = self.value(0)
        self.space()
        if self.pos < len(self.data):
            self.bad()
        return v

    def value(self, depth):
        self.space()
        c = self.peek()
        if c == 0x7B or c == 0x5B:
            if depth + 1 > DEPTH_LIMIT:
                raise Refused("depthExceeded", self.pos)
            self.pos += 1
            return self.map(depth + 1) if c == 0x7B else self.list(depth + 1)
        if c == 0x22:
            return ("string", self.string())
        if c is not None and (c == 0x2D or 0x30 <= c <= 0x39):
            return self.number()
        for token, v in ((b"null", NULL), (b"true", TRUE), (b"false", FALSE)):
            if c == token[0]:
                self.expect(token)
                return v
        self.bad()

    def separator(self, close):
        self.space()
        if self.peek() == close:
            self.pos += 1
            return False
        self.expect(b",")
        return True

    def list(self, depth):
        items = []
        self.space()
        if self.peek() == 0x5D:
            self.pos += 1
            return ("list", items)
        while True:
            items.append(self.value(depth))
            if not self.separator(0x5D):
                return ("list", items)

    def map(self, depth):
        pairs = []
        self.space()
        if self.peek() == 0x7D:
            self.pos += 1
            return ("map", pairs)
        while True:
            self.space()
            if self.peek() != 0x22:
                self.bad()
            key = ("string", self.string())
            self.space()
            self.expect(b":")
            pairs.append((key, self.value(depth)))
            if not self.separator(0x7D):
                return ("map", pairs)

    def string(self):
        self.pos += 1
        out = bytearray()
        while True:
            c = self.peek()
            if c is None or c < 0x20:
                self.bad()
            if c == 0x22:
                self.pos += 1
                return bytes(out)
            if c == 0x5C:
                self.pos += 1
                out += self.escape()
            elif c < 0x80:
                out.append(c)
                self.pos += 1
            else:
                at = utf8_error(self.data[self.pos:self.pos + 4])
                if at == 0:
                    raise Refused("invalidUTF8", self.pos)
                n = 2 if c < 0xE0 else 3 if c < 0xF0 else 4
                out += self.data[self.pos:self.pos + n]
                self.pos += n

    def escape(self):
        c = self.peek()
        if c in ESCAPES:
            self.pos += 1
            return ESCAPES[c]
        if c != 0x75:
            self.bad()
        self.pos += 1
        unit = self.hex4()
        if 0xD800 <= unit < 0xDC00 and self.data[self.pos:self.pos + 2] == b"\\u":
            self.pos += 2
            low = self.hex4()
            if not 0xDC00 <= low < 0xE000:
                raise LoneSurrogate
            return chr(0x10000 + ((unit - 0xD800) << 10) + low - 0xDC00).encode()
        if 0xD800 <= unit < 0xE000:
            raise LoneSurrogate
        return chr(unit).encode()

    def hex4(self):
        for _ in range(4):
            if self.peek() is None or self.peek() not in b"0123456789abcdefABCDEF":
                self.bad()
            self.pos += 1
        return int(self.data[self.pos - 4:self.pos], 16)

    def digits(self):
        if self.peek() is None or not 0x30 <= self.peek() <= 0x39:
            self.bad()
        while self.peek() is not None and 0x30 <= self.peek() <= 0x39:
            self.pos += 1

    def number(self):
        start, whole = self.pos, True
        if self.peek() == 0x2D:
            self.pos += 1
        if self.peek() == 0x30:
            self.pos += 1
        else:
            self.digits()
        if self.peek() == 0x2E:
            self.pos += 1
            self.digits()
            whole = False
        if self.peek() in (0x65, 0x45):
            self.pos += 1
            if self.peek() in (0x2B, 0x2D):
                self.pos += 1
            self.digits()
            whole = False
        word = self.data[start:self.pos].decode()
        if whole and -(2**63) <= int(word) < 2**63:
            return by_value(int(word))
        return f64(float(word))


def parse(data):
    if not data:
        raise Refused("emptyMessage", 0)
    return Parser(data).document()


# Writing

def shortest(x):
    """Digits and decimal point position of the shortest text that reads back as x > 0."""
    _, digits, exponent = decimal.Decimal(repr(x)).as_tuple()
    word = "".join(map(str, digits)).lstrip("0").rstrip("0")
    exponent += len("".join(map(str, digits))) - len("".join(map(str, digits)).rstrip("0"))
    return word, len(word) + exponent


def web_double(x):
    """ECMAScript's Number to text."""
    if x == 0:
        return "0"
    sign, x = ("-", -x) if x < 0 else ("", x)
    word, point = shortest(x)
    if 0 < point <= 21:
        if len(word) <= point:
            return sign + word + "0" * (point - len(word))
        return sign + word[:point] + "." + word[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + word
    mantissa = word[0] + ("." + word[1:] if len(word) > 1 else "")
    return "%s%se%s%d" % (sign, mantissa, "+" if point > 0 else "-", abs(point - 1))


def java_double(bits):
    """Java's Double.toString: plain from 10^-3 to 10^7, else d.dddE±n."""
    x = double_of(bits)
    if x == 0:
        return "-0.0" if bits else "0.0"
    sign, x = ("-", -x) if x < 0 else ("", x)
    if x == 5e-324:
        return sign + "4.9E-324"  # never fewer than two digits, even where one would do
    word, point = shortest(x)
    if 1e-3 <= x < 1e7:
        if point <= 0:
            return sign + "0." + "0" * -point + word
        whole = word[:point].ljust(point, "0")
        return sign + whole + "." + (word[point:] or "0")
    return "%s%s.%sE%d" % (sign, word[0], word[1:] or "0", point - 1)


def dart_double(bits):
    x = double_of(bits)
    if x == 0:
        return "-0.0" if bits else "0.0"
    s = web_double(x)
    return s if "." in s or "e" in s else s + ".0"


class JSONWriter:
    """Dart's text. The platform models override the pieces that differ."""

    def double(self, bits):
        if bits >> 52 & 0x7FF == 0x7FF:
            raise Refused("unsupportedValue")
        return dart_double(bits).encode()

    def integer(self, n):
        return str(n).encode()

    def string(self, b):
        if utf8_error(b) is not None:
            raise Refused("invalidUTF8")
        return b'"' + b"".join(self.byte(c) for c in b) + b'"'

    def byte(self, c):
        if c in SHORT:
            return SHORT[c]
        return b"\\u%04x" % c if c < 0x20 else bytes([c])

    def other(self, v):
        raise Refused("unsupportedValue")

    def key(self, k):
        if k[0] != "string":
            raise Refused("unsupportedValue")
        return self.string(k[1])

    def pairs(self, pairs):
        return pairs

    def value(self, v):
        kind = v[0]
        if kind == "null":
            return b"null"
        if kind == "bool":
            return b"true" if v[1] else b"false"
        if kind in ("int32", "int64"):
            return self.integer(v[1])
        if kind == "float64":
            return self.double(v[1])
        if kind == "string":
            return self.string(v[1])
        if kind == "list":
            return b"[" + b",".join(self.value(x) for x in v[1]) + b"]"
        if kind == "map":
            entries = [self.key(k) + b":" + self.value(x) for k, x in self.pairs(v[1])]
            return b"{" + b",".join(entries) + b"}"
        return self.other(v)

    def optional(self, b):
        return b"null" if b is None else self.string(b)

    def whole(self, v):
        if v[0] == "call":
            return b'{"method":' + self.string(v[1]) + b',"args":' + self.value(v[2]) + b"}"
        if v[0] == "success":
            return b"[" + self.value(v[1]) + b"]"
        if v[0] == "failure":
            fields = [self.string(v[1]), self.optional(v[2]), self.value(v[3])]
            if v[4] is not ABSENT:
                fields.append(self.optional(v[4]))
            return b"[" + b",".join(fields) + b"]"
        return self.value(v)


def encode(v):
    return None if v is NO_MESSAGE else JSONWriter().whole(v)


# Calls and envelopes

def call_of(v):
    """The call a JSON value holds, or None."""
    if v[0] != "map":
        return None
    fields = dict((k[1], x) for k, x in v[1])
    name = fields.get(b"method", NULL)
    return ("call", name[1], fields.get(b"args", NULL)) if name[0] == "string" else None


def envelope_of(v, lengths):
    """The envelope a JSON value holds, or None."""
    if v[0] != "list" or len(v[1]) not in lengths:
        return None
    if len(v[1]) == 1:
        return ("success", v[1][0])
    texts = [x[1] if x[0] == "string" else None for x in v[1]]
    bad = v[1][0][0] != "string" or any(
        x[0] not in ("string", "null") for i, x in enumerate(v[1]) if i in (1, 3))
    if bad:
        return None
    return ("failure", texts[0], texts[1], v[1][2], texts[3] if len(v[1]) == 4 else ABSENT)


def decode(codec, data):
    if data is None:
        if codec == "json-call":
            raise Refused("noMessage", 0)
        return NO_MESSAGE
    v = parse(data)
    if codec == "json-message":
        return v
    result = call_of(v) if codec == "json-call" else envelope_of(v, (1, 3, 4))
    if result is None:
        wrong_field = codec == "json-envelope" and v[0] == "list" and len(v[1]) in (3, 4)
        raise Refused("invalidMethodCall" if codec == "json-call" else "invalidEnvelope",
                      None if wrong_field else 0)
    return result
