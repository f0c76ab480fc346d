"""The libraries of the client and of the SDK, and what each name in them is."""

import functools

import sources

from .parser import parse
from .tree import Node
from .types import ANY, DYNAMIC, NEVER, NULL, VOID, Signature, Type, Variable, replaced

SIGNATURES = sources.HERE / "signatures"
_SPECIAL = {"dynamic": DYNAMIC, "void": VOID, "Never": NEVER, "Null": NULL}


# The signatures are read once for all worlds.
_parsed = functools.lru_cache(maxsize=256)(parse)


class Member:
    """A field, getter, setter, method or function."""

    def __init__(self, name, kind, type_, node, is_static=False, is_final=False, owner=None):
        self.name = name
        self.kind = kind  # "field", "get", "set" or "method"
        self.type = type_
        self.node = node
        self.is_static = is_static
        self.is_final = is_final
        self.owner = owner


class Class:
    def __init__(self, name, library, node):
        self.name = name
        self.library = library
        self.node = node
        self.variables = [Variable(name) for name, _ in node.type_parameters]
        self.above = []
        self.members = {}  # name to Member; a setter as "name="
        self.constructors = {}
        self.values = node.values
        self.is_abstract = node.is_abstract

    def scope(self):
        return {variable.name: Type("variable", variable) for variable in self.variables}

    def type(self):
        return Type("class", self, [Type("variable", one) for one in self.variables])


class Library:
    def __init__(self, path):
        self.path = path
        self.core = None
        self.text = self.read(path)
        self.unit = _parsed(self.text)
        self.own = {}  # name to Class, Member or the Node of a typedef
        self.imports = []  # (library, prefix, shown, node)
        self.exports = []  # (library, shown)
        self.problems = []

    @staticmethod
    def read(path):
        return path.read_text(encoding="utf-8")

    def exported(self):
        found = {name: value for name, value in self.own.items() if not name.startswith("_")}
        for library, shown in self.exports:
            found.update((name, value) for name, value in library.exported().items()
                         if shown is None or name in shown)
        return found

    def find(self, name):
        """What a name stands for, or None; `prefix.name` as well."""
        if name in self.own:
            return self.own[name]
        wanted, _, last = name.rpartition(".")
        for library, prefix, shown, _ in self.imports:
            if (prefix or "") == wanted and (shown is None or last in shown):
                found = library.exported().get(last)
                if found is not None:
                    return found
        return self.core.exported().get(name)

    def prefixes(self):
        return {prefix for _, prefix, _, _ in self.imports if prefix}

    def place(self, at):
        line = self.text.count("\n", 0, at) + 1
        return f"{self.path.name}:{line}:{at - self.text.rfind(chr(10), 0, at)}"


