"""Imports that nobody needs, and their order."""

from .lexer import tokens


def names_used(library):
    """Every name that stands in a file, outside of its directives."""
    found = set()
    pending = list(tokens(library.text))
    is_directive = False
    for token in pending:
        if token.text in ("import", "export"):
            is_directive = True
        elif token.text == ";":
            is_directive = False
        if token.kind == "id" and not is_directive:
            found.add(token.text)
        for part in token.parts or []:
            pending.extend(part)
    return found


def problems(library):
    """What is wrong with the imports of a file, as texts with places."""
    used = names_used(library)
    given = []
    for target, prefix, shown, node in library.imports:
        if prefix:
            names = {prefix} & used
        else:
            names = {name for name in target.exported() if shown is None or name in shown} & used
        given.append((node, prefix, names))
    found = []
    for at, (node, prefix, names) in enumerate(given):
        if not names:
            found.append(f"{library.place(node.at)}: nothing of {node.uri} is used")
            continue
        for other, (twin, other_prefix, more) in enumerate(given):
            if other != at and not prefix and not other_prefix and names <= more \
                    and (len(names) < len(more) or other < at):
                found.append(f"{library.place(node.at)}: {twin.uri} gives all that is used of "
                             f"{node.uri} (unnecessary_import)")
                break
    return found + _order(library)


def _order(library):
    """dart: first, then packages, then files; each in order, and exports behind imports."""
    def rank(node):
        group = 0 if node.uri.startswith("dart:") else 1 if node.uri.startswith("package:") else 2
        package, _, rest = node.uri.partition("/")
        return node.kind == "export", group, package, rest

    nodes = library.unit.directives
    return [f"{library.place(node.at)}: {node.uri} stands behind {before.uri} "
            "(directives_ordering)"
            for before, node in zip(nodes, nodes[1:]) if rank(before) > rank(node)]
