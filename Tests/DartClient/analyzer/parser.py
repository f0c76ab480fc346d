"""Reads declarations and statements of Dart into a tree.

The grammar of tree-sitter finds errors, but groups operators loosely and takes `await f<T>(x)` for
a comparison. Here things are as the language says, for the part of it that the client uses.
"""

from .expressions import ExpressionParser
from .lexer import tokens
from .tree import Node

_CLASS_WORDS = {"abstract", "base", "final", "interface", "sealed", "mixin"}
_MODIFIERS = {"external", "static", "const", "final", "late", "abstract", "factory", "covariant",
              "var"}


def parse(text):
    """The tree of a file: a Node "unit" with `directives` and `declarations`."""
    return Parser(tokens(text)).unit()


class Parser(ExpressionParser):
    def unit(self):
        start = self.at
        directives, declarations = [], []
        while not self.is_end():
            annotations = self.annotations()
            if self.token.text in ("import", "export", "library") and \
                    self.ahead(1).text not in ("(", "="):
                found = self.directive()
                if found:
                    directives.append(found)
            else:
                declarations.extend(self.declaration(annotations))
        return Node("unit", start, directives=directives, declarations=declarations)

    def annotations(self):
        found = []
        while self.take("@"):
            name = self.name()
            while self.take("."):
                name = self.name()
            if self.token.text == "(":
                self.arguments()
            found.append(name)
        return found

    def directive(self):
        start, kind = self.at, self.next().text
        if kind == "library":
            while not self.take(";"):
                self.next()
            return None
        uri = self.next().text[1:-1]
        prefix, shown = None, None
        while not self.take(";"):
            word = self.next().text
            if word == "as":
                prefix = self.name()
            elif word == "show":
                shown = [self.name()]
                while self.take(","):
                    shown.append(self.name())
            else:
                self.fail(f"{word} in a directive")
        return Node(kind, start, uri=uri, prefix=prefix, shown=shown)

    # Declarations

    def declaration(self, annotations):
        offset = 0
        while self.ahead(offset).text in _CLASS_WORDS:
            offset += 1
        if self.ahead(offset).text == "class":
            return [self.class_declaration(offset)]
        if self.token.text == "enum":
            return [self.enum()]
        if self.token.text == "typedef":
            return [self.typedef()]
        return self.member(annotations, None)

    def class_declaration(self, words):
        is_abstract = False
        for _ in range(words):
            word = self.next().text
            is_abstract = is_abstract or word in ("abstract", "sealed")
        self.expect("class")
        start, name = self.at, self.name()
        parameters = self.type_parameters()
        above = []
        if self.take("extends"):
            above.append(self.type())
            if self.take("with"):
                above.extend(self.types())
        if self.take("implements"):
            above.extend(self.types())
        self.expect("{")
        members = []
        while not self.take("}"):
            members.extend(self.member(self.annotations(), name))
        return Node("class", start, name=name, type_parameters=parameters, above=above,
                    members=members, is_abstract=is_abstract, values=None)

    def types(self):
        found = [self.type()]
        while self.take(","):
            found.append(self.type())
        return found

    def enum(self):
        self.expect("enum")
        start, name = self.at, self.name()
        self.expect("{")
        values = []
        while not self.take("}"):
            values.append(self.name())
            if self.take(";"):
                self.fail("an enum with members")
            self.take(",")
        return Node("class", start, name=name, type_parameters=[], above=[], members=[],
                    is_abstract=False, values=values)

    def typedef(self):
        self.expect("typedef")
        start, name = self.at, self.name()
        parameters = self.type_parameters()
        self.expect("=")
        type_ = self.type()
        self.expect(";")
        return Node("typedef", start, name=name, type_parameters=parameters, type=type_)

    def member(self, annotations, of_class):
        """A field, method, constructor, function or variable; several for `int a, b;`."""
        words = set()
        while self.token.text in _MODIFIERS and self.ahead(1).text not in ("(", "=", ";", ","):
            words.add(self.next().text)
        common = {"words": words, "annotations": annotations}
        start = self.at
        if of_class and self.token.text == of_class and self.ahead(1).text in ("(", "."):
            return [self.constructor(common, of_class)]
        type_ = None
        if not (self.token.text in ("get", "set", "operator") and self.ahead(1).text != "("):
            if not (self.token.kind == "id" and self.ahead(1).text in ("(", "=", ";", ",", "<")
                    and not self.is_type_before_name()):
                type_ = self.type()
        start = self.at
        if self.token.text in ("get", "set") and self.ahead(1).kind == "id":
            kind = self.next().text
            name = self.name()
            parameters = self.parameters() if kind == "set" else []
            return [self.function(start, name, type_, [], parameters, kind, common)]
        if self.token.text == "operator" and self.ahead(1).text != "(":
            self.next()
            name = self.operator_name()
            return [self.function(start, name, type_, [], self.parameters(), "method", common)]
        name = self.name()
        if self.token.text in ("(", "<"):
            type_parameters = self.type_parameters()
            return [self.function(start, name, type_, type_parameters, self.parameters(), "method",
                                  common)]
        found = []
        while True:
            value = self.expression() if self.take("=") else None
            found.append(Node("variable", start, name=name, type=type_, value=value, **common))
            if self.take(";"):
                return found
            self.expect(",")
            start, name = self.at, self.name()

    def is_type_before_name(self):
        """Whether a type and a name stand here, as in `Map<int, int> name`."""
        mark = self.position
        found = self.attempt(self.type) is not None and self.token.kind == "id"
        self.position = mark
        return found

    def operator_name(self):
        text = self.next().text
        if text == "[":
            self.expect("]")
            return "[]=" if self.take("=") else "[]"
        return ">>" if text == ">" and self.take(">") else text

    def constructor(self, common, of_class):
        start = self.at
        self.next()
        name = self.name() if self.take(".") else ""
        parameters = self.parameters()
        initializers = []
        if self.take(":"):
            while True:
                initializers.append(self.initializer())
                if not self.take(","):
                    break
        body, is_async = self.body()
        return Node("constructor", start, name=name, parameters=parameters, body=body,
                    is_async=is_async, initializers=initializers, **common)

    def initializer(self):
        start = self.at
        if self.take("super"):
            name = self.name() if self.take(".") else ""
            return Node("super_call", start, name=name, arguments=self.arguments())
        if self.take("this") and not self.take("."):
            self.fail("a redirecting constructor")
        name = self.name()
        self.expect("=")
        return Node("field_initializer", start, name=name, value=self.expression())

    def function(self, start, name, type_, type_parameters, parameters, kind, common):
        body, is_async = self.body()
        return Node("function", start, name=name, type=type_, type_parameters=type_parameters,
                    parameters=parameters, kind_=kind, body=body, is_async=is_async, **common)

    def body(self):
        """Nothing, a Node "arrow" or a Node "block"; and whether it is async."""
        if self.take(";"):
            return None, False
        is_async = self.take("async")
        if self.take("=>"):
            start, value = self.at, self.expression()
            self.expect(";")
            return Node("arrow", start, value=value), is_async
        return self.block(), is_async

    # Statements

    def block(self):
        start = self.at
        self.expect("{")
        found = []
        while not self.take("}"):
            found.append(self.statement())
        return Node("block", start, statements=found)

    def statement(self):
        start, word = self.at, self.token.text
        method = getattr(self, "at_" + word, None) if self.token.kind == "id" else None
        if method is not None:
            return method(start)
        if word == "{":
            return self.block()
        if self.is_local_function():
            return self.local_function()
        declared = self.attempt(self.local_variable)
        if declared is not None:
            return declared
        value = self.expression()
        self.expect(";")
        return Node("expression", start, value=value)

    def is_local_function(self):
        mark = self.position
        found = (self.attempt(self.type) is not None and self.token.kind == "id"
                 and self.ahead(1).text in ("(", "<"))
        if found:
            self.next()
            found = self.attempt(lambda: (self.type_parameters(), self.parameters())) is not None \
                and self.token.text in ("{", "=>", "async")
        self.position = mark
        return found

    def local_function(self):
        type_ = self.type()
        start, name = self.at, self.name()
        return self.function(start, name, type_, self.type_parameters(), self.parameters(),
                             "method", {"words": set(), "annotations": []})

    def local_variable(self):
        words = set()
        if self.token.text in ("await", "throw", "rethrow"):
            self.fail("no declaration")
        while self.token.text in ("final", "const", "late", "var"):
            words.add(self.next().text)
        type_ = None
        if not words or self.ahead(1).text not in ("=", ";", "in"):
            type_ = self.type()
        start, name = self.at, self.name()
        value = self.expression() if self.take("=") else None
        self.expect(";")
        return Node("local", start, name=name, type=type_, value=value, words=words)

    def at_if(self, start):
        self.next()
        self.expect("(")
        test = self.expression()
        self.expect(")")
        yes = self.statement()
        no = self.statement() if self.take("else") else None
        return Node("if", start, test=test, yes=yes, no=no)

    def at_while(self, start):
        self.next()
        self.expect("(")
        test = self.expression()
        self.expect(")")
        return Node("while", start, test=test, body=self.statement())

    def at_for(self, start):
        parts = self.for_parts()
        return Node("for", start, parts=parts, body=self.statement())

    def at_switch(self, start):
        self.next()
        self.expect("(")
        subject = self.expression()
        self.expect(")")
        self.expect("{")
        cases = []
        while not self.take("}"):
            patterns = None
            if not self.take("default"):
                self.expect("case")
                patterns = [self.binary(5)]
                while self.take("||"):
                    patterns.append(self.binary(5))
            self.expect(":")
            body = []
            while self.token.text not in ("case", "default", "}"):
                body.append(self.statement())
            cases.append((patterns, body))
        return Node("switch", start, subject=subject, cases=cases)

    def at_try(self, start):
        self.next()
        body, handlers, last = self.block(), [], None
        while self.token.text in ("on", "catch", "finally"):
            if self.take("finally"):
                last = self.block()
                break
            type_ = self.type() if self.take("on") else None
            names = []
            if self.take("catch"):
                self.expect("(")
                names.append(self.name())
                if self.take(","):
                    names.append(self.name())
                self.expect(")")
            handlers.append((type_, names, self.block()))
        return Node("try", start, body=body, handlers=handlers, last=last)

    def at_return(self, start):
        self.next()
        value = None if self.token.text == ";" else self.expression()
        self.expect(";")
        return Node("return", start, value=value)

    def at_break(self, start):
        self.next()
        self.expect(";")
        return Node("break", start)

    def at_continue(self, start):
        self.next()
        self.expect(";")
        return Node("continue", start)
