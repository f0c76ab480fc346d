"""dart:core, dart:convert and dart:collection: members of Python's own types, and a few classes."""

import collections
import json
import re

from . import typed_data
from .model import raise_dart
from .values import Entry, Map, Native, equal, from_units, show, to_units


def _wrapped(value):
    """64 bits, as Dart's int has."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _single(items):
    if len(items) != 1:
        raise_dart("StateError", f"{len(items)} elements")
    return items[0]


def _end(items, position):
    if not items:
        raise_dart("StateError", "No element")
    return items[position]


def _substring(text, start, end=None):
    end = len(text) if end is None else end
    if not 0 <= start <= end <= len(text):
        raise_dart("RangeError", f"{start} to {end} of {len(text)}")
    return text[start:end]


def _radix(value, base):
    digits = ""
    rest = abs(value)
    while rest or not digits:
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % base] + digits
        rest //= base
    return "-" * (value < 0) + digits


def _replace_all(text, pattern, new):
    return pattern.sub(new, text) if isinstance(pattern, re.Pattern) else text.replace(pattern, new)


_ANY = {
    "toString": show,
    "hashCode": property(lambda value: hash(show(value))),
}
_NUMBER = {
    "toDouble": float, "toInt": int, "abs": abs,
    "isNegative": property(lambda value: value < 0 or (value == 0 and str(value)[0] == "-")),
    "isNaN": property(lambda value: value != value),
    "isInfinite": property(lambda value: value in (float("inf"), float("-inf"))),
    "toRadixString": _radix,
}
_LIST = {
    "length": property(len), "isEmpty": property(lambda items: not items),
    "isNotEmpty": property(bool), "first": property(lambda items: _end(items, 0)),
    "last": property(lambda items: _end(items, -1)), "single": property(_single),
    "add": list.append, "addAll": list.extend, "clear": list.clear, "cast": lambda items: items,
    "map": lambda items, change: [change(item) for item in items],
    "join": lambda items, separator="": separator.join(map(show, items)),
    "skip": lambda items, count: items[count:], "toList": list, "sublist":
    lambda items, start, end=None: _substring(items, start, end),
    "contains": lambda items, value: any(equal(item, value) for item in items),
    "any": lambda items, test: any(test(item) for item in items),
    "remove": lambda items, value: any(
        equal(item, value) and (items.pop(at), True)[1] for at, item in enumerate(list(items))),
}
_STRING = {
    "length": property(len), "isEmpty": property(lambda text: not text),
    "isNotEmpty": property(bool), "codeUnits": property(lambda text: [ord(unit) for unit in text]),
    "codeUnitAt": lambda text, at: ord(_substring(text, at, at + 1)),
    "contains": lambda text, part: part in text, "substring": _substring,
    "startsWith": lambda text, part: text.startswith(part),
    "endsWith": lambda text, part: text.endswith(part), "trim": str.strip,
    "split": lambda text, part: text.split(part), "replaceAll": _replace_all,
    "padLeft": lambda text, width, fill=" ": text.rjust(width, fill),
}
_MEMBERS = {
    int: _NUMBER, float: _NUMBER, list: _LIST, str: _STRING,
    collections.deque: {},
}


def member(target, name):
    """A member of one of Python's types, bound to the value; None if there is none."""
    found = _MEMBERS.get(type(target), {}).get(name) or _ANY.get(name)
    if found is None:
        return None
    if isinstance(found, property):
        return found.fget(target)
    return lambda *arguments, **named: found(target, *arguments, **named)


class StringBuffer(Native):
    dart_types = ("StringBuffer",)

    def __init__(self, text=""):
        self.parts = [text]

    def write(self, value):
        self.parts.append(show(value))

    def writeCharCode(self, code):
        self.parts.append(to_units(chr(code)))

    def toString(self):
        return "".join(self.parts)

    def __str__(self):
        return self.toString()


class ListQueue(Native):
    dart_types = ("ListQueue", "Iterable")

    def __init__(self):
        self.items = collections.deque()

    def addLast(self, value):
        self.items.append(value)

    def removeFirst(self):
        if not self.items:
            raise_dart("StateError", "No element")
        return self.items.popleft()

    def remove(self, value):
        for at, item in enumerate(self.items):
            if equal(item, value):
                del self.items[at]
                return True
        return False

    def elements(self):
        return list(self.items)

    @property
    def first(self):
        return self.items[0]

    @property
    def length(self):
        return len(self.items)

    @property
    def isEmpty(self):
        return not self.items

    @property
    def isNotEmpty(self):
        return bool(self.items)


class Statics(Native):
    """A class of which only what stands behind a dot is used."""

    def __init__(self, call=None, **members):
        self.call = call
        self.members = members

    def __call__(self, *arguments, **named):
        return self.call(*arguments, **named)

    def dart_get(self, name):
        if name not in self.members:
            raise LookupError(name)
        return self.members[name]


def _parse(text, radix=10):
    value = _try_parse(text, radix)
    if value is None:
        raise_dart("FormatException", f"{text!r} is no number")
    return value


def _try_parse(text, radix=10):
    try:
        value = int(text, radix)
    except ValueError:
        return None
    return value if -(1 << 63) <= value < 1 << 63 else None


def utf8_encode(text):
    return typed_data.TypedList.from_bytes(from_units(text).encode("utf-8"))


def utf8_decode(data):
    raw = bytes(data.raw()) if hasattr(data, "raw") else bytes(data)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise_dart("FormatException", f"UTF-8 at {error.start}")
    return to_units(text[1:] if text[:1] == "\ufeff" else text)


def from_json(value):
    if isinstance(value, dict):
        return Map((to_units(key), from_json(item)) for key, item in value.items())
    if isinstance(value, list):
        return [from_json(item) for item in value]
    return to_units(value) if isinstance(value, str) else value


def _filled(length, value):
    if not 0 <= length < 1 << 31:
        raise_dart("RangeError", f"length {length}")
    return [value] * length


def from_char_codes(codes, start=0, end=None):
    codes = codes if isinstance(codes, list) else codes.elements()
    return "".join(to_units(chr(code)) for code in codes[start:end])


LIBRARIES = {
    "dart:core": {
        "int": Statics(parse=_parse, tryParse=_try_parse),
        "double": Statics(nan=float("nan"), infinity=float("inf"), negativeInfinity=-float("inf")),
        "List": Statics(filled=_filled, of=lambda items: list(
            items if isinstance(items, list) else items.elements())),
        "String": Statics(fromCharCodes=from_char_codes),
        "MapEntry": Entry, "StringBuffer": StringBuffer, "RegExp": re.compile,
        "StackTrace": Statics(current="stack"),
        "Uri": Statics(encodeFull=lambda text: json.dumps(text)),
        "identical": lambda one, other: one is other,
    },
    "dart:collection": {"ListQueue": ListQueue},
    "dart:convert": {
        "utf8": Statics(encode=utf8_encode, decode=utf8_decode),
        "ascii": Statics(decode=lambda data: bytes(data.raw()).decode("ascii")),
        "jsonDecode": lambda text: from_json(json.loads(from_units(text))),
    },
    "dart:typed_data": typed_data.LIBRARY,
}
wrapped = _wrapped
