"""What Dart's values are in Python.

null, bool, int, double, String and List are None, bool, int, float, str and list. A str holds
UTF-16 code units: a character outside the first plane is two surrogates, as in Dart. Functions are
Python callables. All else has a class of its own here or in another file of this folder.
"""


class Thrown(Exception):
    """A Dart object that was thrown."""

    def __init__(self, value):
        super().__init__(value)
        self.value = value

    def __str__(self):
        return show(self.value)


class Record(tuple):
    """A record with positional fields."""


class Instance:
    """An object of a class that is written in Dart."""

    __slots__ = ("cls", "fields")

    def __init__(self, cls):
        self.cls = cls
        self.fields = {}

    def __repr__(self):
        return show(self)


class Method:
    """A method of an object, torn off. Two of the same object and method are equal."""

    __slots__ = ("target", "name", "function")

    def __init__(self, target, name, function):
        self.target = target
        self.name = name
        self.function = function

    def __call__(self, *arguments, **named):
        return self.function(*arguments, **named)

    def __eq__(self, other):
        return (isinstance(other, Method) and self.target is other.target
                and self.name == other.name)

    def __hash__(self):
        return hash((id(self.target), self.name))


class Native:
    """The parent of what is written in Python: methods and getters by their Dart names.

    A method of Python is one of Dart; a property is a getter or a field.
    """

    dart_types = ()

    def dart_get(self, name):
        found = getattr(type(self), name, None)
        if found is None and name not in getattr(self, "__dict__", {}):
            raise LookupError(name)
        value = getattr(self, name)
        return Method(self, name, value) if callable(found) else value


def equal(one, other):
    """Dart's ==."""
    if one is other:
        return not (isinstance(one, float) and one != one)
    kind = type(one)
    if kind in (int, float):
        return type(other) in (int, float) and one == other
    if kind is str or kind is bool:
        return type(other) is kind and one == other
    if kind in (Method, Record):
        return one == other
    return False


def key_of(value):
    """What stands for a value in the dictionaries behind maps and sets."""
    kind = type(value)
    if kind is bool:
        return ("bool", value)
    if kind is float and value != value:
        return ("nan", object())
    if kind in (int, float, str) or value is None or kind is Method:
        return value
    return ("object", id(value))


class Entry(Native):
    dart_types = ("MapEntry",)

    def __init__(self, key, value):
        self.key = key
        self.value = value


class Map(Native):
    dart_types = ("Map",)

    def __init__(self, pairs=()):
        self.items_ = {}
        for key, value in pairs:
            self.put(key, value)

    def put(self, key, value):
        at = key_of(key)
        held = self.items_.get(at)
        # The key that was there first stays.
        self.items_[at] = (held[0] if held else key, value)

    def look(self, key):
        held = self.items_.get(key_of(key))
        return held[1] if held else None

    def remove(self, key):
        held = self.items_.pop(key_of(key), None)
        return held[1] if held else None

    def containsKey(self, key):
        return key_of(key) in self.items_

    def putIfAbsent(self, key, make):
        if not self.containsKey(key):
            self.put(key, make())
        return self.look(key)

    def clear(self):
        self.items_.clear()

    def cast(self):
        return self

    @property
    def entries(self):
        return [Entry(key, value) for key, value in self.items_.values()]

    @property
    def keys(self):
        return [key for key, _ in self.items_.values()]

    @property
    def values(self):
        return [value for _, value in self.items_.values()]

    @property
    def length(self):
        return len(self.items_)

    @property
    def isEmpty(self):
        return not self.items_

    @property
    def isNotEmpty(self):
        return bool(self.items_)


class Set(Native):
    dart_types = ("Set",)

    def __init__(self, items=()):
        self.items_ = {key_of(item): item for item in items}

    def add(self, item):
        is_new = key_of(item) not in self.items_
        self.items_[key_of(item)] = item
        return is_new

    def remove(self, item):
        return self.items_.pop(key_of(item), self) is not self

    def clear(self):
        self.items_.clear()

    @property
    def length(self):
        return len(self.items_)

    @property
    def isEmpty(self):
        return not self.items_


def to_units(text):
    """A Python string as code units."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[index] | data[index + 1] << 8) for index in range(0, len(data), 2))


def from_units(text):
    """The same back, with U+FFFD for halves of a pair."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def iterate(value):
    """The elements of whatever can be iterated over."""
    if isinstance(value, list):
        return value
    if isinstance(value, Set):
        return list(value.items_.values())
    if hasattr(value, "elements"):
        return value.elements()
    raise TypeError(f"{show(value)} cannot be iterated over")


def show(value):
    """Dart's toString."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        text = repr(value).replace("inf", "Infinity").replace("nan", "NaN")
        return text
    if isinstance(value, (list, Set)) or hasattr(value, "elements"):
        return "[" + ", ".join(map(show, iterate(value))) + "]"
    if isinstance(value, Map):
        return "{" + ", ".join(f"{show(e.key)}: {show(e.value)}" for e in value.entries) + "}"
    if isinstance(value, Instance):
        method = value.cls.find("toString")
        if value.cls.values is not None:
            return f"{value.cls.name}.{value.fields['name']}"
        return method.bind(value)() if method else f"Instance of '{value.cls.name}'"
    return str(value)
