"""standard-extensions, method-calls and envelopes."""

from .build import Area
from .model import (FALSE, NO_MESSAGE, NULL, TRUE, call, custom, f64, failure, i32, i64,
                    lst, mp, success, text, u8)

DOUBLES = ("double", f64(5.0)), ("fraction", f64(5.5)), ("string", text("5"))
PIGEON = "flutter/packages pigeon 28.0.0"


def extensions():
    a = Area("standard-extensions")
    x = [128, 129, 130, 255]
    for byte in (128, 129, 200, 254, 255):
        a.both("extensions.type-%d" % byte, "A registered type byte, then one value.",
               custom(byte, text("v")), extensions=[byte], flags=["Extension"])
    a.both("extensions.aligned", "Alignment inside an extension value counts from byte 0.",
           custom(129, f64(1.5)), extensions=x, flags=["Extension", "Alignment"])
    a.both("extensions.nested", "Extension values within each other.",
           custom(129, lst(custom(130, custom(128, i64(7))), NULL)), extensions=x,
           flags=["Extension"])
    a.both("extensions.map-value", "An extension value in a map.",
           mp((text("k"), custom(129, lst(TRUE)))), extensions=x, flags=["Extension"])
    a.both("extensions.map-key", "An extension value as a key.", mp((custom(129, i64(1)), TRUE)),
           extensions=x, flags=["Extension", "AnyKey"])
    a.both("extensions.call", "An extension value as argument.",
           call("m", custom(129, lst(text("a")))), codec="call", extensions=x, flags=["Extension"])
    a.both("extensions.envelope", "An extension value as result.",
           success(custom(129, lst(f64(2.5)))), codec="envelope", extensions=x,
           flags=["Extension", "Alignment"])
    a.decode("extensions.other-type", "Type 131 is not among the registered ones.", b"\x83\x00",
             extensions=x, flags=["Extension", "UnknownType"])
    a.decode("extensions.value-missing", "The value after the type byte is missing.", b"\x81",
             extensions=x, flags=["Extension", "Truncation"])
    a.decode("extensions.inner-unknown", "An unknown type inside an extension value.",
             b"\x81\x0c\x01\x84", extensions=x, flags=["Extension", "UnknownType"])
    a.decode("extensions.trailing", "A byte after the extension value.", b"\x81\x00\x00",
             extensions=x, flags=["Extension", "TrailingBytes"])
    a.decode("extensions.depth-513", "Extension levels count towards the cap.",
             b"\x81" * 513 + b"\0", extensions=x, flags=["Extension", "Depth"],
             expect=("depthExceeded", 512),
             override={p: {"decode": {"unspecified": "no depth limit known"}}
                       for p in ("dart", "dartWeb", "ios", "android", "windows", "linux")})
    a.encode("extensions.unregistered", "A custom value with nothing registered.",
             custom(129, NULL), flags=["Extension"])
    a.encode("extensions.unregistered-inside", "A custom value with nothing registered, in a list.",
             lst(TRUE, custom(129, NULL)), flags=["Extension"])
    _pigeon(a)
    return a


