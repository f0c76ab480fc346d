"""Names and texts that would steer a terminal, through everything that prints them."""

import json
import os
import subprocess
import sys
import unicodedata

from support.harness import (
    PATIENCE, PROGRAM, SocketServer, bridge, codec, frames, scratch_folder,
)

# Colours, a title, a bell, lines, a NUL, a backspace, the directions, separators, the second set of
# control characters, a tag and a private character.
HOSTILE = ("\x1b[31m\x1b]0;title\x07\r\n\0\x08\x7f\u202e\u2066\u2028\u2029\x80\x85\x9b31m\x9f\ufeff"
           "\u200b\u061c\U000e0041\ue000end")
# What may be in an argument of a command or in a path.
ARGUMENT = HOSTILE.replace("\0", "").replace("/", "")
ILL_FORMED = b"\x1b[31m\xc3\x28\xff\xfe\x9b31m\xed\xa0\x80\xe2\x80\xae"
ALLOWED = {"\n", "\u200c", "\u200d"}
FORBIDDEN = {"Cc", "Cf", "Zl", "Zp", "Cs", "Co"}


def raw_characters(data):
    """What of an output a terminal would obey; ill-formed UTF-8 is obeyed as bytes by some."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return [f"ill-formed UTF-8 at {error.start}: {data[error.start:error.start + 4]!r}"]
    return sorted({f"U+{ord(character):04X}" for character in text
                   if character not in ALLOWED and unicodedata.category(character) in FORBIDDEN})


class Scanner:
    """Runs things and looks at each byte that they print."""

    def __init__(self, row):
        self.row = row
        # What an argument may make lies there.
        self.folder = scratch_folder()
        self.bytes = 0
        self.outputs = 0
        self.found = []
        self.mentions = 0

    def look(self, what, data):
        self.outputs += 1
        self.bytes += len(data)
        # The harmless end of a hostile name shows that it was printed at all.
        self.mentions += b"end" in data
        raw = raw_characters(data)
        if raw:
            self.found.append(f"{what}: {', '.join(raw)}")

    def run(self, *arguments, input=b"", is_shown=True):
        """With `is_shown` false the output is for programs: frames, or what passes through."""
        what = " ".join(arguments[:2]).encode("ascii", "backslashreplace").decode()[:60]
        result = subprocess.run(
            [PROGRAM, *arguments], input=input, capture_output=True, timeout=PATIENCE,
            cwd=self.folder)
        if is_shown:
            self.look(f"{what}: output", result.stdout)
        self.look(f"{what}: errors", result.stderr)
        if result.returncode not in (0, 1, 2, 126, 127):
            self.found.append(f"{what}: exit code {result.returncode}")
        return result

    def finish(self):
        self.row.note(f"{self.outputs} outputs, {self.bytes:,} bytes, "
                      f"{self.mentions} of them show a hostile text")
        self.row.equal(len(self.found), 0, "outputs with a raw control or format character")
        self.row.misses += self.found
        self.row.must(self.mentions * 3 > self.outputs, "shown escaped",
                      "more than a third show one, escaped")


def converse(server):
    """Says hostile things in each place where a client can say something."""
    hostile_channel = HOSTILE.replace("\0", "")
    with server.client(device="friend\u202e\u2028end") as client:
        def in_dart(method, arguments):
            raise bridge.PlatformException(HOSTILE, HOSTILE, HOSTILE)

        client.set_method_call_handler(hostile_channel, in_dart)

        def attempt(channel, method, arguments=None):
            try:
                client.invoke(channel, method, arguments)
            except (bridge.PlatformException, bridge.MissingPluginException, bridge.Dropped,
                    bridge.FrameErrorReply):
                pass

        attempt(hostile_channel, HOSTILE, HOSTILE)
        attempt("PW", HOSTILE, {HOSTILE: [HOSTILE, {HOSTILE: HOSTILE}]})
        attempt("PW", "startLiveActivity", {HOSTILE: HOSTILE, "elapsedSeconds": HOSTILE})
        attempt("PW", "startLiveActivity", {"elapsedSeconds": 1})
        attempt("pushwoosh", "defaultSetup", HOSTILE)
        attempt("pushwoosh", "defaultStart", {
            "activityId": HOSTILE, "attributes": {HOSTILE: HOSTILE}, "content": {HOSTILE: HOSTILE}})
        attempt("pushwoosh", HOSTILE)
        for method, arguments in (
                (HOSTILE, None), ("dismiss", {"id": HOSTILE}), ("help", {"method": HOSTILE}),
                ("setOption", {"name": HOSTILE, "value": HOSTILE}), ("setLimits", {HOSTILE: 1}),
                ("clock.advance", {"by": HOSTILE}), ("faults.add", {"rule": HOSTILE}),
                ("faults.add", {"rule": f"PW.evil: error {json.dumps(HOSTILE)}"}),
                ("faults.add", {"rule": f"PW.{json.dumps(HOSTILE)}2: no-reply"}),
                ("deliverPush", {"payload": HOSTILE}), ("serverRequest", {"request": HOSTILE}),
                ("deliverPush", {"payload": {"aps": {HOSTILE: HOSTILE, "event": HOSTILE}}}),
                ("addEventChannel", {"channel": hostile_channel}),
                ("invokeDart", {"channel": hostile_channel, "method": HOSTILE})):
            attempt("pwbridge/control", method, arguments)
        attempt("PW", "evil", HOSTILE)
        for payload in (b"", HOSTILE.encode(), b"\x07\x14" + ILL_FORMED[:20].ljust(20, b"\x9b"),
                        codec.encode_message(HOSTILE)):
            try:
                client.send(hostile_channel, payload)
                client.send("PW", payload)
            except bridge.FrameErrorReply:
                pass
        attempt("PW", "last")
    for device in (HOSTILE, "\x1bend"):
        try:
            server.client(device=device, options={"fault": HOSTILE}).abandon()
        except bridge.FrameErrorReply:
            pass
    for option in ("handler", "nothing"):
        try:
            server.client(options={option: HOSTILE}).abandon()
        except bridge.FrameErrorReply:
            pass
    for data in (
            ILL_FORMED + b"end", HOSTILE.encode(),
            frames.encode_frame(frames.hello_frame(software=HOSTILE)) + ILL_FORMED,
            frames.encode_frame(frames.Frame(
                frames.HELLO, id=frames.MAGIC, payload=b"version=1\nsoftware=" + ILL_FORMED)),
            frames.encode_frame(frames.hello_frame()) + frames.HEAD.pack(
                0, frames.MESSAGE, 1, 16, 1) + ILL_FORMED[:16],
            frames.encode_frame(frames.hello_frame()) + frames.encode_frame(
                frames.Frame(frames.MESSAGE, channel="a\0\x1bend", id=1))):
        with server.raw() as raw:
            try:
                raw.write(data)
                raw.end_writing()
            except (BrokenPipeError, OSError):
                pass
            raw.read_to_end()


def log_and_recordings(run):
    tried = ("hostile channels, methods, arguments, devices, options, faults, pushes and bytes: "
             "both logs, recordings in `inspect`, `replay`, `diff`, `convert`, `export`")
    with run.table.row("hostile names from clients", tried) as row:
        scanner = Scanner(row)
        folder = scratch_folder()
        for form in ("text", "json"):
            recording = f"{folder}/{form}.jsonl"
            with SocketServer("--log", form, "--record", recording) as server:
                converse(server)
                with server.client(device="friend\u202e\u2028end"):
                    scanner.run("state", "--socket", server.path, "--device",
                                "friend\u202e\u2028end")
                    scanner.run("state", "--json", "--socket", server.path, "--device",
                                "friend\u202e\u2028end")
                server.stop()
                scanner.look(f"log {form}", server.complaints.text.encode("utf-8"))
        text = f"{folder}/text.jsonl"
        for arguments in (
                ("inspect", text), ("inspect", "--calls", text), ("inspect", "--lint", text),
                ("inspect", "--json", text), ("convert", text, "-"), ("replay", text),
                ("replay", "--handler", "guide", text),
                ("diff", text, f"{folder}/json.jsonl"), ("export", text, "-")):
            scanner.run(*arguments)
        scanner.run("serve", "--mock", text, "--strict", is_shown=False)
        scanner.finish()


def arguments_and_files(run):
    tried = ("hostile arguments and names of files, sockets and commands, typed lines and "
             "messages: every verb's output and errors, `exec`'s summary, the lines framing, "
             "`conform`")
    with run.table.row("hostile names in commands", tried) as row:
        scanner = Scanner(row)
        folder = scratch_folder()
        call = codec.encode_call(HOSTILE, HOSTILE).hex()
        quoted = json.dumps(HOSTILE.replace("\0", ""))
        path = f"{folder}/{ARGUMENT}"
        scanner.run("call", ARGUMENT, ARGUMENT, json.dumps(HOSTILE))
        scanner.run("call", "--fault", f"PW.x: error {quoted} {quoted} {quoted}", "PW", "x")
        scanner.run("call", "-", input=f"PW {ARGUMENT}\n{ARGUMENT}".encode() + ILL_FORMED)
        scanner.run("exec", "--handler", "guide", "--log", "text", "--", PROGRAM, "call", ARGUMENT,
                    ARGUMENT)
        scanner.run("exec", "--strict", "--fault", "*: no-reply", "--", PROGRAM, "call", ARGUMENT,
                    ARGUMENT)
        scanner.run("exec", "--", ARGUMENT)
        scanner.run("exec", "--", path)
        lines = (f"{quoted} {call}\nPW {call}\n{HOSTILE}\nPW {HOSTILE}\n\"{HOSTILE}\n< {HOSTILE}\n"
                 .encode() + ILL_FORMED + b"\n")
        scanner.run("serve", "--framing", "lines", input=lines)
        scanner.run("serve", "--framing", "lines", "--log", "json", input=lines)
        scanner.run("serve", input=HOSTILE.encode(), is_shown=False)
        scanner.run("serve", input=ILL_FORMED, is_shown=False)
        for verb in ("decode", "explain"):
            for kind, data in (("call", codec.encode_call(HOSTILE, HOSTILE)),
                               ("message", codec.encode_message({HOSTILE: HOSTILE})),
                               ("message", b"\x07\x14" + ILL_FORMED),
                               ("envelope", codec.encode_error(HOSTILE, HOSTILE, HOSTILE)),
                               ("string", HOSTILE.encode()),
                               ("json-message", json.dumps(HOSTILE).encode()),
                               ("json-call", HOSTILE.encode())):
                scanner.run(verb, "--codec", kind, "--raw", "-", input=data)
            scanner.run(verb, ARGUMENT)
        scanner.run("encode", ARGUMENT)
        scanner.run("encode", json.dumps({HOSTILE: HOSTILE}))
        scanner.run("encode", "--codec", ARGUMENT, "1")
        for verb in ("inspect", "replay", "export", "convert", "diff"):
            scanner.run(verb, path, path)
            scanner.run(verb, path)
        with open(path, "wb") as file:
            file.write(HOSTILE.encode() + ILL_FORMED)
        for verb in ("inspect", "replay", "export", "convert", "decode", "explain", "encode"):
            scanner.run(verb, path)
        scanner.run("diff", path, path)
        os.mkdir(f"{folder}/sub{ARGUMENT}")
        other = f"{folder}/sub{ARGUMENT}/x/y"
        for arguments in (
                ("serve", "--mock", path), ("serve", "--faults", path),
                ("serve", "--record", other), ("serve", "--socket", other),
                ("serve", "--socket", path),
                ("serve", "--option", ARGUMENT), ("serve", "--option", f"handler={ARGUMENT}"),
                ("serve", "--option", f"{ARGUMENT}=1"), ("serve", "--fault", ARGUMENT),
                ("serve", "--fault", f"PW.x: {ARGUMENT}"), ("serve", "--log", ARGUMENT),
                ("serve", "--max-payload", ARGUMENT), ("serve", "--drain", ARGUMENT),
                ("serve", "--channel-codec", ARGUMENT), (f"--{ARGUMENT}",), (ARGUMENT,),
                ("serve", ARGUMENT), ("help", ARGUMENT), ("completions", ARGUMENT),
                ("call", "--socket", path, "PW", "x"), ("state", "--socket", path),
                ("state", "--device", ARGUMENT), ("replay", "--to", path, path),
                ("record", "--record", other, "--", "cat"),
                ("record", "--record", "/dev/null", "--to", path),
                ("record", "--record", "/dev/null", "--", path),
                ("conform", "--only", ARGUMENT), ("conform", "--", path),
                ("conform", "--known-failures", path), ("conform", "--compare", path),
                ("conform", "--vectors", f"{folder}/sub{ARGUMENT}"), ("conform", "--json", other)):
            scanner.run(*arguments)
        # A testee that answers, and complains, with control characters.
        testee = (f"import sys\nfor line in sys.stdin.buffer:\n"
                  f" sys.stdout.buffer.write({HOSTILE.encode() + ILL_FORMED!r} + b'\\n')\n"
                  f" sys.stderr.buffer.write({HOSTILE.encode() + ILL_FORMED!r})\n"
                  " sys.stdout.flush()\n")
        scanner.run("conform", "--only", "envelopes", "--", sys.executable, "-S", "-c", testee)
        scanner.run("record", "--record", "/dev/null", "--", "sh", "-c",
                    f"printf '%s' '{ARGUMENT}'", input=ILL_FORMED, is_shown=False)
        scanner.finish()


CHECKS = (log_and_recordings, arguments_and_files)
