"""json-messages, json-methods and string-binary."""

from .areas_faults import ILL_FORMED, ODD, WELL_FORMED
from .build import Area
from .model import (NO_MESSAGE, NULL, TRUE, FALSE, by_value, call, f32s, f64, f64s, failure, i32,
                    i32s, i64, i64s, lst, mp, success, text, u8)

DOUBLES = (0.0, -0.0, 1.0, -1.0, 0.5, 0.1, -1.5, 3.14, 3.141592653589793, 100.0, 123456789.0,
           1e15, 9007199254740992.0, 1e17, 1e20, 1e21, 1e22, 1.5e300, 1e300, 1.7976931348623157e308,
           0.001, 1e-4, 1e-5, 0.000001, 1e-7, 1.5e-7, 5e-324, 2.2250738585072014e-308,
           0.30000000000000004, 123456.789, 4.35, 1 / 3)


def messages():
    a = Area("json-messages")
    j = {"codec": "json-message"}
    a.both("json.no-message", "No payload at all.", NO_MESSAGE, **j, flags=["NoMessage"])
    a.both("json.null", "The text null.", NULL, **j, flags=["NullMessage"])
    a.decode("json.empty", "No bytes are no JSON text.", b"", **j, flags=["EmptyMessage"])
    for name, v in (("true", TRUE), ("false", FALSE), ("empty-list", lst()), ("empty-map", mp()),
                    ("list", lst(NULL, TRUE, i32(42), f64(-1.5), text("hello"), lst(), mp())),
                    ("nested", lst(lst(i32(0), i32(2)), lst(lst()))),
                    ("map", mp((text("b"), i32(1)), (text("a"), NULL))),
                    ("null-value", mp((text("k"), NULL))), ("empty-key", mp((text(""), TRUE)))):
        a.both("json." + name, "A value JSON can hold.", v, **j)
    for n in (0, 1, -1, 2**31 - 1, -(2**31), 2**31, -(2**31) - 1, 2**53, 2**53 + 1, 2**63 - 1,
              -(2**63)):
        a.both("json.int.%s" % str(n).replace("-", "minus-"), "An integer keeps all its digits.",
               by_value(n), **j, flags=["JSONNumber"])
    for x in DOUBLES:
        a.both("json.double.%s" % repr(x).replace("-", "m").replace("+", ""),
               "A double always shows that it is one.", f64(x), **j, flags=["JSONNumber"])
    for name, s in WELL_FORMED + [(n, s) for n, s, _ in ODD if n != "bom"]:
        a.both("json.text." + name, "A string.", text(s), **j,
               flags=["JSONEscape"] if name in ("control", "crlf", "quotes") or "\0" in s else [])
    for c in range(0x20):
        a.both("json.escape.u%04x" % c, "A control character.", text("a%sb" % chr(c)), **j,
               flags=["JSONEscape"])
    for name, s in (("slash", "/"), ("slashes", "http://a/b"), ("backslash", "\\"), ("quote", '"'),
                    ("delete", "\x7f"), ("less-than", "</script>")):
        a.both("json.escape." + name, "A character with an escape.", text(s), **j,
               flags=["JSONEscape"])
    _read(a, j)
    _bad(a, j)
    _unwritable(a, j)
    return a


