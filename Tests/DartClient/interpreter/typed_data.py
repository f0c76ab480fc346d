"""dart:typed_data on bytearrays."""

import struct

from .values import Native

# Name to the letter of struct and the width.
KINDS = {
    "Uint8List": ("B", 1), "Int32List": ("i", 4), "Int64List": ("q", 8),
    "Float32List": ("f", 4), "Float64List": ("d", 8),
}
throw = None  # Set by the runtime: throw(class name, text).


class Buffer(Native):
    def __init__(self, data):
        self.data = data

    @property
    def lengthInBytes(self):
        return len(self.data)


class Data(Native):
    """Bytes of a buffer from an offset on: the parent of lists and ByteData."""

    def __init__(self, buffer, offset, size):
        self.buffer = buffer
        self.offsetInBytes = offset
        self.lengthInBytes = size

    def raw(self):
        return self.buffer.data[self.offsetInBytes:self.offsetInBytes + self.lengthInBytes]


class TypedList(Data):
    def __init__(self, kind, buffer, offset, length):
        letter, width = KINDS[kind]
        super().__init__(buffer, offset, length * width)
        self.kind = kind
        self.letter = "<" + letter
        self.width = width
        self.length = length
        self.dart_types = (kind, "List", "TypedData", "Iterable")

    @classmethod
    def new(cls, kind, length):
        return cls(kind, Buffer(bytearray(length * KINDS[kind][1])), 0, length)

    @classmethod
    def from_list(cls, kind, items):
        made = cls.new(kind, len(items))
        for index, item in enumerate(items):
            made.put(index, item)
        return made

    @classmethod
    def from_bytes(cls, data):
        return cls("Uint8List", Buffer(bytearray(data)), 0, len(data))

    def _at(self, index):
        if type(index) is not int or not 0 <= index < self.length:
            throw("RangeError", f"index {index} of {self.length}")
        return self.offsetInBytes + index * self.width

    def look(self, index):
        if self.width == 1 and 0 <= index < self.length:
            return self.buffer.data[self.offsetInBytes + index]
        return struct.unpack_from(self.letter, self.buffer.data, self._at(index))[0]

    def put(self, index, value):
        at = self._at(index)
        if self.letter[1] in "Bi":
            value &= (1 << 8 * self.width) - 1
            self.buffer.data[at:at + self.width] = value.to_bytes(self.width, "little")
        else:
            struct.pack_into(self.letter, self.buffer.data, at, value)

    def elements(self):
        return list(struct.unpack_from(f"<{self.length}{self.letter[1]}", self.buffer.data,
                                       self.offsetInBytes))

    def range(self, start, end):
        end = self.length if end is None else end
        if not 0 <= start <= end <= self.length:
            throw("RangeError", f"{start} to {end} of {self.length}")
        return end

    def sublist(self, start, end=None):
        end = self.range(start, end)
        made = TypedList.new(self.kind, end - start)
        first = self.offsetInBytes + start * self.width
        made.buffer.data[:] = self.buffer.data[first:first + made.lengthInBytes]
        return made

    def setRange(self, start, end, source, skip=0):
        end = self.range(start, end)
        if self.width == 1 and isinstance(source, TypedList) and source.width == 1:
            source.range(skip, skip + end - start)
            first = source.offsetInBytes + skip
            at = self.offsetInBytes
            self.buffer.data[at + start:at + end] = source.buffer.data[first:first + end - start]
            return
        for index in range(start, end):
            self.put(index, source.look(skip + index - start))

    def fillRange(self, start, end, value):
        for index in range(start, self.range(start, end)):
            self.put(index, value)

    def indexOf(self, value, start=0):
        items = self.elements()
        return items.index(value, start) if value in items[start:] else -1

    def contains(self, value):
        return value in self.elements()

    def toList(self):
        return self.elements()

    @property
    def isEmpty(self):
        return self.length == 0

    @property
    def isNotEmpty(self):
        return self.length > 0


def _view(kind, data, start=0, end=None):
    """The constructors `sublistView`: a range of elements of other data."""
    size = getattr(data, "width", 1)
    count = data.lengthInBytes // size
    end = count if end is None else end
    if not 0 <= start <= end <= count:
        throw("RangeError", f"{start} to {end} of {count}")
    offset = data.offsetInBytes + start * size
    length = (end - start) * size
    if kind == "ByteData":
        return ByteData(data.buffer, offset, length)
    width = KINDS[kind][1]
    if length % width or offset % width:
        throw("ArgumentError", f"{kind} at byte {offset} with {length} bytes")
    return TypedList(kind, data.buffer, offset, length // width)


class ByteData(Data):
    dart_types = ("ByteData", "TypedData")

    def _at(self, offset, width):
        if not 0 <= offset <= self.lengthInBytes - width:
            throw("RangeError", f"byte {offset} of {self.lengthInBytes}")
        return self.offsetInBytes + offset


def _accessors():
    for name, letter in (("Uint8", "B"), ("Uint16", "H"), ("Uint32", "I"), ("Int32", "i"),
                         ("Int64", "q"), ("Float32", "f"), ("Float64", "d")):
        width = struct.calcsize(letter)

        def get(self, offset, endian=">", letter=letter, width=width):
            return struct.unpack_from(endian + letter, self.buffer.data, self._at(offset, width))[0]

        def set(self, offset, value, endian=">", letter=letter, width=width):
            if letter not in "fd":
                value &= (1 << 8 * width) - 1
                letter = letter.upper()
            struct.pack_into(endian + letter, self.buffer.data, self._at(offset, width), value)
        setattr(ByteData, "get" + name, get)
        setattr(ByteData, "set" + name, set)


_accessors()


class BytesBuilder(Native):
    def __init__(self):
        self.data = bytearray()

    def addByte(self, value):
        self.data.append(value & 255)

    def add(self, items):
        self.data += items.raw() if isinstance(items, Data) else bytes(items)

    def takeBytes(self):
        taken = TypedList.from_bytes(self.data)
        self.data = bytearray()
        return taken


class Constructors(Native):
    """A class of this library: what is called, and what stands behind a dot."""

    def __init__(self, kind):
        self.kind = kind

    def __call__(self, length):
        if self.kind == "ByteData":
            return ByteData(Buffer(bytearray(length)), 0, length)
        return TypedList.new(self.kind, length)

    def fromList(self, items):
        items = items if isinstance(items, list) else items.elements()
        return TypedList.from_list(self.kind, items)

    def sublistView(self, data, start=0, end=None):
        return _view(self.kind, data, start, end)


class Endian(Native):
    little = "<"
    big = ">"


LIBRARY = {
    **{kind: Constructors(kind) for kind in [*KINDS, "ByteData"]},
    "BytesBuilder": BytesBuilder, "Endian": Endian(),
}