class World:
    def __init__(self):
        self.libraries = {}
        self.core = None
        self._waiting = []
        self.load(SIGNATURES / "dart.core.dart")

    def core_type(self, name, *arguments):
        return Type("class", self.core.find(name), arguments)

    @staticmethod
    def resolve(path, uri):
        if path.parent == SIGNATURES and uri.startswith(("flutter", "test.")):
            return SIGNATURES / uri
        if uri.startswith("dart:"):
            return SIGNATURES / f"dart.{uri[5:]}.dart"
        if uri.startswith("package:"):
            package, rest = uri[8:].split("/", 1)
            if package in sources.PACKAGES:
                return sources.CLIENT / package / "lib" / rest
            return SIGNATURES / f"{package}.{rest.removesuffix('.dart')}.dart"
        return (path.parent / uri).resolve()

    def load(self, path):
        """The library of a file, with all that it imports."""
        library = self._collect(path)
        waiting, self._waiting = self._waiting, []
        classes = [(one, cls) for one in waiting for cls in one.own.values()
                   if isinstance(cls, Class)]
        for one, cls in classes:
            cls.above = [self.type(one, node, cls.scope()) for node in cls.node.above]
        for one, cls in classes:
            self._declare_members(one, cls)
        for one, cls in classes:
            self._declare_constructors(one, cls)
        for one in waiting:
            for node in one.unit.declarations:
                if node.kind in ("function", "variable"):
                    member = self.member(one, node, {}, None)
                    one.own[node.name + ("=" if member.kind == "set" else "")] = member
        return library

    def _collect(self, path):
        if path in self.libraries:
            return self.libraries[path]
        library = self.libraries[path] = Library(path)
        if self.core is None:
            self.core = library
        library.core = self.core
        self._waiting.append(library)
        for node in library.unit.declarations:
            if node.kind == "class":
                library.own[node.name] = Class(node.name, library, node)
            elif node.kind == "typedef":
                library.own[node.name] = node
        for node in library.unit.directives:
            target = self._collect(self.resolve(path, node.uri))
            if node.kind == "export":
                library.exports.append((target, node.shown))
            else:
                library.imports.append((target, node.prefix, node.shown, node))
        return library

    @staticmethod
    def report(library, at, text):
        problem = f"{library.place(at)}: {text}"
        if problem not in library.problems:
            library.problems.append(problem)

    # Types

    def type(self, library, node, scope):
        """The type that a tree of a type means."""
        if node is None:
            return ANY
        if node.kind == "record_type":
            return Type("record", None, [self.type(library, one, scope) for one in node.items],
                        node.is_nullable)
        if node.kind == "function_type":
            inner = dict(scope)
            variables = [Variable(name) for name, _ in node.type_parameters]
            inner.update((one.name, Type("variable", one)) for one in variables)
            returns = VOID if node.returns is None else self.type(library, node.returns, inner)
            signature = self.signature(library, node.parameters, returns, inner, variables,
                                       is_type=True)
            return Type("function", signature, (), node.is_nullable)
        if node.name in scope:
            return scope[node.name].nullable(node.is_nullable or scope[node.name].is_nullable)
        if node.name in _SPECIAL:
            return _SPECIAL[node.name]
        found = library.find(node.name)
        if isinstance(found, Node) and found.kind == "typedef":
            home = next(one for one in self.libraries.values() if found.name in one.own
                        and one.own[found.name] is found)
            type_ = self.type(home, found.type, {})
            return type_.nullable() if node.is_nullable else type_
        if not isinstance(found, Class):
            self.report(library, node.at, f"no type {node.name}")
            return ANY
        if found.name == "Function" and found.library is self.core:
            return Type("function", None, (), node.is_nullable)
        arguments = [self.type(library, one, scope) for one in node.arguments]
        if len(arguments) != len(found.variables):
            self.report(library, node.at,
                        f"{node.name} with {len(arguments)} type arguments (strict-raw-types)")
            arguments = [ANY for _ in found.variables]
        return Type("class", found, arguments, node.is_nullable)

    def signature(self, library, parameters, returns, scope, variables=(), is_type=False,
                  owner=None):
        plain, least, named = [], 0, {}
        for node in parameters:
            type_ = self._parameter_type(library, node, scope, is_type, owner)
            if node.kind_ == "named":
                named[node.name] = (type_, node.is_required)
                continue
            plain.append(type_)
            if node.kind_ == "plain":
                least += 1
        return Signature(returns, plain, least, named, variables)

    def _parameter_type(self, library, node, scope, is_type, owner):
        if node.target == "this":
            return owner.members[node.name].type
        if node.target == "super":
            above = owner.above[0].of.constructors.get("")
            if node.kind_ == "named":
                return above.named[node.name][0]
            return above.plain[0]
        if node.is_bare and not is_type:
            return ANY
        return self.type(library, node.type, scope)

    # Declarations

    def member(self, library, node, scope, owner):
        is_static = owner is None or "static" in node.words
        if node.kind == "variable":
            is_final = bool({"final", "const"} & node.words) and "late" not in node.words
            return Member(node.name, "field", self.type(library, node.type, scope), node,
                          is_static, is_final, owner)
        inner = dict(scope)
        variables = [Variable(name) for name, _ in node.type_parameters]
        inner.update((one.name, Type("variable", one)) for one in variables)
        node.scope = inner
        returns = self.type(library, node.type, inner) if node.type is not None else (
            VOID if node.kind_ == "set" else DYNAMIC)
        if node.kind_ == "get":
            return Member(node.name, "get", returns, node, is_static, True, owner)
        signature = self.signature(library, node.parameters, returns, inner, variables)
        if node.kind_ == "set":
            return Member(node.name, "set", signature.plain[0], node, is_static, False, owner)
        return Member(node.name, "method", Type("function", signature), node, is_static, True,
                      owner)

    def _declare_members(self, library, cls):
        if cls.values is not None:
            cls.above = [self.core_type("Enum")]
            for name in cls.values:
                cls.members[name] = Member(name, "field", cls.type(), cls.node, True, True, cls)
            cls.members["values"] = Member(
                "values", "field", self.core_type("List", cls.type()), cls.node, True, True, cls)
        if not cls.above and cls is not self.core.own["Object"]:
            cls.above = [self.core_type("Object")]
        for node in cls.node.members:
            if node.kind != "constructor":
                member = self.member(library, node, cls.scope(), cls)
                cls.members[node.name + ("=" if member.kind == "set" else "")] = member

    def _declare_constructors(self, library, cls):
        if cls.constructors:
            return
        for above in cls.above:
            self._declare_constructors(above.of.library, above.of)
        for node in cls.node.members:
            if node.kind == "constructor":
                cls.constructors[node.name] = self.signature(
                    library, node.parameters, cls.type(), cls.scope(), cls.variables, owner=cls)
        if not cls.constructors:
            cls.constructors[""] = Signature(cls.type(), [], 0, {}, cls.variables)


def find_member(type_, name):
    """A member of a class type with its type arguments put in: (Member, type), or None."""
    given = dict(zip(type_.of.variables, type_.arguments))
    if name in type_.of.members:
        member = type_.of.members[name]
        return member, replaced(member.type, given)
    for above in type_.of.above:
        found = find_member(replaced(above, given), name)
        if found is not None:
            return found
    return None
