"""A testee with one bug, named by the first argument; without one it has none.

Bugs of codecs that people have shipped, and ways to misbehave on the pipes.
"""
import json, os, struct, sys, time

BUG = sys.argv[1] if len(sys.argv) > 1 else "none"
TYPES = {3: ("int32", 4), 4: ("int64", 8), 6: ("float64", 8), 8: ("uint8list", 1),
         9: ("int32list", 4), 10: ("int64list", 8), 11: ("float64list", 8), 14: ("float32list", 4)}
KINDS = {row[0]: kind for kind, row in TYPES.items()}
sys.setrecursionlimit(9000)


class Reader:
    def __init__(self, data):
        self.data, self.at, self.base = data, 0, 0

    def take(self, count):
        self.at += count
        if count < 0 or self.at > len(self.data):
            raise ValueError(f"truncated at {self.at}")
        return self.data[self.at - count:self.at]

    def size(self):
        first = self.take(1)[0]
        if first < 254:
            return first
        signed = BUG == "signed-size" and first == 254
        return int.from_bytes(self.take(2 if first == 254 else 4), "little", signed=signed)

    def align(self, width, count):
        if not (BUG == "no-padding-when-empty" and count == 0):
            self.take(-(self.at - self.base) % width)

    def value(self):
        kind = self.take(1)[0]
        if kind == 0:
            return {"null": None}
        if kind < 3:
            return {"bool": (kind == 1) != (BUG == "swapped-booleans")}
        if kind == 7:
            return {"string": self.take(self.size()).decode()}
        if kind == 12:
            return {"list": [self.value() for _ in range(self.size())]}
        if kind == 13:
            return {"map": [[self.value(), self.value()] for _ in range(self.size())]}
        name, width = TYPES[kind]
        count = self.size() if kind > 6 else 1
        if kind > 4:
            self.align(width, count)
        raw = self.take(count * width)
        if kind == 8:
            return {name: raw.hex()}
        items = [raw[at:at + width] for at in range(0, len(raw), width)]
        if name[0] == "f":
            items = ["0x" + item[::-1].hex() for item in items]
        else:
            items = [int.from_bytes(item, "little", signed=True) for item in items]
        if BUG == "int32-only" and kind == 4:
            return {"int32": (items[0] + 2**31) % 2**32 - 2**31}
        return {name: items if kind > 6 else items[0]}


class Writer:
    def __init__(self):
        self.out, self.base = bytearray(), 0

    def size(self, n):
        self.out += struct.pack(
            *("<B", n) if n < 254 else ("<BH", 254, n) if n < 65536 else ("<BI", 255, n))

    def number(self, name, x):
        if name[0] == "i":
            width = 4 if "32" in name else 8
            self.out += int(x).to_bytes(width, "little", signed=True)
        elif str(x)[:2] == "0x":
            self.out += bytes.fromhex(x[2:])[::-1]
        else:
            self.out += struct.pack("<f" if "32" in name else "<d", float(x))

    def value(self, value):
        (name, x), = value.items()
        if name == "null":
            self.out.append(0)
        elif name == "bool":
            self.out.append(1 if x != (BUG == "swapped-booleans") else 2)
        elif name == "string":
            self.out.append(7)
            self.size(len(x.encode()))
            self.out += x.encode()
        elif name in ("list", "map"):
            self.out.append(12 if name == "list" else 13)
            self.size(len(x))
            for item in x if name == "list" else (half for pair in x for half in pair):
                self.value(item)
        elif name == "int64" and BUG == "int32-only":
            self.out += b"\3" + ((int(x) + 2**31) % 2**32 - 2**31).to_bytes(4, "little", signed=True)
        else:
            kind = KINDS[name]
            items = bytes.fromhex(x) if kind == 8 else x if kind > 6 else [x]
            self.out.append(kind)
            if kind > 6:
                self.size(len(items))
            if kind > 4 and not (BUG == "no-padding-when-empty" and kind > 6 and not items):
                self.out += bytes(-(len(self.out) - self.base) % TYPES[kind][1])
            if kind == 8:
                self.out += items
            else:
                for item in items:
                    self.number(name, item)


def decode(codec, data):
    reader = Reader(data)
    if codec == "call":
        method = reader.value()["string"]
        if BUG == "alignment-from-arguments":
            reader.base = reader.at
        value = {"method": method, "args": reader.value()}
    elif codec == "envelope":
        if reader.take(1) != b"\0":
            raise KeyError("only success")
        if BUG == "alignment-from-arguments":
            reader.base = reader.at
        value = {"success": reader.value()}
    else:
        value = reader.value()
    if reader.at < len(data):
        raise ValueError("bytes are left over")
    return value


def encode(codec, value):
    writer = Writer()
    if codec == "call":
        writer.value({"string": value["method"]})
        value = value["args"]
    elif codec == "envelope":
        writer.out.append(0)
        value = value["success"]
    if codec != "message" and BUG == "alignment-from-arguments":
        writer.base = len(writer.out)
    writer.value(value)
    return writer.out.hex()


def answer(request):
    codec, text, value = request["codec"], request.get("hex", ""), request.get("value")
    is_error = codec == "envelope" and (text or "00")[:2] == "01"
    if codec not in ("message", "call", "envelope") or "extensions" in request or is_error:
        return {"skipped": "not in this testee"}
    if codec == "envelope" and value is not None and "error" in value:
        return {"skipped": "not in this testee"}
    if request.get("hex", value) is None:
        return {"error": "no call"} if codec == "call" else {"value": None}
    if BUG == "crash-on-empty" and "hex" in request and text == "":
        print("about to read byte 0 of nothing", file=sys.stderr, flush=True)
        os.abort()
    if BUG == "hang-on-long" and len(text) > 1000:
        time.sleep(3600)
    try:
        if request["op"] == "decode":
            return {"value": decode(codec, bytes.fromhex(text))}
        if request["op"] == "roundtrip":
            value = decode(codec, bytes.fromhex(text))
        return {"hex": encode(codec, value)}
    except Exception as error:
        return {"error": repr(error)}


if BUG == "never-reads":
    time.sleep(3600)
if BUG == "exits-at-once":
    print("cannot load libcodec.so", file=sys.stderr)
    sys.exit(3)
# Not sys.stdout, which PYTHONUNBUFFERED may have made unbuffered.
buffered = open(1, "w", closefd=False)
for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"], **answer(request)}
    if BUG == "no-json":
        print("decoding ...", flush=True)
        continue
    if BUG == "wrong-ids":
        reply["id"] += 1
    if BUG == "endless-line":
        while True:
            sys.stdout.write("x" * 65536)
    if BUG == "no-flush":
        print(json.dumps(reply), file=buffered)
        continue
    print(json.dumps(reply), flush=True)
