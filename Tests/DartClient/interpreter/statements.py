"""Turns statements, functions and classes of a Dart file into Python functions."""

from . import asynchrony, objects
from .expressions import Expressions
from .model import Environment, Parameter, Scope, assign
from .operators import is_comment, truth
from .values import Thrown

BREAK, CONTINUE = object(), object()


class Statements(Expressions):
    """Statements are functions of an environment that give None, BREAK, CONTINUE or (value,)."""

    # Variables

    def variable(self, name, scope):
        hops = scope.hops(name)
        if hops is not None:
            return self.local(name, hops)
        library = self.library
        own = scope.of_class
        of_this = scope.hops("this")

        def look(env):
            if own is not None and own.declares(name):
                if name in own.statics or name in own.static_getters:
                    return own.dart_get(name)
                return objects.get(up(env, of_this), name)
            try:
                return library.look(name)
            except LookupError:
                if name in library.prefixes:
                    return library.prefixes[name]
                if of_this is None:
                    raise NameError(f"{library.path.name}: {name}") from None
                return objects.get(up(env, of_this), name)
        return look

    def local(self, name, hops):
        if hops == 0:
            return lambda env: env.variables[name]
        if hops == 1:
            return lambda env: env.parent.variables[name]
        if hops == 2:
            return lambda env: env.parent.parent.variables[name]

        def look(env):
            for _ in range(hops):
                env = env.parent
            return env.variables[name]
        return look

    def writer(self, name, scope):
        hops = scope.hops(name)
        if hops is not None:
            def write(env, value):
                for _ in range(hops):
                    env = env.parent
                env.variables[name] = value
                return value
            return write
        own = scope.of_class
        of_this = scope.hops("this")

        def write_member(env, value):
            if own is not None and name in own.statics:
                own.statics[name] = value
            else:
                objects.put(up(env, of_this), name, value)
            return value
        return write_member

    # Statements

    def statement(self, node, scope):
        method = getattr(self, "do_" + node.type, None)
        if method is None:
            return self.unsupported(node)
        return method(node, scope)

    def block(self, nodes, scope, names=()):
        """Statements with an environment of their own."""
        nodes = [node for node in nodes if not is_comment(node)]
        inner = Scope([*names, *self.declared(nodes)], scope)
        steps = [self.statement(node, inner) for node in nodes]

        def act(env):
            env = Environment({}, env)
            for step in steps:
                signal = step(env)
                if signal is not None:
                    return signal
            return None
        return act

    def declared(self, nodes):
        found = []
        for node in nodes:
            if node.type == "local_variable_declaration":
                for part in self.source.walk("initialized_variable_definition", node=node):
                    if part.parent.id == node.id:
                        found.append(self.text(part.child_by_field_name("name")))
            elif node.type == "local_function_declaration":
                signature = next(self.source.walk("function_signature", node=node))
                found.append(self.text(signature.child_by_field_name("name")))
        return found

    def do_block(self, node, scope):
        return self.block(node.children[1:-1], scope)

    def do_expression_statement(self, node, scope):
        nodes = [part for part in node.children if part.type != ";" and not is_comment(part)]
        if not nodes:
            return lambda env: None
        value = self.run(nodes, scope)

        def act(env):
            value(env)
        return act

    def do_local_variable_declaration(self, node, scope):
        part = next(child for child in node.children
                    if child.type == "initialized_variable_definition")
        name = self.text(part.child_by_field_name("name"))
        nodes = part.children_by_field_name("value")
        value = self.run(nodes, scope) if nodes else lambda env: None

        def act(env):
            env.variables[name] = value(env)
        return act

    def do_local_function_declaration(self, node, scope):
        inner = node.children[0]
        signature = inner.child_by_field_name("parameters")
        name = self.text(signature.child_by_field_name("name"))
        parameters = next(child for child in signature.children
                          if child.type == "formal_parameter_list")
        make = self.function(parameters, inner.child_by_field_name("body"), scope)

        def act(env):
            env.variables[name] = make(env)
        return act

    def do_return_statement(self, node, scope):
        nodes = [part for part in node.children[1:]
                 if part.type != ";" and not is_comment(part)]
        if not nodes:
            return lambda env: (None,)
        value = self.run(nodes, scope)
        return lambda env: (value(env),)

    def do_break_statement(self, node, scope):
        return lambda env: BREAK

    def do_continue_statement(self, node, scope):
        return lambda env: CONTINUE

    def do_if_statement(self, node, scope):
        close = next(at for at, part in enumerate(node.children) if part.type == ")")
        test = self.run(node.children[2:close], scope)
        yes = self.statement(node.child_by_field_name("consequence"), scope)
        no = node.child_by_field_name("alternative")
        no = self.statement(no, scope) if no is not None else lambda env: None
        return lambda env: yes(env) if truth(test(env)) else no(env)

    def do_while_statement(self, node, scope):
        test = self.run([node.child_by_field_name("condition")], scope)
        body = self.statement(node.child_by_field_name("body"), scope)

        def act(env):
            while truth(test(env)):
                signal = body(env)
                if signal is BREAK:
                    break
                if signal is not None and signal is not CONTINUE:
                    return signal
            return None
        return act

    def do_for_statement(self, node, scope):
        body = node.child_by_field_name("body")
        loop = self.loop(node, scope, lambda inner: self.collecting(body, inner))

        def act(env):
            signals = []
            loop(env, signals)
            return signals[0] if signals else None
        return act

    def collecting(self, node, scope):
        """A body that hands a return on through the list, and tells the loop to stop."""
        step = self.statement(node, scope)

        def act(env, signals):
            signal = step(env)
            if signal is BREAK:
                return True
            if signal is not None and signal is not CONTINUE:
                signals.append(signal)
                return True
            return False
        return act

    def loop(self, node, scope, make_body):
        """A for of a statement or of a literal: a function of environment and list."""
        parts = next(child for child in node.children if child.type == "for_loop_parts")
        if any(child.type == "in" for child in parts.children):
            name = self.text(parts.child_by_field_name("name"))
            items = self.run(parts.children_by_field_name("value"), scope)
            body = make_body(Scope([name], scope))

            def over(env, made):
                for item in objects.iterate(items(env)):
                    if body(Environment({name: item}, env), made):
                        break
            return over
        first = parts.child_by_field_name("init")
        name = self.declared([first])[0]
        inner = Scope([name], scope)
        start = self.statement(first, inner)
        tests = [part for part in parts.children_by_field_name("condition") if part.type != ";"]
        test = self.run(tests, inner)
        step = self.run(parts.children_by_field_name("update"), inner)
        body = make_body(inner)

        def count(env, made):
            env = Environment({}, env)
            start(env)
            while truth(test(env)):
                # Each round has a variable of its own, which closures may keep.
                if body(env, made):
                    break
                env = Environment(dict(env.variables), env.parent)
                step(env)
        return count

    def do_switch_statement(self, node, scope):
        subject = self.run([node.child_by_field_name("condition")], scope)
        cases = []
        for case in node.child_by_field_name("body").children:
            if case.type == "switch_statement_case":
                colon = next(at for at, part in enumerate(case.children) if part.type == ":")
                patterns = [self.run(part.children, scope) for part in case.children[1:colon]
                            if part.type == "constant_pattern"]
                cases.append((patterns, self.case_body(case.children[colon + 1:], scope)))
            elif case.type == "switch_statement_default":
                cases.append((None, self.case_body(case.children[2:], scope)))

        def act(env):
            value = subject(env)
            for at, (patterns, _) in enumerate(cases):
                if patterns is None or any(objects.equal(value, p(env)) for p in patterns):
                    # A case without statements shares those of the next.
                    body = next(body for _, body in cases[at:] if body is not None)
                    signal = body(env)
                    return None if signal is BREAK else signal
            return None
        return act

    def case_body(self, nodes, scope):
        nodes = [node for node in nodes if not is_comment(node)]
        return self.block(nodes, scope) if nodes else None

    def do_try_statement(self, node, scope):
        body = self.statement(node.child_by_field_name("body"), scope)
        handlers = []
        last = lambda env: None  # noqa: E731
        matches, names = (lambda value: True), ()
        parts = [part for part in node.children if not is_comment(part)]
        for at, part in enumerate(parts):
            if part.type == "on":
                end = next(i for i in range(at + 1, len(parts))
                           if parts[i].type in ("block", "catch_clause"))
                matches, names = self.type_of(parts[at + 1:end]), ()
            elif part.type == "catch_clause":
                names = [self.text(name) for name in self.source.walk("identifier", node=part)]
            elif part.type == "block" and at > 1:
                handlers.append((matches, names,
                                 self.block(part.children[1:-1], Scope([*names, "#"], scope))))
                matches, names = (lambda value: True), ()
            elif part.type == "finally_clause":
                last = self.statement(part.children[-1], scope)

        def act(env):
            try:
                try:
                    return body(env)
                except Thrown as thrown:
                    for matches, names, handler in handlers:
                        if matches(thrown.value):
                            variables = dict(zip(names, (thrown.value, "stack")))
                            return handler(Environment({**variables, "#": thrown}, env))
                    raise
            finally:
                last(env)
        return act

    def at_rethrow_expression(self, node, scope):
        caught = self.variable("#", scope)

        def act(env):
            raise caught(env)
        return act

    # Functions

    def parameters(self, node, scope):
        found = []
        kind = "plain"
        items = [child for child in node.children if not is_comment(child)] if node else []
        for child in items:
            if child.type == "formal_parameter":
                found.append(self.parameter(child, "plain", None))
            elif child.type == "optional_formal_parameters":
                is_named = child.children[0].type == "{"
                kind = "named" if is_named else "optional"
                parts = [part for part in child.children[1:-1] if not is_comment(part)]
                for at, part in enumerate(parts):
                    if part.type != "formal_parameter":
                        continue
                    is_required = at > 0 and self.text(parts[at - 1]) == "required"
                    default = None
                    if at + 1 < len(parts) and parts[at + 1].type == "=":
                        end = next((i for i in range(at + 1, len(parts))
                                    if parts[i].type == ","), len(parts))
                        default = self.run(parts[at + 2:end], scope)
                    found.append(self.parameter(
                        part, "required" if is_required else kind, default))
        return found

    def parameter(self, node, kind, default):
        inner = node.children[0]
        target = "variable"
        if inner.type == "constructor_param":
            target = "field"
        elif inner.type == "super_formal_parameter":
            target = "super"
        else:
            inner = node
        named = inner.child_by_field_name("name")
        names = [child for child in inner.children if child.type == "identifier"]
        name = self.text(named if named is not None else names[-1])
        return Parameter(name, kind, default, target)

    def function(self, parameter_node, body_node, scope, is_getter=False):
        """Environment to function."""
        parameters = [] if is_getter else self.parameters(parameter_node, scope)
        inner = Scope([parameter.name for parameter in parameters], scope)
        is_async, body = self.function_body(body_node, inner)
        names = [parameter.name for parameter in parameters]
        is_simple = all(parameter.kind == "plain" for parameter in parameters)

        def make(env):
            def function(*arguments, **named):
                own = Environment({}, env)
                if is_simple and not named and len(arguments) == len(names):
                    own.variables.update(zip(names, arguments))
                else:
                    for parameter, value in assign(parameters, arguments, named, own):
                        own.variables[parameter.name] = value
                if is_async:
                    return asynchrony.run_async(lambda: body(own))
                return body(own)
            return function
        return make

    def function_body(self, node, scope):
        """Whether a body is async, and a function that gives what it returns."""
        parts = [part for part in node.children if not is_comment(part)]
        is_async = any(part.type == "async" for part in parts)
        if parts[-1].type == "block":
            steps = self.statement(parts[-1], scope)

            def act(env):
                signal = steps(env)
                return signal[0] if signal else None
            return is_async, act
        arrow = next(at for at, part in enumerate(parts) if part.type == "=>")
        value = self.run([part for part in parts[arrow + 1:] if part.type != ";"], scope)
        return is_async, value


def up(env, hops):
    for _ in range(hops):
        env = env.parent
    return env.variables["this"]
