"""The Dart files of the client, parsed with tree-sitter's Dart grammar."""

import pathlib
import re

import tree_sitter
import tree_sitter_dart

HERE = pathlib.Path(__file__).resolve().parent
PROTOCOL = HERE.parent.parent / "Protocol"
CLIENT = PROTOCOL / "clients" / "dart"
PACKAGES = ["pwbridge", "pwbridge_flutter", "pwbridge_flutter_test"]

_PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_dart.language()))


class Source:
    """One Dart file."""

    def __init__(self, text, path=None):
        self.text = text
        self.path = path
        self.data = text.encode("utf-8")
        self.root = _PARSER.parse(self.data).root_node

    @classmethod
    def read(cls, path):
        return cls(path.read_text(encoding="utf-8"), path)

    def of(self, node):
        """The text of a node."""
        return self.data[node.start_byte:node.end_byte].decode("utf-8")

    def walk(self, *types, node=None):
        """All nodes of these types, or simply all, in the order of the text."""
        stack = [node or self.root]
        while stack:
            found = stack.pop()
            if not types or found.type in types:
                yield found
            stack.extend(reversed(found.children))

    def place(self, node):
        row, column = node.start_point
        return f"{self.path.name if self.path else 'text'}:{row + 1}:{column + 1}"

    def problems(self):
        """Where the grammar finds no Dart: an empty list is what is wanted."""
        found = []
        if self.root.has_error:
            for node in self.walk():
                if node.type == "ERROR" or node.is_missing:
                    kind = f"a missing {node.type}" if node.is_missing else "no Dart"
                    found.append(f"{self.place(node)}: {kind}: {self.of(node)[:60]!r}")
        return found

    def uris(self):
        """What is imported and exported."""
        return [self.string(node) for uri in self.walk("uri")
                for node in uri.children if node.type == "string_literal"]

    def string(self, node):
        """The value of a string literal without substitutions."""
        text = self.of(node)
        return text[2:-1] if text.startswith("r") else self.unescape(text[1:-1])

    @staticmethod
    def unescape(text):
        simple = {"n": "\n", "r": "\r", "t": "\t"}
        return re.sub(
            r"\\(?:u([0-9a-fA-F]{4})|(.))",
            lambda match: chr(int(match[1], 16)) if match[1] else simple.get(match[2], match[2]),
            text)

    def constants(self):
        """`Class.name` to value, of the numbers and texts that are declared as constants."""
        found = {}
        for definition in self.walk("class_definition"):
            name = self.of(definition.child_by_field_name("name"))
            body = definition.child_by_field_name("body")
            for item in self.walk("static_final_declaration", node=body):
                key, *_, value = item.children
                known = self.value(value)
                if known is not None:
                    found[f"{name}.{self.of(key)}"] = known
        return found

    def value(self, node):
        text = self.of(node)
        if node.type in ("decimal_integer_literal", "hex_integer_literal"):
            return int(text, 0)
        if node.type == "string_literal":
            return self.string(node)
        return None


def dart_files():
    """Every Dart file of the client."""
    return [path for package in PACKAGES
            for path in sorted((CLIENT / package).rglob("*.dart"))
            if ".dart_tool" not in path.parts]


def constants_of(*names, package="pwbridge"):
    """The constants of some files in lib/src of a package."""
    found = {}
    for name in names:
        found.update(Source.read(CLIENT / package / "lib" / "src" / name).constants())
    return found


def table(path, *heads):
    """The rows of the first Markdown table with these column heads, as lists of texts."""
    rows = None
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if rows is None:
            if cells[:len(heads)] == list(heads):
                rows = []
        elif not cells:
            break
        elif not set("".join(cells)) <= set("-: "):
            rows.append(cells)
    if not rows:
        raise LookupError(f"no table {heads} in {path.name}")
    return rows
