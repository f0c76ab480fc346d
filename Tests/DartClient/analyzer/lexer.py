"""Cuts Dart into tokens. A string is one token, with the tokens of its substitutions inside."""

import re

_PUNCTUATION = [
    "...?", "...", "??=", "<<=", "~/=", "=>", "??", "?..", "?.", "..", "==", "!=", "<=", ">=", "&&",
    "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", "~/",
    *"{}()[]<>;,.:?!=+-*/%&|^~@#",
]
_TOKEN = re.compile("|".join([
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)",
    r"(?P<number>0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)",
    r"(?P<string>r?'|r?\")",
    r"(?P<id>[A-Za-z_$][\w$]*)",
    f"(?P<mark>{'|'.join(map(re.escape, _PUNCTUATION))})",
]), re.S)


class Token:
    __slots__ = ("kind", "text", "at", "parts")

    def __init__(self, kind, text, at, parts=None):
        self.kind, self.text, self.at, self.parts = kind, text, at, parts

    def __repr__(self):
        return f"{self.kind} {self.text!r}"


class NotDart(Exception):
    """What this parser cannot read; `at` is where."""

    def __init__(self, text, at):
        super().__init__(text)
        self.at = at


def tokens(text, at=0, end=None):
    """The tokens from `at` on, up to `end`, and a last one of kind "end"."""
    found = []
    end = len(text) if end is None else end
    while at < end:
        match = _TOKEN.match(text, at, end)
        if match is None:
            raise NotDart(f"no token: {text[at:at + 20]!r}", at)
        kind = match.lastgroup
        if kind == "string":
            token, at = _string(text, at, match.group())
            found.append(token)
            continue
        if kind != "space":
            found.append(Token(kind, match.group(), at))
        at = match.end()
    found.append(Token("end", "", end))
    return found


def _string(text, start, opening):
    quote, is_raw = opening[-1], opening[0] == "r"
    at = start + len(opening)
    parts = []
    while True:
        if at >= len(text) or text[at] == "\n":
            raise NotDart("a string without end", start)
        if text[at] == quote:
            return Token("string", text[start:at + 1], start, parts), at + 1
        if not is_raw and text[at] == "\\":
            at += 2
        elif not is_raw and text[at] == "$":
            if text[at + 1] == "{":
                close = _closing(text, at + 2)
                parts.append(tokens(text, at + 2, close))
                at = close + 1
            else:
                name = re.compile(r"[A-Za-z_]\w*").match(text, at + 1)
                parts.append(tokens(text, at + 1, name.end()))
                at = name.end()
        else:
            at += 1


def _closing(text, at):
    """The brace that ends a substitution; there may be strings and braces in it."""
    depth = 0
    while True:
        if at >= len(text):
            raise NotDart("a substitution without end", at)
        if text[at] in "'\"":
            at = _string(text, at, text[at])[1]
            continue
        if text[at] == "}" and depth == 0:
            return at
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
