"""Types of Dart, and which may stand for which."""


class Variable:
    """A type parameter; each declaration has its own."""

    def __init__(self, name):
        self.name = name


class Signature:
    """What a function takes and gives."""

    def __init__(self, returns, plain, least, named, variables=()):
        self.returns = returns
        self.plain = plain  # types, optional ones included
        self.least = least  # how many must be given
        self.named = named  # name to (type, is required)
        self.variables = list(variables)

    def replaced(self, given):
        return Signature(
            replaced(self.returns, given), [replaced(one, given) for one in self.plain],
            self.least, {name: (replaced(one, given), must)
                         for name, (one, must) in self.named.items()}, self.variables)


class Type:
    """`kind` is class, function, record, variable, or one of the special ones below."""

    __slots__ = ("kind", "of", "arguments", "is_nullable")

    def __init__(self, kind, of=None, arguments=(), is_nullable=False):
        self.kind = kind
        self.of = of  # the class, signature or variable
        self.arguments = tuple(arguments)
        self.is_nullable = is_nullable

    def nullable(self, is_nullable=True):
        if self.is_nullable == is_nullable or self.kind in SPECIAL:
            return self
        return Type(self.kind, self.of, self.arguments, is_nullable)

    @property
    def name(self):
        return self.of.name if self.kind == "class" else self.kind

    def __repr__(self):
        mark = "?" if self.is_nullable else ""
        if self.kind == "class":
            inside = f"<{', '.join(map(repr, self.arguments))}>" if self.arguments else ""
            return f"{self.of.name}{inside}{mark}"
        if self.kind == "function":
            if self.of is None:
                return f"Function{mark}"
            parts = [*map(repr, self.of.plain),
                     *(f"{name}: {one[0]!r}" for name, one in self.of.named.items())]
            return f"{self.of.returns!r} Function({', '.join(parts)}){mark}"
        if self.kind == "record":
            return f"({', '.join(map(repr, self.arguments))}){mark}"
        return (self.of.name if self.kind == "variable" else self.kind) + mark


# "any" is what this analyzer does not know: it goes with everything.
SPECIAL = {"any", "dynamic", "void", "Never", "Null"}
ANY, DYNAMIC, VOID, NEVER, NULL = (
    Type(kind) for kind in ("any", "dynamic", "void", "Never", "Null"))


def replaced(type_, given):
    """A type with type parameters replaced."""
    if not given:
        return type_
    if type_.kind == "variable":
        found = given.get(type_.of)
        if found is None:
            return type_
        return found.nullable() if type_.is_nullable else found
    if type_.kind == "function" and type_.of is not None:
        return Type("function", type_.of.replaced(given), (), type_.is_nullable)
    if type_.arguments:
        return Type(type_.kind, type_.of, [replaced(one, given) for one in type_.arguments],
                    type_.is_nullable)
    return type_


def as_instance(type_, cls):
    """A class type as one of a class above it, or None."""
    if type_.kind != "class":
        return None
    if type_.of is cls:
        return type_
    given = dict(zip(type_.of.variables, type_.arguments))
    for above in type_.of.above:
        found = as_instance(replaced(above, given), cls)
        if found is not None:
            return found
    return None


def can_be_null(type_):
    return type_.is_nullable or type_.kind in ("Null", "dynamic", "void", "any") \
        or type_.kind == "variable" \
        or type_.name == "FutureOr" and can_be_null(type_.arguments[0])


def is_object(type_):
    return type_.kind == "class" and type_.of.name == "Object"


def fits(one, other):
    """Whether a value of the first type may stand where the second is wanted."""
    if "any" in (one.kind, other.kind) or one.kind == "Never":
        return True
    if other.kind in ("void", "dynamic"):
        return True
    if one.kind == "void":
        return other.name == "FutureOr" and other.arguments[0].kind == "void"
    if is_object(other):
        return other.is_nullable or not can_be_null(one)
    if one.kind == "dynamic":
        return False  # strict-casts
    if other.kind == "class" and other.of.name == "FutureOr":
        inner = other.arguments[0]
        if one.kind == "class" and one.of.name == "FutureOr":
            return fits(one.arguments[0], inner)
        future = one.kind == "class" and one.of.name == "Future"
        return (other.is_nullable and one.kind == "Null") or fits(one, inner) or (
            future and (other.is_nullable or not one.is_nullable)
            and fits(one.arguments[0], inner))
    if one.kind == "Null":
        return other.is_nullable or other.kind == "Null" or other.kind == "variable"
    if one.is_nullable and not other.is_nullable:
        return False
    if "variable" in (one.kind, other.kind):
        return one.kind == other.kind and one.of is other.of
    if other.kind == "class":
        if one.kind == "function":
            return other.of.name == "Function"
        if one.kind == "record":
            return other.of.name == "Record"
        found = as_instance(one, other.of)
        return found is not None and all(map(fits, found.arguments, other.arguments))
    if other.kind == "function":
        if one.kind != "function":
            return False
        return one.of is None or other.of is None or _function_fits(one.of, other.of)
    if other.kind == "record":
        return one.kind == "record" and len(one.arguments) == len(other.arguments) and all(
            map(fits, one.arguments, other.arguments))
    return False


def _function_fits(one, other):
    if one.least > len(other.plain) or len(one.plain) < len(other.plain):
        return False
    if not all(fits(wanted, taken) for wanted, taken in zip(other.plain, one.plain)):
        return False
    for name, (wanted, _) in other.named.items():
        if name not in one.named or not fits(wanted, one.named[name][0]):
            return False
    if any(must and name not in other.named for name, (_, must) in one.named.items()):
        return False
    return other.returns.kind == "void" or fits(one.returns, other.returns)


def unify(wanted, found, given):
    """Notes in `given` what the type parameters in a wanted type must be for a found one."""
    if wanted.kind == "variable":
        if wanted.of in given and given[wanted.of] is None and found.kind not in ("any",):
            given[wanted.of] = found.nullable(False) if wanted.is_nullable else found
        return
    if wanted.kind == "class" and wanted.of.name == "FutureOr":
        inner = found
        if found.kind == "class" and found.of.name in ("Future", "FutureOr"):
            inner = found.arguments[0]
        unify(wanted.arguments[0], inner, given)
    elif wanted.kind == "class" and found.kind == "class":
        instance = as_instance(found, wanted.of)
        if instance is not None:
            for one, other in zip(wanted.arguments, instance.arguments):
                unify(one, other, given)
    elif wanted.kind == "function" and found.kind == "function" and wanted.of and found.of:
        for one, other in zip(wanted.of.plain, found.of.plain):
            unify(one, other, given)
        unify(wanted.of.returns, found.of.returns, given)


def common(one, other):
    """A type that both fit, as of the branches of a conditional."""
    if one.kind == "Never":
        return other
    if other.kind == "Never":
        return one
    if one.kind == "Null":
        return other.nullable()
    if other.kind == "Null":
        return one.nullable()
    is_nullable = one.is_nullable or other.is_nullable
    if fits(one.nullable(False), other.nullable(False)):
        return other.nullable(is_nullable)
    if fits(other.nullable(False), one.nullable(False)):
        return one.nullable(is_nullable)
    return ANY