def _pigeon(a):
    x = [128, 129, 130, 131, 255]
    wide, p = {"extensions": x, "source": PIGEON}, ["Pigeon", "Extension"]
    a.both("pigeon.proxy-instance", "128 refers to a proxy instance by its identifier.",
           custom(128, i64(7)), flags=p, **wide)
    a.both("pigeon.enum.dart", "Dart writes an enum index in eight bytes.",
           custom(129, i64(2)), flags=p + ["IntegerWidth"], **wide)
    a.both("pigeon.enum.host-small", "Java, C++ and GObject write the index in four.",
           custom(129, i32(2)), flags=p + ["IntegerWidth"], **wide)
    a.both("pigeon.class", "A class is the list of its fields.",
           custom(130, lst(text("name"), i64(5), f64(1.5), TRUE, NULL)), flags=p, **wide)
    a.both("pigeon.class-empty", "A class without fields.", custom(130, lst()), flags=p, **wide)
    a.both("pigeon.class-nested", "A class with an enum and a class among its fields.",
           custom(131, lst(custom(129, i64(0)), custom(130, lst(text("a"))), lst(
               custom(130, lst(text("b"))), custom(130, lst(text("c")))))), flags=p, **wide)
    a.both("pigeon.request", "A request is the list of the arguments.",
           lst(custom(130, lst(text("q"), i64(1))), text("x"), i64(3)), flags=p, **wide)
    a.both("pigeon.request.none", "A method without parameters sends no message.", NO_MESSAGE,
           flags=["Pigeon", "NoMessage"], source=PIGEON)
    a.both("pigeon.reply.value", "A result in a list of one.", lst(custom(130, lst(i64(1)))),
           flags=p, **wide)
    a.both("pigeon.reply.void", "A void host result is a list with null.", lst(NULL),
           flags=["Pigeon", "NullVersusAbsent"], source=PIGEON)
    a.both("pigeon.reply.void-flutter", "A void result from Dart is an empty list.", lst(),
           flags=["Pigeon"], source=PIGEON)
    a.both("pigeon.reply.error", "An error is a list of code, message and details.",
           lst(text("code"), text("message"), NULL), flags=["Pigeon"], source=PIGEON)
    a.both("pigeon.reply.error-nulls", "Message and details may be null.",
           lst(text("code"), NULL, NULL), flags=["Pigeon"], source=PIGEON)
    a.both("pigeon.reply.error-details", "Details may hold a class.",
           lst(text("code"), text("message"), custom(130, lst(f64(0.5)))), flags=p, **wide)
    for index, name in ((0, "first"), (1, "second"), (130, "far")):
        a.both("pigeon.overflow.class-%s" % name,
               "Past the last direct byte: 255, then a list of the rest of the key and the fields.",
               custom(255, lst(i64(index), lst(text("a"), i64(1)))), flags=p, **wide)
    a.both("pigeon.overflow.class-host", "A host may write the rest of the key in four bytes.",
           custom(255, lst(i32(0), lst(text("a")))), flags=p + ["IntegerWidth"], **wide)
    a.both("pigeon.overflow.enum", "An enum past the last direct byte.",
           custom(255, lst(i64(3), i64(2))), flags=p, **wide)
    a.both("pigeon.last-direct", "254 is the last direct byte.", custom(254, lst(TRUE)),
           extensions=[254], flags=p, source=PIGEON)
    a.decode("pigeon.overflow.cut", "The wrapped list is cut.", b"\xff\x0c\x02\x03\0\0\0\0",
             flags=p + ["Truncation"], **wide)


# Calls

def calls():
    a = Area("method-calls")
    c = {"codec": "call"}
    a.both("call.no-arguments", "Arguments that are null are one zero byte.", call("a"), **c,
           flags=["NullVersusAbsent"])
    a.both("call.empty-name", "An empty name is a name.", call(""), **c, flags=["CallShape"])
    a.both("call.unicode-name", "A name outside ASCII.", call("h\u00e9\u4e16", i32(1)), **c)
    a.both("call.long-name", "A name of 254 bytes.", call("n" * 254, f64(1.5)), **c,
           flags=["SizeForm", "Alignment"])
    a.both("call.start-live-activity", "A call without arguments.", call("startLiveActivity"), **c)
    for name, args in (("string", text("world")), ("list", lst(text("count"), i32(42))),
                       ("map", mp((text("k"), TRUE))), ("bytes", u8(b"\0\1")), ("true", TRUE),
                       ("double", f64(3.1415)), ("empty-list", lst()), ("empty-map", mp())):
        a.both("call.arguments." + name, "Arguments of another kind.", call("hello", args), **c)
    for name, args in (("int32", i32(5)), ("int64", i64(5)), *DOUBLES):
        a.both("call.elapsed." + name, "The same number as %s." % name,
               call("updateLiveActivity", mp((text("elapsedSeconds"), args))), **c,
               flags=["IntegerWidth"] if name.startswith("int") else [])
    a.both("call.elapsed.absent", "A map without the entry.", call("updateLiveActivity", mp()), **c,
           flags=["NullVersusAbsent"])
    a.both("call.elapsed.null", "A map with a null entry.",
           call("updateLiveActivity", mp((text("elapsedSeconds"), NULL))), **c,
           flags=["NullVersusAbsent"])
    a.both("call.mixed-keys", "A key that is not a string.",
           call("startLiveActivity", mp((text("elapsedSeconds"), i32(7)), (i32(1), text("x")))),
           **c, flags=["AnyKey", "MapOrder"])
    a.both("call.event.listen", "An event channel starts with this.", call("listen"), **c)
    a.both("call.event.cancel", "An event channel ends with this.", call("cancel"), **c)
    a.both("call.event.listen-arguments", "Arguments of a listen call.",
           call("listen", mp((text("rate"), i32(10)))), **c)
    _control(a, c)
    _bad_calls(a, c)
    return a


