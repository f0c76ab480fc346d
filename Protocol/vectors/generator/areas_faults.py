"""standard-truncation, standard-malformed, standard-maps and standard-text."""

from .areas_values import every_type
from .build import Area
from .model import (ABSENT, FALSE, NULL, TRUE, call, f32s, f64, f64s, failure, i32, i32s, i64, i64s,
                    lst, mp, success, text, u8)
from .strict import encode

PROTOTYPES = [
    ("int32", i32(0x01020304)), ("int64", i64(0x0102030405060708)), ("float64", f64(3.14)),
    ("string", text("hello")), ("string-254", text("a" * 3)), ("uint8list", u8(b"\1\2\3")),
    ("int32list", i32s([1, 2])), ("int64list", i64s([1])), ("float64list", f64s([1.5])),
    ("float32list", f32s([1.5, 2.5])), ("int32list-empty", i32s([])),
    ("int64list-empty", i64s([])), ("float64list-empty", f64s([])),
    ("float32list-empty", f32s([])), ("bigint", ("bigint", b"-1f")),
    ("list", lst(TRUE, i32(1))), ("map", mp((text("k"), i32(1)))),
]


def truncation():
    a = Area("standard-truncation")
    for name, value in PROTOTYPES:
        whole = encode(value)
        if name == "string-254":
            whole = b"\x07\xff\x03\x00\x00\x00aaa"
        for n in range(len(whole)):
            flags = ["EmptyMessage"] if n == 0 else ["Truncation"]
            if n == 0 and name != "int32":
                continue
            a.decode("truncation.%s.%d" % (name, n),
                     "The first %d of %d bytes." % (n, len(whole)), whole[:n], flags=flags)
    whole = encode(every_type())
    for n in range(1, len(whole)):
        a.decode("truncation.every-type.%03d" % n,
                 "The first %d of %d bytes of a message with each type." % (n, len(whole)),
                 whole[:n], flags=["Truncation"])
    plain = ("list", [v for v in every_type()[1] if v[0] != "bigint"])
    wholes = (
        ("all-but-bigint", "message", plain),
        ("call", "call", call("play", mp((text("volume"), f64(1.0)), (text("loop"), FALSE)))),
        ("success", "envelope", success(lst(f64(1.5), i32s([1]), text("ok")))),
        ("error", "envelope", failure("code", "message", f64s([0.5]))),
        ("stack-trace", "envelope", failure("code", None, i32(1), "trace")),
    )
    for name, codec, value in wholes:
        whole = encode(value)
        for n in range(1, len(whole)):
            if name == "stack-trace" and n == len(encode((*value[:4], ABSENT))):
                continue  # a whole envelope of three fields
            a.decode("truncation.%s.%03d" % (name, n),
                     "The first %d of %d bytes." % (n, len(whole)), whole[:n], codec=codec,
                     flags=["Truncation"])
    for form, hexes in (("two-0", "07fe"), ("two-1", "07fe05"), ("four-0", "07ff"),
                        ("four-1", "07ff05"), ("four-3", "07ff050000")):
        for byte, kind in ((7, "string"), (8, "uint8list"), (9, "int32list"), (12, "list"),
                           (13, "map"), (5, "bigint")):
            a.decode("truncation.size.%s-%s" % (kind, form), "The size field is cut.",
                     bytes([byte]) + bytes.fromhex(hexes)[1:], flags=["Truncation"])
    for name, hexes in (("list-one-element", "0c0200"), ("map-value", "0d0107016b"),
                        ("map-key", "0d01"), ("map-second-pair", "0d020701610100"),
                        ("nested-list", "0c010c0201"), ("string-in-list", "0c02070568650100"),
                        ("last-string-in-list", "0c0107056865"),
                        ("float32list-element", "0e0100000000c0"),
                        ("float64list-element", "0b0100000000000000000000"),
                        ("int32list-padding-and-element", "090100000100"),
                        ("string-as-map-value", "0d010701610705aa")):
        a.decode("truncation.inner." + name, "An inner value is cut.", bytes.fromhex(hexes),
                 flags=["Truncation"])
    return a


