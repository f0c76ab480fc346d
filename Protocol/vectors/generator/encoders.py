"""What each platform writes for a value: the value is first turned into what that platform holds."""

from .keys import merge
from .model import (ABSENT, NAN32, NAN64, NO_MESSAGE, NULL, Refused, bits64, by_value, error,
                    is_nan32, is_nan64, unspecified)
from .decoders_managed import big_text
from .strict import Writer, encode as strict_encode, utf8_error

NO_SUCH_VALUE = error("no such value")
NO_SUCH_FIELD = error("no such field")
UNREGISTERED = {
    "dart": error("ArgumentError"), "dartWeb": error("ArgumentError"),
    "android": error("IllegalArgumentException"), "linux": error("UNSUPPORTED_TYPE"),
    "ios": unspecified("assertion, or nothing written in release"),
}
BIGINT = {
    "dart": error("ArgumentError"), "dartWeb": error("ArgumentError"),
    "linux": error("UNSUPPORTED_TYPE"), "windows": NO_SUCH_VALUE, "ios": NO_SUCH_VALUE,
}


def string_bytes(profile, b):
    """The bytes a platform writes for a string held as UTF-8 or with lone surrogates in it."""
    if profile == "linux":
        return b.split(b"\0")[0]
    if profile == "windows":
        return b
    if profile == "ios" and 0 in b:
        raise unspecified("may cut at the NUL")
    if utf8_error(b) is None:
        return b
    try:
        characters = b.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise NO_SUCH_VALUE from None
    # Halves that meet are one character of a UTF-16 string.
    characters = characters.encode("utf-16-le", "surrogatepass").decode(
        "utf-16-le", "surrogatepass")
    out = b""
    for c in characters:
        if not 0xD800 <= ord(c) <= 0xDFFF:
            out += c.encode()
        elif profile == "ios":
            return out
        else:
            out += b"?" if profile == "android" else "\ufffd".encode()
    return out


def held(profile, v, extensions):
    """The value as the platform holds it, ready for the plain writer."""
    kind = v[0]
    if kind in ("int32", "int64"):
        if profile == "dartWeb":
            if int(float(v[1])) != v[1]:
                raise NO_SUCH_VALUE
            return ("float64", bits64(float(v[1])))
        return by_value(v[1]) if profile in ("dart", "linux") else v
    if kind == "bigint":
        if profile in BIGINT:
            raise BIGINT[profile]
        return (kind, big_text(v[1]))
    if kind == "string":
        return (kind, string_bytes(profile, v[1]))
    if kind == "int64list" and profile == "dartWeb":
        raise error("UnsupportedError")
    if profile == "android" and kind == "float64" and is_nan64(v[1]):
        return (kind, NAN64)
    if profile == "android" and kind == "float64list":
        return (kind, tuple(NAN64 if is_nan64(b) else b for b in v[1]))
    if profile == "android" and kind == "float32list":
        return (kind, tuple(NAN32 if is_nan32(b) else b for b in v[1]))
    if kind == "list":
        return (kind, [held(profile, x, extensions) for x in v[1]])
    if kind == "map":
        if len(v[1]) > 1000 and all(p == v[1][0] for p in v[1]):
            return (kind, [tuple(held(profile, x, extensions) for x in v[1][0])])
        pairs = [(held(profile, k, extensions), held(profile, x, extensions)) for k, x in v[1]]
        return (kind, merge(profile, pairs))
    if kind == "custom":
        if v[1] in (extensions or ()):
            return (kind, v[1], held(profile, v[2], extensions))
        if profile == "windows":
            return NULL  # an assertion in debug builds
        raise UNREGISTERED[profile]
    return v


def whole(profile, v, extensions):
    if v[0] == "call":
        return ("call", string_bytes(profile, v[1]), held(profile, v[2], extensions))
    if v[0] == "success":
        return ("success", held(profile, v[1], extensions))
    if v[0] == "failure":
        if v[4] is not ABSENT and profile != "android":
            raise NO_SUCH_FIELD
        message = v[2]
        if profile == "windows" and not message:
            message = None
        code, message, stack = (s if s is None or s is ABSENT else string_bytes(profile, s)
                                for s in (v[1], message, v[4]))
        return ("failure", code, message, held(profile, v[3], extensions), stack)
    return held(profile, v, extensions)


def encode(profile, codec, v, extensions=None):
    if profile == "strict":
        return strict_encode(v, extensions)
    if codec == "message" and v in (NULL, NO_MESSAGE):
        if profile in ("windows", "linux") or (profile == "ios" and v == NULL):
            return b"\0"
        return None
    if v is NO_MESSAGE:
        if codec == "call":
            raise Refused("noMessage")
        return None
    writer = Writer(extensions, pad_empty=profile != "windows", check=False)
    return writer.whole(whole(profile, v, extensions))