def _control(a, c):
    for name, value in (("resize", call("resize", lst(text("flutter/test"), i32(3)))),
                        ("resize-zero", call("resize", lst(text("a"), i32(0)))),
                        ("resize-large", call("resize", lst(text("abcdef"), i32(12345)))),
                        ("overflow-true", call("overflow", lst(text("flutter/test"), TRUE))),
                        ("overflow-false", call("overflow", lst(text("flutter/test"), FALSE)))):
        a.both("call.control." + name, "A request on dev.flutter/channel-buffers.", value, **c,
               flags=["ControlChannel"])
    a.both("call.control.resize-int64", "The dispatcher takes four bytes only; the codec any.",
           call("resize", lst(text("a"), i64(3))), **c, flags=["ControlChannel", "IntegerWidth"])
    a.both("call.control.extra-item", "The dispatcher ignores further items.",
           call("resize", lst(text("a"), i32(3), NULL)), **c, flags=["ControlChannel"])


def _bad_calls(a, c):
    shape = ["CallShape"]
    a.decode("call.none", "There is no call in no message.", NO_MESSAGE, **c, flags=["NoMessage"])
    for name, hexes, flags in (
            ("empty", "", ["EmptyMessage"]), ("arguments-missing", "070161", ["Truncation"]),
            ("arguments-missing-hello", "070568656c6c6f", ["Truncation"]),
            ("name-cut", "07056865", ["OversizedCount"]), ("name-size-missing", "07", ["Truncation"]),
            ("name-null", "0000", shape), ("name-int", "030100000000", shape),
            ("name-true", "0100", shape), ("name-bytes", "08016100", shape),
            ("name-list", "0c0000", shape), ("name-bigint", "05016100", shape + ["BigInteger"]),
            ("name-bigint-bad", "05016d00", shape + ["BigInteger"]),
            ("name-unknown-type", "2000", ["UnknownType"]),
            ("name-null-and-two", "000000", shape),
            ("trailing", "0701610000", ["TrailingBytes"]),
            ("trailing-after-map", "0701610d0000", ["TrailingBytes"]),
            ("trailing-after-double", "07016106" + "00" * 4 + "000000000000f03f" + "00", ["TrailingBytes"]),
            ("name-ill-formed", "0702c32800", ["IllFormedUTF8"]),
            ("argument-unknown-type", "0701610f", ["UnknownType"]),
            ("argument-ill-formed", "0701610701ff", ["IllFormedUTF8"]),
            ("argument-cut", "070161030100", ["Truncation"]),
            ("argument-string-cut", "070161070561", ["OversizedCount"]),
            ("double-aligned-from-arguments", "070161" + "06" + "00" * 7 + "000000000000f03f",
             ["Alignment"])):
        a.decode("call.bad." + name, "No valid call.", bytes.fromhex(hexes), **c, flags=flags)
    a.decode("call.name-bom", "A name that begins with U+FEFF.", b"\x07\x04\xef\xbb\xbfa\x00", **c,
             flags=["ByteOrderMark"])
    a.decode("call.name-nul", "A name with U+0000 in it.", b"\x07\x03a\0b\x00", **c,
             flags=["EmbeddedNUL"])
    a.decode("call.name-long-form", "A name with its size in a long form.",
             b"\x07\xfe\x01\x00a\x00", **c, flags=["NonCanonicalSize"])


# Envelopes