OVERSIZED = [
    ("string-5-of-2", "07056865"), ("uint8list-5-of-1", "080500"), ("list-5-of-1", "0c0500"),
    ("map-5-of-2", "0d050000"), ("map-2-of-3", "0d02000000"), ("list-one-too-many", "0c030000"),
    ("string-max", "07ffffffffff"), ("string-max-one-byte", "07ffffffffff61"),
    ("uint8list-max", "08ffffffffff00"), ("int32list-max", "09ffffffffff" + "00" * 16),
    ("int64list-max", "0affffffffff" + "00" * 16), ("float64list-max", "0bffffffffff" + "00" * 16),
    ("float32list-max", "0effffffffff" + "00" * 16), ("list-max", "0cffffffffff"),
    ("list-max-three-nulls", "0cffffffffff000000"), ("map-max", "0dffffffffff"),
    ("bigint-max", "05ffffffffff61"), ("uint8list-signed-max", "08ffffffff7f"),
    ("string-signed-max", "07ffffffff7f61"), ("list-signed-max", "0cffffffff7f00"),
    ("map-signed-max", "0dffffffff7f0000"), ("list-signed-min", "0cff00000080"),
    ("map-signed-min", "0dff00000080"), ("string-signed-min", "07ff00000080"),
    ("uint8list-signed-min", "08ff00000080"),
    ("int32list-wraps-32-bits", "09ff00000040" + "00" * 16),
    ("float32list-wraps-32-bits", "0eff00000040" + "00" * 16),
    ("int64list-wraps-32-bits", "0aff00000020" + "00" * 16),
    ("float64list-wraps-32-bits", "0bff00000020" + "00" * 16),
    ("list-max-in-list", "0c01" + "0cffffffffff"), ("map-max-as-value", "0d010701610dffffffffff"),
    ("string-65535", "07feffff61"), ("int32list-size-without-padding-room", "09010000"),
]


def malformed():
    a = Area("standard-malformed")
    a.decode("malformed.empty", "No bytes at all.", b"", flags=["EmptyMessage"],
             source="flutter/flutter#128704")
    for name, hexes in OVERSIZED:
        a.decode("malformed.size." + name, "The size cannot fit in the bytes left.",
                 bytes.fromhex(hexes), flags=["OversizedCount"],
                 source="flutter/flutter#183996" if name in ("string-max", "list-max", "map-max")
                 else None)
    for name, hexes in (("null", "0000"), ("true", "0102"), ("int32", "030100000000"),
                        ("list", "0c0100ff"), ("string", "07016100"), ("two-values", "0101"),
                        ("empty-map", "0d0000"), ("float64", "06" + "00" * 16),
                        ("empty-int32list", "0900000000"), ("padding", "0800000000")):
        a.decode("malformed.trailing." + name, "A byte after the value.", bytes.fromhex(hexes),
                 flags=["TrailingBytes"])
    for byte in (*range(15, 256),):
        a.decode("malformed.unknown-type.%02x" % byte, "Type %d is not registered." % byte,
                 bytes([byte]), flags=["UnknownType"])
    for name, hexes in (("in-list", "0c020f01"), ("in-list-last", "0c020011"),
                        ("map-key", "0d012000"), ("map-value", "0d0107016181"),
                        ("with-payload", "8100"), ("nested", "0c010c010c01ff")):
        a.decode("malformed.unknown-type." + name, "An unknown type where a value should be.",
                 bytes.fromhex(hexes), flags=["UnknownType"],
                 source="wakelock_plus#67" if name == "with-payload" else None)
    for name, b in (("letters", b"zz"), ("empty", b""), ("minus", b"-"), ("plus", b"+1a"),
                    ("prefix", b"0x1f"), ("space", b" 1"), ("trailing-space", b"1 "),
                    ("two-signs", b"--1"), ("sign-inside", b"1-2"), ("decimal-point", b"1.5"),
                    ("g", b"abcdefg")):
        a.decode("malformed.bigint." + name, "Type 5 with text that is no hexadecimal number.",
                 b"\x05" + bytes([len(b)]) + b, flags=["BigInteger"])
    a.decode("malformed.bigint.in-list", "The offset counts from the start of the message.",
             bytes.fromhex("0c020005023167"), flags=["BigInteger"])
    _depth(a)
    return a


