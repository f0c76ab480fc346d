"""Members, calls with their arguments, and closures."""

from .flow import Local
from .types import (
    ANY, NEVER, NULL, VOID, Signature, Type, can_be_null, common, fits, replaced, unify,
)
from .world import Member, find_member

_OF_OBJECT = {"toString", "hashCode", "runtimeType", "=="}


class Calls:
    """The part of the checker that deals with members, calls and closures."""

    def chain(self, node, wanted=None):
        """(type, whether a `?.` in it may make the whole null)."""
        if node.kind == "bang":
            found, is_cut = self.chain(node.value)
            if not can_be_null(found.nullable() if is_cut else found):
                self.report(node.at, f"{found!r} is never null")
            key = self.key(node.value)
            if key is not None and self.flow is not None:
                self.flow = {**self.flow, key: found.nullable(False)}
            return found.nullable(False), False
        if node.kind == "index":
            target, is_cut = self.chain(node.target)
            if target.kind in ("any", "dynamic"):
                self.type_of(node.key)
                return ANY, is_cut
            found = self.member(node, target, "[]", False)
            if found is None:
                return ANY, is_cut
            self.want(node.key, found.of.plain[0], "an index")
            return found.of.returns, is_cut
        if node.kind == "member":
            cls = self.class_of(node)
            if cls:
                return self.core("Type"), False
            cls = self.class_of(node.target)
            if cls:
                return self.static(node, cls[0]), False
            if node.target.kind == "name" and node.target.name in self.library.prefixes():
                found = self.library.find(f"{node.target.name}.{node.name}")
                if found is None:
                    self.report(node.at, f"no {node.name} within reach")
                return (found.type if isinstance(found, Member) else ANY), False
            target, is_cut = self.chain(node.target)
            if node.is_aware:
                if not can_be_null(target):
                    self.report(node.at, f"{target!r} is never null")
                target, is_cut = target.nullable(False), True
            return self.member(node, target, node.name, True) or ANY, is_cut
        if node.kind == "call":
            return self.call(node, wanted)
        return self.type_of(node), False

    def member(self, node, target, name, is_named):
        """The type of a member, or None."""
        if target.kind in ("any", "dynamic", "Never"):
            return ANY
        if target.kind == "record" and name.startswith("$"):
            return target.arguments[int(name[1:]) - 1]
        if name in _OF_OBJECT or target.kind != "class":
            found = find_member(self.core("Object"), name)
            if found is None and not (target.kind == "function" and name == "call"):
                self.report(node.at, f"{target!r} has no {name}")
            return found[1] if found else target.nullable(False)
        if can_be_null(target):
            self.report(node.at, f"{name} of {target!r}, which may be null")
        found = find_member(target, name)
        if found is None or found[0].is_static:
            self.report(node.at, f"{target!r} has no {name}")
            return None
        home = found[0].owner.library
        if "extension" in found[0].node.annotations and home is not self.library \
                and not any(one is home for one, _, _, _ in self.library.imports):
            self.report(node.at, f"{name} of {home.path.stem}, which is not imported")
        return found[1]

    def static(self, node, cls):
        """What stands behind the name of a class, without a call."""
        found = cls.members.get(node.name)
        if found is not None and found.is_static:
            return found.type
        if node.name in cls.constructors or node.name == "new":
            signature = cls.constructors["" if node.name == "new" else node.name]
            return Type("function", signature)
        self.report(node.at, f"class {cls.name} has no {node.name}")
        return ANY

    def call(self, node, wanted):
        function = node.function
        cls = self.class_of(function)
        if cls:
            types = cls[1] or node.types
            return self.construct(node, cls[0], "", types, wanted), False
        if function.kind == "member":
            cls = self.class_of(function.target)
            if cls and function.name in cls[0].constructors:
                return self.construct(node, cls[0], function.name, cls[1], wanted), False
        found, is_cut = self.chain(function)
        if found.kind in ("any", "dynamic"):
            self.loose_arguments(node.arguments)
            return ANY, is_cut
        if found.kind == "function" and not found.is_nullable:
            if found.of is None:
                self.loose_arguments(node.arguments)
                return ANY, is_cut
            return self.apply(node, found.of, node.types, wanted), is_cut
        self.report(node.at, f"{found!r} is called")
        self.loose_arguments(node.arguments)
        return ANY, is_cut

    def loose_arguments(self, arguments):
        for value in [*arguments.plain, *(value for _, value in arguments.named)]:
            self.type_of(value)

    def construct(self, node, cls, name, types, wanted):
        if name not in cls.constructors:
            self.report(node.at, f"class {cls.name} has no constructor {name!r}")
            self.loose_arguments(node.arguments)
            return ANY
        is_own = cls.node is not None and cls.is_abstract and not any(
            one.kind == "constructor" and "factory" in one.words for one in cls.node.members)
        if is_own:
            self.report(node.at, f"abstract class {cls.name} is constructed")
        return self.apply(node, cls.constructors[name], types, wanted)

    def apply(self, node, signature, types, wanted):
        """The type of a call, whose arguments are looked at."""
        given = dict.fromkeys(signature.variables)
        if types:
            if len(types) != len(signature.variables):
                self.report(node.at, f"{len(types)} type arguments")
            given.update(zip(signature.variables, map(self.type, types)))
        elif wanted is not None and wanted.kind not in ("any", "void", "dynamic"):
            unify(signature.returns, wanted, given)
        plain, named = node.arguments.plain, node.arguments.named
        if not signature.least <= len(plain) <= len(signature.plain):
            self.report(node.at, f"{len(plain)} arguments where {signature.least} to "
                        f"{len(signature.plain)} are wanted")
        pairs = list(zip(signature.plain, plain))
        for name, value in named:
            if name not in signature.named:
                self.report(value.at, f"no parameter {name}")
                self.type_of(value)
            else:
                pairs.append((signature.named[name][0], value))
        for name, (_, must) in signature.named.items():
            if must and name not in dict(named):
                self.report(node.at, f"argument {name} is missing")
        # Closures last: what they take may follow from the other arguments.
        pairs.sort(key=lambda pair: pair[1].kind == "closure")
        for type_, value in pairs:
            known = {variable: one for variable, one in given.items() if one is not None}
            context = replaced(type_, known)
            found = self.type_of(value, context)
            unify(type_, found, given)
            known = {variable: one or ANY for variable, one in given.items()}
            type_ = replaced(type_, known)
            is_number = value.kind == "literal" and value.type == "int" and type_.name == "double"
            if not fits(found, type_) and not is_number:
                self.report(value.at, f"argument of type {found!r} where {type_!r} is wanted")
        found = replaced(signature.returns, {key: one or ANY for key, one in given.items()})
        if found.kind == "Never":
            self.flow = None
        return found

    # Functions

    def at_closure(self, node, wanted):
        expected = wanted.of if wanted is not None and wanted.kind == "function" else None
        plain, named, locals_ = [], {}, {}
        for at, parameter in enumerate(node.parameters):
            type_ = ANY
            if not parameter.is_bare:
                type_ = self.type(parameter.type)
            elif expected is not None and at < len(expected.plain):
                type_ = expected.plain[at]
            if parameter.kind_ == "named":
                named[parameter.name] = (type_, parameter.is_required)
            else:
                plain.append(type_)
            locals_[parameter.name] = Local(parameter.name, type_, parameter.at)
        least = sum(parameter.kind_ == "plain" for parameter in node.parameters)
        wanted_return = expected.returns if expected is not None else None
        returns = self.closure_body(node, locals_, wanted_return)
        return Type("function", Signature(returns, plain, least, named))

    def closure_body(self, node, locals_, wanted):
        """Checks the body of a closure, and gives what it returns."""
        before, is_async = self.flow, self.is_async
        outer = self.returned
        self.flow = {key: type_ for key, type_ in (before or {}).items()
                     if not isinstance(key, Local) or key.is_final
                     or key.name not in self.assigned}
        self.is_async, self.returned = node.is_async, []
        inner = wanted
        if node.is_async and wanted is not None:
            inner = wanted.arguments[0] if wanted.name in ("Future", "FutureOr") else None
        self.wanted_returns.append((None, inner))
        self.scopes.append(locals_)
        if node.body.kind == "arrow":
            found = self.type_of(node.body.value, inner)
        else:
            self.block(node.body)
            found = NULL if self.flow is not None or not self.returned else NEVER
            if wanted is not None and wanted.kind == "void" or found is NULL and not self.returned:
                found = NULL if wanted is not None and wanted.kind != "void" else VOID
            for one in self.returned:
                found = common(found, one) if found.kind != "void" else one
        self.scopes.pop()
        self.wanted_returns.pop()
        self.flow, self.is_async, self.returned = before, is_async, outer
        if node.is_async:
            if found.kind == "class" and found.of.name in ("Future", "FutureOr"):
                found = found.arguments[0]
            return self.future(found)
        return found

    def future(self, type_):
        return Type("class", self.world.core.find("Future"), [type_])
