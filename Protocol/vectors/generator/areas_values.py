"""standard-values, standard-sizes and standard-alignment."""

from .build import Area
from .model import (FALSE, NO_MESSAGE, NULL, TRUE, call, f32s, f64, f64s, failure,
                    i32, i32s, i64, i64s, lst, mp, success, text, u8)

FLOATS = [
    ("zero", 0, ""), ("negative-zero", 1 << 63, "NegativeZero"),
    ("one", 0x3FF0000000000000, ""), ("minus-one", 0xBFF0000000000000, ""),
    ("half", 0x3FE0000000000000, ""), ("pi", 0x400921FB54442D18, ""),
    ("tenth", 0x3FB999999999999A, ""), ("max", 0x7FEFFFFFFFFFFFFF, ""),
    ("min-normal", 0x0010000000000000, ""), ("max-subnormal", 0x000FFFFFFFFFFFFF, "FloatBits"),
    ("min-subnormal", 1, "FloatBits"), ("two-to-53", 0x4340000000000000, ""),
    ("two-to-63", 0x43E0000000000000, ""), ("1e300", 0x7E37E43C8800759C, ""),
    ("infinity", 0x7FF0000000000000, ""), ("minus-infinity", 0xFFF0000000000000, ""),
    ("nan", 0x7FF8000000000000, ""), ("negative-nan", 0xFFF8000000000000, "FloatBits"),
    ("nan-payload", 0x7FF8000000000001, "FloatBits"),
    ("nan-all-ones", 0x7FFFFFFFFFFFFFFF, "FloatBits"),
    ("nan-dead-beef", 0xFFF8DEAD0000BEEF, "FloatBits"),
    ("signalling-nan", 0x7FF0000000000001, "FloatBits"),
    ("negative-signalling-nan", 0xFFF0000000000001, "FloatBits"),
]
SINGLES = [
    ("zero", 0), ("negative-zero", 1 << 31), ("one", 0x3F800000), ("max", 0x7F7FFFFF),
    ("min-subnormal", 1), ("max-subnormal", 0x007FFFFF), ("infinity", 0x7F800000),
    ("minus-infinity", 0xFF800000), ("nan", 0x7FC00000), ("nan-payload", 0x7FC00001),
    ("signalling-nan", 0x7F800001), ("negative-nan", 0xFFC00000),
]
INTS = [
    ("zero", 0), ("one", 1), ("minus-one", -1), ("127", 127), ("128", 128), ("255", 255),
    ("256", 256), ("minus-128", -128), ("65535", 65535), ("16777217", 16777217),
    ("max-31", 2**31 - 1), ("min-31", -(2**31)),
]
WIDE = [
    ("above-31", 2**31), ("below-31", -(2**31) - 1), ("unsigned-32", 2**32 - 1), ("two-to-32", 2**32),
    ("max-53", 2**53 - 1), ("two-to-53", 2**53), ("above-53", 2**53 + 1), ("below-53", -(2**53) - 1),
    ("byte-order", 0x0102030405060708), ("max-63", 2**63 - 1), ("near-max-63", 2**63 - 2),
    ("min-63", -(2**63)), ("near-min-63", -(2**63) + 1),
]


def values():
    a = Area("standard-values")
    a.both("standard.null", "Null inside the payload is one zero byte.", NULL,
           flags=["NullMessage"])
    a.both("standard.no-message", "No payload at all, apart from the payload 00.", NO_MESSAGE,
           flags=["NoMessage"])
    a.both("standard.bool.true", "True is 1.", TRUE, flags=["TypeByte"])
    a.both("standard.bool.false", "False is 2.", FALSE, flags=["TypeByte"])
    for name, n in INTS:
        a.both("standard.int32." + name, "A four-byte integer, %d, not aligned." % n, i32(n),
               flags=["IntegerWidth"])
        a.both("standard.int64.small-" + name, "%d in eight bytes: the width is kept." % n, i64(n),
               flags=["IntegerWidth"])
    for name, n in WIDE:
        a.both("standard.int64." + name, "An eight-byte integer, %d, not aligned." % n, i64(n),
               flags=["IntegerWidth"])
    for name, bits, flag in FLOATS:
        a.both("standard.float64." + name, "A double with the bits %016x." % bits,
               ("float64", bits), flags=[flag] if flag else [])
    for name, b in (("zero", b"0"), ("one-digit", b"f"), ("hex", b"1a8"), ("negative", b"-f"),
                    ("above-63", b"8000000000000000"), ("below-63", b"-8000000000000001"),
                    ("128-bit", b"ffffffffffffffffffffffffffffffff"),
                    ("upper-case", b"1A8"), ("leading-zeros", b"007f"), ("minus-zero", b"-0"),
                    ("400-bit", b"7" + b"f" * 99)):
        a.both("standard.bigint." + name, "Type 5 holds hexadecimal text, sign first.",
               ("bigint", b), flags=["BigInteger"])
    a.both("standard.bigint.size-254", "Type 5 with a text of 254 bytes.",
           ("bigint", b"1" * 254), flags=["BigInteger", "SizeForm"])
    a.both("standard.bigint.in-list", "Type 5 between other values.",
           lst(TRUE, ("bigint", b"ff"), i32(7)), flags=["BigInteger"])
    _typed_lists(a)
    _containers(a)
    return a


