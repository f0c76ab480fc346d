"""Scopes while a file is prepared, environments while it runs, and the classes of Dart files."""

from .values import Instance, Method, Thrown


class Environment:
    """The variables of one run of a block."""

    __slots__ = ("variables", "parent")

    def __init__(self, variables, parent):
        self.variables = variables
        self.parent = parent


class Scope:
    """The names of a block, so that a variable is found by how many environments to go up."""

    def __init__(self, names, parent, of_class=None):
        self.names = set(names)
        self.parent = parent
        self.of_class = of_class or (parent.of_class if parent else None)

    def hops(self, name):
        count = 0
        scope = self
        while scope is not None:
            if name in scope.names:
                return count
            count += 1
            scope = scope.parent
        return None


class Parameter:
    def __init__(self, name, kind, default, target):
        self.name = name
        self.kind = kind  # "plain", "optional", "named" or "required"
        self.default = default
        self.target = target  # "variable", "field" or "super"


class Member:
    """A method, getter or setter."""

    def __init__(self, name, make):
        self.name = name
        self.make = make  # environment to function

    def bind(self, target):
        return self.make(Environment({"this": target}, None))


class Field:
    def __init__(self, name, initial, is_late):
        self.name = name
        self.initial = initial  # environment to value, or None
        self.is_late = is_late


class Constructor:
    def __init__(self, parameters, initializers, super_call, body, redirect, factory):
        self.parameters = parameters
        self.initializers = initializers  # (field, environment to value)
        self.super_call = super_call  # (constructor name, environment to arguments)
        self.body = body
        self.redirect = redirect
        self.factory = factory


class Lazy:
    """A field whose value is computed when it is first looked at."""

    __slots__ = ("field",)

    def __init__(self, field):
        self.field = field


class Class:
    """A class of a Dart file; calling it makes an object."""

    def __init__(self, name, library):
        self.name = name
        self.library = library
        self.parent_name = None
        self.other_names = []
        self.members = {}  # ("method" | "get" | "set", name)
        self.fields = {}
        self.statics = {}  # name to value, Lazy or function
        self.static_getters = {}
        self.constructors = {}
        self.values = None  # of an enum

    def parent(self):
        return self.library.find_class(self.parent_name) if self.parent_name else None

    def supertypes(self):
        """The names of this class and of all above it."""
        found = {self.name, "Object"}
        for name in [self.parent_name, *self.other_names]:
            above = self.library.find_class(name) if name else None
            if name:
                found |= above.supertypes() if isinstance(above, Class) else {name}
        return found

    def declares(self, name):
        return (name in self.fields or name in self.statics or name in self.static_getters
                or any((kind, name) in self.members for kind in ("method", "get", "set")))

    def find(self, name, kind="method"):
        cls = self
        while cls is not None:
            if (kind, name) in cls.members:
                return cls.members[kind, name]
            cls = cls.parent()
        return None

    # As an object of its own

    def dart_get(self, name):
        if name in self.statics:
            value = self.statics[name]
            if isinstance(value, Lazy):
                value = self.statics[name] = value.field.initial(Environment({}, None))
            return value
        if name in self.static_getters:
            return self.static_getters[name](Environment({}, None))()
        if name == "values" and self.values is not None:
            return self.values
        key = "" if name == "new" else name
        if key in self.constructors or name == "new":
            return lambda *arguments, **named: self.construct(key, arguments, named)
        raise LookupError(f"{self.name}.{name}")

    def __call__(self, *arguments, **named):
        return self.construct("", arguments, named)

    # Objects

    def construct(self, name, arguments, named):
        constructor = self.constructors.get(name)
        if constructor is None:
            if name or self.constructors:
                raise LookupError(f"{self.name} has no constructor {name!r}")
            constructor = Constructor([], [], None, None, None, None)
        if constructor.factory:
            return constructor.factory(Environment({}, None))(*arguments, **named)
        made = Instance(self)
        self.initialize(made, constructor, arguments, named)
        return made

    def initialize(self, made, constructor, arguments, named):
        for field in self.fields.values():
            if field.initial is not None and field.is_late:
                made.fields[field.name] = Lazy(field)
            elif field.initial is not None:
                made.fields[field.name] = field.initial(Environment({}, None))
            elif not field.is_late and field.name not in made.fields:
                made.fields[field.name] = None
        environment = Environment({}, Environment({"this": made}, None))
        to_super, named_to_super = [], {}
        for parameter, value in assign(constructor.parameters, arguments, named, environment):
            if parameter.target == "field":
                made.fields[parameter.name] = value
            elif parameter.target == "super" and parameter.kind in ("named", "required"):
                named_to_super[parameter.name] = value
            elif parameter.target == "super":
                to_super.append(value)
            environment.variables[parameter.name] = value
        if constructor.redirect:
            other, given = constructor.redirect
            positional, by_name = given(environment)
            self.initialize(made, self.constructors[other], positional, by_name)
            return
        for name, value in constructor.initializers:
            made.fields[name] = value(environment)
        above = self.parent()
        if isinstance(above, Class):
            name, positional, by_name = "", to_super, named_to_super
            if constructor.super_call:
                name, given = constructor.super_call
                positional, by_name = given(environment)
            of_parent = above.constructors.get(name) or Constructor([], [], None, None, None, None)
            above.initialize(made, of_parent, positional, by_name)
        if constructor.body:
            constructor.body(environment)