def _depth(a):
    a.decode("malformed.depth.lists-513", "One list more than the default cap.",
             b"\x0c\x01" * 513 + b"\0", fill={"nested_list": [{"null": None}, 513]},
             flags=["Depth"], expect=("depthExceeded", 1024))
    for name, unit, offset in (("lists-600-cut", b"\x0c\x01", 1024),
                               ("maps-600-cut", b"\x0d\x01\x00", 1536),
                               ("map-keys-600-cut", b"\x0d\x01", 1024)):
        data = unit * 600
        a.decode("malformed.depth." + name, "The cap is met before the missing bytes.", data,
                 flags=["Depth"], expect=("depthExceeded", offset))


# Maps

ONE, ONE64, ONEF = i32(1), i64(1), f64(1.0)
NAN, OTHER_NAN = ("float64", 0x7FF8000000000000), ("float64", 0x7FF8000000000001)
ZERO, MINUS_ZERO = f64(0.0), f64(-0.0)
DUPLICATES = [
    ("string", "DuplicateKey", [(text("a"), ONE), (text("a"), i32(2))]),
    ("string-three", "DuplicateKey", [(text("a"), NULL), (text("b"), NULL), (text("a"), TRUE)]),
    ("string-thrice", "DuplicateKey", [(text("a"), ONE), (text("a"), i32(2)), (text("a"), i32(3))]),
    ("null", "DuplicateKey", [(NULL, NULL), (NULL, TRUE)]),
    ("bool", "DuplicateKey", [(TRUE, NULL), (FALSE, ONE), (TRUE, TRUE)]),
    ("int32", "DuplicateKey", [(ONE, NULL), (ONE, TRUE)]),
    ("int64", "DuplicateKey", [(i64(2**40), NULL), (i64(2**40), TRUE)]),
    ("int32-and-int64", "KeyEquality", [(ONE, NULL), (ONE64, TRUE)]),
    ("int64-and-int32", "KeyEquality", [(ONE64, NULL), (ONE, TRUE)]),
    ("int32-and-float64", "KeyEquality", [(ONE, NULL), (ONEF, TRUE)]),
    ("float64-and-int32", "KeyEquality", [(ONEF, NULL), (ONE, TRUE)]),
    ("true-and-one", "KeyEquality", [(TRUE, NULL), (ONE, TRUE)]),
    ("float64", "DuplicateKey", [(f64(1.5), NULL), (f64(1.5), TRUE)]),
    ("zero-and-minus-zero", "KeyEquality", [(ZERO, TRUE), (MINUS_ZERO, FALSE)]),
    ("minus-zero-and-zero", "KeyEquality", [(MINUS_ZERO, TRUE), (ZERO, FALSE)]),
    ("int-zero-and-minus-zero", "KeyEquality", [(i32(0), TRUE), (MINUS_ZERO, FALSE)]),
    ("nan", "KeyEquality", [(NAN, TRUE), (NAN, FALSE)]),
    ("float32list-nan", "KeyEquality",
     [(("float32list", (0x7FC00000,)), TRUE), (("float32list", (0x7FC00000,)), FALSE)]),
    ("float64list-nan", "KeyEquality",
     [(("float64list", (NAN[1],)), TRUE), (("float64list", (NAN[1],)), FALSE)]),
    ("float64list-minus-zero", "KeyEquality",
     [(("float64list", (0,)), TRUE), (("float64list", (1 << 63,)), FALSE)]),
    ("nan-payloads", "KeyEquality", [(NAN, TRUE), (OTHER_NAN, FALSE)]),
    ("uint8list", "KeyEquality", [(u8(b"\1"), TRUE), (u8(b"\1"), FALSE)]),
    ("int32list", "KeyEquality", [(i32s([1]), TRUE), (i32s([1]), FALSE)]),
    ("int64list", "KeyEquality", [(i64s([1]), TRUE), (i64s([1]), FALSE)]),
    ("float64list", "KeyEquality", [(f64s([1.0]), TRUE), (f64s([1.0]), FALSE)]),
    ("float32list", "KeyEquality", [(f32s([1.0]), TRUE), (f32s([1.0]), FALSE)]),
    ("list", "KeyEquality", [(lst(NULL), NULL), (lst(NULL), TRUE)]),
    ("list-of-lists", "KeyEquality", [(lst(lst(ONE)), NULL), (lst(lst(ONE)), TRUE)]),
    ("map", "KeyEquality", [(mp((text("a"), ONE)), NULL), (mp((text("a"), ONE)), TRUE)]),
    ("map-other-order", "KeyEquality",
     [(mp((text("a"), NULL), (text("b"), TRUE)), NULL),
      (mp((text("b"), TRUE), (text("a"), NULL)), TRUE)]),
    ("bigint", "KeyEquality", [(("bigint", b"1f"), NULL), (("bigint", b"1f"), TRUE)]),
    ("bigint-case", "KeyEquality", [(("bigint", b"1f"), NULL), (("bigint", b"1F"), TRUE)]),
    ("bigint-and-string", "KeyEquality", [(("bigint", b"1f"), NULL), (text("1f"), TRUE)]),
    ("canonically-equivalent", "Normalisation", [(text("\u00e9"), ONE), (text("e\u0301"), i32(2))]),
    ("case", "Normalisation", [(text("a"), ONE), (text("A"), i32(2))]),
    ("up-to-nul", "EmbeddedNUL", [(text("a\0b"), NULL), (text("a\0c"), TRUE)]),
    ("empty-and-null", "KeyEquality", [(NULL, ONE), (text(""), i32(2))]),
    ("string-and-number", "KeyEquality", [(text("1"), TRUE), (ONE, FALSE)]),
]


