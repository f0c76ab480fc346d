"""Turns a whole Dart file into a library: its functions, constants and classes."""

from .model import Class, Constructor, Environment, Field, Lazy, Member, Scope
from .operators import is_comment
from .statements import Statements
from .values import Instance


class FileCompiler(Statements):
    def __init__(self, source, library):
        self.source = source
        self.library = library

    def compile(self):
        nodes = [node for node in self.source.root.children if not is_comment(node)]
        scope = Scope([], None)
        for at, node in enumerate(nodes):
            if node.type == "class_definition":
                self.define_class(node)
            elif node.type == "enum_declaration":
                self.define_enum(node)
            elif node.type == "function_signature":
                name = self.text(node.child_by_field_name("name"))
                parameters = next(child for child in node.children
                                  if child.type == "formal_parameter_list")
                make = self.function(parameters, nodes[at + 1], scope)
                self.library.own[name] = make(Environment({}, None))
            elif node.type in ("static_final_declaration_list", "initialized_identifier_list"):
                for item in node.children:
                    if item.type in ("static_final_declaration", "initialized_identifier"):
                        self.define_variable(item, scope)

    def define_variable(self, node, scope):
        name = self.text(node.children[0])
        initial = self.run(node.children[2:], scope) if len(node.children) > 2 else None
        self.library.own[name] = Lazy(Field(name, initial, True))

    def define_enum(self, node):
        name = self.text(node.child_by_field_name("name"))
        cls = Class(name, self.library)
        cls.values = []
        for constant in self.source.walk("enum_constant", node=node):
            value = Instance(cls)
            value.fields["name"] = self.text(constant.children[0])
            cls.values.append(value)
            cls.statics[value.fields["name"]] = value
        self.library.own[name] = cls

    def define_class(self, node):
        name = self.text(node.child_by_field_name("name"))
        cls = Class(name, self.library)
        for child in node.children:
            if child.type == "superclass":
                types = [part for part in child.children if part.type == "type_identifier"]
                cls.parent_name = self.text(types[0]) if types else None
            elif child.type == "interfaces":
                cls.other_names += [self.text(part) for part in child.children
                                    if part.type == "type_identifier"]
        self.library.own[name] = cls
        scope = Scope([], None, of_class=cls)
        members = [child for child in node.child_by_field_name("body").children
                   if not is_comment(child)]
        for at, member in enumerate(members):
            if member.type == "declaration":
                self.declare(cls, member, scope)
            elif member.type == "method_signature":
                body = next((part for part in members[at + 1:at + 2]
                             if part.type == "function_body"), None)
                self.define_member(cls, member, body, scope)

    def declare(self, cls, node, scope):
        """Fields, and constructors without a body."""
        for child in node.children:
            if child.type in ("constructor_signature", "constant_constructor_signature"):
                self.define_constructor(cls, child, node, None, scope)
                return
            if child.type in ("redirecting_factory_constructor_signature",
                              "factory_constructor_signature"):
                self.unsupported(node)
        words = [self.text(child) for child in node.children if child.child_count == 0
                 or child.type in ("final_builtin", "const_builtin")]
        is_static, is_late = "static" in words, "late" in words
        of_object = Scope(["this"], scope)
        for child in self.source.walk("static_final_declaration", "initialized_identifier",
                                      node=node):
            parts = [part for part in child.children if not is_comment(part)]
            name = self.text(parts[0])
            initial = self.run(parts[2:], scope if is_static else of_object) \
                if len(parts) > 2 else None
            if is_static:
                cls.statics[name] = Lazy(Field(name, initial, True)) if initial else None
            else:
                cls.fields[name] = Field(name, initial, is_late)

    def define_member(self, cls, node, body, scope):
        signature = next(child for child in node.children
                         if child.type.endswith("_signature"))
        is_static = any(child.type == "static" for child in node.children)
        kind = signature.type
        if kind in ("constructor_signature", "constant_constructor_signature"):
            self.define_constructor(cls, signature, node, body, scope)
            return
        if kind == "factory_constructor_signature":
            parts = [child for child in signature.children if child.type == "identifier"]
            name = self.text(parts[1]) if len(parts) > 1 else ""
            make = self.function(self.list_of(signature), body, scope)
            cls.constructors[name] = Constructor([], [], None, None, None, make)
            return
        own = scope if is_static else Scope(["this"], scope)
        if body is None:
            return
        if kind == "operator_signature":
            parts = [self.text(child) for child in signature.children]
            name = parts[parts.index("operator") + 1]
            cls.members["method", name] = Member(
                name, self.function(self.list_of(signature), body, own))
            return
        name = self.text(signature.child_by_field_name("name"))
        is_getter = kind == "getter_signature"
        make = self.function(None if is_getter else self.list_of(signature), body, own, is_getter)
        if is_static and is_getter:
            cls.static_getters[name] = make
        elif is_static:
            cls.statics[name] = make(Environment({}, None))
        else:
            short = {"getter_signature": "get", "setter_signature": "set"}.get(kind, "method")
            cls.members[short, name] = Member(name, make)

    def list_of(self, signature):
        return next(child for child in signature.children
                    if child.type == "formal_parameter_list")

    def define_constructor(self, cls, signature, holder, body, scope):
        names = [child for child in signature.children if child.type == "identifier"]
        name = self.text(names[1]) if len(names) > 1 else ""
        own = Scope(["this"], scope)
        parameters = self.parameters(self.list_of(signature), own)
        inner = Scope([parameter.name for parameter in parameters], own)
        initializers, super_call, redirect = [], None, None
        for entry in self.source.walk("initializer_list_entry", "redirection", node=holder):
            first = entry.children[0]
            if entry.type == "redirection":
                self.unsupported(entry)
            elif first.type == "field_initializer":
                parts = [part for part in first.children if not is_comment(part)]
                sign = next(at for at, part in enumerate(parts) if part.type == "=")
                initializers.append((self.text(parts[sign - 1]),
                                     self.run(parts[sign + 1:], inner)))
            elif first.type == "super":
                named = [child for child in self.source.walk("identifier", node=entry)
                         if child.parent.id == entry.id]
                super_call = (self.text(named[0]) if named else "",
                              self.arguments(entry, inner))
            else:
                self.unsupported(entry)
        run = self.function_body(body, inner)[1] if body is not None else None
        cls.constructors[name] = Constructor(
            parameters, initializers, super_call, run, redirect, None)
