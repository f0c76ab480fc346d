"""Files and streams that are damaged, given to the program as people have it: an error that is lost
in optimized code alone shows here and nowhere else."""

import itertools
import json
import pathlib

from support.harness import REPOSITORY, run as run_program, scratch_folder

PROTOCOL = REPOSITORY / "Protocol"
# What each once stopped a fuzzer; the first bytes chose the reader.
REGRESSIONS = REPOSITORY / "Tests" / "Fuzzing" / "Regressions"
# What the readers know, in places where it does not belong.
WORDS = (b'"', b"{", b"}", b"[", b"]", b",", b":", b"null", b"-1", b"0", b"1e400", b"9" * 20,
         b'"hex":"0"', b'"hex":""', b'"value":{}', b'{"int32":"x"}', b"\xff", b"\0", b"\n",
         b"\\u0000")


def damaged(data, dice):
    """A copy with one to four places changed."""
    data = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        start = dice.randrange(len(data) + 1)
        end = min(len(data), start + dice.choice((0, 1, 2, 8, 64)))
        kind = dice.randrange(5)
        if kind == 0:
            del data[start:end]
        elif kind == 1:
            data[start:end] = dice.choice(WORDS)
        elif kind == 2:
            data[start:start] = data[start:end]
        elif kind == 3:
            data[start:end] = dice.randbytes(end - start)
        elif dice.random() < 0.2:
            del data[start:]
    return bytes(data)


def small_vectors(name, dice):
    """Some vectors of a file, so that damage often hits what matters."""
    whole = json.loads((PROTOCOL / "vectors" / f"{name}.json").read_bytes())
    whole["vectors"] = dice.sample(whole["vectors"], 3)
    return json.dumps(whole).encode()


def stopwatch_frames():
    """What the client of the golden transcript sends."""
    with open(PROTOCOL / "transcripts" / "stopwatch.jsonl", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    return b"".join(bytes.fromhex(entry["hex"]) for entry in entries
                    if entry.get("from") == "client")[:600]


class Damage:
    """Gives damaged inputs to commands and looks at how they end."""

    def __init__(self, row):
        self.row = row
        self.folder = pathlib.Path(scratch_folder())
        self.runs = 0
        self.refused = 0

    def ends_well(self, what, *arguments, input=b""):
        result = run_program(*arguments, input=input)
        self.runs += 1
        self.refused += result.returncode != 0
        if result.returncode not in (0, 1, 2) or "Fatal error" in result.err:
            kept = self.folder / "kept"
            self.row.misses.append(
                f"{what}: {arguments[0]} ends with {result.returncode}: {result.err[:200]!r}; "
                f"input {(input or kept.read_bytes())[:2000]!r}")

    def vectors(self, data):
        folder = self.folder / "vectors"
        folder.mkdir(exist_ok=True)
        (folder / "x.json").write_bytes(data)
        (self.folder / "kept").write_bytes(data)
        self.ends_well("vectors", "conform", "--vectors", str(folder), "--profile", "dart",
                       "--quiet")

    def recording(self, data):
        path = self.folder / "recording.jsonl"
        path.write_bytes(data)
        (self.folder / "kept").write_bytes(data)
        for arguments in (("inspect",), ("replay",), ("export", "--trace", "-"),
                          ("diff", str(path))):
            self.ends_well("recording", *arguments, str(path))

    def rules(self, data):
        path = self.folder / "faults"
        path.write_bytes(data)
        (self.folder / "kept").write_bytes(data)
        self.ends_well("rules of faults", "serve", "--faults", str(path))


def damaged_inputs(run):
    count = run.size(15, 400)
    tried = (f"what once stopped a fuzzer, and {count} times each: vector files, recordings in "
             "text and binary form, rules of faults, streams of frames, lines and messages with one "
             "to four places damaged")
    with run.table.row("damaged files and streams", tried) as row:
        damage, dice = Damage(row), run.dice
        for path in sorted(REGRESSIONS.glob("FuzzTexts/vector*")):
            damage.vectors(path.read_bytes()[1:])
        for path in sorted(REGRESSIONS.glob("FuzzRecordingUse/*")):
            damage.recording(path.read_bytes()[3:])
        capture = REPOSITORY / "Tests" / "Fixtures" / "captures" / "desktop-app.jsonl"
        text, binary = damage.folder / "text.jsonl", damage.folder / "binary.pwrec"
        with open(capture, "rb") as lines:
            text.write_bytes(b"".join(itertools.islice(lines, 8)))
        run_program("convert", str(text), str(binary))
        rules = (b'PW.startLiveActivity: delay 0s\n*: error "a" "b" null\n'
                 b"PW.x 2..3: corrupt 0102\n")
        call = b"\x07\x01a\x0d\x01\x07\x01b\x0c\x02\x03\x01\x00\x00\x00\x06" + bytes(4) + bytes(8)
        frames = stopwatch_frames()
        for _ in range(count):
            name = dice.choice(("envelopes", "method-calls", "standard-maps", "json-methods",
                                "platform-reactions", "standard-extensions"))
            damage.vectors(damaged(small_vectors(name, dice), dice))
            damage.recording(damaged(text.read_bytes(), dice))
            damage.recording(damaged(binary.read_bytes(), dice))
            damage.rules(damaged(rules, dice))
            damage.ends_well("frames", "serve", "--quiet", input=damaged(frames, dice))
            line = b"PW " + call.hex().encode() + b"\n"
            damage.ends_well("lines", "serve", "--quiet", "--framing", "lines",
                             input=damaged(line * 3, dice))
            for verb in ("decode", "explain"):
                damage.ends_well("message", verb, "--codec", "call", "--raw", "-",
                                 input=damaged(call, dice))
        row.equal(len(row.misses), 0, "commands that end otherwise than with 0, 1 or 2")
        row.must(damage.refused > damage.runs // 4,
                 f"{damage.runs:,} commands, {damage.refused:,} of them refuse what they get",
                 "more than a quarter refuse")


CHECKS = (damaged_inputs,)
