"""What a condition says about variables: flow analysis."""

from .types import can_be_null, fits


class Local:
    """A local variable or parameter."""

    def __init__(self, name, type_, at, is_final=True, warns=False):
        self.name = name
        self.type = type_
        self.at = at
        self.is_final = is_final
        self.is_read = not warns
        self.is_written = False


class Conditions:
    """The part of the checker that deals with conditions."""

    def condition(self, node):
        """What is known where a condition holds, and where it does not."""
        if node.kind == "unary" and node.sign == "!":
            yes, no = self.condition(node.value)
            return no, yes
        if node.kind == "binary" and node.sign in ("&&", "||"):
            yes, no = self.condition(node.left)
            is_and = node.sign == "&&"
            self.flow = yes if is_and else no
            yes2, no2 = self.condition(node.right)
            return (yes2, self.joined(no, no2)) if is_and else (self.joined(yes, yes2), no2)
        if node.kind == "binary" and node.sign in ("==", "!="):
            return self.comparison(node)
        if node.kind == "is":
            return self.test(node)
        self.want(node, self.core("bool"), "a condition")
        return self.flow, self.flow

    def comparison(self, node):
        one, other = self.type_of(node.left), self.type_of(node.right)
        sides = ((node.left, one, other), (node.right, other, one))
        for value, type_, against in sides:
            if against.kind == "Null":
                if not can_be_null(type_):
                    self.report(node.at, f"{type_!r} is never null")
                key = self.key(value)
                if key is None or self.flow is None:
                    break
                known = {**self.flow, key: type_.nullable(False)}
                return (self.flow, known) if node.sign == "==" else (known, self.flow)
        return self.flow, self.flow

    def test(self, node):
        found, type_ = self.type_of(node.value), self.type(node.type)
        if fits(found, type_) and "any" not in (found.kind, type_.kind):
            self.report(node.at, f"{found!r} is always {type_!r}")
        key = self.key(node.value)
        known = self.flow
        if key is not None and self.flow is not None and fits(type_, found.nullable()):
            known = {**self.flow, key: type_}
        return (self.flow, known) if node.is_not else (known, self.flow)

    @staticmethod
    def joined(one, other):
        if one is None or other is None:
            return other if one is None else one
        return {key: type_ for key, type_ in one.items()
                if key in other and repr(other[key]) == repr(type_)}