def _typed_lists(a):
    a.both("standard.uint8list.empty", "No bytes and no padding.", u8(b""))
    a.both("standard.uint8list.all-bytes", "Each byte value once.", u8(range(256)))
    a.both("standard.int32list.edges", "The ends of the range.",
           i32s([0, 1, -1, 2**31 - 1, -(2**31)]), flags=["IntegerWidth"])
    a.both("standard.int64list.edges", "The ends of the range.",
           i64s([0, 1, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63)]), flags=["IntegerWidth"])
    a.both("standard.float64list.edges", "Each special double.",
           ("float64list", tuple(bits for _, bits, _ in FLOATS)),
           flags=["FloatBits", "NegativeZero"])
    a.both("standard.float32list.edges", "Each special single: type 14, after the map.",
           ("float32list", tuple(bits for _, bits in SINGLES)),
           flags=["FloatBits", "NegativeZero", "TypeByte"])
    for name, bits in SINGLES:
        a.both("standard.float32list." + name, "One single with the bits %08x." % bits,
               ("float32list", (bits,)), flags=["FloatBits"])
    for name, empty in (("int32list", i32s([])), ("int64list", i64s([])),
                        ("float64list", f64s([])), ("float32list", f32s([]))):
        a.both("standard.%s.empty" % name, "No elements, but padding.", empty,
               flags=["EmptyTypedList"])


def _containers(a):
    a.both("standard.list.empty", "A list without elements.", lst())
    a.both("standard.map.empty", "A map without entries.", mp())
    a.both("standard.list.null", "A null element.", lst(NULL), flags=["NullVersusAbsent"])
    a.both("standard.list.every-type", "One of each type.", every_type(), flags=["Alignment"])
    a.both("standard.list.nested", "Lists within lists.",
           lst(lst(), lst(lst(), lst(lst(NULL)))))
    a.both("standard.map.nested", "Maps within maps.",
           mp((text("a"), mp((text("b"), mp((text("c"), mp())))))))
    a.both("standard.map.null-value", "A present key with a null value is no empty map.",
           mp((text("show_power_alert"), NULL)), flags=["NullVersusAbsent"],
           source="flutter_blue_plus#1334")
    a.both("standard.list.float32-after-true", "Type 14 pads to four.",
           lst(TRUE, f32s([1.5])), flags=["TypeByte", "Alignment"],
           source="flutter/flutter#72613")
    a.both("standard.list.empty-float64list-then-double",
           "An empty list is padded too, so the double after it needs no more.",
           lst(f64s([]), f64(1.5)), flags=["EmptyTypedList", "Alignment"],
           source="flutter/flutter#41993")
    for depth in (10, 100, 512):
        a.both("standard.depth.lists-%d" % depth, "%d lists, one within the other." % depth,
               fill={"nested_list": [{"null": None}, depth]}, flags=["Depth"])


def every_type():
    return lst(NULL, TRUE, FALSE, i32(-7), i64(2**40), ("bigint", b"-1f"), f64(3.14),
               text("h\u00e9\u4e16\U0001f600"), u8(b"\x00\xff"), i32s([1, -2]), i64s([3, -4]),
               f64s([0.5]), f32s([-1.5]), lst(i32(1), lst()), mp((text("k"), TRUE), (i32(2), lst())))


