"""control.dart has a helper for every method of the control channel, with its arguments."""

import re
import unittest

import sources

CONTROL = sources.PROTOCOL / "control.md"
# One helper for each form of these arguments; what is not given is another form of the same.
LEFT_OUT = {("clock.advance", "by")}


def documented():
    """Method to the names of its arguments."""
    found = {}
    name = None
    for line in CONTROL.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            name = None
        if heading := re.fullmatch(r"### `(\S+)`", line):
            name = heading[1]
            found[name] = set()
        elif name and (argument := re.match(r"- `(\S+)` \(", line)):
            found[name].add(argument[1])
    return found


def written():
    """The same, of what control.dart sends."""
    source = sources.Source.read(sources.CLIENT / "pwbridge" / "lib" / "src" / "control.dart")
    found = {}
    for call in source.walk("arguments"):
        before = call.parent.parent.prev_sibling
        if before is None or source.of(before) not in ("invoke", "_call"):
            continue
        strings = list(source.walk("string_literal", node=call))
        if not strings:
            continue
        names = found.setdefault(source.string(strings[0]), set())
        literal = next(source.walk("set_or_map_literal", node=call), None)
        for pair in literal.children if literal is not None else ():
            for item in [pair, *pair.children]:
                if item.type == "pair":
                    names.add(source.string(item.child_by_field_name("key")))
    return found


class ControlTests(unittest.TestCase):
    def test_methods(self):
        self.assertGreater(len(documented()), 25)
        self.assertEqual(set(written()), set(documented()))

    def test_every_helper_has_been_called(self):
        """Against the real server, which control_test.dart does."""
        folder = sources.CLIENT / "pwbridge"
        source = sources.Source.read(folder / "lib" / "src" / "control.dart")
        helpers = {source.of(node.child_by_field_name("name"))
                   for signature in source.walk("method_signature")
                   for node in signature.children if node.type == "function_signature"}
        helpers = {name for name in helpers if not name.startswith("_")} - {"invoke"}
        self.assertGreater(len(helpers), 30)
        text = (folder / "test" / "control_test.dart").read_text(encoding="utf-8")
        called = set(re.findall(r"\bcontrol\s*\.(\w+)\(", text))
        self.assertEqual(helpers - called, set())

    def test_arguments(self):
        found = written()
        for method, arguments in documented().items():
            arguments = {name for name in arguments if (method, name) not in LEFT_OUT}
            self.assertEqual(found[method], arguments, method)


if __name__ == "__main__":
    unittest.main()
