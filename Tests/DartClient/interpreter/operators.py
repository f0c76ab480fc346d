"""Operators of a Dart file, in Dart's own precedence."""

from . import core, objects
from .model import raise_dart
from .values import Instance

COMMENTS = {"comment", "documentation_block_comment"}
BINARY = {"logical_or_expression", "logical_and_expression", "equality_expression",
          "relational_expression", "additive_expression", "multiplicative_expression",
          "shift_expression", "bitwise_and_expression", "bitwise_or_expression",
          "bitwise_xor_expression"}
FLAT = BINARY | {"conditional_expression", "if_null_expression", "unary_expression",
                 "type_test_expression", "type_cast_expression"}
STRENGTH = {
    "?": 2, "??": 3, "||": 4, "&&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
    "type_test": 7, "type_cast": 7, "|": 8, "^": 9, "&": 10, "<<": 11, ">>": 11, "+": 12, "-": 12,
    "*": 13, "/": 13, "~/": 13, "%": 13,
}
OPERATORS = {"logical_or_operator", "logical_and_operator", "equality_operator",
             "relational_operator", "additive_operator", "multiplicative_operator",
             "shift_operator", "bitwise_operator", "&", "|", "^"}


def is_comment(node):
    return node.type in COMMENTS


def shifted(value, count):
    return core.wrapped(value << count) if count < 64 else 0


OPERATIONS = {
    "==": objects.equal, "!=": lambda one, other: not objects.equal(one, other),
    "<": lambda one, other: one < other, "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other, ">=": lambda one, other: one >= other,
    "+": lambda one, other: one + other, "-": lambda one, other: one - other,
    "*": lambda one, other: one * other, "/": lambda one, other: one / other,
    "~/": lambda one, other: int(one / other) if isinstance(one, float) else
    abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1),
    "%": lambda one, other: one % other,
    "<<": shifted, ">>": lambda one, other: one >> other,
    "&": lambda one, other: one & other, "|": lambda one, other: one | other,
    "^": lambda one, other: one ^ other,
}


def operate(sign, one, other):
    """A binary operator that is no short cut."""
    kind = type(one)
    if kind is int and type(other) is int:
        value = OPERATIONS[sign](one, other)
        if type(value) is int and not -1 << 62 < value < 1 << 62:
            return core.wrapped(value)
        return value
    if kind is Instance:
        member = one.cls.find(sign)
        if member is not None:
            return member.bind(one)(other)
    if sign not in ("==", "!="):
        if one is None or other is None or type(one) is bool or type(other) is bool:
            raise_dart("TypeError", f"{objects.show(one)} {sign} {objects.show(other)}")
    return OPERATIONS[sign](one, other)


def truth(value):
    if value is not True and value is not False:
        raise_dart("TypeError", f"{objects.show(value)} is no bool")
    return value


class NullInChain(Exception):
    """`?.` met null: the rest of the chain is left out."""


class MemberAccess:
    """`target.name`, which a call behind it turns into a call of the member."""

    def __init__(self, target, name, is_conditional):
        self.target = target
        self.name = name
        self.is_conditional = is_conditional

    def __call__(self, env):
        found = self.target(env)
        if found is None and self.is_conditional:
            raise NullInChain
        return objects.get(found, self.name)


class Operators:
    """The part of the compiler that deals with operators. `self.source` is the file."""

    def operators(self, nodes, scope):
        """The grammar gives operators the wrong precedence, so they are taken apart here and put
        together again in Dart's own."""
        tokens = self.tokens(nodes)
        value = self.climb(tokens, 0, scope)
        if tokens:
            raise NotImplementedError(f"{self.source.place(nodes[0])}: operators {tokens}")
        return value

    def tokens(self, nodes):
        """Operands as lists of nodes, operators as texts, types of `is` and `as` as nodes."""
        nodes = [node for node in nodes if not is_comment(node)]
        if len(nodes) != 1 or nodes[0].type not in FLAT or self.is_generic_call(nodes[0]):
            return [nodes]
        node = nodes[0]
        if node.type == "unary_expression" and node.children[0].type in (
                "await_expression", "increment_operator"):
            return [node]
        found, run = [], []
        for child in node.children:
            is_sign = child.type in OPERATORS or (child.child_count == 0 and not child.is_named)
            if is_sign or child.type in ("prefix_operator", "type_test", "type_cast"):
                if run:
                    found += self.tokens(run)
                    run = []
                found.append(child if child.type in ("type_test", "type_cast")
                             else self.text(child))
            elif not is_comment(child):
                run.append(child)
        return found + (self.tokens(run) if run else [])

    def climb(self, tokens, least, scope):
        value = self.operand(tokens, scope)
        while tokens:
            token = tokens[0]
            sign = token if isinstance(token, str) else token.type
            strength = STRENGTH.get(sign)
            if strength is None or strength < least:
                return value
            tokens.pop(0)
            if not isinstance(token, str):
                value = self.with_type(value, token)
            elif sign == "?":
                yes = self.climb(tokens, 1, scope)
                if tokens.pop(0) != ":":
                    raise NotImplementedError("a conditional without :")
                value = self.choice(value, yes, self.climb(tokens, strength, scope))
            else:
                # Only ?? leans to the right, and there it makes no difference.
                value = self.operation(sign, value, self.climb(tokens, strength + 1, scope))
        return value

    def operand(self, tokens, scope):
        token = tokens.pop(0)
        if isinstance(token, str):
            value = self.operand(tokens, scope)
            if token == "!":
                return lambda env: not truth(value(env))
            if token == "-":
                return lambda env: -value(env)
            return lambda env: ~value(env)
        if isinstance(token, list):
            if len(token) == 1 and token[0].type in FLAT:
                return self.generic_call(token[0], scope)
            return self.run(token, scope)
        if token.children[0].type == "await_expression":
            return self.run(token.children, scope)
        return self.step(token.children[1], self.text(token.children[0]), scope, False)

    @staticmethod
    def choice(test, yes, no):
        return lambda env: yes(env) if truth(test(env)) else no(env)

    def with_type(self, value, node):
        parts = node.children
        is_negated = any(part.type == "!" for part in parts[0].children)
        matches = self.type_of(parts[1:])
        if node.type == "type_test":
            return lambda env: matches(value(env)) != is_negated

        def cast(env):
            found = value(env)
            if not matches(found):
                raise_dart("TypeError", f"{objects.describe(found)} is no "
                           + "".join(map(self.text, parts[1:])))
            return found
        return cast

    def operation(self, sign, one, other):
        if sign == "&&":
            return lambda env: truth(one(env)) and truth(other(env))
        if sign == "||":
            return lambda env: truth(one(env)) or truth(other(env))
        if sign == "??":
            def fallback(env):
                value = one(env)
                return other(env) if value is None else value
            return fallback
        return lambda env: operate(sign, one(env), other(env))

    def is_generic_call(self, node):
        """`f<T>(x)`, which the grammar takes for two comparisons; Dart has no such thing."""
        if node.type != "relational_expression" or len(node.children) != 3:
            return False
        inner, sign, last = node.children
        return (inner.type == "relational_expression" and self.text(sign) == ">"
                and last.type == "parenthesized_expression")

    def generic_call(self, node, scope):
        inner, _, last = node.children
        sign = next(at for at, part in enumerate(inner.children)
                    if part.type == "relational_operator")
        value = self.run_raw(inner.children[:sign], scope)
        argument = self.run(last.children[1:-1], scope)
        if isinstance(value, MemberAccess):
            return lambda env: objects.call(
                value.target(env), value.name, [argument(env)], {})
        return lambda env: value(env)(argument(env))
