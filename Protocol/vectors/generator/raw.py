"""The string and binary codecs: strict and per platform."""

from .decoder_base import BOM
from .decoders_managed import java_text
from .encoders import NO_SUCH_VALUE, string_bytes
from .model import NO_MESSAGE, NULL, Refused, error, unspecified
from .strict import utf8_error

NO_STRING_CODEC = unspecified("the wrapper has no string codec")


def strict_decode(codec, data):
    if data is None:
        return NO_MESSAGE
    if codec == "binary":
        return ("uint8list", data)
    bad = utf8_error(data)
    if bad is not None:
        raise Refused("invalidUTF8", bad)
    return ("string", data)


def strict_encode(codec, v):
    if v is NO_MESSAGE:
        return None
    if v[0] != ("string" if codec == "string" else "uint8list"):
        raise Refused("unsupportedValue")
    if codec == "string" and utf8_error(v[1]) is not None:
        raise Refused("invalidUTF8")
    return v[1]


def decode(profile, codec, data):
    if data is None or codec == "binary":
        return strict_decode(codec, data)
    if profile == "windows":
        raise NO_STRING_CODEC
    if profile == "linux":
        return ("string", data.split(b"\0")[0])
    if profile == "android":
        return ("string", java_text(data))
    if utf8_error(data) is not None:
        if profile == "ios":
            return NULL
        raise error("FormatException(utf8)")
    return ("string", data[3:] if data.startswith(BOM) else data)


def encode(profile, codec, v):
    if v is NO_MESSAGE:
        if profile == "linux":
            raise unspecified("a null value is refused")
        return None
    if v[0] != ("string" if codec == "string" else "uint8list"):
        raise error("UNSUPPORTED_TYPE") if profile == "linux" else NO_SUCH_VALUE
    if codec == "binary":
        return v[1]
    if profile == "windows":
        raise NO_STRING_CODEC
    return string_bytes(profile, v[1])
