"""What type an expression has, and what is wrong with it."""

from .calls import Calls
from .flow import Conditions, Local
from .literals import Literals
from .tree import Node, walk
from .types import ANY, NEVER, NULL, Type, can_be_null, common, fits
from .world import Class, Member, find_member

_ARITHMETIC = {"+", "-", "*", "%"}


class Inference(Calls, Conditions, Literals):
    """The part of the checker that deals with expressions.

    `flow` says what is known of variables at this point: variable to type, or None where the
    program does not come.
    """

    # Names

    def local(self, name):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def member_of_this(self, name):
        if self.cls is None:
            return None
        found = find_member(self.cls.type(), name)
        if found is None or (self.is_static and not found[0].is_static):
            return None
        return found

    def class_of(self, node):
        """(class, type arguments) if an expression names a class; else None."""
        types = []
        if node.kind == "typed":
            node, types = node.value, node.types
        name = None
        if node.kind == "name" and self.local(node.name) is None \
                and self.member_of_this(node.name) is None:
            name = node.name
        elif node.kind == "member" and node.target.kind == "name" \
                and node.target.name in self.library.prefixes():
            name = f"{node.target.name}.{node.name}"
        found = self.library.find(name) if name else None
        return (found, types) if isinstance(found, Class) else None

    def known(self, key, type_):
        return self.flow.get(key, type_) if self.flow is not None else type_

    def key(self, node):
        """What flow analysis may know more of: a local, or a private final field of this."""
        if node.kind == "name":
            local = self.local(node.name)
            if local is not None:
                return local
            found = self.member_of_this(node.name)
            if found and found[0].kind == "field" and found[0].is_final \
                    and node.name.startswith("_"):
                return found[0]
        return None

    def at_name(self, node, wanted):
        local = self.local(node.name)
        if local is not None:
            local.is_read = True
            return self.known(local, local.type)
        found = self.member_of_this(node.name)
        if found is not None:
            return self.known(found[0], found[1])
        found = self.library.find(node.name)
        if isinstance(found, Member):
            return found.type
        if isinstance(found, Class):
            return self.core("Type")
        self.report(node.at, f"no {node.name} within reach")
        return ANY

    # Expressions

    def type_of(self, node, wanted=None):
        """The type of an expression where one of type `wanted` would do."""
        if node.kind in ("member", "call", "index", "bang"):
            found, is_cut = self.chain(node, wanted)
            return found.nullable() if is_cut else found
        return getattr(self, "at_" + node.kind)(node, wanted)

    def want(self, node, wanted, what="value"):
        """An expression that has to fit."""
        found = self.type_of(node, wanted)
        if node.kind == "literal" and node.type == "int" and wanted.name == "double":
            return wanted
        if not fits(found, wanted):
            self.report(node.at, f"{what} of type {found!r} where {wanted!r} is wanted")
        return found

    def core(self, name, *arguments):
        return self.world.core_type(name, *arguments)

    def at_literal(self, node, wanted):
        return NULL if node.type == "Null" else self.core(node.type)

    def at_string(self, node, wanted):
        for part in node.parts:
            if self.type_of(part).kind == "void":
                self.report(part.at, "void in a string")
        return self.core("String")

    def at_this(self, node, wanted):
        return self.cls.type()

    def at_super(self, node, wanted):
        return self.cls.above[0]

    def at_it(self, node, wanted):
        return self.targets[-1]

    def at_record(self, node, wanted):
        return Type("record", None, [self.type_of(item) for item in node.items])

    def at_typed(self, node, wanted):
        return ANY

    def at_throw(self, node, wanted):
        if node.value is not None:
            found = self.type_of(node.value)
            if can_be_null(found) and found.kind != "any":
                self.report(node.at, f"{found!r} is thrown, which may be null")
        self.flow = None
        return NEVER

    def at_await(self, node, wanted):
        if not self.is_async:
            self.report(node.at, "await outside of an async function")
        found = self.type_of(node.value)
        if found.kind == "class" and found.of.name in ("Future", "FutureOr"):
            inner = found.arguments[0]
            return inner.nullable() if found.is_nullable else inner
        return found

    def at_conditional(self, node, wanted):
        yes, no = self.condition(node.test)
        self.flow = yes
        one = self.type_of(node.yes, wanted)
        yes = self.flow
        self.flow = no
        other = self.type_of(node.no, wanted)
        self.flow = self.joined(yes, self.flow)
        if wanted is not None and fits(one, wanted) and fits(other, wanted):
            return wanted if wanted.kind not in ("void", "dynamic") else common(one, other)
        return common(one, other)

    def at_is(self, node, wanted):
        self.condition(node)
        return self.core("bool")

    def at_as(self, node, wanted):
        found, type_ = self.type_of(node.value), self.type(node.type)
        if fits(found, type_) and "any" not in (found.kind, type_.kind) \
                and type_.kind not in ("void", "dynamic", "variable"):
            self.report(node.at, f"{found!r} is {type_!r} without a cast")
        return type_

    def at_unary(self, node, wanted):
        if node.sign == "!":
            yes, no = self.condition(node)
            self.flow = self.joined(yes, no)
            return self.core("bool")
        return self.type_of(node.value)

    def at_step(self, node, wanted):
        found = self.type_of(node.target)
        self.written(node.target, found)
        return found

    def at_binary(self, node, wanted):
        if node.sign in ("&&", "||", "==", "!="):
            yes, no = self.condition(node)
            self.flow = self.joined(yes, no)
            return self.core("bool")
        if node.sign == "??":
            one = self.type_of(node.left, wanted)
            if not can_be_null(one):
                self.report(node.left.at, f"{one!r} is never null")
            before = self.flow
            other = self.type_of(node.right, wanted)
            self.flow = self.joined(before, self.flow) if other.kind != "Never" else before
            return common(one.nullable(False), other)
        one = self.type_of(node.left)
        other = self.type_of(node.right)
        return self.operator(node, node.sign, one, other)

    def operator(self, node, sign, one, other):
        if one.kind in ("any", "dynamic"):
            return ANY
        if can_be_null(one):
            self.report(node.at, f"{sign} of {one!r}, which may be null")
            return ANY
        found = find_member(one, sign) if one.kind == "class" else None
        if found is None:
            self.report(node.at, f"{one!r} has no {sign}")
            return ANY
        signature = found[1].of
        if not fits(other, signature.plain[0]):
            self.report(node.at, f"{sign} of {one!r} and {other!r}")
        if sign in _ARITHMETIC and one.name in ("int", "double", "num"):
            names = {one.name, other.name}
            return self.core("int" if names == {"int"} else
                             "double" if "double" in names else "num")
        return signature.returns

    def at_assign(self, node, wanted):
        type_ = self.written_type(node.target)
        if node.sign == "=":
            found = self.want(node.value, type_)
        elif node.sign == "??=":
            before = self.type_of(node.target)
            if not can_be_null(before):
                self.report(node.at, f"{before!r} is never null")
            found = common(before.nullable(False), self.want(node.value, type_))
        else:
            before = self.type_of(node.target)
            found = self.operator(node, node.sign[:-1], before, self.type_of(node.value))
        self.written(node.target, found)
        return found

    def written_type(self, node):
        """The type that may be assigned here; tells if nothing may."""
        if node.kind == "index":
            target = self.type_of(node.target)
            found = find_member(target, "[]=") if target.kind == "class" else None
            if found is None:
                self.report(node.at, f"{target!r} has no []=")
                return ANY
            self.want(node.key, found[1].of.plain[0], "an index")
            return found[1].of.plain[1]
        if node.kind == "name":
            local = self.local(node.name)
            if local is not None:
                if local.is_final and local.is_written:
                    self.report(node.at, f"{node.name} is final")
                return local.type
            find = self.member_of_this
            found = find(node.name + "=") or find(node.name)
        elif node.kind == "member":
            cls = self.class_of(node.target)
            target = cls[0].type() if cls else self.type_of(node.target)
            if target.kind != "class":
                return ANY
            if target.is_nullable:
                self.report(node.at, f".{node.name} = of {target!r}")
            found = find_member(target, node.name + "=") or find_member(target, node.name)
        else:
            self.report(node.at, "nothing that can be assigned to")
            return ANY
        if found is None:
            self.report(node.at, f"no {node.name} to assign to")
            return ANY
        if found[0].kind in ("get", "method") or found[0].is_final and not self.in_constructor:
            self.report(node.at, f"{node.name} cannot be assigned to")
        return found[1]

    def written(self, node, found):
        key = self.key(node)
        if key is None or self.flow is None:
            return
        self.flow = {**self.flow}
        self.flow.pop(key, None)
        if isinstance(key, Local):
            key.is_written = True
            if fits(found, key.type) and found.kind not in ("any", "Null", "dynamic"):
                self.flow[key] = found

    def at_cascade(self, node, wanted):
        target = self.type_of(node.target, wanted)
        self.targets.append(target)
        for section in node.sections:
            self.type_of(section)
        self.targets.pop()
        return target


def names_assigned(node):
    """The names of variables that are assigned somewhere below a node."""
    return {one.target.name for one in walk(node)
            if isinstance(one, Node) and one.kind in ("assign", "step")
            and one.target.kind == "name"}


__all__ = ["Inference", "Local", "names_assigned"]
