"""Builds vectors: runs the strict codec and every platform model, and keeps what differs."""

import json

from . import decoders, encoders, json_profiles, json_text, raw, strict
from .flags import FLAGS
from .model import (NO_MESSAGE, Outcome, Refused, expand_fill, expand_parts, from_json, split_parts,
                    to_json, unspecified)

PROFILES = ("dart", "dartWeb", "ios", "android", "windows", "linux")
BIG = 128  # bytes of payload after which runs are folded
CANNOT = ("no such value", "no such field", "UnsupportedError", "ArgumentError",
          "UNSUPPORTED_TYPE")


def strict_decode(codec, data, extensions=None):
    if codec.startswith("json"):
        return json_text.decode(codec, data)
    if codec in ("string", "binary"):
        return raw.strict_decode(codec, data)
    return strict.decode(codec, data, extensions)


def strict_encode(codec, v, extensions=None):
    if codec.startswith("json"):
        return json_text.encode(v)
    if codec in ("string", "binary"):
        return raw.strict_encode(codec, v)
    return strict.encode(v, extensions)


def profile_decode(profile, codec, data, extensions=None):
    if codec.startswith("json"):
        return json_profiles.decode(profile, codec, data)
    if codec in ("string", "binary"):
        return raw.decode(profile, codec, data)
    return decoders.decode(profile, codec, data, extensions)


def profile_encode(profile, codec, v, extensions=None):
    if codec.startswith("json"):
        return json_profiles.encode(profile, codec, v)
    if codec in ("string", "binary"):
        return raw.encode(profile, codec, v)
    return encoders.encode(profile, codec, v, extensions)


def payload_fields(data):
    if data is None:
        return {"hex": None}
    if len(data) > BIG:
        parts = split_parts(data)
        if len(parts) < 8:
            return {"hex_parts": parts}
    return {"hex": data.hex()}


def value_fields(v, fill=None, fill_value=None):
    if fill is not None and v == fill_value:
        return {"value_fill": fill}
    if v is not NO_MESSAGE and v[0] in ("list", "map", "string") and len(v[1]) > 512:
        kind, items = v
        if kind == "string":
            unit = items.decode()[:1]
            if unit * len(items) == items.decode():
                return {"value_fill": {"string": [unit, len(items)]}}
        elif all(x == items[0] for x in items):
            first = [to_json(x) for x in items[0]] if kind == "map" else [to_json(items[0])]
            return {"value_fill": {kind: first + [len(items)]}}
    if nesting(v) > 100:
        raise unspecified("value nested too deeply to write down")
    return {"value": to_json(v)}


def nesting(v):
    if not isinstance(v, (tuple, list)) or not v:
        return 0
    level = isinstance(v, tuple) and v[0] in ("list", "map", "custom")
    return level + max((nesting(x) for x in v if isinstance(x, (tuple, list))), default=0)


def attempt(run, fields):
    """The R object for one try: a result, or what happened instead."""
    try:
        return fields(run())
    except Outcome as o:
        return {o.kind: o.text}


def notes_for(profile, v):
    """A note for results whose map order the platform does not fix."""
    def has_map(x):
        if not isinstance(x, (tuple, list)):
            return False
        if isinstance(x, tuple) and x and x[0] == "map" and len(x[1]) > 1:
            return True
        return any(has_map(y) for y in x)

    return "map order unspecified" if profile in ("ios", "android") and has_map(v) else None


def encode_note(profile, codec, r, extensions):
    data = payload_of(r)
    if profile not in ("ios", "android") or data is None:
        return None
    if codec not in ("message", "call", "envelope"):
        return None
    return notes_for(profile, strict_decode(codec, data, extensions))


