"""Loads Dart files with what they import, and runs tests in them."""

import time

import sources

from . import asynchrony, core, dart_io, dart_test, model, objects, typed_data
from .declarations import FileCompiler
from .model import Library
from .values import Native

_PRELUDE = sources.HERE / "interpreter" / "prelude.dart"
# Libraries of Flutter, as far as the client uses them, written in Dart beside the interpreter.
_FLUTTER = {
    "dart:ui": "ui.dart",
    "package:flutter_test/flutter_test.dart": "flutter_test.dart",
    **{f"package:flutter/{name}.dart": f"{name}.dart"
       for name in ("foundation", "services", "widgets", "material")},
}


class Prefix(Native):
    """The names of a library behind `as`."""

    def __init__(self, names):
        self.names = names

    def dart_get(self, name):
        return self.names[name] if isinstance(self.names, dict) else self.names.value(name)


class Runtime:
    def __init__(self):
        self.libraries = {}
        self.tests = dart_test.Tests()
        self.given = {
            **core.LIBRARIES, "dart:async": asynchrony.LIBRARY, "dart:io": dart_io.LIBRARY,
            "package:test/test.dart": self.tests.library(),
            # For what stands in for flutter_test.
            "fake_time": {
                "advanceFakeTime": asynchrony.FAKE_TIME.advance,
                "fakeTimers": lambda: len(asynchrony.FAKE_TIME.active()),
                "findsOneWidget": dart_test.Matcher("one widget", lambda finder: len(
                    objects.call(finder, "evaluate", [], {})) == 1),
            },
        }
        model.CORE.clear()
        model.CORE.update(core.LIBRARIES["dart:core"])
        prelude = self.load(_PRELUDE)
        prelude.imported["nowMicroseconds"] = lambda: time.time_ns() // 1000
        model.CORE.update(prelude.exported())
        typed_data.throw = asynchrony.throw = model.raise_dart
        model.CORE.update({name: asynchrony.LIBRARY[name] for name in ("Future", "Stream")})
        # What dart:async exports besides, and dart:io throws.
        self.given["dart:async"]["TimeoutException"] = model.CORE["TimeoutException"]

    def load(self, path):
        """The library of a file; its functions may be called then."""
        path = path.resolve()
        if path in self.libraries:
            return self.libraries[path]
        library = self.libraries[path] = Library(path)
        source = sources.Source.read(path)
        if problems := source.problems():
            raise SyntaxError(problems[0])
        compiler = FileCompiler(source, library)
        compiler.compile()
        for node in source.walk("library_export"):
            uri = self.uri(source, node)
            if uri in self.given:
                target = Library(uri)
                target.own.update(self.given[uri])
            else:
                target = self.load(self.resolve(path, uri))
            library.exports.append((target, self.shown(source, node)))
        for node in source.walk("library_import"):
            uri = self.uri(source, node)
            if uri in self.given:
                names = self.given[uri]
            else:
                names = self.load(self.resolve(path, uri))
            prefix = self.prefix(source, node)
            if prefix:
                library.prefixes[prefix] = Prefix(names)
            else:
                library.imports.append((names, self.shown(source, node)))
        return library

    @staticmethod
    def prefix(source, node):
        """`name` of `import '...' as name`."""
        parts = next(source.walk("import_specification", node=node)).children
        return next((source.of(parts[at + 1]) for at, part in enumerate(parts)
                     if part.type == "as"), None)

    @staticmethod
    def uri(source, node):
        return source.string(next(source.walk("string_literal", node=node)))

    @staticmethod
    def shown(source, node):
        return [source.of(name) for part in source.walk("combinator", node=node)
                for name in part.children if name.type == "identifier"]

    @staticmethod
    def resolve(path, uri):
        if uri in _FLUTTER:
            return sources.HERE / "flutter" / _FLUTTER[uri]
        if uri.startswith("package:"):
            package, rest = uri.removeprefix("package:").split("/", 1)
            return sources.CLIENT / package / "lib" / rest
        if ":" in uri:
            raise LookupError(f"{path.name} imports {uri}, which is not known here")
        return path.parent / uri

    def run_tests(self, path, patience=60):
        """Runs the tests of a file; yields (name, None or what went wrong) of each."""
        library = self.load(path)
        self.tests.clear()
        library.look("main")()
        for case in self.tests.cases:
            yield case.name, self.tests.run(case, patience)
