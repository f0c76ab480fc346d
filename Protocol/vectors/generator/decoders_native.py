"""Models of the Apple, Windows and Linux standard decoders, written from their described reactions.

Each class reads like its platform: what is checked, in which order, and what happens on a fault.
"""

from .decoder_base import BOM, Decoder, failure_of, is_string, unpack
from .model import NO_MESSAGE, NULL, by_value, crash, error, unspecified
from .strict import utf8_error


# iOS and macOS

class Darwin(Decoder):
    profile = "ios"
    out_of_range = crash("range exception")

    def type_byte(self):
        return self.byte()

    def byte(self):
        return self.fixed(1)[0]

    def fixed(self, n):
        if self.pos + n > len(self.data):
            raise self.out_of_range
        self.pos += n
        return self.data[self.pos - n:self.pos]

    raw = fixed

    def string(self):
        n = self.size()
        self.pos += n
        if self.pos > len(self.data):
            return NULL  # nil; nothing is left to read
        b = self.data[self.pos - n:self.pos]
        if utf8_error(b) is not None:
            raise crash("CFAutorelease(NULL) (unverified)")
        return ("string", b[3:] if b.startswith(BOM) else b)

    def unknown(self):
        raise unspecified("assert (FML_DCHECK) / undefined in release")

    def message(self):
        if not self.data:
            return NULL
        v = self.value()
        if self.more():
            raise crash("assert: Corrupted standard message")
        return v

    def call(self):
        name, args = self.value(), self.value()
        if name[0] != "string" or self.more():
            raise crash("assert: Corrupted standard method call")
        return ("call", name[1], args)

    null_call = crash("nil method call")

    def envelope(self):
        flag = self.byte()
        if flag > 1:
            raise crash("assert: Corrupted standard envelope")
        if flag == 0:
            v = self.value()
            if self.more():
                raise crash("assert: Corrupted standard envelope")
            return ("success", v)
        code, message, details = self.value(), self.value(), self.value()
        if self.more():
            raise crash("assert: Corrupted standard envelope")
        if not is_string(code) or not is_string(message, True):
            raise crash("assert: Invalid standard envelope")
        return failure_of(code, message, details)


# The C++ client wrapper

class Windows(Decoder):
    profile = "windows"

    def type_byte(self):
        return self.byte()

    def byte(self):
        if not self.more():
            return 0
        self.pos += 1
        return self.data[self.pos - 1]

    def fixed(self, n):
        if self.pos + n > len(self.data):
            return bytes(n)  # zero, and the cursor stays
        self.pos += n
        return self.data[self.pos - n:self.pos]

    def left(self):
        return max(len(self.data) - self.pos, 0)

    def string(self):
        n = self.size()
        return ("string", self.fixed(n)) if n <= self.left() else NULL

    def typed(self, kind, width, letter):
        n = self.size()
        if n > self.left() // width:
            return NULL
        self.align(width)
        return unpack(kind, width, letter, self.fixed(n * width))

    def list_of(self, n):
        return super().list_of(n) if n <= self.left() else NULL

    def map_of(self, n):
        return super().map_of(n) if n <= self.left() else NULL

    def unknown(self):
        return NULL

    message = Decoder.value

    def call(self):
        name = self.value()
        if name[0] != "string":
            raise error("nullptr (NotImplemented reply)")
        return ("call", name[1], self.value())

    null_call = error("nullptr (NotImplemented reply)")

    def envelope(self):
        if not self.data:
            return NO_MESSAGE
        flag = self.byte()
        if flag > 1:
            raise error("decode failed -> NotImplemented")
        if flag == 0:
            return ("success", self.value())
        code, message, details = self.value(), self.value(), self.value()
        if not is_string(code) or not is_string(message, True):
            raise error("std::bad_variant_access")
        return failure_of(code, message, details, null_message=b"")


# The GObject embedder

class Linux(Decoder):
    profile = "linux"
    out_of_data = error("OUT_OF_DATA")

    def type_byte(self):
        return self.byte()

    def byte(self):
        return self.fixed(1)[0]

    def fixed(self, n):
        if self.pos + n > len(self.data):
            raise self.out_of_data
        self.pos += n
        return self.data[self.pos - n:self.pos]

    raw = fixed

    def text(self, b):
        return b.split(b"\0")[0]

    def wide(self):
        return by_value(self.integer(8))

    def big(self):
        raise error("UNSUPPORTED_TYPE")

    def unknown(self):
        raise error("UNSUPPORTED_TYPE")

    def message(self):
        if not self.data:
            return NULL
        v = self.value()
        if self.more():
            raise error("ADDITIONAL_DATA")
        return v

    def string_or_fail(self, nullable=False):
        v = self.value()
        if not is_string(v, nullable):
            raise error("FAILED")
        return v

    def end(self):
        if self.more():
            raise error("FAILED")

    def call(self):
        name = self.string_or_fail()
        args = self.value()
        self.end()
        return ("call", name[1], args)

    null_call = error("OUT_OF_DATA")

    def envelope(self):
        flag = self.byte()
        if flag > 1:
            raise error("FAILED")
        if flag == 0:
            v = self.value()
            self.end()
            return ("success", v)
        code, message = self.string_or_fail(), self.string_or_fail(True)
        details = self.value()
        self.end()
        return failure_of(code, message, details)
