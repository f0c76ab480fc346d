"""How the platforms differ from the strict JSON codecs."""

from .encoders import NO_SUCH_FIELD, NO_SUCH_VALUE
from .json_text import (SPACE, JSONWriter, LoneSurrogate, call_of, dart_double, envelope_of,
                        java_double, parse, web_double)
from .keys import merge
from .model import (ABSENT, NO_MESSAGE, NULL, Refused, crash, double_of, error, f64, unspecified)
from .strict import utf8_error

NOT_KNOWN = unspecified("text not known")

# Decoding

REFUSAL = {
    "dart": error("FormatException"), "dartWeb": error("FormatException"),
    "linux": error("INVALID_JSON"),
    "android": unspecified("JSONTokener is lenient (unverified)"),
    "ios": unspecified("NSJSONSerialization error"),
}
WINDOWS_REFUSAL = {
    "json-message": error("nullptr"), "json-call": error("nullptr (NotImplemented reply)"),
    "json-envelope": error("decode failed -> NotImplemented"),
}
WRONG_SHAPE = {
    "dart": error("FormatException"), "dartWeb": error("FormatException"),
    "linux": error("FAILED"), "android": error("IllegalArgumentException"),
    "ios": unspecified("assertion"),
}


def decode(profile, codec, data):
    if data is None:
        if codec == "json-call":
            raise unspecified("no call to decode")
        return NO_MESSAGE
    if not data:
        return _empty(profile, codec)
    v = _document(profile, codec, data)
    if codec == "json-message":
        return v
    if codec == "json-call":
        result = call_of(v)
        if result is None and profile == "windows":
            raise WINDOWS_REFUSAL[codec]
    else:
        result = envelope_of(v, (1, 3, 4) if profile in ("dart", "dartWeb") else (1, 3))
        if profile == "windows":
            if result is None:
                raise WINDOWS_REFUSAL[codec]
            if result[0] == "failure" and result[2] is None:
                raise crash("assert: message is not a string")
    if result is None:
        raise WRONG_SHAPE[profile]
    return result


def _empty(profile, codec):
    if profile == "android":
        raise error("IllegalArgumentException")
    if codec == "json-envelope" and profile == "windows":
        return NO_MESSAGE
    if profile == "ios":
        if codec == "json-message":
            return NULL
        raise unspecified("assertion")
    raise _refusal(profile, codec)


def _refusal(profile, codec):
    return WINDOWS_REFUSAL[codec] if profile == "windows" else REFUSAL[profile]


def _document(profile, codec, data):
    if profile == "linux" and b"\0" in data:
        raise error("INVALID_UTF8")  # measured: the check for UTF-8 stops at a NUL
    if profile == "android" and data[-1] in SPACE and data.strip():
        raise error("IllegalArgumentException")  # JSONTokener.more() sees the white space
    if data.startswith(b"\xef\xbb\xbf"):
        if profile not in ("dart", "dartWeb"):
            raise unspecified("byte order mark not tried")
        data = data[3:]
    try:
        return _held(profile, parse(data))
    except LoneSurrogate:
        raise unspecified("lone surrogate escape not tried") from None
    except Refused as refused:
        if refused.code == "depthExceeded":
            raise unspecified("no depth limit known") from None
        if refused.code == "invalidUTF8":
            if profile == "linux":
                raise error("INVALID_UTF8") from None
            if profile in ("dart", "dartWeb"):
                raise error("FormatException(utf8)") from None
            raise unspecified("ill-formed UTF-8 not tried") from None
        raise _refusal(profile, codec) from None


def _held(profile, v):
    kind = v[0]
    if kind in ("int32", "int64") and profile == "dartWeb" and int(float(v[1])) != v[1]:
        raise unspecified("integer beyond 2^53")
    if profile == "linux" and kind == "int64" and 2**32 <= v[1] < 2**63 - 1:
        return f64(float(v[1]))  # measured: unsigned 64-bit numbers become doubles
    if kind == "string" and 0 in v[1] and profile == "linux":
        return (kind, v[1].split(b"\0")[0])
    if kind == "list":
        return (kind, [_held(profile, x) for x in v[1]])
    if kind == "map":
        pairs = [(_held(profile, k), _held(profile, x)) for k, x in v[1]]
        if len({k for k, _ in pairs}) < len(pairs) and profile in ("ios", "windows"):
            raise unspecified("duplicate names not tried")
        return (kind, merge("linux" if profile == "linux" else "dart", pairs))
    return v


# Encoding

class Dart(JSONWriter):
    refusal = error("JsonUnsupportedObjectError")

    def double(self, bits):
        if bits >> 52 & 0x7FF == 0x7FF:
            raise self.refusal
        return super().double(bits)

    def string(self, b):
        if utf8_error(b) is None:
            return super().string(b)
        try:
            characters = b.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise NO_SUCH_VALUE from None
        out = b""
        for c in characters:
            lone = 0xD800 <= ord(c) <= 0xDFFF
            out += b"\\u%04x" % ord(c) if lone else b"".join(map(self.byte, c.encode()))
        return b'"' + out + b'"'

    def key(self, k):
        if k[0] != "string":
            raise self.refusal
        return self.string(k[1])

    def pairs(self, pairs):
        return merge("dart", pairs)

    def other(self, v):
        if v[0] in ("uint8list", "int32list", "int64list"):
            return b"[" + b",".join(self.integer(n) for n in v[1]) + b"]"
        if v[0] == "float64list":
            return b"[" + b",".join(self.double(b) for b in v[1]) + b"]"
        raise NOT_KNOWN if v[0] == "float32list" else self.refusal


