"""Reads tokens one by one, types, and the parameters of functions."""

from .lexer import NotDart
from .tree import Node


class TypeParser:
    def __init__(self, tokens):
        self.tokens = tokens
        self.position = 0

    # Tokens

    @property
    def token(self):
        return self.tokens[self.position]

    @property
    def at(self):
        return self.token.at

    def ahead(self, count):
        return self.tokens[min(self.position + count, len(self.tokens) - 1)]

    def is_end(self):
        return self.token.kind == "end"

    def next(self):
        token = self.token
        if token.kind == "end":
            self.fail("the end")
        self.position += 1
        return token

    def take(self, text):
        if self.token.text == text and self.token.kind != "string":
            self.position += 1
            return True
        return False

    def expect(self, text):
        if not self.take(text):
            self.fail(f"{self.token.text!r} in place of {text!r}")

    def name(self):
        if self.token.kind != "id":
            self.fail(f"{self.token.text!r} in place of a name")
        return self.next().text

    def fail(self, text):
        raise NotDart(text, self.at)

    def attempt(self, read):
        """What `read` gives, or None and nothing has been read."""
        mark = self.position
        try:
            return read()
        except NotDart:
            self.position = mark
            return None

    # Types

    def type(self, is_test=False):
        """A type. In a test a `?` before an expression belongs to a conditional."""
        start = self.at
        if self.take("("):
            items = [self.type()]
            while self.take(","):
                items.append(self.type())
            self.expect(")")
            found = Node("record_type", start, items=items, is_nullable=False)
        elif self.token.text == "Function" and self.ahead(1).text in ("(", "<"):
            found = None
        else:
            name = self.name()
            if self.token.text == "." and self.ahead(1).kind == "id":
                self.next()
                name += "." + self.name()
            found = Node("type", start, name=name, arguments=self.type_arguments(),
                         is_nullable=False)
        while True:
            if found is not None and not found.is_nullable and self.token.text == "?" \
                    and not (is_test and self.begins_expression(self.ahead(1))):
                self.next()
                found.is_nullable = True
            elif self.token.text == "Function" and self.ahead(1).text in ("(", "<"):
                self.next()
                parameters = self.type_parameters()
                found = Node("function_type", start, returns=found, type_parameters=parameters,
                             parameters=self.parameters(), is_nullable=False)
            else:
                return found

    @staticmethod
    def begins_expression(token):
        return token.kind in ("id", "number", "string") or token.text in ("(", "[", "{", "<", "-")

    def type_arguments(self):
        if not self.take("<"):
            return []
        found = [self.type()]
        while self.take(","):
            found.append(self.type())
        self.expect(">")
        return found

    def type_parameters(self):
        found = []
        if self.take("<"):
            while True:
                name = self.name()
                found.append((name, self.type() if self.take("extends") else None))
                if not self.take(","):
                    break
            self.expect(">")
        return found

    # Parameters

    def parameters(self):
        self.expect("(")
        found, kind = [], "plain"
        while not self.take(")"):
            if self.take("["):
                kind = "optional"
            elif self.take("{"):
                kind = "named"
            found.append(self.parameter(kind))
            self.take(",")
            if kind != "plain" and self.take("]" if kind == "optional" else "}"):
                self.take(",")
        return found

    def parameter(self, kind):
        is_required = self.take("required")
        self.take("final")
        start, target, type_, name = self.at, None, None, None
        if self.token.text in ("this", "super") and self.ahead(1).text == ".":
            target = self.next().text
            self.next()
            name = self.name()
        elif self.token.kind == "id" and self.ahead(1).text in (",", ")", "=", "]", "}"):
            # A name alone, or in the type of a function a type alone.
            name = self.name()
            type_ = Node("type", start, name=name, arguments=[], is_nullable=False)
        else:
            type_ = self.type()
            if self.token.kind == "id":
                start, name = self.at, self.name()
        is_bare = type_ is not None and type_.kind == "type" and type_.name == name
        value = self.expression() if self.take("=") else None
        return Node("parameter", start, name=name, type=type_, kind_=kind, target=target,
                    is_required=is_required, value=value, is_bare=is_bare)
