"""package:test, as far as the client's tests use it."""

import traceback

from . import objects
from .asynchrony import LOOP, Future, run_async, wait
from .values import Map, Native, Thrown, show


class Matcher(Native):
    def __init__(self, words, test):
        self.words = words
        self.test = test

    def having(self, feature, name, expected):
        wanted = matcher_of(expected)
        return Matcher(f"{self.words} with {name} {wanted.words}",
                       lambda value: self.test(value) and wanted.test(feature(value)))

    def __str__(self):
        return self.words


def same(one, other):
    """Deep equality, as `expect` compares lists and maps."""
    if isinstance(other, Matcher):
        return other.test(one)
    if isinstance(one, Map) and isinstance(other, Map):
        return one.length == other.length and all(
            one.containsKey(entry.key) and same(one.look(entry.key), entry.value)
            for entry in other.entries)
    lists = [value if isinstance(value, list) else getattr(value, "elements", lambda: None)()
             for value in (one, other)]
    if None not in lists:
        return len(lists[0]) == len(lists[1]) and all(map(same, *lists))
    return objects.equal(one, other)


def matcher_of(value):
    return value if isinstance(value, Matcher) else Matcher(
        f"equal to {show(value)}", lambda found: same(found, value))


def _throws(inner):
    def test(found):
        if isinstance(found, Future):
            try:
                wait(found)
            except Thrown as thrown:
                return inner.test(thrown.value)
            return False
        try:
            found()
        except Thrown as thrown:
            return inner.test(thrown.value)
        return False
    return Matcher(f"throws {inner.words}", test)


def _is(name):
    return Matcher(name, lambda value: objects.is_type(value, name))


def is_a(name):
    return _is(name)


is_a.takes_type = True


def _empty(value):
    return not value if isinstance(value, (list, str)) else objects.get(value, "isEmpty")


class TestFailure(Native):
    dart_types = ("TestFailure", "Exception")

    def __init__(self, message):
        self.message = message

    def __str__(self):
        return self.message


def fail(message):
    raise Thrown(TestFailure(message))


class Case:
    def __init__(self, name, body, before, after):
        self.name = name
        self.body = body
        self.before = list(before)
        self.after = list(after)


class Tests:
    def __init__(self):
        self.clear()

    def clear(self):
        self.cases = []
        self.groups = []
        self.before = []
        self.after = []
        self.tear_downs = []

    def test(self, name, body, **_):
        self.cases.append(Case(" ".join([*self.groups, show(name)]), body, self.before, self.after))

    def group(self, name, body):
        before, after = list(self.before), list(self.after)
        self.groups.append(show(name))
        body()
        self.groups.pop()
        self.before, self.after = before, after

    def expect(self, found, expected, reason=None):
        matcher = matcher_of(expected)
        if not matcher.test(found):
            text = f"found {show(found)[:400]}, expected {matcher.words[:400]}"
            raise AssertionError(f"{show(reason)}: {text}" if reason else text)

    def expect_later(self, found, expected, reason=None):
        return run_async(lambda: self.expect(found, expected, reason))

    def library(self):
        return {
            "test": self.test, "group": self.group, "expect": self.expect,
            "expectLater": self.expect_later, "setUp": lambda body: self.before.append(body),
            "tearDown": lambda body: self.after.append(body),
            "addTearDown": lambda body: self.tear_downs.append(body),
            "isTrue": Matcher("true", lambda value: value is True),
            "isFalse": Matcher("false", lambda value: value is False),
            "isNull": Matcher("null", lambda value: value is None),
            "isEmpty": Matcher("empty", _empty),
            "isNotEmpty": Matcher("not empty", lambda value: not _empty(value)),
            "isA": is_a, "throwsA": lambda inner: _throws(matcher_of(inner)),
            "throwsFormatException": _throws(_is("FormatException")),
            "throwsArgumentError": _throws(_is("ArgumentError")),
            "throwsStateError": _throws(_is("StateError")), "TestFailure": TestFailure,
            "fail": fail,
        }

    def run(self, case, patience):
        """Runs one test; gives what went wrong, or None."""
        self.tear_downs = []
        failures = []

        def attempt(body):
            try:
                result = body()
                if isinstance(result, Future):
                    wait(result)
            except Thrown as thrown:
                failures.append("".join(traceback.format_exception(thrown)[-6:])
                                + f"threw {show(thrown.value)}")
            except Exception:
                failures.append(traceback.format_exc(limit=-6))

        def whole():
            for body in case.before:
                attempt(body)
            if not failures:
                attempt(case.body)
            for body in [*reversed(self.tear_downs), *reversed(case.after)]:
                attempt(body)

        LOOP.uncaught.clear()
        end = run_async(whole)
        try:
            LOOP.run(lambda: end.state is not None, patience)
        except TimeoutError as error:
            failures.append(str(error))
        except Exception:  # An expectation in what runs by itself, or a fault of the interpreter.
            failures.append(traceback.format_exc(limit=-6))
        failures += [f"nobody took the error {show(error)}" for error in LOOP.uncaught]
        return "\n".join(failures) or None
