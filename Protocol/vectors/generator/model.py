"""Values as the generator holds them, and their typed JSON form.

A value is a tuple whose first item names its kind. Floats are kept as bit patterns and strings as
bytes, so that nothing is lost between a vector file and the wire.
"""

import struct

NULL = ("null",)
TRUE = ("bool", True)
FALSE = ("bool", False)
NO_MESSAGE = None  # no payload at all; JSON null in a vector file
ABSENT = object()  # an error envelope without a fourth field

NAN64 = 0x7FF8000000000000
NAN32 = 0x7FC00000


class Refused(Exception):
    """The strict profile's refusal: a code and a byte offset."""

    def __init__(self, code, offset=None):
        super().__init__(code, offset)
        self.code, self.offset = code, offset


class Outcome(Exception):
    """What a platform does instead of giving a value: error, crash or unspecified."""

    def __init__(self, kind, text):
        super().__init__(kind, text)
        self.kind, self.text = kind, text


def error(text):
    return Outcome("error", text)


def crash(text):
    return Outcome("crash", text)


def unspecified(text):
    return Outcome("unspecified", text)


# Constructors

def i32(n):
    assert -(2**31) <= n < 2**31
    return ("int32", n)


def i64(n):
    assert -(2**63) <= n < 2**63
    return ("int64", n)


def by_value(n):
    return i32(n) if -(2**31) <= n < 2**31 else i64(n)


