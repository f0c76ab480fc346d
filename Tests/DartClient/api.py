"""Names: what the Dart files use, what they declare, and what is known of Dart and Flutter.

Without a compiler a misspelt name or a forgotten import would go unnoticed. So every name that is
used must be declared in the client itself or stand in api-names.txt under the library that gives
it; and what is declared at the top level of a file or a library must be within reach of the file
that uses it.
"""

import functools
import re

import sources

NAMES = ("identifier", "type_identifier")
TOP_LEVEL = {
    "class_definition", "enum_declaration", "mixin_declaration", "extension_declaration",
    "type_alias", "function_signature", "initialized_identifier", "static_final_declaration",
}
DECLARING = TOP_LEVEL | {
    "enum_constant", "getter_signature", "setter_signature", "constructor_signature",
    "formal_parameter", "initialized_variable_definition", "factory_constructor_signature",
    "for_loop_parts", "catch_parameters", "constructor_param", "super_formal_parameter",
}
# Said by the language and not by a library.
LANGUAGE = {"dynamic", "void", "super", "this", "Never", "new", "_", "__", "when", "library"}
# A name behind one of these belongs to what stands in front of it.
MEMBER_OF = {"unconditional_assignable_selector", "conditional_assignable_selector",
             "cascade_selector", "label", "qualified"}


@functools.cache
def _listed():
    names, top = {}, {}
    library = None
    for line in (sources.HERE / "api-names.txt").read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line.endswith(":") and " " not in line:
            library = line[:-1]
            continue
        words = line.split()
        is_top = words[:1] == ["top"]
        for name in words[1:] if is_top else words:
            names.setdefault(name, set()).add(library)
            if is_top:
                top.setdefault(name, set()).add(library)
    return names, top


def listed_names():
    """Name to libraries, from api-names.txt."""
    return _listed()[0]


def listed_top_names():
    """The same, of names that need an import."""
    return _listed()[1]


def _own_names(source, node):
    """The names that a declaring node declares."""
    found = set()
    previous = None
    for index, child in enumerate(node.children):
        text = source.of(child)
        if text in ("in", "=", "extends", "implements", "with") and node.type != "type_alias":
            break
        if child.type in NAMES and previous != "=" and (
                child.type == "identifier" or node.type == "type_alias"
                or node.field_name_for_child(index) == "name"):
            found.add(text)
        if node.type == "type_alias" and found:
            break
        previous = text
    return found


def declared_names(source):
    found = set()
    for node in source.walk(*DECLARING):
        found |= _own_names(source, node)
    for node in source.walk("type_parameter"):
        found.update(source.of(child) for child in node.children if child.type in NAMES)
    return found


def top_names(source):
    """What is declared at the top level of a file."""
    found = set()
    for child in source.root.children:
        for node in [child, *child.children]:
            if node.type in TOP_LEVEL:
                found |= _own_names(source, node)
    return found


@functools.cache
def known_names():
    found = set(LANGUAGE) | listed_names().keys()
    for path in sources.dart_files():
        found |= declared_names(sources.Source.read(path))
    return found


def used_names(source):
    """Name to its first node."""
    found = {}
    for node in source.walk(*NAMES):
        text = source.of(node)
        if not re.fullmatch(r"\$\d+", text):
            found.setdefault(text, node)
    return found


def unknown_names(source, known):
    return [f"{source.place(node)}: {name}" for name, node in used_names(source).items()
            if name not in known]


def resolve(path, uri):
    """The file behind a URI, if it is one of the client's."""
    if uri.startswith("package:"):
        package, rest = uri.removeprefix("package:").split("/", 1)
        return sources.CLIENT / package / "lib" / rest if package in sources.PACKAGES else None
    return None if ":" in uri else (path.parent / uri).resolve()


def _uri(source, node):
    return source.string(next(source.walk("string_literal", node=node)))


def exported_names(path):
    """What a file of the client gives to those that import it."""
    source = sources.Source.read(path)
    found = {name for name in top_names(source) if not name.startswith("_")}
    for node in source.walk("library_export"):
        target = resolve(path, _uri(source, node))
        if target is not None:
            names = exported_names(target)
            shown = [source.of(name) for part in source.walk("combinator", node=node)
                     for name in part.children if name.type == "identifier"]
            found |= names & set(shown) if shown else names
    return found


def _given(path, uri):
    """The top-level names that an import gives."""
    target = resolve(path, uri)
    if target is not None:
        return exported_names(target)
    return {name for name, where in listed_top_names().items() if uri in where}


def imports(path, source):
    """URI to names of each import."""
    return {uri: _given(path, uri) for uri in
            (_uri(source, node) for node in source.walk("library_import"))}


def unused_imports(path, source=None):
    source = source or sources.Source.read(path)
    used = set(used_names(source))
    return [f"{path.name}: nothing of {uri} is used"
            for uri, names in imports(path, source).items() if not names & used]


def unreachable_names(path, source=None):
    """Top-level names that are used without an import that gives them."""
    source = source or sources.Source.read(path)
    reachable = top_names(source) | _given(path, "dart:core")
    for names in imports(path, source).values():
        reachable |= names
    needed = {name: where for name, where in listed_top_names().items()}
    for file in sources.dart_files():
        if "lib" in file.parts or file.parent == path.parent:
            for name in top_names(sources.Source.read(file)):
                needed.setdefault(name, set()).add(file.name)
    # A parameter, a field or a method may have the name of a function of some library.
    members = declared_names(source) - top_names(source)
    problems = []
    for node in source.walk(*NAMES):
        name = source.of(node)
        if node.parent.type in MEMBER_OF and node.parent.children[0].id != node.id:
            continue
        if node.parent.type in MEMBER_OF - {"qualified"} or node.parent.type == "combinator":
            continue
        if name in needed and name not in reachable and name not in members:
            where = ", ".join(sorted(needed[name]))
            problems.append(f"{source.place(node)}: {name} of {where} is not imported")
    return problems