def maps():
    a = Area("standard-maps")
    for name, flag, pairs in DUPLICATES:
        a.both("maps.keys." + name, "Two keys that some platforms merge.", mp(*pairs),
               flags=[flag, "DuplicateKey"],
               source="flutter/flutter#136111" if name == "string" else None)
    orders = [
        ("strings", [(text("b"), TRUE), (text("a"), FALSE)]),
        ("strings-and-int", [(text("b"), TRUE), (text("a"), FALSE), (ONE, NULL)]),
        ("prefix", [(text("ab"), NULL), (text("a"), NULL), (text(""), NULL)]),
        ("bytewise", [(text("\u00e9"), NULL), (text("z"), NULL), (text("\U0001f600"), NULL),
                      (text("\uffee"), NULL)]),
        ("negative-ints", [(i32(1), NULL), (i32(-1), NULL), (i32(0), NULL)]),
        ("widths", [(i64(-5), NULL), (i32(7), NULL)]),
        ("doubles", [(f64(1.5), NULL), (f64(-1.5), NULL), (f64(float("inf")), NULL)]),
        ("bools", [(TRUE, NULL), (FALSE, NULL)]),
        ("lists", [(lst(i32(2)), NULL), (lst(i32(1), i32(9)), NULL), (lst(), NULL)]),
        ("bytes", [(u8(b"\xff"), NULL), (u8(b"\x01\x02"), NULL), (u8(b"\x01"), NULL)]),
    ]
    for name, pairs in orders:
        a.both("maps.order." + name, "Keys in wire order, not sorted.", mp(*pairs),
               flags=["MapOrder"])
    kinds = [("float32list", f32s([1.0])), ("map", mp()), ("list", lst()),
             ("float64list", f64s([1.0])), ("int64list", i64s([1])), ("int32list", i32s([1])),
             ("uint8list", u8(b"\1")), ("string", text("s")), ("float64", f64(0.5)),
             ("int64", i64(2**33)), ("int32", i32(5)), ("bool", TRUE), ("null", NULL)]
    for name, key in kinds:
        a.both("maps.any-key." + name, "Any value may be a key.", mp((key, TRUE)),
               flags=["AnyKey"])
    a.both("maps.order.variants", "A key of each type, in the reverse of std::map's order.",
           mp(*((key, NULL) for _, key in kinds)), flags=["MapOrder", "AnyKey"])
    for n in (2, 16, 40):
        a.both("maps.many.%d" % n, "Enough keys to show a hash order.",
               mp(*((text("key%d" % (i * 7 % n)), i32(i)) for i in range(n))), flags=["MapOrder"])
    for key in ([(lst(mp((text("x"), ONE), (text("x"), i32(2))))), NULL],):
        a.both("maps.nested-duplicates", "Duplicates inside a key.", mp(tuple(key)),
               flags=["DuplicateKey"])
    return a


# Text