def envelopes():
    a = Area("envelopes")
    e = {"codec": "envelope"}
    a.both("envelope.not-implemented", "No reply at all: not implemented.", NO_MESSAGE, **e,
           flags=["NoMessage"], source="flutter/flutter#78003")
    a.decode("envelope.empty", "A reply of no bytes is not the same as no reply.", b"", **e,
             flags=["EmptyMessage"], source="flutter/flutter#39337")
    a.both("envelope.success.null", "Success with null.", success(), **e,
           flags=["NullVersusAbsent"], source="flutter/flutter#128704")
    for name, v in (("true", TRUE), ("int32", i32(42)), ("int64", i64(42)), ("string", text("hello")),
                    ("list", lst(text("count"), i32(42))), ("map", mp((text("result"), i32(1)))),
                    ("empty-list", lst()), ("bytes", u8(b"\0\1")), ("three-list",
                                                                   lst(text("a"), text("b"), NULL))):
        a.both("envelope.success." + name, "Success with a value.", success(v), **e)
    errors = [
        ("code-only", failure("error")), ("empty-code", failure("")),
        ("message", failure("error", "message")), ("empty-message", failure("error", "")),
        ("details", failure("error", None, lst(text("count"), i32(42)))),
        ("all", failure("error", "message", mp((text("k"), TRUE)))),
        ("details-int64", failure("c", "m", i64(1))), ("details-int32", failure("c", "d", i32(1))),
        ("unicode", failure("c\u00e9", "\U0001f600")), ("418", failure("418", "short and stout")),
        ("details-error-like", failure("c", "m", lst(text("c"), text("m"), NULL))),
    ]
    for name, v in errors:
        a.both("envelope.error." + name, "An error.", v, **e,
               flags=["ErrorMessage"] if v[2] in (None, b"") else [])
    for name, v in (("string", failure("c", None, NULL, "st")), ("null", failure("c", None, NULL, None)),
                    ("empty", failure("c", "m", NULL, "")),
                    ("all", failure("errorCode", "errorMessage", text("errorDetails"), "stack"))):
        a.both("envelope.stack-trace." + name, "A fourth field, as Android can write it.", v, **e,
               flags=["StackTrace"], source="flutter/flutter#63705" if name == "string" else None)
    _bad_envelopes(a, e)
    return a


def _bad_envelopes(a, e):
    shape = ["EnvelopeShape"]
    for name, hexes, flags in (
            ("flag-2", "0200", shape), ("flag-2-error-fields", "020701630000", shape),
            ("flag-7f", "7f00", shape), ("flag-ff", "ff", shape),
            ("flag-ff-success", "ff07016100", shape),
            ("success-without-value", "00", ["Truncation"]),
            ("success-cut", "00030100", ["Truncation"]),
            ("success-unknown-type", "0050", ["UnknownType"]),
            ("success-trailing", "000000", ["TrailingBytes"]),
            ("success-trailing-error", "00000701610000", ["TrailingBytes"]),
            ("success-trailing-error-message", "00000701610701620301000000", ["TrailingBytes"]),
            ("success-trailing-cut", "0000070161", ["TrailingBytes"]),
            ("success-trailing-two", "000000000000", ["TrailingBytes"]),
            ("error-empty", "01", ["Truncation"]), ("error-code-only", "01070163", ["Truncation"]),
            ("error-without-details", "0107016100", ["Truncation"]),
            ("error-details-cut", "0107016100030100", ["Truncation"]),
            ("error-code-string-cut", "01070561", ["OversizedCount"]),
            ("code-null", "01000000", shape), ("code-int", "0103010000000000", shape),
            ("code-bytes", "010801610000", shape), ("code-bigint", "010501610000",
                                                    shape + ["BigInteger"]),
            ("message-int", "01070163030100000000", shape), ("message-list", "010701630c0000", shape),
            ("message-bool", "010701630100", shape), ("stack-trace-int", "0107016100000301000000",
                                                      shape + ["StackTrace"]),
            ("stack-trace-list", "010701610000" + "0c00", shape + ["StackTrace"]),
            ("five-fields", "0107016100000000", ["TrailingBytes", "StackTrace"]),
            ("five-fields-strings", "010701610000070173070174", ["TrailingBytes", "StackTrace"]),
            ("stack-trace-cut", "01070161000007057374", ["OversizedCount", "StackTrace"]),
            ("code-ill-formed", "010701ff0000", ["IllFormedUTF8"]),
            ("message-ill-formed", "010701630701ff00", ["IllFormedUTF8"]),
            ("details-ill-formed", "01070163000701ff", ["IllFormedUTF8"]),
            ("success-ill-formed", "000701ff", ["IllFormedUTF8"]),
            ("double-aligned-from-value", "00" + "06" + "00" * 7 + "000000000000f03f", ["Alignment"])):
        assert len(hexes) % 2 == 0, name
        a.decode("envelope.bad." + name, "No valid envelope.", bytes.fromhex(hexes), **e,
                 flags=flags)
