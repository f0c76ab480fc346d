#!/usr/bin/env python3
"""Writes the vector files. With --check, only compares them with what would be written."""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.setrecursionlimit(20000)

from generator import (areas_calls, areas_faults, areas_json, areas_sources,  # noqa: E402
                       areas_values)
from generator.build import recheck, render  # noqa: E402
from generator.check import Checker  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def areas(report):
    yield areas_values.values()
    yield areas_values.sizes()
    yield areas_values.alignment()
    yield areas_faults.truncation()
    yield areas_faults.malformed()
    yield areas_faults.maps()
    yield areas_faults.texts()
    yield areas_calls.extensions()
    yield areas_calls.calls()
    yield areas_calls.envelopes()
    yield areas_json.messages()
    yield areas_json.methods()
    yield areas_json.strings()
    yield areas_sources.implementations(report)
    yield areas_sources.reactions(report)
    yield areas_sources.linux_engine(report)


def main(arguments):
    check_only = arguments == ["--check"]
    if arguments and not check_only:
        print("usage: generate.py [--check]", file=sys.stderr)
        return 2
    schema = json.loads((HERE / "schema.json").read_text())
    checker = Checker(schema)
    ids, stale, total, problems = set(), [], 0, []

    def report(line):
        print(line)
        if line.startswith("model differs"):
            problems.append(line)

    for area in areas(report):
        written = render(area)
        document = json.loads(written)
        checker.check(document, schema, area.name)
        for vector in document["vectors"]:
            assert vector["id"] not in ids, "id twice: " + vector["id"]
            ids.add(vector["id"])
            assert set(vector["flags"]) <= set(document["flags"]), vector["id"]
            recheck(vector)
        total += len(area.vectors)
        path = HERE / (area.name + ".json")
        if not path.exists() or path.read_text() != written:
            stale.append(path.name)
            if not check_only:
                path.write_text(written)
        print("%5d  %7d bytes  %s" % (len(area.vectors), len(written), path.name))
    print("%5d vectors" % total)
    if check_only and stale:
        print("out of date: " + ", ".join(stale), file=sys.stderr)
        return 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