ILL_FORMED = [
    ("ff", "lone-ff"), ("80", "lone-continuation"), ("c3", "cut-two"),
    ("e298", "cut-three"), ("f09f98", "cut-four"), ("f0", "lead-of-four"),
    ("c328", "bad-second"), ("c0af", "overlong-slash"), ("c080", "overlong-nul"),
    ("e08080", "overlong-three"), ("f0808080", "overlong-four"), ("eda080", "high-surrogate"),
    ("edb080", "low-surrogate"), ("eda080edb080", "surrogate-pair"),
    ("f4908080", "above-10ffff"), ("f5808080", "lead-f5"), ("fe", "lone-fe"),
    ("61ff62", "between-letters"), ("6162e2", "at-the-end"), ("e29828", "three-bad-third"),
    ("f09f9828", "four-bad-fourth"), ("c3a9ff", "after-good"), ("f8888080", "five-byte-form"),
    ("ed9fc0", "below-surrogates-bad-third"), ("e0a0", "cut-e0"), ("8080", "two-continuations"),
]
WELL_FORMED = [
    ("empty", ""), ("ascii", "hello"), ("two-bytes", "\u00e9"), ("three-bytes", "\u263a"),
    ("four-bytes", "\U0001f602"), ("first-two", "\u0080"), ("last-two", "\u07ff"),
    ("first-three", "\u0800"), ("below-surrogates", "\ud7ff"), ("above-surrogates", "\ue000"),
    ("replacement", "\ufffd"), ("noncharacter", "\uffff"), ("first-four", "\U00010000"),
    ("last", "\U0010ffff"), ("combining", "e\u0301"), ("precomposed", "\u00e9"),
    ("family", "\U0001f468\u200d\U0001f469\u200d\U0001f467"), ("flag", "\U0001f1fa\U0001f1e6"),
    ("right-to-left", "\u05d0\u202e\u05d1"), ("line-separators", "a\u2028b\u2029c\u0085"),
    ("control", "\u0001\u001f\u007f"), ("crlf", "a\r\nb"), ("quotes", "\"'\\"),
]
ODD = [
    ("bom", "\ufeffa", "ByteOrderMark"), ("only-bom", "\ufeff", "ByteOrderMark"),
    ("two-boms", "\ufeff\ufeffa", "ByteOrderMark"), ("inner-bom", "a\ufeffb", "ByteOrderMark"),
    ("nul", "a\0b", "EmbeddedNUL"), ("only-nul", "\0", "EmbeddedNUL"),
    ("leading-nul", "\0a", "EmbeddedNUL"), ("trailing-nul", "a\0", "EmbeddedNUL"),
]


def texts():
    a = Area("standard-text")
    for name, s in WELL_FORMED:
        a.both("text." + name, "A well-formed string.", text(s))
    for name, s, flag in ODD:
        a.both("text." + name, "A string that some platforms shorten.", text(s), flags=[flag])
    for hexes, name in ILL_FORMED:
        b = bytes.fromhex(hexes)
        a.decode("text.ill-formed." + name, "Ill-formed UTF-8: %s." % hexes,
                 b"\x07" + bytes([len(b)]) + b, flags=["IllFormedUTF8"],
                 source="flutter/flutter#31525" if hexes == "c328" else None)
    for name, hexes in (("in-list", "0c0200070261ff"), ("map-key", "0d010701ff00"),
                        ("map-value", "0d010701610703e28261")):
        a.decode("text.ill-formed." + name, "The offset counts from the start of the message.",
                 bytes.fromhex(hexes), flags=["IllFormedUTF8"])
    for hexes, name in (("eda080", "high-alone"), ("edb080", "low-alone"),
                        ("61eda08062", "high-between"), ("edbfbf61", "low-first"),
                        ("eda080eda080", "two-high")):
        a.encode("text.lone-surrogate." + name, "Half a surrogate pair, in its three-byte form.",
                 ("string", bytes.fromhex(hexes)), flags=["LoneSurrogate"])
    a.encode("text.lone-surrogate.pair", "The two halves side by side are one character to those "
             "who hold UTF-16.", ("string", bytes.fromhex("eda080edb080")), flags=["LoneSurrogate"])
    for hexes in ("ff", "ff80", "c328", "f4908080"):
        a.encode("text.bytes." + hexes, "Bytes that are not UTF-8.",
                 ("string", bytes.fromhex(hexes)), flags=["IllFormedUTF8"])
    a.encode("text.lone-surrogate.map-key", "A key with half a surrogate pair.",
             mp((("string", bytes.fromhex("eda080")), TRUE)), flags=["LoneSurrogate"])
    a.encode("text.nul.map-keys", "Keys that are equal up to the NUL.",
             mp((text("a\0b"), ONE), (text("a\0c"), i32(2))), flags=["EmbeddedNUL"])
    return a
