"""Flutter's standard message codec and standard method codec, as ../../codec.md describes them.

Values in Python:

    null, bool         None, bool
    int32, int64       int and Int64 (an int that keeps its width); an int is written in the
                       smaller of the two that holds it
    large integer      BigInteger (its hexadecimal text)
    float64            float
    string             str
    Uint8List          bytes
    Int32List ...      array.array of type "i", "q", "f" (Float32List) or "d"
    list               list (a tuple is written as one too)
    map                dict; Pairs where a dict cannot hold the keys
"""

import array
import struct
import sys

MAX_DEPTH = 512


class CodecError(Exception):
    """A message that cannot be read or a value that cannot be written."""

    def __init__(self, code, text, offset=None):
        where = "" if offset is None else f" at byte {offset}"
        super().__init__(f"{code}{where}: {text}")
        self.code = code
        self.offset = offset


class Int64(int):
    """An integer that is 64 bits wide on the wire, even a small one."""

    def __repr__(self):
        return f"Int64({int(self)})"


class BigInteger(str):
    """The hexadecimal text of a type 5 integer, which Dart no longer writes."""

    def __int__(self):
        return int(str(self), 16)


class Pairs(list):
    """A map as a list of pairs: for keys that Python cannot hash, or takes for equal."""


_ARRAYS = {9: ("i", 4), 10: ("q", 8), 11: ("d", 8), 14: ("f", 4)}
_ARRAY_TYPES = {code: (kind, width) for kind, (code, width) in _ARRAYS.items()}


class _Reader:
    def __init__(self, data):
        self.data = data
        self.position = 0

    def fail(self, code, text, offset):
        raise CodecError(code, text, offset)

    def take(self, count, offset=None):
        """The next bytes; `offset` is where the thing that is cut begins."""
        end = self.position + count
        if end > len(self.data):
            start = self.position if offset is None else offset
            self.fail("truncated", f"{end - len(self.data)} bytes are missing", start)
        part = self.data[self.position:end]
        self.position = end
        return part

    def size(self, unit, alignment=1):
        """A size field, checked against what is left; `unit` is the least size of an element."""
        start = self.position
        first = self.take(1)[0]
        if first == 254:
            size = int.from_bytes(self.take(2, start), "little")
        elif first == 255:
            size = int.from_bytes(self.take(4, start), "little")
        else:
            size = first
        padding = -self.position % alignment
        rest = len(self.data) - self.position
        if size == 0 or alignment == 1:
            fits = size * unit <= rest
        else:
            fits = size * unit + padding <= rest
        if not fits:
            self.fail("sizeTooLarge", f"{size} elements do not fit", start)
        self.take(padding)
        return size

    def value(self, depth):
        start = self.position
        if start >= len(self.data):
            self.fail("truncated", "a value is missing", start)
        kind = self.data[start]
        self.position += 1
        if kind == 0:
            return None
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return int.from_bytes(self.take(4), "little", signed=True)
        if kind == 4:
            return Int64(int.from_bytes(self.take(8), "little", signed=True))
        if kind == 5:
            return self.big_integer()
        if kind == 6:
            start = self.position
            self.take(-self.position % 8, start)
            return struct.unpack("<d", self.take(8, start))[0]
        if kind == 7:
            return self.text()
        if kind == 8:
            return bytes(self.take(self.size(1)))
        if kind in _ARRAYS:
            code, width = _ARRAYS[kind]
            numbers = array.array(code)
            numbers.frombytes(bytes(self.take(self.size(width, width) * width)))
            if sys.byteorder == "big":
                numbers.byteswap()
            return numbers
        if kind in (12, 13):
            if depth >= MAX_DEPTH:
                self.fail("depthExceeded", f"more than {MAX_DEPTH} containers", start)
            if kind == 12:
                return [self.value(depth + 1) for _ in range(self.size(1))]
            return self.pairs(depth + 1)
        self.fail("unknownType", f"type byte {kind}", start)

    def text(self):
        size = self.size(1)
        start = self.position
        try:
            return bytes(self.take(size)).decode("utf-8")
        except UnicodeDecodeError as error:
            self.fail("invalidUTF8", "a string is not UTF-8", start + error.start)

    def big_integer(self):
        size = self.size(1)
        start = self.position
        text = bytes(self.take(size))
        digits = text[1:] if text[:1] == b"-" else text
        for position, digit in enumerate(digits):
            if digit not in b"0123456789abcdefABCDEF":
                at = start + len(text) - len(digits) + position
                self.fail("invalidLargeInteger", "no hexadecimal digit", at)
        if not digits:
            self.fail("invalidLargeInteger", "no digits", start + len(text))
        return BigInteger(text.decode("ascii"))

    def pairs(self, depth):
        pairs = Pairs()
        for _ in range(self.size(2)):
            key = self.value(depth)
            pairs.append((key, self.value(depth)))
        try:
            plain = dict(pairs)
        except TypeError:
            return pairs
        # 1, 1.0 and True are one key to a dict, and a key may come twice.
        return plain if len(plain) == len(pairs) else pairs

    def end(self):
        if self.position < len(self.data):
            left = len(self.data) - self.position
            self.fail("trailingBytes", f"{left} bytes are left", self.position)


