#!/usr/bin/env python3
"""check-trace.py TRACE CAPTURE: whether a trace is what the recording says."""
import collections
import json
import sys

trace = json.load(open(sys.argv[1]))
events = trace["traceEvents"]
recorded = [json.loads(line) for line in open(sys.argv[2])]
messages = [entry for entry in recorded if entry["kind"] == "message"]
replies = [entry for entry in recorded if entry["kind"] == "reply"]

slices = [event for event in events if event["ph"] == "X"]
instants = [event for event in events if event["ph"] == "i"]
names = {(event["pid"], event["tid"]): event["args"]["name"]
         for event in events if event["name"] == "thread_name"}
assert {event["ph"] for event in events} == {"X", "i", "M"}, "unexpected kinds of events"
assert len(slices) + len(instants) == len(messages), "a slice or instant for each message"

starts = {(m["dir"], m["id"]): m for m in messages}
expected = collections.Counter()
for reply in replies:
    way = "dart->native" if reply["dir"] == "native->dart" else "native->dart"
    message = starts[(way, reply["id"])]
    expected[(1 if way == "dart->native" else 2, message["id"], message["t_us"],
              reply["t_us"] - message["t_us"])] += 1
found = collections.Counter(
    (s["pid"], s["args"]["id"], s["ts"], s["dur"]) for s in slices
    if s["args"].get("ending") != "no answer")
assert found == expected, "slices are the calls, from message to reply"

for event in slices + instants:
    name = names[(event["pid"], event["tid"])]
    message = starts[("dart->native" if event["pid"] == 1 else "native->dart",
                      event["args"]["id"])]
    assert name.split(" (")[0] == message["channel"], "on the track of its channel"
    assert event["ts"] == message["t_us"]

tracks = collections.defaultdict(list)
for s in slices:
    assert s["dur"] >= 0
    tracks[(s["pid"], s["tid"])].append((s["ts"], s["ts"] + s["dur"]))
for track, spans in tracks.items():
    spans.sort()
    for (_, end), (start, _) in zip(spans, spans[1:]):
        assert start >= end, f"slices of track {track} overlap"
print(f"trace: {len(slices)} slices, {len(instants)} instants, {len(names)} tracks")
