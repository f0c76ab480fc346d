"""Models of the Dart and Android standard decoders, written from their described reactions.

Each class reads like its platform: what is checked, in which order, and what happens on a fault.
"""

from .decoder_base import BOM, Decoder, failure_of, is_string, unpack
from .model import ABSENT, by_value, error, unspecified
from .strict import utf8_error


# Dart

class Dart(Decoder):
    profile = "dart"
    corrupted = "FormatException(Message corrupted)"

    def type_byte(self):
        if not self.more():
            raise error(self.corrupted)
        return self.byte()

    def byte(self):
        return self.fixed(1)[0]

    def fixed(self, n):
        if self.pos + n > len(self.data):
            raise error("RangeError")
        self.pos += n
        return self.data[self.pos - n:self.pos]

    raw = fixed

    def text(self, b):
        if utf8_error(b) is not None:
            raise error("FormatException(utf8)")
        return b[3:] if b.startswith(BOM) else b

    def wide(self):
        return by_value(self.integer(8))

    def unknown(self):
        raise error(self.corrupted)

    def list_of(self, n):
        if n >= 2**31:
            raise error("RangeError")
        if n >= 2**27:
            raise unspecified("allocates the claimed number of slots first")
        return super().list_of(n)

    def map_of(self, n):
        if n >= 2**31:
            raise unspecified("refused: RangeError or FormatException(Message corrupted)")
        return super().map_of(n)

    def message(self):
        v = self.value()
        if self.more():
            raise error(self.corrupted)
        return v

    def call(self):
        name, args = self.value(), self.value()
        if name[0] != "string" or self.more():
            raise error("FormatException(Invalid method call)")
        return ("call", name[1], args)

    null_call = error("TypeError")

    def envelope(self):
        if not self.data:
            raise error("FormatException(Expected envelope, got nothing)")
        if self.byte() == 0:
            return ("success", self.value())
        code, message, details, stack = self.value(), self.value(), self.value(), ABSENT
        if self.more():
            stack = self.value()
            if stack[0] not in ("string", "null"):
                raise error("TypeError(stacktrace not String?)")
            stack = stack[1] if stack[0] == "string" else None
        if not is_string(code) or not is_string(message, True) or self.more():
            raise error("FormatException(Invalid envelope)")
        return failure_of(code, message, details, stack)


class DartWeb(Dart):
    profile = "dartWeb"

    def wide(self):
        raise error("UnsupportedError")

    def typed(self, kind, width, letter):
        if kind == "int64list":
            self.size()
            raise error("UnsupportedError")
        return super().typed(kind, width, letter)


# Android

class Android(Decoder):
    profile = "android"
    corrupted = "IllegalArgumentException(Message corrupted)"

    def type_byte(self):
        if not self.more():
            raise error(self.corrupted)
        return self.byte()

    def byte(self):
        return self.fixed(1)[0]

    def fixed(self, n):
        if self.pos + n > len(self.data):
            raise error("BufferUnderflowException")
        self.pos += n
        return self.data[self.pos - n:self.pos]

    def size(self):
        n = super().size()
        return n - 2**32 if n >= 2**31 else n

    def align(self, width):
        super().align(width)
        if self.pos > len(self.data):
            raise error("IllegalArgumentException(position)")

    def allocate(self, n, width):
        if n < 0:
            raise error("NegativeArraySizeException")
        if n * width >= 2**28:
            raise unspecified("OutOfMemoryError (likely) else BufferUnderflowException")

    def bytes_of_size(self):
        n = self.size()
        self.allocate(n, 1)
        return self.fixed(n)

    def string(self):
        return ("string", java_text(self.bytes_of_size()))

    def big(self):
        b = self.bytes_of_size()
        digits = b[1:] if b[:1] in (b"-", b"+") else b
        if not digits or any(c not in b"0123456789abcdefABCDEF" for c in digits):
            raise error("NumberFormatException")
        return ("bigint", big_text(b))

    def typed(self, kind, width, letter):
        n = self.size()
        self.allocate(n, width)
        self.align(width)
        return unpack(kind, width, letter, self.fixed(n * width))

    def list_of(self, n):
        if n < 0:
            raise error("IllegalArgumentException")
        if n >= 2**26:
            raise unspecified("OutOfMemoryError (likely) else " + self.corrupted)
        return super().list_of(n)

    def unknown(self):
        raise error(self.corrupted)

    def message(self):
        v = self.value()
        if self.more():
            raise error(self.corrupted)
        return v

    def call(self):
        name, args = self.value(), self.value()
        if name[0] != "string" or self.more():
            raise error("IllegalArgumentException(Method call corrupted)")
        return ("call", name[1], args)

    null_call = error("NullPointerException")

    def envelope(self):
        flag = self.byte()
        if flag == 0:
            v = self.value()
            if not self.more():
                return ("success", v)
        if flag <= 1:  # a success with bytes left falls through
            code, message, details = self.value(), self.value(), self.value()
            if is_string(code) and is_string(message, True) and not self.more():
                return failure_of(code, message, details)
        raise error("IllegalArgumentException(Envelope corrupted)")


def big_text(b):
    n = int(b, 16)
    return (b"-" if n < 0 else b"") + b"%x" % abs(n)


def java_text(b):
    """Ill-formed sequences become U+FFFD; a three-byte surrogate becomes one."""
    out = b""
    while b:
        at = utf8_error(b)
        if at is None:
            return out + b
        out += b[:at]
        b = b[at:]
        if b[0] == 0xED and len(b) > 1 and 0xA0 <= b[1] <= 0xBF:
            if len(b) < 3 or not 0x80 <= b[2] <= 0xBF:
                raise unspecified("number of U+FFFD for a cut surrogate is not known")
            n = 3
        else:
            n = bad_length(b)
        out += "\ufffd".encode()
        b = b[n:]
    return out


def bad_length(b):
    """Length of the maximal ill-formed subpart at the start of b."""
    try:
        b.decode("utf-8")
    except UnicodeDecodeError as e:
        return e.end - e.start
    raise AssertionError