class _Writer:
    def __init__(self):
        self.data = bytearray()

    def pad(self, alignment):
        self.data += bytes(-len(self.data) % alignment)

    def size(self, size):
        if size < 254:
            self.data.append(size)
        elif size <= 0xFFFF:
            self.data += b"\xfe" + size.to_bytes(2, "little")
        elif size <= 0xFFFFFFFF:
            self.data += b"\xff" + size.to_bytes(4, "little")
        else:
            raise CodecError("unsupportedValue", f"size {size}")

    def text(self, kind, text):
        try:
            encoded = str(text).encode("utf-8")
        except UnicodeEncodeError:
            raise CodecError("unsupportedValue", "half of a surrogate pair") from None
        self.data.append(kind)
        self.size(len(encoded))
        self.data += encoded

    def integer(self, value):
        wide = isinstance(value, Int64) or not -(1 << 31) <= value < 1 << 31
        if not -(1 << 63) <= value < 1 << 63:
            raise CodecError("unsupportedValue", "an integer of more than 64 bits")
        self.data.append(4 if wide else 3)
        self.data += int(value).to_bytes(8 if wide else 4, "little", signed=True)

    def value(self, value, depth=0):
        if value is None:
            self.data.append(0)
        elif value is True:
            self.data.append(1)
        elif value is False:
            self.data.append(2)
        elif isinstance(value, int):
            self.integer(value)
        elif isinstance(value, float):
            self.data.append(6)
            self.pad(8)
            self.data += struct.pack("<d", value)
        elif isinstance(value, BigInteger):
            self.text(5, value)
        elif isinstance(value, str):
            self.text(7, value)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            self.data.append(8)
            self.size(len(value))
            self.data += value
        elif isinstance(value, array.array):
            self.numbers(value)
        elif isinstance(value, (Pairs, dict, list, tuple)):
            self.container(value, depth)
        else:
            raise CodecError("unsupportedValue", f"{type(value).__name__} has no wire type")

    def numbers(self, value):
        if value.typecode not in _ARRAY_TYPES:
            raise CodecError("unsupportedValue", f"array of type {value.typecode!r}")
        kind, width = _ARRAY_TYPES[value.typecode]
        self.data.append(kind)
        self.size(len(value))
        self.pad(width)
        if sys.byteorder == "big":
            value = array.array(value.typecode, value)
            value.byteswap()
        self.data += value.tobytes()

    def container(self, value, depth):
        if depth >= MAX_DEPTH:
            raise CodecError("depthExceeded", f"more than {MAX_DEPTH} containers")
        is_map = isinstance(value, (Pairs, dict))
        self.data.append(13 if is_map else 12)
        self.size(len(value))
        if not is_map:
            for item in value:
                self.value(item, depth + 1)
            return
        for key, item in value.items() if isinstance(value, dict) else value:
            self.value(key, depth + 1)
            self.value(item, depth + 1)


# Each container of a message takes two calls.
if sys.getrecursionlimit() < 3000:
    sys.setrecursionlimit(3000)


def encode_message(value):
    """The bytes of a value. A value of None is one zero byte; no message at all is None itself."""
    writer = _Writer()
    writer.value(value)
    return bytes(writer.data)


def decode_message(data):
    """The value in a message."""
    if data is None:
        return None
    if not data:
        raise CodecError("emptyMessage", "no bytes", 0)
    reader = _Reader(data)
    value = reader.value(0)
    reader.end()
    return value


def encode_call(method, arguments=None):
    writer = _Writer()
    writer.text(7, method)
    writer.value(arguments)
    return bytes(writer.data)


def decode_call(data):
    """Method name and arguments."""
    if data is None:
        raise CodecError("noMessage", "no call", 0)
    if not data:
        raise CodecError("emptyMessage", "no bytes", 0)
    reader = _Reader(data)
    if data[0] != 7:
        # What stands there must be a value all the same.
        reader.value(0)
        raise CodecError("invalidMethodCall", "the method is no string", 0)
    method = reader.value(0)
    arguments = reader.value(0)
    reader.end()
    return method, arguments


class PlatformException(Exception):
    """An error envelope: what native code reports as FlutterError."""

    def __init__(self, code, message=None, details=None, stacktrace=None):
        super().__init__(f"{code}: {message}" if message is not None else code)
        self.code = code
        self.message = message
        self.details = details
        self.stacktrace = stacktrace


def encode_success(value):
    writer = _Writer()
    writer.data.append(0)
    writer.value(value)
    return bytes(writer.data)


def encode_error(code, message=None, details=None):
    writer = _Writer()
    writer.data.append(1)
    writer.text(7, code)
    writer.value(message)
    writer.value(details)
    return bytes(writer.data)


def decode_envelope(data):
    """The value of a success envelope; raises PlatformException for an error envelope.

    A reply without payload is no envelope: the caller has to look for that first.
    """
    if not data:
        raise CodecError("emptyMessage", "no envelope", 0)
    reader = _Reader(data)
    first = reader.take(1)[0]
    if first == 0:
        value = reader.value(0)
        reader.end()
        return value
    if first != 1:
        raise CodecError("invalidEnvelope", f"begins with {first}", 0)
    parts = []
    for position in range(3):
        start = reader.position
        value = reader.value(0)
        is_text = isinstance(value, str) and not isinstance(value, BigInteger)
        if position == 0 and not is_text or position == 1 and not (is_text or value is None):
            raise CodecError("invalidEnvelope", "code and message are strings", start)
        parts.append(value)
    if reader.position < len(data):
        start = reader.position
        stacktrace = reader.value(0)
        is_text = isinstance(stacktrace, str) and not isinstance(stacktrace, BigInteger)
        if not is_text and stacktrace is not None:
            raise CodecError("invalidEnvelope", "the stack trace is a string", start)
        parts.append(stacktrace)
        reader.end()
    raise PlatformException(*parts)
