"""How each platform's map treats its keys: equality, order and which duplicate survives."""

import functools

from .model import double_of, is_nan64, is_nan32, single_of, unspecified

NUMBERS = ("int32", "int64", "float64")


def _number(v):
    return double_of(v[1]) if v[0] == "float64" else v[1]


def _nan(v):
    return v[0] == "float64" and is_nan64(v[1])


def dart_equal(a, b):
    """Numbers by value across int and double; typed lists, lists and maps by identity."""
    if a[0] in NUMBERS and b[0] in NUMBERS:
        return _number(a) == _number(b)
    return a[0] in ("null", "bool", "string") and a == b


def java_equal(a, b):
    """By class and value; arrays by identity; lists and maps by content."""
    if a[0] != b[0]:
        return False
    if a[0] == "float64":
        return a[1] == b[1] or (_nan(a) and _nan(b))
    if a[0] == "list":
        return len(a[1]) == len(b[1]) and all(map(java_equal, a[1], b[1]))
    if a[0] == "map":
        return _same_entries(a[1], b[1], java_equal)
    return a[0] in ("null", "bool", "int32", "int64", "bigint", "string") and a == b


def foundation_equal(a, b):
    """Numbers by value, typed data, arrays and dictionaries by content."""
    if a[0] in NUMBERS and b[0] in NUMBERS:
        return _number(a) == _number(b) or (_nan(a) and _nan(b))
    if {a[0], b[0]} in ({"bool", "int32"}, {"bool", "int64"}, {"bool", "float64"}):
        number = a if b[0] == "bool" else b
        if _number(number) in (0, 1):
            raise unspecified("equality of a boolean and a number is not known")
        return False
    if a[0] == b[0] == "list":
        return len(a[1]) == len(b[1]) and all(map(foundation_equal, a[1], b[1]))
    if a[0] == b[0] == "map":
        return _same_entries(a[1], b[1], foundation_equal)
    return a[0] != "custom" and a == b


def glib_equal(a, b):
    """Type-strict, one integer type, deep; NaN equals nothing."""
    if a[0] in ("int32", "int64") and b[0] in ("int32", "int64"):
        return a[1] == b[1]
    if a[0] != b[0] or a[0] == "custom":
        return False
    if a[0] == "float64":
        return double_of(a[1]) == double_of(b[1])
    if a[0] in ("float64list", "float32list"):
        value = double_of if a[0] == "float64list" else single_of
        return len(a[1]) == len(b[1]) and all(value(x) == value(y) for x, y in zip(a[1], b[1]))
    if a[0] == "list":
        return len(a[1]) == len(b[1]) and all(map(glib_equal, a[1], b[1]))
    if a[0] == "map":
        return _same_entries(a[1], b[1], glib_equal)
    return a == b


def _same_entries(a, b, equal):
    if len(a) != len(b):
        return False
    return all(any(equal(k, other) and equal(v, value) for other, value in b) for k, v in a)


# std::map order

VARIANT = ("null", "bool", "int32", "int64", "float64", "string", "uint8list", "int32list",
           "int64list", "float64list", "list", "map", "custom", "float32list")


def _less_numbers(x, y):
    return (x > y) - (x < y)


def _sequence(a, b, compare):
    for x, y in zip(a, b):
        c = compare(x, y)
        if c:
            return c
    return _less_numbers(len(a), len(b))


def cpp_compare(a, b):
    if a[0] != b[0]:
        return _less_numbers(VARIANT.index(a[0]), VARIANT.index(b[0]))
    kind = a[0]
    if kind == "null":
        return 0
    if kind == "float64":
        if _nan(a) != _nan(b):
            raise unspecified("NaN breaks the order of std::map")
        return 0 if _nan(a) else _less_numbers(_number(a), _number(b))
    if kind in ("float64list", "float32list"):
        value, nan = ((double_of, is_nan64) if kind == "float64list" else (single_of, is_nan32))
        if any(map(nan, a[1] + b[1])):
            raise unspecified("NaN breaks the order of std::map")
        return _sequence([value(x) for x in a[1]], [value(x) for x in b[1]], _less_numbers)
    if kind == "list":
        return _sequence(a[1], b[1], cpp_compare)
    if kind == "map":
        return _sequence([x for p in a[1] for x in p], [x for p in b[1] for x in p], cpp_compare)
    if kind == "custom":
        raise unspecified("custom values are ordered by address")
    return _less_numbers(a[1], b[1])


def _cpp_map(pairs):
    out = []
    for k, v in pairs:
        if not any(cpp_compare(k, other) == 0 for other, _ in out):
            out.append((k, v))
    return sorted(out, key=functools.cmp_to_key(lambda a, b: cpp_compare(a[0], b[0])))


def _hashed(pairs, equal, on_duplicate):
    out, seen = [], {}
    for k, v in pairs:
        fast = (k[0], k[1]) if k[0] in ("int32", "string") else None
        at = seen.get(fast) if fast else None
        if at is None and (fast is None or any(o[0][0] != k[0] for o in out)):
            at = next((i for i, o in enumerate(out) if equal(k, o[0])), None)
        if at is None:
            if fast:
                seen[fast] = len(out)
            out.append((k, v))
        else:
            out[at] = on_duplicate(out[at], (k, v))
    return out


def merge(profile, pairs):
    """The entries that a platform's map holds, in the order our models use."""
    if profile == "strict" or len(pairs) < 2:
        return pairs
    if profile == "windows":
        if all(k == pairs[0][0] for k, _ in pairs) and pairs[0][0][0] == "null":
            return pairs[:1]
        return _cpp_map(pairs)
    if profile in ("dart", "dartWeb"):
        return _hashed(pairs, dart_equal, lambda old, new: (old[0], new[1]))
    if profile == "android":
        return _hashed(pairs, java_equal, lambda old, new: (old[0], new[1]))
    if profile == "ios":
        return _hashed(pairs, foundation_equal, lambda old, new: old)
    return _hashed(pairs, glib_equal, lambda old, new: new)