def _read(a, j):
    for name, word in (("exponent", "1e2"), ("capital-exponent", "1E2"), ("plus-exponent", "1e+2"),
                       ("minus-exponent", "100e-2"), ("long-pi", "3.1415926535897931"),
                       ("above-63", "9223372036854775808"), ("below-63", "-9223372036854775809"),
                       ("unsigned-64", "18446744073709551615"),
                       ("21-digits", "184467440737095516150"), ("zero-exponent", "0e0"),
                       ("trailing-zeros", "1.500"), ("ten-to-21", "1e21"), ("tiny", "1e-400"),
                       ("int64-small", "4294967296")):
        a.decode("json.read.number." + name, "A number in another form: " + word + ".",
                 word.encode(), **j, flags=["JSONNumber"])
    for name, word in (("spaces", " \t\r\n1 \t\r\n"), ("spaced-list", "[ 1 , 2 ]"),
                       ("spaced-map", '{ "a" : 1 }'), ("escaped-slash", '"\\/"'),
                       ("escaped-letter", '"\\u0061"'), ("upper-hex", '"\\u00E9"'),
                       ("surrogate-pair", '"\\ud83d\\ude00"'), ("upper-pair", '"\\uD83D\\uDE00"'),
                       ("escaped-controls", '"\\b\\f\\n\\r\\t"'), ("escaped-nul", '"\\u0000"'),
                       ("escaped-key", '{"\\u0061":1}'), ("delete", '"\x7f"')):
        a.decode("json.read." + name, "Valid text in another form.", word.encode(), **j,
                 flags=["JSONEscape"] if "\\" in word else ["JSONGrammar"])
    for name, word in (("two", '{"a":1,"a":2}'), ("three", '{"a":1,"b":2,"a":3}'),
                       ("escaped", '{"a":1,"\\u0061":2}'), ("nested", '[{"k":null,"k":{"k":1}}]')):
        a.decode("json.read.duplicate-" + name, "A name twice: kept, or merged.", word.encode(), **j,
                 flags=["DuplicateKey"])
    a.decode("json.read.bom", "A byte order mark is no JSON.", b"\xef\xbb\xbf1", **j,
             flags=["ByteOrderMark", "JSONGrammar"])
    a.decode("json.depth.512", "As deep as the default cap allows.", b"[" * 511 + b"[]" + b"]" * 511,
             fill={"nested_list": [{"list": []}, 511]}, **j, flags=["Depth"])
    a.decode("json.depth.513", "One level more than the default cap.", b"[" * 513 + b"]" * 513, **j,
             flags=["Depth"], expect=("depthExceeded", 512))


def _bad(a, j):
    words = [
        ("leading-zero", "01"), ("two-zeros", "00"), ("plus", "+1"), ("hex", "0x10"),
        ("zero-letter", "0a"), ("point-first", ".5"), ("point-last", "1."), ("point-letter", "0.a"),
        ("minus-only", "-"), ("minus-letter", "-a"), ("minus-zero-one", "-01"),
        ("exponent-only", "1e"), ("exponent-sign", "1e+"), ("nan", "NaN"), ("infinity", "Infinity"),
        ("minus-infinity", "-Infinity"), ("nul", "nul"), ("nulx", "nulx"), ("nullx", "nullx"),
        ("tru", "tru"), ("capital-true", "True"), ("undefined", "undefined"), ("letter", "X"),
        ("spaces-only", "  "), ("two-values", "1 2"), ("trailing-letter", '{"a":1}X'),
        ("trailing-comma", "[1,]"), ("leading-comma", "[,1]"), ("two-commas", "[1,,2]"),
        ("list-open", "["), ("list-element", "[1"), ("list-comma", "[1,"), ("close-only", "]"),
        ("closed-twice", "[0,1]]"), ("crossed", "[1}"), ("no-comma", "[1 2]"), ("map-open", "{"),
        ("map-key-only", '{"a"'), ("map-colon", '{"a":'), ("map-value", '{"a":1'),
        ("map-no-comma", '{"a":0 "b":1}'), ("map-no-colon", '{"a" 0}'), ("map-comma", '{"a":1,}'),
        ("map-int-key", "{1:2}"), ("map-bare-key", "{a:1}"), ("map-single-quotes", "{'a':1}"),
        ("map-closed-twice", '{"a":0}}'), ("string-open", '"'), ("string-cut", '"abc'),
        ("single-quotes", "'a'"), ("escaped-quote", '"\\"'), ("unknown-escape", '"\\z"'),
        ("escape-cut", '"\\'), ("hex-letters", '"\\uxxxx"'), ("hex-cut", '"\\u12"'),
        ("hex-end", '"\\u12'), ("control", '"a\u0001b"'), ("tab", '"a\tb"'), ("newline", '"a\nb"'),
        ("comment", "/* */1"), ("line-comment", "1//"), ("nul-after", "1\0"),
    ]
    for name, word in words:
        a.decode("json.bad." + name, "Not valid JSON.", word.encode(), **j, flags=["JSONGrammar"])
    for hexes, name in ILL_FORMED:
        a.decode("json.ill-formed." + name, "Ill-formed UTF-8 in a string: %s." % hexes,
                 b'["' + bytes.fromhex(hexes) + b'"]', **j, flags=["IllFormedUTF8"])


