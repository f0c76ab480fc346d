"""A small checker for the part of JSON Schema that schema.json uses."""

import re


class Invalid(Exception):
    pass


TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


KNOWN = {"$schema", "$id", "$defs", "$ref", "title", "description", "type", "enum", "const",
         "properties", "required", "additionalProperties", "propertyNames", "minProperties",
         "maxProperties", "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "pattern",
         "minimum", "maximum", "anyOf", "oneOf", "not", "if", "then", "else", "allOf"}


class Checker:
    def __init__(self, root):
        self.root = root

    def fits(self, value, schema):
        try:
            self.check(value, schema, "")
            return True
        except Invalid:
            return False

    def check(self, value, schema, at):
        if schema is True:
            return
        if schema is False:
            raise Invalid(at + ": not allowed")
        unknown = set(schema) - KNOWN
        if unknown:
            raise AssertionError("schema keyword not supported: %s" % unknown)
        if "$ref" in schema:
            target = self.root
            for part in schema["$ref"].lstrip("#/").split("/"):
                target = target[part]
            self.check(value, target, at)
        types = schema.get("type")
        if types and not any(is_type(value, t) for t in ([types] if isinstance(types, str) else types)):
            raise Invalid("%s: not %s" % (at, types))
        if "enum" in schema and value not in schema["enum"]:
            raise Invalid("%s: %r not in enum" % (at, value))
        if "const" in schema and value != schema["const"]:
            raise Invalid("%s: not %r" % (at, schema["const"]))
        if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
            raise Invalid("%s: %r does not match %s" % (at, value[:40], schema["pattern"]))
        if is_type(value, "number"):
            if value < schema.get("minimum", value) or value > schema.get("maximum", value):
                raise Invalid("%s: %r out of range" % (at, value))
        if isinstance(value, list):
            self._array(value, schema, at)
        if isinstance(value, dict):
            self._object(value, schema, at)
        self._combined(value, schema, at)

    def _array(self, value, schema, at):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            raise Invalid(at + ": wrong number of items")
        if schema.get("uniqueItems") and len({repr(x) for x in value}) < len(value):
            raise Invalid(at + ": items repeat")
        prefix = schema.get("prefixItems", [])
        for i, x in enumerate(value):
            inner = prefix[i] if i < len(prefix) else schema.get("items", True)
            self.check(x, inner, "%s[%d]" % (at, i))

    def _object(self, value, schema, at):
        if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
            raise Invalid(at + ": wrong number of members")
        for name in schema.get("required", ()):
            if name not in value:
                raise Invalid("%s: %s is missing" % (at, name))
        properties = schema.get("properties", {})
        for name, x in value.items():
            if "propertyNames" in schema:
                self.check(name, schema["propertyNames"], at + " name")
            inner = properties.get(name, schema.get("additionalProperties", True))
            self.check(x, inner, "%s.%s" % (at, name))

    def _combined(self, value, schema, at):
        for inner in schema.get("allOf", ()):
            self.check(value, inner, at)
        if "anyOf" in schema and not any(self.fits(value, s) for s in schema["anyOf"]):
            raise Invalid(at + ": fits no form")
        if "oneOf" in schema and sum(self.fits(value, s) for s in schema["oneOf"]) != 1:
            raise Invalid(at + ": does not fit exactly one form")
        if "not" in schema and self.fits(value, schema["not"]):
            raise Invalid(at + ": fits a form it must not")
        if "if" in schema:
            branch = "then" if self.fits(value, schema["if"]) else "else"
            self.check(value, schema.get(branch, True), at)