# Sizes

SIZES = (0, 1, 253, 254, 255, 65535, 65536)


def sizes():
    a = Area("standard-sizes")
    for n in SIZES:
        form = "one byte" if n < 254 else "two bytes" if n <= 65535 else "four bytes"
        note = "Size %d: %s." % (n, form)
        for kind, fill in (("string", ["a", n]), ("uint8list", ["00", n]), ("int32list", [-2, n]),
                           ("int64list", ["-3", n]), ("float32list", [1.5, n]),
                           ("float64list", [-0.5, n]), ("list", [{"null": None}, n])):
            flags = ["SizeForm"]
            if n == 0 and kind not in ("string", "uint8list", "list"):
                flags.append("EmptyTypedList")
            a.both("standard.size.%s-%d" % (kind, n), note, fill={kind: fill}, flags=flags)
        if n <= 255:
            a.both("standard.size.map-%d" % n, note + " A map counts pairs.",
                   fill={"map_int_keys": n}, flags=["SizeForm"])
        else:
            a.both("standard.size.map-%d" % n, note + " A map counts pairs, here one pair repeated.",
                   fill={"map": [{"null": None}, {"null": None}, n]},
                   flags=["SizeForm", "DuplicateKey"])
        if n > 253:
            character = "\u263a" if n % 3 == 0 else "\u00e9"
            a.both("standard.size.utf8-%d" % n, note + " A string counts bytes, not characters.",
                   fill={"string": [character, n // len(character.encode())]}, flags=["SizeForm"])
    a.both("standard.size.map-1000", "A thousand entries with integer keys.",
           fill={"map_int_keys": 1000}, flags=["SizeForm"])
    a.both("standard.size.string-60000", "The size is unsigned.", fill={"string": ["a", 60000]},
           flags=["SizeForm"], source="go-flutter-desktop/go-flutter#163")
    a.both("standard.size.string-32768", "The size is unsigned.", fill={"string": ["a", 32768]},
           flags=["SizeForm"])
    for form, header in (("two", b"\xfe\x05\x00"), ("four", b"\xff\x05\x00\x00\x00")):
        f = ["NonCanonicalSize"]
        a.decode("standard.size.long.string-%s" % form, "Size 5 in %s bytes." % form,
                 b"\x07" + header + b"hello", flags=f,
                 source="go-flutter-desktop/go-flutter#163" if form == "two" else None)
        a.decode("standard.size.long.bigint-%s" % form, "Size 5 in %s bytes." % form,
                 b"\x05" + header + b"1a2b3", flags=f)
        a.decode("standard.size.long.uint8list-%s" % form, "Size 5 in %s bytes." % form,
                 b"\x08" + header + b"\1\2\3\4\5", flags=f)
        a.decode("standard.size.long.list-%s" % form, "Size 5 in %s bytes." % form,
                 b"\x0c" + header + b"\0\1\2\0\1", flags=f)
        a.decode("standard.size.long.map-%s" % form, "Size 5 in %s bytes." % form,
                 b"\x0d" + header + b"".join(b"\x07\x01%d\x01" % n for n in range(5)), flags=f)
        for byte, width, name in ((9, 4, "int32list"), (10, 8, "int64list"), (11, 8, "float64list"),
                                  (14, 4, "float32list")):
            for n in (0, 5):
                head = bytes([byte]) + header[:1] + bytes([n]) + header[2:]
                a.decode("standard.size.long.%s-%s-%d" % (name, form, n),
                         "Size %d in %s bytes: padding follows the size field." % (n, form),
                         head + bytes(-len(head) % width) + bytes(range(n * width)),
                         flags=f + ["Alignment"])
    for n, size in ((253, b"\xfe\xfd\x00"), (254, b"\xff\xfe\0\0\0"), (65535, b"\xff\xff\xff\0\0")):
        a.decode("standard.size.long.edge-%d" % n, "%d in a form longer than needed." % n,
                 b"\x08" + size + bytes(n), fill={"uint8list": ["00", n]},
                 flags=["NonCanonicalSize"])
    for form, n in (("fe", b"\xfe\0\0"), ("ff", b"\xff\0\0\0\0")):
        a.decode("standard.size.long.empty-list-" + form, "Size 0 in a long form.", b"\x0c" + n,
                 flags=["NonCanonicalSize"])
        a.decode("standard.size.long.empty-string-" + form, "Size 0 in a long form.", b"\x07" + n,
                 flags=["NonCanonicalSize"])
    return a


# Alignment

ALIGNED = [
    ("float64", f64(1.5)), ("int32list", i32s([7, -7])), ("int64list", i64s([7, -7])),
    ("float64list", f64s([0.25])), ("float32list", f32s([0.25])),
    ("int32list-empty", i32s([])), ("int64list-empty", i64s([])),
    ("float64list-empty", f64s([])), ("float32list-empty", f32s([])),
]


def alignment():
    a = Area("standard-alignment")
    for name, value in ALIGNED:
        flags = ["Alignment"] + (["EmptyTypedList"] if name.endswith("empty") else [])
        for phase in range(8):
            lead = lst(u8(bytes(phase)), value, TRUE)
            a.both("standard.%s.phase-%d" % (name, phase),
                   "%d bytes in front move the payload." % phase, lead, flags=flags)
            a.both("call.%s.phase-%d" % (name, phase),
                   "The method name counts towards alignment.",
                   call("m" * phase, value), codec="call", flags=flags)
            a.both("envelope.success.%s.phase-%d" % (name, phase),
                   "The envelope byte counts towards alignment.",
                   success(lst(u8(bytes(phase)), value)), codec="envelope", flags=flags)
            a.both("envelope.error.%s.phase-%d" % (name, phase),
                   "Code and message count towards alignment.",
                   failure("c" * phase, None, value), codec="envelope", flags=flags)
    a.both("call.volume", "Seven bytes of padding, counted from the start of the message.",
           call("play", mp((text("volume"), f64(1.0)))), codec="call", flags=["Alignment"],
           data=bytes.fromhex("0704706c61790d010706766f6c756d6506" + "00" * 13 + "f03f"),
           source="go-flutter-desktop/go-flutter#154")
    a.both("envelope.success.double", "Six bytes of padding after the envelope byte.",
           success(f64(1.5)), codec="envelope", flags=["Alignment"],
           data=bytes.fromhex("0006" + "00" * 12 + "f83f"), source="flutter/flutter#58456")
    a.both("envelope.error.double-details", "The double already sits at eight: no padding.",
           failure("418", None, f64(1.5)), codec="envelope", flags=["Alignment"],
           data=bytes.fromhex("0107033431380006000000000000f83f"), source="flutter/flutter#58456")
    _padding(a)
    for kind, fill in (("float64", f64(1.5)), ("int64list", i64s([1]))):
        for n in (254, 1000):
            a.both("standard.%s.after-string-%d" % (kind, n),
                   "Alignment after a long size field.",
                   lst(text("a" * n), fill),
                   flags=["Alignment"])
    return a


def _padding(a):
    for name, hexes in (
            ("float64", "06ffffffffffffff000000000000f03f"), ("int32list", "0901aabb01000000"),
            ("int64list", "0a01aaaaaaaaaaaa0100000000000000"),
            ("float64list", "0b01aaaaaaaaaaaa000000000000f03f"),
            ("float32list", "0e01aabb0000c03f"), ("int32list-empty", "0900aabb"),
            ("float64list-empty", "0b00aabbccddeeff")):
        a.decode("standard.padding.non-zero-" + name, "Nobody looks at padding.",
                 bytes.fromhex(hexes), flags=["NonZeroPadding", "Alignment"])
    for name, value in ALIGNED[5:]:
        byte = {"int32": b"\x09", "int64": b"\x0a", "float64": b"\x0b",
                "float32": b"\x0e"}[name.split("list")[0]]
        a.decode("standard.padding.missing-%s" % name,
                 "An empty list without padding, as the Windows wrapper writes it.", byte + b"\0",
                 flags=["EmptyTypedList", "Alignment"])
        a.decode("standard.padding.missing-%s-in-list" % name,
                 "The value after the unpadded list is lost.", b"\x0c\x02" + byte + b"\0\x01",
                 flags=["EmptyTypedList", "Alignment"])
        a.decode("standard.padding.missing-%s-shifted" % name,
                 "The bytes of a string are taken for padding.",
                 b"\x0c\x02" + byte + b"\0\x07\x0baaaaaaaaaaa", flags=["EmptyTypedList", "Alignment"])