def _unwritable(a, j):
    t = ["JSONType"]
    for name, v in (("nan", ("float64", 0x7FF8000000000000)), ("infinity", f64(float("inf"))),
                    ("minus-infinity", f64(float("-inf"))), ("uint8list", u8(b"\1\2")),
                    ("int32list", i32s([1, -2])), ("int64list", i64s([1, -2])),
                    ("float64list", f64s([0.0, -0.5])), ("float32list", f32s([0.5])),
                    ("bigint", ("bigint", b"ff")), ("int-key", mp((i32(1), i32(1)))),
                    ("null-key", mp((NULL, i32(1)))), ("list-with-nan",
                                                       lst(("float64", 0x7FF8000000000000)))):
        override = None
        if name == "list-with-nan":
            override = {p: {"encode": {"unspecified": "not tried inside a list"}}
                        for p in ("linux", "windows")}
        a.encode("json.unwritable." + name, "No JSON text for this.", v, **j, flags=t,
                 override=override)
    a.encode("json.lone-surrogate", "Half a surrogate pair.", ("string", b"\xed\xa0\x80"), **j,
             flags=["LoneSurrogate"])
    a.encode("json.int64-small", "A small number held in eight bytes has the same text.", i64(5),
             **j, flags=["JSONNumber"])
    a.encode("json.duplicate-names", "A name twice.", mp((text("a"), i32(1)), (text("a"), i32(2))),
             **j, flags=["DuplicateKey"])


# Methods

