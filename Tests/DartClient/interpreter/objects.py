"""Members of objects: looking them up, calling and setting them."""

from . import core
from .model import Class, Environment, Lazy, method_of, raise_dart
from .values import Entry, Instance, Map, Native, Record, Set, equal, iterate, show

NATIVE_TYPES = {
    "int": int, "double": float, "num": (int, float), "bool": bool, "String": str, "Map": Map,
    "Record": Record, "MapEntry": Entry, "Set": Set,
}
ANY = {"dynamic", "void", "FutureOr", "T", "K", "V", "S", "R"}


class Above(Native):
    """`super`: an object as the parent of a class sees it."""

    def __init__(self, target, cls):
        self.target = target
        self.parent = cls.parent()

    def dart_get(self, name):
        getter = self.parent.find(name, "get")
        if getter is not None:
            return getter.bind(self.target)()
        method = self.parent.find(name)
        if method is None:
            raise LookupError(name)
        return method_of(self.target, name, method)


def get(target, name):
    """`target.name`."""
    if type(target) is Instance:
        fields = target.fields
        if name in fields:
            value = fields[name]
            if type(value) is Lazy:
                value = value.field.initial(Environment({"this": target}, None))
                fields[name] = value
            return value
        getter = target.cls.find(name, "get")
        if getter is not None:
            return getter.bind(target)()
        method = target.cls.find(name)
        if method is not None:
            return method_of(target, name, method)
        if name == "index" and target.cls.values is not None:
            return target.cls.values.index(target)
    elif type(target) is Record and name.startswith("$"):
        return target[int(name[1:]) - 1]
    elif isinstance(target, (Native, Class)):
        try:
            return target.dart_get(name)
        except LookupError:
            pass
    if target is None and name not in ("toString", "hashCode"):
        raise_dart("TypeError", f"null has no {name}")
    found = core.member(target, name)
    if found is not None:
        return found
    if name == "call" and callable(target):
        return target
    raise AttributeError(f"{describe(target)} has no {name}")


def put(target, name, value):
    """`target.name = value`."""
    if isinstance(target, Class):
        target.statics[name] = value
        return
    if isinstance(target, Native):
        setattr(target, name, value)
        return
    setter = target.cls.find(name, "set")
    if setter is not None:
        setter.bind(target)(value)
        return
    cls = target.cls
    while cls is not None and name not in cls.fields:
        cls = cls.parent()
    if cls is None:
        raise AttributeError(f"{describe(target)} has no field {name}")
    target.fields[name] = value


def call(target, name, arguments, named):
    """`target.name(arguments)`."""
    if type(target) is Instance:
        method = target.cls.find(name)
        if method is not None:
            return method.bind(target)(*arguments, **named)
    return get(target, name)(*arguments, **named)


def index(target, key):
    """`target[key]`."""
    if type(target) is list or type(target) is str:
        if type(key) is not int or not 0 <= key < len(target):
            raise_dart("RangeError", f"index {key} of {len(target)}")
        return target[key]
    if type(target) is Instance:
        return target.cls.find("[]").bind(target)(key)
    if target is None:
        raise_dart("TypeError", "null has no []")
    return target.look(key)


def put_index(target, key, value):
    """`target[key] = value`."""
    if type(target) is list:
        if type(key) is not int or not 0 <= key < len(target):
            raise_dart("RangeError", f"index {key} of {len(target)}")
        target[key] = value
    elif type(target) is Instance:
        target.cls.find("[]=").bind(target)(key, value)
    else:
        target.put(key, value)


def is_type(value, name):
    """`value is name`, without type arguments and for a type that is not nullable."""
    if name in ANY:
        return True
    if value is None:
        return name == "Null"
    if name == "Object":
        return True
    if name in NATIVE_TYPES and (isinstance(NATIVE_TYPES[name], tuple)
                                 or NATIVE_TYPES[name] in (int, float, bool, str)):
        expected = NATIVE_TYPES[name]
        return type(value) in expected if isinstance(expected, tuple) else type(value) is expected
    if name in ("List", "Iterable") and isinstance(value, list) and not isinstance(value, Record):
        return True
    if name == "Function":
        return callable(value)
    if isinstance(value, Instance):
        return name in value.cls.supertypes()
    return name in getattr(value, "dart_types", ())


def describe(value):
    if isinstance(value, Instance):
        return value.cls.name
    if isinstance(value, Class):
        return f"class {value.name}"
    return f"{type(value).__name__} {show(value)[:80]}"


__all__ = ["call", "describe", "equal", "get", "index", "is_type", "iterate", "put", "put_index",
           "show"]