def assign(parameters, arguments, named, environment):
    """Pairs of parameters and what they get."""
    named = dict(named)
    rest = list(arguments)
    found = []
    for parameter in parameters:
        if parameter.kind in ("plain", "optional"):
            if rest:
                found.append((parameter, rest.pop(0)))
                continue
            if parameter.kind == "plain":
                raise Misuse(f"argument {parameter.name} is missing")
        elif parameter.name in named:
            found.append((parameter, named.pop(parameter.name)))
            continue
        elif parameter.kind == "required":
            raise Misuse(f"argument {parameter.name} is missing")
        default = parameter.default
        found.append((parameter, default(environment) if default else None))
    if rest or named:
        raise Misuse(f"too many arguments: {rest} {named}")
    return found


class Misuse(TypeError):
    """What Dart's compiler would have refused."""

    def __init__(self, text):
        super().__init__(f"{text} (positional argument)")


class Library:
    """One Dart file and what it sees."""

    def __init__(self, path):
        self.path = path
        self.own = {}
        self.imported = {}
        self.prefixes = {}
        self.imports = []
        self.exports = []

    def exported(self):
        """Name to the names that it stands in."""
        return {name: self.value(name) for name in self.exported_names()}

    def exported_names(self):
        found = {name for name in self.own if not name.startswith("_")}
        for library, shown in self.exports:
            found |= set(shown or library.exported_names())
        return found

    def value(self, name):
        """A name that this file declares or exports."""
        if name in self.own:
            return forced(self.own, name)
        for library, shown in self.exports:
            if name in (shown or library.exported_names()):
                return library.value(name)
        raise LookupError(name)

    def look(self, name):
        """The value of a top-level name; LookupError if there is none within reach."""
        if name in self.own:
            return forced(self.own, name)
        if name in self.imported:
            return self.imported[name]
        for given, shown in self.imports:
            names = given if isinstance(given, dict) else given.exported_names()
            if name in names and (not shown or name in shown):
                value = given[name] if isinstance(given, dict) else given.value(name)
                self.imported[name] = value
                return value
        return CORE[name] if name in CORE else missing(name)

    def find_class(self, name):
        try:
            return self.look(name)
        except LookupError:
            return None


# dart:core, filled by the runtime.
CORE = {}


def forced(names, name):
    value = names[name]
    if isinstance(value, Lazy):
        value = names[name] = value.field.initial(Environment({}, None))
    return value


def missing(name):
    raise LookupError(name)


def raise_dart(name, text):
    """Throws an exception of dart:core."""
    raise Thrown(CORE[name](text))


def method_of(target, name, member):
    return Method(target, name, member.bind(target))
