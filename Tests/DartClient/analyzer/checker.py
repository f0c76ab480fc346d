"""Looks at every declaration and statement of a file, and reports what a Dart analyzer would.

Not everything that it would: types that this one cannot tell go with everything.
"""

from . import imports
from .inference import Local, names_assigned
from .lexer import tokens
from .statements import Statements
from .types import ANY, VOID, Type, fits
from .world import find_member


def problems(world, path):
    """What is wrong with a file, as texts with places."""
    checker = Checker(world, world.load(path))
    checker.check()
    return checker.library.problems + imports.problems(checker.library)


class Checker(Statements):
    def __init__(self, world, library):
        self.world = world
        self.library = library
        self.cls = None
        self.is_static = True
        self.is_async = False
        self.in_constructor = False
        self.scopes, self.targets, self.returned, self.wanted_returns = [], [], [], []
        self.exits = []  # what is known at each break, of the loops and switches around
        self.assigned = set()
        self.flow = {}
        self.variables = {}

    def report(self, at, text):
        self.world.report(self.library, at, text)

    def type(self, node):
        return self.world.type(self.library, node, self.variables)

    # Declarations

    def check(self):
        for node in self.library.unit.declarations:
            if node.kind == "class":
                self.check_class(self.library.own[node.name])
            elif node.kind == "function":
                self.check_function(node)
            elif node.kind == "variable" and node.value is not None:
                self.check_variable(node, self.library.own[node.name])
        self.check_private_names()

    def check_class(self, cls):
        self.cls = cls
        for node in cls.node.members:
            self.variables = cls.scope()
            if node.kind == "constructor":
                self.check_constructor(cls, node)
                continue
            member = cls.members[node.name + ("=" if getattr(node, "kind_", "") == "set" else "")]
            self.is_static = member.is_static
            if node.kind == "function":
                self.check_function(node)
            elif node.value is not None:
                self.is_static = member.is_static or "late" not in node.words
                self.check_variable(node, member)
            self.check_override(cls, node, member)
        self.check_implemented(cls)
        self.cls, self.is_static, self.variables = None, True, {}

    def check_variable(self, node, member):
        self.start(node.value)
        found = self.want(node.value, member.type)
        if node.type is None:
            member.type = found

    def start(self, node):
        """Begins a body."""
        self.flow, self.scopes, self.returned, self.wanted_returns = {}, [], [], []
        self.assigned = names_assigned(node)
        self.is_async = False

    def check_function(self, node):
        self.variables = {**(self.cls.scope() if self.cls else {}), **node.scope}
        if node.body is None:
            return
        self.start(node.body)
        self.function_body(node)

    def function_body(self, node):
        returns = self.type(node.type) if node.type is not None else (
            VOID if node.kind_ == "set" else ANY)
        locals_ = {}
        for parameter in node.parameters:
            locals_[parameter.name] = self.parameter(parameter)
        self.body(node, locals_, returns)

    def parameter(self, node):
        if node.is_bare:
            self.report(node.at, f"parameter {node.name} has no type (strict-inference)")
        type_ = self.type(node.type)
        if node.value is not None:
            self.want(node.value, type_, "a default")
        elif node.kind_ != "plain" and not node.is_required and not type_.is_nullable \
                and type_.kind not in ("dynamic", "any", "variable"):
            self.report(node.at, f"{node.name} needs a default or `required`")
        return Local(node.name, type_, node.at, is_final=node.name not in self.assigned)

    def body(self, node, locals_, returns):
        inner = returns
        outer = self.flow, self.is_async, self.returned
        if node.is_async:
            if returns.name == "Future":
                inner = returns.arguments[0]
            elif returns.kind not in ("void", "any"):
                self.report(node.at, f"async, and gives {returns!r}")
        self.is_async = node.is_async
        self.wanted_returns.append((returns, inner))
        self.scopes.append(locals_)
        if node.body.kind == "arrow":
            self.return_value(node.body.value, inner)
        else:
            self.block(node.body)
            if self.flow is not None and inner.kind not in ("void", "any", "dynamic", "Null"):
                name = node.name or self.cls.name
                self.report(node.at, f"{name} may end without giving {inner!r}")
        self.scopes.pop()
        self.wanted_returns.pop()
        self.flow, self.is_async, self.returned = outer

    def return_value(self, value, inner):
        found = self.type_of(value, inner)
        wanted = inner
        if self.is_async and inner.kind not in ("void", "any"):
            wanted = Type("class", self.world.core.find("Future").library.own["FutureOr"], [inner])
        is_number = value.kind == "literal" and value.type == "int" and inner.name == "double"
        if inner.kind != "void" and not fits(found, wanted) and not is_number:
            self.report(value.at, f"{found!r} is given where {inner!r} is wanted")
        return found

    def check_constructor(self, cls, node):
        is_factory = "factory" in node.words
        self.is_static = is_factory
        body = [node.initializers, node.body]
        self.start(body)
        locals_ = {}
        signature = cls.constructors[node.name]
        types = iter(signature.plain)
        for parameter in node.parameters:
            if parameter.target is None:
                locals_[parameter.name] = self.parameter(parameter)
                if parameter.kind_ != "named":
                    next(types)
                continue
            type_ = signature.named[parameter.name][0] if parameter.kind_ == "named" \
                else next(types)
            if parameter.value is not None:
                self.want(parameter.value, type_, "a default")
            elif parameter.kind_ != "plain" and not parameter.is_required \
                    and not type_.is_nullable and parameter.target == "this":
                self.report(parameter.at, f"{parameter.name} needs a default or `required`")
            locals_[parameter.name] = Local(parameter.name, type_, parameter.at)
        self.in_constructor = not is_factory
        set_here = {one.name for one in node.parameters if one.target == "this"}
        self.scopes.append(locals_)
        self.is_static = True
        for one in node.initializers:
            if one.kind == "field_initializer":
                set_here.add(one.name)
                self.want(one.value, cls.members[one.name].type)
            else:
                self.apply(one, cls.above[0].of.constructors[one.name], [], None)
        self.is_static = is_factory
        self.scopes.pop()
        if node.body is not None:
            self.body(node, locals_, cls.type() if is_factory else VOID)
        self.in_constructor = False
        if is_factory:
            return
        for member in cls.members.values():
            if member.kind == "field" and not member.is_static and member.node.value is None \
                    and "late" not in member.node.words and not member.type.is_nullable \
                    and member.name not in set_here and member.node.kind == "variable":
                self.report(node.at, f"field {member.name} is not set")

    def check_override(self, cls, node, member):
        if member.is_static:
            return
        above = None
        for one in cls.above:
            above = above or find_member(one, node.name)
        says = "override" in node.annotations
        if bool(above) != says:
            self.report(node.at, f"{node.name} {'overrides' if above else 'overrides nothing'}, "
                        f"and {'lacks' if above else 'has'} the annotation")
        if above and above[0].kind != "set" and member.kind != "set" \
                and not fits(member.type, above[1]):
            self.report(node.at, f"{node.name} is {member.type!r}, and above it {above[1]!r}")

    def check_implemented(self, cls):
        if cls.is_abstract or cls.values is not None:
            return
        for name, member in _abstract_members(cls):
            found = _concrete_member(cls, name)
            if found is None:
                self.report(cls.node.at, f"class {cls.name} has no {name} of {member.owner.name}")

    def check_private_names(self):
        """What is private and stands there once only, is used by nobody."""
        counts = {}
        pending = list(tokens(self.library.text))
        while pending:
            token = pending.pop()
            if token.kind == "id":
                counts[token.text] = counts.get(token.text, 0) + 1
            for part in token.parts or []:
                pending.extend(part)
        for name, count in counts.items():
            if name.startswith("_") and name.strip("_") and count == 1:
                self.report(self.library.text.index(name), f"{name} is not used")


def _abstract_members(cls):
    """What a class must have; in a signature, `external` says that a member is there already."""
    for above in cls.above:
        one = above.of
        if one.is_abstract:
            for name, member in one.members.items():
                if member.node.kind == "function" and member.node.body is None \
                        and not member.is_static and "external" not in member.node.words:
                    yield name, member
        yield from _abstract_members(one)


def _concrete_member(cls, name):
    member = cls.members.get(name)
    if member is not None:
        is_bare = member.node.kind == "function" and member.node.body is None \
            and "external" not in member.node.words
        if not (is_bare and cls.is_abstract):
            return member
    for above in cls.above:
        found = _concrete_member(above.of, name)
        if found is not None:
            return found
    return None


