#!/usr/bin/env python3
"""check-packets.py FOLDER CAPTURE: what tshark makes of app.pcapng and types.pcapng in FOLDER."""
import json
import subprocess
import sys

folder, capture = sys.argv[1:3]


def shark(*arguments):
    result = subprocess.run(
        ["tshark", "-2", "-X", "lua_script:Protocol/wireshark/pwbridge.lua", *arguments],
        capture_output=True, text=True, timeout=300)
    complaints = [line for line in result.stderr.splitlines() if not line.startswith("Running as")]
    assert result.returncode == 0 and not complaints, complaints
    return result.stdout


def fields(file, *names):
    options = [option for name in names for option in ("-e", name)]
    text = shark("-r", f"{folder}/{file}.pcapng", "-T", "fields", "-E", "separator=\x1f", *options)
    return [line.split("\x1f") for line in text.split("\n")[:-1]]


def same(found, expected, what):
    assert found == expected, f"{what}: {found!r} instead of {expected!r}"


# The real app: every packet against the recording.
recorded = [json.loads(line) for line in open(capture)]
packets = fields(
    "app", "pwbridge.channel", "pwbridge.direction", "pwbridge.kind", "pwbridge.id",
    "pwbridge.sequence", "pwbridge.length", "frame.time_epoch", "pwbridge.request_in",
    "pwbridge.response_in", "pwbridge.time", "pwbridge.method", "pwbridge.outcome",
    "pwbridge.malformed", "_ws.malformed")
same(len(packets), len(recorded), "packets")
number_of, first_reply = {}, {}
for number, line in enumerate(recorded, 1):
    if line["kind"] == "message":
        number_of[(line["dir"], line["id"])] = number
    else:
        way = "dart->native" if line["dir"] == "native->dart" else "native->dart"
        first_reply[number_of[(way, line["id"])]] = number
request_of = {reply: request for request, reply in first_reply.items()}
methods = 0
for number, (line, packet) in enumerate(zip(recorded, packets), 1):
    what = f"packet {number}"
    (channel, direction, kind, identifier, sequence, length, time, request, response, elapsed,
     method, outcome, malformed, ws_malformed) = packet
    same(channel, line["channel"], what)
    same(direction, "0" if line["dir"] == "dart->native" else "1", what)
    same(kind, "1" if line["kind"] == "message" else "2", what)
    same((identifier, sequence), (str(line["id"]), str(line["seq"])), what)
    same(length, str(len(line["hex"] or "") // 2), what)
    same(round(float(time) * 1e6), line["t_us"], what)
    same(request, str(request_of.get(number, "")), what)
    same(response, str(first_reply.get(number, "")), what)
    other = request_of.get(number) or first_reply.get(number)
    if other:
        same(round(float(elapsed) * 1e6), abs(line["t_us"] - recorded[other - 1]["t_us"]), what)
    payload = bytes.fromhex(line["hex"] or "")
    expected = ""
    if line["kind"] == "message" and payload[:1] == b"\x07":
        expected = payload[2:2 + payload[1]].decode()
    elif line["kind"] == "message" and payload[:10] == b'{"method":':
        expected = json.loads(payload)["method"]
    same(method, expected, what)
    methods += expected != ""
    if line["kind"] == "reply" and line["hex"] is None:
        same(outcome, "no payload", what)
    same((malformed, ws_malformed), ("", ""), what)
assert methods > 1000

# Values of one call, in its order.
bounds = next(n for n, line in enumerate(recorded, 1)
              if bytes.fromhex(line["hex"] or "")[2:11] == b"setBounds")
text = shark("-r", f"{folder}/app.pcapng", "-Y", f"frame.number == {bounds}", "-V")
assert 'method: "setBounds"' in text and "Type: map (13)" in text, text
assert '"width": 799.0' in text and "Padding: 00000000000000" in text, text
everything = shark("-r", f"{folder}/app.pcapng", "-V")
for word in ("Lua Error", "Malformed Packet", "Dissector bug", "[Malformed"):
    assert word not in everything, word

# Every type, every kind of entry.
types = fields(
    "types", "pwbridge.method", "pwbridge.outcome", "pwbridge.error.code",
    "pwbridge.error.message", "pwbridge.text", "pwbridge.request_in", "pwbridge.again",
    "pwbridge.orphan", "_ws.expert.message", "_ws.col.Info")
info = [packet[9] for packet in types]
same(info[0], '-> types all [null, true, false, -5, 1099511627776, 0xff, ...]', "every type")
same(types[3][1:4], ["error", "418", "no tea"], "an error")
same(types[5][1], "dropped", "dropped")
same(info[6], '<- types event success "event"', "an event")
same(types[7][0], "go", "JSON")
same(types[9][4], "Grüße", "text")
same(types[10][5], "10", "a reply from Dart to a message of the same id")
same(info[11], "-> pigeon [9]", "Pigeon")
same(types[12][6], "", "the first reply")
assert types[13][6] != "", "a second reply"
assert types[15][7] != "", "a reply without its message"
values = shark("-r", f"{folder}/types.pcapng", "-Y", "frame.number == 1", "-V")
for expected in (
        "[0]: null", "[1]: true", "[2]: false", "int32: -5", "int64: 1099511627776",
        "large integer: ff", "float64: 1.5", "string: tea", "[8]: Uint8List[1, 2, 3]",
        "[9]: Int32List[7, -7]", "[10]: Int64List[-1]", "[11]: Float64List[0.25]",
        "[12]: Float32List[2.5]", '"k": null', "[14]: <129>2", "Padding: 00"):
    assert expected in values, f"{expected} in {values}"

# Broken ones are told, each by one line.
for number, expected in (
        (16, "the message ends within an int32, at byte 6"),
        (17, "type byte 33 is none that is known, at byte 6"),
        (18, "1 bytes behind the last value, at byte 7"),
        (19, "the message ends within a string, at byte 12"),
        (20, "the message ends within [0], at byte 12"),
        (21, "an envelope begins with 00 or 01, at byte 0")):
    same(types[number][8], expected, f"broken payload {number}")
same(info[22], "-> types too deep or too long to be shown", "a deep payload")
whole = shark("-r", f"{folder}/types.pcapng", "-V")
for word in ("Lua Error", "Malformed Packet", "Dissector bug"):
    assert word not in whole, word
print(f"tshark: {len(packets)} packets of the app, {len(types)} made for it")
