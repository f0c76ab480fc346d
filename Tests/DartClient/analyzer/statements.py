"""Follows the statements of a body, and what is known of variables on the way."""

from .inference import Inference, Local, names_assigned
from .types import Type, as_instance, fits


class Statements(Inference):
    """The part of the checker that deals with statements."""

    def block(self, node):
        self.scopes.append({})
        for statement in node.statements:
            self.statement(statement)
        self.leave()

    def leave(self):
        for local in self.scopes.pop().values():
            if not local.is_read and not local.name.startswith("_"):
                self.report(local.at, f"{local.name} is not used")

    def statement(self, node):
        if self.flow is None:
            self.report(node.at, "the program does not come here")
            self.flow = {}
        getattr(self, "do_" + node.kind)(node)

    def do_block(self, node):
        self.block(node)

    def do_expression(self, node):
        found = self.type_of(node.value)
        if self.is_async and found.kind == "class" and found.of.name in ("Future", "FutureOr") \
                and node.value.kind != "assign":
            self.report(node.at, "a Future that nobody awaits (unawaited_futures)")

    def do_local(self, node):
        wanted = self.type(node.type) if node.type is not None else None
        is_final = bool({"final", "const"} & node.words)
        found = None
        if node.value is not None:
            found = self.want(node.value, wanted) if wanted is not None \
                else self.type_of(node.value)
            if not is_final and node.name not in self.assigned:
                self.report(node.at, f"{node.name} can be final (prefer_final_locals)")
        local = Local(node.name, wanted or found, node.at, is_final, warns=True)
        local.is_written = node.value is not None
        self.scopes[-1][node.name] = local
        if found is not None and wanted is not None and self.flow is not None \
                and found.kind not in ("any", "dynamic", "Null") and not is_final:
            self.flow = {**self.flow, local: found}

    def do_function(self, node):
        signature = self.world.signature(
            self.library, node.parameters, self.type(node.type), self.variables)
        self.scopes[-1][node.name] = Local(
            node.name, Type("function", signature), node.at, warns=True)
        node.scope = {}
        before = self.flow
        self.flow = {}
        self.function_body(node)
        self.flow = before

    def do_if(self, node):
        yes, no = self.condition(node.test)
        self.flow = yes
        self.statement(node.yes)
        yes, self.flow = self.flow, no
        if node.no is not None:
            self.statement(node.no)
        self.flow = self.joined(yes, self.flow)

    def forget(self, node):
        """Nothing is known of what a loop assigns, when it comes round again."""
        names = names_assigned(node)
        self.flow = {key: type_ for key, type_ in self.flow.items()
                     if getattr(key, "name", None) not in names}

    def do_while(self, node):
        self.forget(node)
        before = self.flow
        yes, no = self.condition(node.test)
        self.flow = yes
        self.exits.append([])
        self.statement(node.body)
        is_endless = node.test.kind == "literal"
        self.flow = None if is_endless else no
        for one in self.exits.pop():
            self.flow = self.joined(self.flow, {key: type_ for key, type_ in one.items()
                                                if key in before})

    def do_for(self, node):
        self.exits.append([])
        self.loop(node.parts, lambda: self.statement(node.body), node)
        self.exits.pop()

    def loop(self, parts, body, node=None):
        self.scopes.append({})
        if parts.kind == "for_in":
            items = self.type_of(parts.values)
            kind = as_instance(items, self.core("Iterable").of) if items.kind == "class" else None
            if kind is None or items.is_nullable:
                if items.kind != "any":
                    self.report(parts.at, f"for in {items!r}")
            type_ = self.type(parts.type)
            if kind is not None and not fits(kind.arguments[0], type_):
                self.report(parts.at, f"{kind.arguments[0]!r} where {type_!r} is wanted")
            self.scopes[-1][parts.name] = Local(
                parts.name, type_, parts.name_at, parts.is_final, warns=True)
            self.forget(node or parts)
            before = self.flow
            body()
            self.flow = before
        else:
            self.do_local(parts.first)
            self.forget(node or parts)
            yes, no = self.condition(parts.test)
            self.flow = yes
            body()
            self.flow = self.flow if self.flow is not None else {}
            self.type_of(parts.step)
            self.flow = no
        self.leave()

    def do_switch(self, node):
        self.type_of(node.subject)
        before, after, has_default = self.flow, None, False
        for patterns, body in node.cases:
            for pattern in patterns or []:
                self.type_of(pattern)
            has_default = has_default or patterns is None
            if not body:
                continue
            self.flow = before
            self.exits.append([])
            self.scopes.append({})
            for statement in body:
                self.statement(statement)
            self.leave()
            for one in self.exits.pop():
                self.flow = self.joined(self.flow, one)
            after = self.joined(after, self.flow)
        self.flow = after if has_default else self.joined(after, before)

    def do_try(self, node):
        before = self.flow
        self.block(node.body)
        after = self.flow
        self.forget_since(before, node.body)
        start = self.flow
        for type_, names, body in node.handlers:
            self.flow = start
            caught = self.type(type_) if type_ is not None else self.core("Object")
            scope = {}
            for name, one in zip(names, (caught, self.core("StackTrace"))):
                scope[name] = Local(name, one, body.at, warns=name != "stack")
            self.scopes.append(scope)
            self.block(body)
            self.leave()
            after = self.joined(after, self.flow)
        self.flow = after
        if node.last is not None:
            is_dead = self.flow is None
            self.flow = start if is_dead else self.flow
            self.block(node.last)
            self.flow = None if is_dead else self.flow

    def forget_since(self, before, node):
        self.flow = dict(before)
        self.forget(node)

    def do_return(self, node):
        returns, inner = self.wanted_returns[-1]
        if node.value is None:
            if inner is not None and inner.kind not in ("void", "any", "dynamic"):
                self.report(node.at, f"nothing is given where {inner!r} is wanted")
        elif returns is None:
            self.returned.append(self.type_of(node.value, inner))
        else:
            self.return_value(node.value, inner)
        self.flow = None

    def do_break(self, node):
        if self.exits and self.flow is not None:
            self.exits[-1].append(self.flow)
        self.flow = None

    def do_continue(self, node):
        self.flow = None
