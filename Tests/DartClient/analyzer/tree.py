"""The nodes of the tree."""


class Node:
    """A node of some kind, the place of its first token, and whatever belongs to the kind."""

    def __init__(self, kind, at, **fields):
        self.kind = kind
        self.at = at
        self.__dict__.update(fields)

    def __repr__(self):
        fields = {key: value for key, value in self.__dict__.items() if key not in ("kind", "at")}
        return f"{self.kind}{fields}"


def walk(node):
    """A node and all below it."""
    if isinstance(node, Node):
        yield node
        for value in list(node.__dict__.values()):
            yield from walk(value)
    elif isinstance(node, (list, tuple)):
        for item in node:
            yield from walk(item)