class DartWeb(Dart):
    def integer(self, n):
        if int(float(n)) != n:
            raise NO_SUCH_VALUE
        return web_double(float(n)).encode()

    def double(self, bits):
        if bits == 1 << 63:
            raise NOT_KNOWN
        super().double(bits)
        return web_double(double_of(bits)).encode()

    def other(self, v):
        if v[0] == "int64list":
            raise error("UnsupportedError")
        return super().other(v)


class Rapid(JSONWriter):
    """rapidjson, under both the Linux and the Windows embedder."""

    measured = {"0.30000000000000004": "0.30000000000000007"}

    def double(self, bits):
        if bits >> 52 & 0x7FF == 0x7FF:
            return b""
        word = dart_double(bits).replace("e+", "e")
        if len(word.strip("-0.").replace(".", "")) >= 17 and word not in self.measured:
            raise NOT_KNOWN  # Grisu2 does not always find the closest of the shortest texts
        return self.measured.get(word, word).encode()

    def byte(self, c):
        return b"\\u%04X" % c if c < 0x20 and c not in (8, 9, 10, 12, 13) else super().byte(c)

    def string(self, b):
        if utf8_error(b) is not None:
            raise NOT_KNOWN
        return super().string(b)


class Linux(Rapid):
    def string(self, b):
        return super().string(b.split(b"\0")[0])

    def pairs(self, pairs):
        return merge("linux", pairs)

    def key(self, k):
        if k[0] != "string":
            raise error("INVALID_OBJECT_KEY_TYPE")
        return self.string(k[1])

    def other(self, v):
        if v[0] in ("uint8list", "int32list", "int64list"):
            return b"[" + b",".join(self.integer(n) for n in v[1]) + b"]"
        if v[0] == "float64list":
            return b"[" + b",".join(self.double(b) for b in v[1]) + b"]"
        raise NO_SUCH_VALUE if v[0] == "bigint" else NOT_KNOWN


class Windows(Rapid):
    def key(self, k):
        if k[0] != "string":
            raise NO_SUCH_VALUE
        return self.string(k[1])

    def pairs(self, pairs):
        if len({k for k, _ in pairs}) < len(pairs):
            raise unspecified("duplicate names not tried")
        return pairs

    def other(self, v):
        raise NO_SUCH_VALUE

    def optional(self, b):
        return self.string(b or b"")


class Android(JSONWriter):
    plain = ("0.1", "1.5", "-1.5", "0.5", "-0.5", "3.14", "3.141592653589793", "0.25", "-0.125")

    def double(self, bits):
        if bits >> 52 & 0x7FF == 0x7FF:
            raise unspecified("NaN and infinities not tried")
        word = dart_double(bits)
        x = double_of(bits)
        if x == 0 and bits:
            return b"-0"
        if x == int(x) and abs(x) < 2**53:
            return str(int(x)).encode()
        if word in self.plain:
            return word.encode()
        raise NOT_KNOWN

    def whole(self, v):
        # A double alone is printed by Double.toString, not by JSONObject.numberToString.
        if v[0] == "float64" and v[1] >> 52 & 0x7FF != 0x7FF:
            return java_double(v[1]).encode()
        return super().whole(v)

    def string(self, b):
        if utf8_error(b) is not None:
            raise NOT_KNOWN
        return super().string(b)

    def byte(self, c):
        return b"\\/" if c == 0x2F else super().byte(c)

    def key(self, k):
        if k[0] != "string":
            raise unspecified("null: the ClassCastException is swallowed")
        return self.string(k[1])

    def pairs(self, pairs):
        return merge("android", pairs)

    def other(self, v):
        raise NOT_KNOWN


class Darwin(JSONWriter):
    def double(self, bits):
        known = {"1.0": b"1", "1e+21": b"1e+21"}
        if dart_double(bits) not in known if bits >> 52 & 0x7FF != 0x7FF else True:
            raise NOT_KNOWN
        return known[dart_double(bits)]

    def string(self, b):
        if utf8_error(b) is not None or any(c < 0x20 and c not in SHORT_CONTROLS for c in b):
            raise NOT_KNOWN
        return super().string(b)

    def byte(self, c):
        return b"\\/" if c == 0x2F else super().byte(c)

    def key(self, k):
        if k[0] != "string":
            raise unspecified("NSJSONSerialization exception")
        return self.string(k[1])

    def pairs(self, pairs):
        names = [k[1] for k, _ in pairs if k[0] == "string"]
        if len(set(names)) < len(names):
            raise unspecified("duplicate names not tried")
        return pairs

    def other(self, v):
        raise unspecified("NSJSONSerialization exception")


SHORT_CONTROLS = SPACE[1:]
WRITERS = {"dart": Dart, "dartWeb": DartWeb, "linux": Linux, "windows": Windows,
           "android": Android, "ios": Darwin}


def encode(profile, codec, v):
    if codec == "json-message" and v in (NULL, NO_MESSAGE):
        if profile in ("windows", "linux") or (profile == "ios" and v == NULL):
            return b"null"
        return None
    if v is NO_MESSAGE:
        return None
    if v[0] == "failure" and v[4] is not ABSENT and profile != "android":
        raise NO_SUCH_FIELD
    return WRITERS[profile]().whole(v)