def bits64(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def bits32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def f64(x):
    return ("float64", bits64(x))


def text(s):
    return ("string", s.encode("utf-8"))


def u8(b):
    return ("uint8list", bytes(b))


def i32s(ns):
    return ("int32list", tuple(ns))


def i64s(ns):
    return ("int64list", tuple(ns))


def f32s(xs):
    return ("float32list", tuple(bits32(x) for x in xs))


def f64s(xs):
    return ("float64list", tuple(bits64(x) for x in xs))


def lst(*items):
    return ("list", list(items))


def mp(*pairs):
    return ("map", [(k, v) for k, v in pairs])


def custom(kind, value):
    return ("custom", kind, value)


def call(name, args=NULL):
    return ("call", name.encode("utf-8"), args)


def success(value=NULL):
    return ("success", value)


def failure(code, message=None, details=NULL, stack=ABSENT):
    def b(s):
        return s.encode("utf-8") if isinstance(s, str) else s

    return ("failure", b(code), b(message), details, b(stack))


# Float text

def double_of(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def single_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def is_nan64(bits):
    return bits & 0x7FFFFFFFFFFFFFFF > 0x7FF0000000000000


def is_nan32(bits):
    return bits & 0x7FFFFFFF > 0x7F800000


def _float_json(bits, width):
    nan, value, digits = (NAN64, double_of, 16) if width == 8 else (NAN32, single_of, 8)
    if bits == nan:
        return "nan"
    if (is_nan64 if width == 8 else is_nan32)(bits):
        return "0x%0*x" % (digits, bits)
    x = value(bits)
    if x in (float("inf"), float("-inf")):
        return "inf" if x > 0 else "-inf"
    if x == 0 and bits:
        return "-0.0"
    # Some JSON readers round the seventeenth digit: such numbers go by their bits.
    return x if len(repr(x).strip("-0.").replace(".", "")) < 17 else "0x%0*x" % (digits, bits)


def _float_bits(j, width):
    if isinstance(j, str):
        if j.startswith("0x"):
            return int(j, 16)
        if j == "nan":
            return NAN64 if width == 8 else NAN32
        j = float(j)
    return bits64(float(j)) if width == 8 else bits32(float(j))


# Typed JSON

def is_utf8(b):
    try:
        b.decode("utf-8")
        return True
    except UnicodeDecodeError:
        return False


def _plain(b):
    if b is None:
        return None
    if not is_utf8(b):
        raise unspecified("text kept as bytes " + b.hex())
    return b.decode("utf-8")


def to_json(v):
    if v is NO_MESSAGE:
        return None
    kind = v[0]
    if kind == "null":
        return {"null": None}
    if kind in ("bool", "int32"):
        return {kind: v[1]}
    if kind == "int64":
        return {kind: str(v[1])}
    if kind == "bigint":
        return {kind: v[1].decode("ascii")}
    if kind == "float64":
        return {kind: _float_json(v[1], 8)}
    if kind == "string":
        return {"string": v[1].decode("utf-8")} if is_utf8(v[1]) else {"string_hex": v[1].hex()}
    if kind == "uint8list":
        return {kind: v[1].hex()}
    if kind == "int32list":
        return {kind: list(v[1])}
    if kind == "int64list":
        return {kind: [str(n) for n in v[1]]}
    if kind == "float32list":
        return {kind: [_float_json(b, 4) for b in v[1]]}
    if kind == "float64list":
        return {kind: [_float_json(b, 8) for b in v[1]]}
    if kind == "list":
        return {kind: [to_json(x) for x in v[1]]}
    if kind == "map":
        return {kind: [[to_json(k), to_json(x)] for k, x in v[1]]}
    if kind == "custom":
        return {kind: {"type": v[1], "value": to_json(v[2])}}
    if kind == "call":
        return {"method": _plain(v[1]), "args": to_json(v[2])}
    if kind == "success":
        return {"success": to_json(v[1])}
    if kind == "failure":
        fields = {"code": _plain(v[1]), "message": _plain(v[2]), "details": to_json(v[3])}
        if v[4] is not ABSENT:
            fields["stacktrace"] = _plain(v[4])
        return {"error": fields}
    raise AssertionError(kind)


def from_json(j):
    if j is None:
        return NO_MESSAGE
    if "method" in j:
        return call(j["method"], from_json(j["args"]))
    assert len(j) == 1, j
    (kind, x), = j.items()
    if kind == "null":
        return NULL
    if kind == "bool":
        return (kind, x)
    if kind == "int32":
        return i32(x)
    if kind == "int64":
        assert isinstance(x, str)
        return i64(int(x))
    if kind == "bigint":
        return (kind, x.encode("ascii"))
    if kind == "float64":
        return (kind, _float_bits(x, 8))
    if kind == "string":
        return text(x)
    if kind == "string_hex":
        return ("string", bytes.fromhex(x))
    if kind == "uint8list":
        return u8(bytes.fromhex(x))
    if kind == "int32list":
        return i32s(x)
    if kind == "int64list":
        return i64s(int(n) for n in x)
    if kind == "float32list":
        return (kind, tuple(_float_bits(n, 4) for n in x))
    if kind == "float64list":
        return (kind, tuple(_float_bits(n, 8) for n in x))
    if kind == "list":
        return (kind, [from_json(n) for n in x])
    if kind == "map":
        return (kind, [(from_json(k), from_json(n)) for k, n in x])
    if kind == "custom":
        return custom(x["type"], from_json(x["value"]))
    if kind == "success":
        return success(from_json(x))
    if kind == "error":
        return failure(x["code"], x["message"], from_json(x["details"]),
                       x.get("stacktrace", ABSENT))
    raise AssertionError(kind)


# Big payloads

def expand_fill(fill):
    """The value a `value_fill` object stands for."""
    (kind, x), = fill.items()
    if kind == "map_int_keys":
        return ("map", [(i32(n), NULL) for n in range(x)])
    if kind == "nested_list":
        value = from_json(x[0])
        for _ in range(x[1]):
            value = lst(value)
        return value
    if kind == "map":
        return (kind, [(from_json(x[0]), from_json(x[1]))] * x[2])
    item, count = x
    if kind == "string":
        return text(item * count)
    if kind == "uint8list":
        return u8(bytes.fromhex(item) * count)
    if kind == "list":
        return (kind, [from_json(item)] * count)
    one = from_json({kind: [item]})
    return (kind, one[1] * count)


def expand_parts(parts):
    return b"".join(bytes.fromhex(h) * n for h, n in parts)


def split_parts(data):
    """Cuts bytes into (hex, repeat) parts: greedy, periods up to 16."""
    out, plain, pos = [], bytearray(), 0
    while pos < len(data):
        best = (0, 1)
        for period in range(1, 17):
            unit = data[pos:pos + period]
            if len(unit) < period:
                break
            end = pos + period
            while data[end:end + period] == unit:
                end += period
            count = (end - pos) // period
            if count * period >= 48 and count * period > best[0] * best[1]:
                best = (count, period)
        count, period = best
        if count:
            if plain:
                out.append([plain.hex(), 1])
                plain = bytearray()
            out.append([data[pos:pos + period].hex(), count])
            pos += count * period
        else:
            plain.append(data[pos])
            pos += 1
    if plain:
        out.append([plain.hex(), 1])
    return out
