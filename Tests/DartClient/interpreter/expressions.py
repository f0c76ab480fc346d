"""Turns the expressions of a Dart file into Python functions of an environment."""

from . import asynchrony, core, objects
from .model import raise_dart
from .operators import FLAT, MemberAccess, NullInChain, Operators, is_comment, operate
from .values import Map, Record, Set, Thrown, to_units

TYPE_NODES = {"type_identifier", "type_arguments", "nullable_type", "function_type", "void_type",
              "record_type"}


class Expressions(Operators):
    """The part of the compiler that deals with expressions. `self.source` is the file."""

    def text(self, node):
        return self.source.of(node)

    def unsupported(self, node):
        raise NotImplementedError(f"{self.source.place(node)}: {node.type} {self.text(node)[:60]}")

    # Runs: a primary expression and the selectors behind it

    def run(self, nodes, scope):
        nodes = [node for node in nodes if not is_comment(node)]
        first, *rest = nodes
        if first.type in ("const", "const_builtin", "new"):
            return self.run(rest, scope)
        if first.type == "type_arguments" or (first.type in TYPE_NODES and rest):
            if rest and rest[0].type == "type_arguments":
                rest = rest[1:]
        value = self.primary(first, scope)
        for node in rest:
            value = self.selector(value, node, scope)
        if any(self.text(node).startswith("?") for node in rest):
            return lambda env: self.unguarded(value, env)
        return value

    @staticmethod
    def unguarded(value, env):
        try:
            return value(env)
        except NullInChain:
            return None

    def selector(self, value, node, scope):
        if node.type == "selector":
            for child in node.children:
                if not is_comment(child):
                    value = self.selector(value, child, scope)
            return value
        if node.type == "!":
            def checked(env):
                found = value(env)
                if found is None:
                    raise_dart("TypeError", "null check")
                return found
            return checked
        if node.type == "cascade_section":
            return self.cascade(value, node, scope)
        if node.type == "argument_part":
            return self.invocation(value, node, scope)
        if node.type == "type_arguments":
            return value
        if node.type in ("unconditional_assignable_selector", "conditional_assignable_selector"):
            is_conditional = node.type.startswith("conditional")
            inner = node.children[-1]
            if inner.type == "index_selector":
                key = self.run(inner.children[1:-1], scope)
                return lambda env: objects.index(value(env), key(env))
            name = self.text(inner)
            return MemberAccess(value, name, is_conditional)
        return self.unsupported(node)

    def invocation(self, value, node, scope):
        types = [child for child in node.children if child.type == "type_arguments"]
        arguments = self.arguments(node, scope)
        if isinstance(value, MemberAccess):
            target, name = value.target, value.name

            def call_member(env):
                found = target(env)
                if found is None and value.is_conditional:
                    raise NullInChain
                positional, named = arguments(env)
                return objects.call(found, name, positional, named)
            return call_member
        if types and not isinstance(value, MemberAccess):
            wanted = self.type_names(types[0])

            def call_typed(env):
                function = value(env)
                positional, named = arguments(env)
                if hasattr(function, "takes_type"):
                    return function(wanted, *positional, **named)
                return function(*positional, **named)
            return call_typed

        def call(env):
            function = value(env)
            positional, named = arguments(env)
            if function is None:
                raise_dart("TypeError", "null is no function")
            return function(*positional, **named)
        return call

    def type_names(self, node):
        """The name of the first type argument, in the words of the file."""
        return self.text(node)[1:-1].split("<")[0].strip()

    def arguments(self, node, scope):
        """A function that gives a list and a dictionary."""
        positional, named = [], []
        holders = [child for child in node.children if child.type == "arguments"] or [node]
        for child in holders[0].children:
            if child.type == "argument":
                positional.append(self.run(child.children, scope))
            elif child.type == "named_argument":
                label, *rest = [part for part in child.children if not is_comment(part)]
                named.append((self.text(label.children[0]), self.run(rest, scope)))

        def evaluate(env):
            return ([value(env) for value in positional],
                    {name: value(env) for name, value in named})
        return evaluate

    def cascade(self, value, node, scope):
        parts = [part for part in node.children if not is_comment(part)][1:]
        selector, *rest = parts
        if selector.children[0].type == "index_selector":
            return self.unsupported(node)
        name = self.text(selector)
        if rest and rest[0].type == "=":
            new = self.run(rest[1:], scope)

            def act(env):
                found = value(env)
                objects.put(found, name, new(env))
                return found
            return act
        holder = {}
        inner = MemberAccess(lambda env: holder["value"], name, False)
        for part in rest:
            inner = self.selector(inner, part, scope)

        def act(env):
            found = value(env)
            holder["value"] = found
            inner(env)
            return found
        return act

    # Primaries

    def primary(self, node, scope):
        kind = node.type
        if kind in FLAT:
            return self.operators([node], scope)
        method = getattr(self, "at_" + kind, None)
        if method is None:
            return self.unsupported(node)
        return method(node, scope)

    def constant(self, value):
        return lambda env: value

    def at_null_literal(self, node, scope):
        return self.constant(None)

    def at_true(self, node, scope):
        return self.constant(True)

    def at_false(self, node, scope):
        return self.constant(False)

    def at_decimal_integer_literal(self, node, scope):
        return self.constant(int(self.text(node)))

    def at_hex_integer_literal(self, node, scope):
        return self.constant(core.wrapped(int(self.text(node), 16)))

    def at_decimal_floating_point_literal(self, node, scope):
        return self.constant(float(self.text(node)))

    def at_this(self, node, scope):
        return self.variable("this", scope)

    def at_super(self, node, scope):
        this, own = self.variable("this", scope), scope.of_class
        return lambda env: objects.Above(this(env), own)

    def at_identifier(self, node, scope):
        return self.variable(self.text(node), scope)

    at_type_identifier = at_identifier
    at_identifier_dollar_escaped = at_identifier

    def at_parenthesized_expression(self, node, scope):
        return self.run(node.children[1:-1], scope)

    def at_qualified(self, node, scope):
        first, _, last = node.children
        value = self.variable(self.text(first), scope)
        name = self.text(last)
        return lambda env: objects.get(value(env), name)

    def at_const_object_expression(self, node, scope):
        parts = [part for part in node.children[1:]
                 if part.type not in ("type_arguments", ".") and not is_comment(part)]
        names = [self.text(part) for part in parts[:-1]]
        value = self.variable(names[0], scope)
        arguments = self.arguments(parts[-1], scope)

        def make(env):
            positional, named = arguments(env)
            found = value(env)
            if len(names) > 1:
                return objects.call(found, names[1], positional, named)
            return found(*positional, **named)
        return make

    at_new_expression = at_const_object_expression

    def at_constructor_invocation(self, node, scope):
        """`Type<T>.name(x)`."""
        names = [self.text(part) for part in node.children
                 if part.type in ("type_identifier", "identifier")]
        value = self.variable(names[0], scope)
        arguments = self.arguments(node, scope)

        def make(env):
            positional, named = arguments(env)
            if len(names) > 1:
                return objects.call(value(env), names[1], positional, named)
            return value(env)(*positional, **named)
        return make

    def at_string_literal(self, node, scope):
        parts = []
        data = self.source.data
        position = None
        is_raw = False
        for child in node.children:
            if child.type in ("'", '"', "r'", 'r"'):
                if position is None:
                    position, is_raw = child.end_byte, child.type.startswith("r")
                    mark = child.type[-1]
                elif child.type == mark:
                    parts.append(self.literal(data[position:child.start_byte], is_raw))
                    position = None
            elif child.type == "template_substitution":
                parts.append(self.literal(data[position:child.start_byte], is_raw))
                inner = [part for part in child.children if part.type not in ("$", "{", "}")]
                parts.append(self.run(inner, scope))
                position = child.end_byte
            elif child.type == "string_literal":
                parts.append(self.at_string_literal(child, scope))
        if all(isinstance(part, str) for part in parts):
            return self.constant("".join(parts))

        def join(env):
            return "".join(part if isinstance(part, str) else objects.show(part(env))
                           for part in parts)
        return join

    def literal(self, data, is_raw):
        text = data.decode("utf-8")
        return to_units(text if is_raw else self.source.unescape(text))

    def at_list_literal(self, node, scope):
        elements = self.elements(node, scope)

        def make(env):
            made = []
            for element in elements:
                element(env, made)
            return made
        return make

    def at_set_or_map_literal(self, node, scope):
        elements = self.elements(node, scope)
        types = [child for child in node.children if child.type == "type_arguments"]
        is_set = bool(types) and "," not in self.text(types[0])

        def make(env):
            made = []
            for element in elements:
                element(env, made)
            return Set(made) if is_set else Map(made)
        return make

    def elements(self, node, scope):
        """Functions that add what stands in a literal to a list; pairs of a map as pairs."""
        found = []
        run = []
        for child in [part for part in node.children if not is_comment(part)]:
            if child.type in ("[", "{", "type_arguments", "const_builtin", ",", "]", "}"):
                if run:
                    found.append(self.element(run, scope))
                    run = []
            else:
                run.append(child)
        return found

    def element(self, nodes, scope):
        node = nodes[0]
        if node.type == "pair":
            key = self.run(node.children_by_field_name("key"), scope)
            value = self.run(node.children_by_field_name("value"), scope)
            return lambda env, made: made.append((key(env), value(env)))
        if node.type == "spread_element":
            items = self.run(node.children[1:], scope)
            return lambda env, made: made.extend(spread(items(env)))
        if node.type == "if_element":
            parts = node.children
            close = next(at for at, part in enumerate(parts) if part.type == ")")
            test = self.run(parts[2:close], scope)
            yes = self.element(node.children_by_field_name("consequence"), scope)
            no = node.children_by_field_name("alternative")
            no = self.element(no, scope) if no else lambda env, made: None
            return lambda env, made: yes(env, made) if test(env) else no(env, made)
        if node.type == "for_element":
            body_nodes = node.children_by_field_name("body")
            return self.loop(node, scope, lambda inner: self.element(body_nodes, inner))
        value = self.run(nodes, scope)
        return lambda env, made: made.append(value(env))

    def at_record_literal(self, node, scope):
        fields = [self.run(child.children, scope) for child in node.children
                  if child.type == "record_field"]
        return lambda env: Record(value(env) for value in fields)

    def at_function_expression(self, node, scope):
        parameters = node.child_by_field_name("parameters")
        body = node.child_by_field_name("body")
        return self.function(parameters, body, scope)

    def at_throw_expression(self, node, scope):
        value = self.run(node.children[1:], scope)

        def throw(env):
            raise Thrown(value(env))
        return throw

    def at_await_expression(self, node, scope):
        value = self.run(node.children[1:], scope)
        return lambda env: asynchrony.wait(value(env))

    def at_postfix_expression(self, node, scope):
        if node.children[-1].type != "postfix_operator":
            return self.run(node.children, scope)
        return self.step(node.children[0], self.text(node.children[-1]), scope, True)

    def step(self, target, sign, scope, gives_old):
        read, write = self.assignable(target, scope)

        def act(env):
            old = read(env)
            new = old + 1 if sign == "++" else old - 1
            write(env, new)
            return old if gives_old else new
        return act

    def type_of(self, nodes):
        """A test of values for a type; type arguments are not looked at."""
        nodes = [node for node in nodes if not is_comment(node)]
        name = self.text(nodes[0])
        can_be_null = nodes[-1].type == "nullable_type"
        return lambda value: can_be_null and value is None or objects.is_type(value, name)

    def run_raw(self, nodes, scope):
        """As `run`, with a last member access left as one."""
        value = self.primary(nodes[0], scope)
        for node in nodes[1:]:
            value = self.selector(value, node, scope)
        return value

    # Assignment

    def at_assignment_expression(self, node, scope):
        read, write = self.assignable(node.child_by_field_name("left"), scope)
        sign = self.text(node.child_by_field_name("operator"))
        value = self.run(node.children_by_field_name("right"), scope)
        if sign == "=":
            return lambda env: write(env, value(env))
        if sign == "??=":
            def act(env):
                found = read(env)
                return write(env, value(env)) if found is None else found
            return act
        return lambda env: write(env, operate(sign[:-1], read(env), value(env)))

    def assignable(self, node, scope):
        """Functions to read and to write; writing gives the value."""
        *before, last = node.children
        if not before:
            return self.variable(self.text(last), scope), self.writer(self.text(last), scope)
        target = self.run(before, scope)
        inner = last.children[-1] if last.type.endswith("selector") else last
        if inner.type == "selector":
            inner = inner.children[0].children[-1]
        if inner.type == "index_selector":
            key = self.run(inner.children[1:-1], scope)

            def put_index(env, value):
                objects.put_index(target(env), key(env), value)
                return value
            return (lambda env: objects.index(target(env), key(env))), put_index
        name = self.text(inner)

        def put(env, value):
            objects.put(target(env), name, value)
            return value
        return (lambda env: objects.get(target(env), name)), put


def spread(value):
    if isinstance(value, Map):
        return list(value.items_.values())
    return objects.iterate(value)