class Area:
    def __init__(self, name):
        self.name, self.vectors = name, []

    def both(self, id, comment, value=None, data=None, codec="message", flags=(), fill=None, **k):
        """A vector that goes both ways; give the value, the bytes or both."""
        if fill is not None:
            value = expand_fill(fill)
        if data is None and value is not NO_MESSAGE:
            data = strict_encode(codec, value, k.get("extensions"))
        return self._add(id, comment, codec, "both", data, value, flags, fill, **k)

    def decode(self, id, comment, data, codec="message", flags=(), fill=None, **k):
        return self._add(id, comment, codec, "decode", data, NO_MESSAGE, flags, fill, **k)

    def encode(self, id, comment, value, codec="message", flags=(), fill=None, **k):
        if fill is not None:
            value = expand_fill(fill)
        return self._add(id, comment, codec, "encode", NO_MESSAGE, value, flags, fill, **k)

    def _add(self, id, comment, codec, direction, data, value, flags, fill, source=None,
             extensions=None, expect=None, override=None):
        out = {"id": id, "comment": comment, "flags": sorted(set(flags))}
        for flag in flags:
            assert flag in FLAGS, flag
        if source:
            out["source"] = source
        out["codec"], out["direction"] = codec, direction
        out["verdict"] = "valid"
        out.update(self._strict(id, codec, direction, data, value, fill, extensions, expect))
        if extensions is not None:
            out["extensions"] = extensions
        profiles = self._profiles(codec, direction, data, value, fill, extensions, out)
        for profile, results in (override or {}).items():
            profiles.setdefault(profile, {}).update(results)
        out["verdict"] = verdict(out, profiles)
        if profiles:
            out["profiles"] = profiles
        self.vectors.append(out)
        return out

    def _strict(self, id, codec, direction, data, value, fill, extensions, expect):
        fields = {}
        expanded = expand_fill(fill) if fill is not None else None
        if direction != "encode":
            try:
                decoded = strict_decode(codec, data, extensions)
                if direction == "both":
                    assert decoded == value, (id, decoded, value)
                fields = {**payload_fields(data), **value_fields(decoded, fill, expanded)}
            except Refused as r:
                assert direction == "decode", (id, r)
                where = {"code": r.code}
                if r.offset is not None:
                    where["offset"] = r.offset
                fields = {**payload_fields(data), "error": where}
                assert expect is None or expect == (r.code, r.offset), (id, expect, r)
        if direction != "decode":
            try:
                encoded = strict_encode(codec, value, extensions)
                if direction == "both":
                    assert encoded == data, (id, encoded, data)
                else:
                    fields = {**payload_fields(encoded), **value_fields(value, fill, expanded)}
            except Refused as r:
                assert direction == "encode", (id, r)
                fields = {**value_fields(value, fill, expanded), "error": {"code": r.code}}
        return fields

    def _profiles(self, codec, direction, data, value, fill, extensions, strict_fields):
        expanded = expand_fill(fill) if fill is not None else None
        profiles = {}
        for profile in PROFILES:
            results = {}
            if direction != "encode":
                seen = []

                def run():
                    seen.append(profile_decode(profile, codec, data, extensions))
                    return seen[0]

                r = attempt(run, lambda v: value_fields(v, fill, expanded))
                if not same(r, strict_fields, ("value", "value_fill")):
                    note = notes_for(profile, seen[0]) if seen and ("value" in r) else None
                    results["decode"] = {**r, "note": note} if note else r
            if direction != "decode":
                r = attempt(lambda: profile_encode(profile, codec, value, extensions),
                            payload_fields)
                if not same(r, strict_fields, ("hex", "hex_parts")):
                    note = encode_note(profile, codec, r, extensions)
                    if profile == "ios" and "hex" in r and "string_hex" in repr(strict_fields):
                        note = "unverified"
                    results["encode"] = {**r, "note": note} if note else r
            if results:
                profiles[profile] = results
        return profiles


def same(result, strict_fields, keys):
    if "error" in strict_fields:
        return False
    return any(k in result and k in strict_fields and result[k] == strict_fields[k] for k in keys)


def verdict(vector, profiles):
    if "error" in vector:
        return "invalid"
    for profile, results in profiles.items():
        if profile == "dartWeb":
            continue
        for r in results.values():
            if "unspecified" not in r and r.get("error") not in CANNOT:
                return "acceptable"
    return "valid"


# Files

def render(area):
    used = sorted({f for v in area.vectors for f in v["flags"]})
    lines = ['{"area":%s,"numberOfVectors":%d,"flags":{' % (json.dumps(area.name),
                                                            len(area.vectors))]
    lines.append(",\n".join(
        "%s:%s" % (json.dumps(f), compact(dict(zip(("bugClass", "effect"), FLAGS[f]))))
        for f in used))
    lines.append('},"vectors":[')
    lines.append(",\n".join(map(compact, area.vectors)))
    lines.append("]}")
    return "\n".join(lines) + "\n"


def compact(j):
    return json.dumps(j, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def recheck(vector):
    """Reads one finished vector back from its JSON and runs the strict codec over it again."""
    codec, extensions = vector["codec"], vector.get("extensions")
    data = payload_of(vector)
    value = value_of(vector)
    if "error" in vector:
        try:
            if vector["direction"] == "decode":
                strict_decode(codec, data, extensions)
            else:
                strict_encode(codec, value, extensions)
        except Refused as r:
            assert vector["error"]["code"] == r.code, vector["id"]
            if vector["direction"] == "decode":
                assert vector["error"].get("offset") == r.offset, vector["id"]
            return
        raise AssertionError(vector["id"] + " was not refused")
    if vector["direction"] != "encode":
        assert strict_decode(codec, data, extensions) == value, vector["id"]
    if vector["direction"] != "decode":
        assert strict_encode(codec, value, extensions) == data, vector["id"]


def payload_of(fields):
    if "hex_parts" in fields:
        return expand_parts(fields["hex_parts"])
    return bytes.fromhex(fields["hex"]) if fields.get("hex") is not None else None


def value_of(fields):
    if "value_fill" in fields:
        return expand_fill(fields["value_fill"])
    return from_json(fields.get("value"))