def methods():
    a = Area("json-methods")
    c, e = {"codec": "json-call"}, {"codec": "json-envelope"}
    a.decode("json.call.none", "There is no call in no message.", NO_MESSAGE, **c,
             flags=["NoMessage"])
    a.decode("json.call.empty", "No bytes are no call.", b"", **c, flags=["EmptyMessage"])
    for name, v in (("null", call("hello")), ("empty-name", call("")), ("string", call("a", text("b"))),
                    ("list", call("hello", lst(text("count"), i32(42)))),
                    ("map", call("play", mp((text("volume"), f64(1.5))))),
                    ("slash", call("a/b")), ("unicode", call("h\u00e9"))):
        a.both("json.call." + name, "A call.", v, **c,
               flags=["JSONEscape"] if name == "slash" else [])
    for name, word in (("arguments-missing", '{"method":"hello"}'),
                       ("arguments-first", '{"args":1,"method":"m"}'),
                       ("spaced", '{ "method" : "m" , "args" : [ ] }')):
        a.decode("json.call.read." + name, "A call in another form.", word.encode(), **c,
                 flags=["NullVersusAbsent"] if name == "arguments-missing" else [])
    for name, word in (("number", "42"), ("list", '["m",null]'), ("string", '"m"'), ("null", "null"),
                       ("no-members", "{}"), ("no-method", '{"args":"world"}'),
                       ("method-null", '{"method":null,"args":1}'),
                       ("method-number", '{"method":1,"args":null}')):
        a.decode("json.call.bad." + name, "JSON that is no call.", word.encode(), **c,
                 flags=["CallShape"])
    for name, word in (("letter", "X"), ("unclosed", '{"method":"m","args":"w"'),
                       ("trailing", '{"method":"m"}XXX')):
        a.decode("json.call.bad." + name, "No JSON.", word.encode(), **c, flags=["JSONGrammar"])

    a.both("json.envelope.not-implemented", "No reply at all.", NO_MESSAGE, **e,
           flags=["NoMessage"])
    a.decode("json.envelope.empty", "No bytes are no envelope.", b"", **e, flags=["EmptyMessage"])
    for name, v in (("null", success()), ("string", success(text("hello"))), ("int", success(i32(42))),
                    ("list", success(lst(text("a"), text("b"), NULL))), ("double", success(f64(1.0))),
                    ("map", success(mp((text("k"), TRUE))))):
        a.both("json.envelope.success." + name, "A result in a list of one.", v, **e,
               flags=["JSONNumber"] if name == "double" else [])
    for name, v in (("code-only", failure("error")), ("empty-code", failure("")),
                    ("message", failure("error", "message")), ("empty-message", failure("error", "")),
                    ("details", failure("error", "m", lst(text("count"), i32(42)))),
                    ("null-message-details", failure("error", None, i32(1)))):
        a.both("json.envelope.error." + name, "An error in a list of three.", v, **e,
               flags=["ErrorMessage"] if v[2] in (None, b"") else [])
    for name, v in (("string", failure("c", "m", NULL, "st")), ("null", failure("c", "m", NULL, None))):
        a.both("json.envelope.stack-trace." + name, "A fourth item, as Android can write it.", v, **e,
               flags=["StackTrace"])
    for name, word in (("number", "42"), ("map", "{}"), ("null", "null"), ("no-items", "[]"),
                       ("two-items", '["error","message"]'), ("five-items", '["c","m",null,"s",1]'),
                       ("code-null", "[null,null,null]"), ("code-number", '[1,"m",null]'),
                       ("message-number", '["c",1,null]'),
                       ("stack-trace-number", '["c","m",null,1]')):
        override = None
        if name in ("code-null", "code-number", "message-number"):
            override = {"windows": {"decode": {"unspecified": "assertion in GetString"}}}
        if name == "stack-trace-number":
            override = {p: {"decode": {"unspecified": "refused or TypeError"}}
                        for p in ("dart", "dartWeb")}
        a.decode("json.envelope.bad." + name, "JSON that is no envelope.", word.encode(), **e,
                 flags=["EnvelopeShape"], override=override)
    for name, word in (("letter", "X"), ("unclosed", "[42"), ("trailing", "[null]X")):
        a.decode("json.envelope.bad." + name, "No JSON.", word.encode(), **e, flags=["JSONGrammar"])
    return a


# String and binary

def strings():
    a = Area("string-binary")
    s, b = {"codec": "string"}, {"codec": "binary"}
    a.both("string.no-message", "No payload at all.", NO_MESSAGE, **s, flags=["NoMessage"])
    a.both("binary.no-message", "No payload at all.", NO_MESSAGE, **b, flags=["NoMessage"])
    a.both("binary.empty", "No bytes are a message.", u8(b""), **b, flags=["EmptyMessage"])
    a.both("binary.bytes", "Each byte value once.", u8(range(256)), **b)
    a.both("binary.null-byte", "One zero byte is one zero byte.", u8(b"\0"), **b)
    a.both("binary.65536", "No size field.", fill={"uint8list": ["ab", 65536]}, **b)
    for name, t in WELL_FORMED:
        a.both("string." + name, "Plain UTF-8, no size.", text(t), **s,
               flags=["EmptyMessage"] if name == "empty" else [])
    for name, t, flag in ODD:
        a.both("string." + name, "A string that some platforms shorten.", text(t), **s,
               flags=[flag])
    a.both("string.65536", "No size field.", fill={"string": ["a", 65536]}, **s)
    for hexes, name in ILL_FORMED:
        a.decode("string.ill-formed." + name, "Ill-formed UTF-8: %s." % hexes,
                 bytes.fromhex(hexes), **s, flags=["IllFormedUTF8"])
    a.encode("string.lone-surrogate", "Half a surrogate pair.", ("string", b"a\xed\xa0\x80b"), **s,
             flags=["LoneSurrogate"])
    a.encode("string.not-a-string", "The string codec holds strings only.", i32(1), **s,
             flags=["TypeByte"])
    a.encode("binary.not-bytes", "The binary codec holds bytes only.", text("a"), **b,
             flags=["TypeByte"])
    return a
