"""Reads expressions of Dart into a tree."""

from .tree import Node
from .type_parser import TypeParser

_LEVELS = {
    "??": 1, "||": 2, "&&": 3, "==": 4, "!=": 4, "<": 5, ">": 5, "<=": 5, ">=": 5, "is": 5, "as": 5,
    "|": 6, "^": 7, "&": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
    "~/": 11,
}
_ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "~/=", "%=", "&=", "|=", "^=", "<<=", "??="}
# What may stand behind the type arguments of a call: anything else was a comparison.
_BEHIND_TYPE_ARGUMENTS = {"(", ")", "]", "}", ":", ";", ",", ".", "?.", "==", "!=", "..", "?"}


class ExpressionParser(TypeParser):
    def expression(self):
        start = self.at
        if self.take("throw"):
            return Node("throw", start, value=self.expression())
        if self.take("rethrow"):
            return Node("throw", start, value=None)
        left = self.conditional()
        if self.token.text in _ASSIGNMENTS:
            sign = self.next().text
            return Node("assign", start, sign=sign, target=left, value=self.expression())
        if self.token.text in ("..", "?.."):
            return self.cascade(left, start)
        return left

    def cascade(self, target, start):
        sections = []
        while self.token.text in ("..", "?.."):
            self.next()
            at = self.at
            section = Node("member", at, target=Node("it", at), name=self.name(), is_aware=False)
            section = self.selectors(section)
            if self.take("="):
                value = self.conditional()
                section = Node("assign", at, sign="=", target=section, value=value)
            sections.append(section)
        return Node("cascade", start, target=target, sections=sections)

    def conditional(self):
        start, test = self.at, self.binary(1)
        if not self.take("?"):
            return test
        yes = self.expression()
        self.expect(":")
        return Node("conditional", start, test=test, yes=yes, no=self.expression())

    def binary(self, least):
        left = self.unary()
        while True:
            start, sign = self.at, self.sign()
            level = _LEVELS.get(sign, 0)
            if level < least or self.token.kind == "string":
                return left
            for _ in range(2 if sign == ">>" else 1):
                self.next()
            if sign == "is":
                is_not = self.take("!")
                left = Node("is", start, value=left, type=self.type(True), is_not=is_not)
            elif sign == "as":
                left = Node("as", start, value=left, type=self.type(True))
            else:
                left = Node("binary", start, sign=sign, left=left, right=self.binary(level + 1))

    def sign(self):
        if self.token.text == ">" and self.ahead(1).text == ">" \
                and self.ahead(1).at == self.at + 1:
            return ">>"
        return self.token.text

    def unary(self):
        start = self.at
        if self.token.text in ("-", "!", "~") and self.token.kind == "mark":
            return Node("unary", start, sign=self.next().text, value=self.unary())
        if self.token.text in ("++", "--"):
            return Node("step", start, sign=self.next().text, target=self.unary())
        if self.token.text == "await" and self.ahead(1).text not in (")", ",", ";", "="):
            self.next()
            return Node("await", start, value=self.unary())
        found = self.selectors(self.primary())
        if self.token.text in ("++", "--"):
            found = Node("step", start, sign=self.next().text, target=found)
        return found

    def selectors(self, found):
        while True:
            start = self.at
            if self.token.text in (".", "?.") and self.token.kind == "mark":
                is_aware = self.next().text == "?."
                found = Node("member", start, target=found, name=self.name(), is_aware=is_aware)
            elif self.token.text == "(":
                found = Node("call", start, function=found, types=[], arguments=self.arguments())
            elif self.take("["):
                found = Node("index", start, target=found, key=self.expression())
                self.expect("]")
            elif self.token.text == "!" and self.token.kind == "mark" \
                    and self.ahead(1).text != "=":
                self.next()
                found = Node("bang", start, value=found)
            elif self.token.text == "<":
                types = self.attempt(self.call_types)
                if types is None:
                    return found
                if self.token.text == "(":
                    found = Node("call", start, function=found, types=types,
                                 arguments=self.arguments())
                else:
                    found = Node("typed", start, value=found, types=types)
            else:
                return found

    def call_types(self):
        types = self.type_arguments()
        if self.token.text not in _BEHIND_TYPE_ARGUMENTS:
            self.fail("a comparison")
        return types

    def arguments(self):
        start = self.at
        self.expect("(")
        plain, named = [], {}
        while not self.take(")"):
            if self.token.kind == "id" and self.ahead(1).text == ":":
                name = self.name()
                self.next()
                if name in named:
                    self.fail(f"{name} twice")
                named[name] = self.expression()
            else:
                plain.append(self.expression())
            if self.token.text != ")":
                self.expect(",")
        return Node("arguments", start, plain=plain, named=list(named.items()))

    def primary(self):
        start, token = self.at, self.token
        if token.kind == "number":
            self.next()
            is_double = "." in token.text
            return Node("literal", start, type="double" if is_double else "int")
        if token.kind == "string":
            return self.string()
        if token.text in ("true", "false", "null"):
            self.next()
            return Node("literal", start, type="Null" if token.text == "null" else "bool")
        if token.text in ("this", "super"):
            self.next()
            return Node(token.text, start)
        if token.text in ("const", "new"):
            self.next()
            return self.primary()
        if token.text in ("[", "{", "<"):
            return self.literal()
        if token.text == "(":
            return self.in_parentheses()
        if token.kind == "id":
            return Node("name", start, name=self.name())
        return self.fail(f"{token.text!r} in place of an expression")

    def string(self):
        start, parts = self.at, []
        while self.token.kind == "string":
            for inner in self.next().parts:
                reader = type(self)(inner)
                parts.append(reader.expression())
                if not reader.is_end():
                    reader.fail("more than one expression")
        return Node("string", start, parts=parts)

    def in_parentheses(self):
        start = self.at
        if self.is_function():
            parameters = self.parameters()
            is_async = self.take("async")
            if self.take("=>"):
                body = Node("arrow", self.at, value=self.expression())
            else:
                body = self.block()
            return Node("closure", start, parameters=parameters, is_async=is_async, body=body)
        self.expect("(")
        items = [self.expression()]
        while self.take(","):
            if self.token.text != ")":
                items.append(self.expression())
            if self.token.text == ")":
                self.next()
                return Node("record", start, items=items)
        self.expect(")")
        return items[0]

    def is_function(self):
        depth, offset = 0, 0
        while True:
            token = self.ahead(offset)
            if token.kind == "end":
                return False
            if token.kind == "mark":
                depth += {"(": 1, ")": -1}.get(token.text, 0)
            offset += 1
            if depth == 0:
                return self.ahead(offset).text in ("=>", "{", "async")

    # Literals

    def literal(self):
        start, types = self.at, self.type_arguments()
        close = "]" if self.take("[") else "}"
        if close == "}":
            self.expect("{")
        elements = []
        while not self.take(close):
            elements.append(self.element())
            if self.token.text != close:
                self.expect(",")
        kind = "list"
        if close == "}":
            is_map = len(types) == 2 or not types and (
                not elements or any(element.kind == "pair" for element in elements))
            kind = "map" if is_map else "set"
        return Node(kind, start, types=types, elements=elements)

    def element(self):
        start = self.at
        if self.token.text in ("...", "...?"):
            is_aware = self.next().text == "...?"
            return Node("spread", start, value=self.expression(), is_aware=is_aware)
        if self.take("if"):
            self.expect("(")
            test = self.expression()
            self.expect(")")
            yes = self.element()
            no = self.element() if self.take("else") else None
            return Node("if_element", start, test=test, yes=yes, no=no)
        if self.token.text == "for":
            parts = self.for_parts()
            return Node("for_element", start, parts=parts, body=self.element())
        value = self.expression()
        if self.take(":"):
            return Node("pair", start, key=value, value=self.expression())
        return value

    def for_parts(self):
        start = self.at
        self.expect("for")
        self.expect("(")
        is_final = self.take("final")
        mark = self.position
        type_ = self.type()
        at, name = self.at, self.name()
        if self.take("in"):
            values = self.expression()
            self.expect(")")
            return Node("for_in", start, name=name, name_at=at, type=type_, values=values,
                        is_final=is_final)
        self.position = mark
        first = self.local_variable()
        test = self.expression()
        self.expect(";")
        step = self.expression()
        self.expect(")")
        return Node("for_count", start, first=first, test=test, step=step)
