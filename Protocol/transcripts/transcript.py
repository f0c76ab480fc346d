"""Reads, writes, records and replays the transcripts of this folder. README.md has the format."""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import threading

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "clients" / "python"))

import pwbridge_client as bridge  # noqa: E402
from pwbridge_client import codec, frames  # noqa: E402

PATIENCE = 30.0
# In the place of name and version of the server.
SOFTWARE = "pwbridge"


class Transcript:
    """What was said in one conversation: a list of (who, bytes of a frame)."""

    def __init__(self, name, about, arguments=(), said=(), options=None):
        self.name = name
        self.about = about
        self.arguments = list(arguments)
        self.said = list(said)
        self.options = dict(options or {})
        """What the client's hello asks for."""

    @property
    def turns(self):
        """Pairs of lists: frames of the client, and the frames with which the server answers."""
        turns = []
        for who, data in self.said:
            if who == "client" and (not turns or turns[-1][1]):
                turns.append(([], []))
            turns[-1][0 if who == "client" else 1].append(data)
        return turns

    def write(self):
        """The text of the file."""
        first = {"transcript": self.name, "about": self.about, "server": self.arguments}
        if self.options:
            first["options"] = self.options
        lines = [first]
        for who, data in self.said:
            lines.append({"from": who, **as_parts(data), "frame": describe(data)})
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    @classmethod
    def read(cls, path):
        with open(path, encoding="utf-8") as file:
            first, *lines = map(json.loads, file)
        said = [(line["from"], from_parts(line)) for line in lines]
        return cls(first["transcript"], first["about"], first["server"], said,
                   first.get("options"))


# Bytes

def as_parts(data):
    """Bytes as one hex text, or as parts where one byte repeats for long."""
    parts = []
    position = 0
    for run in re.finditer(rb"(.)\1{255,}", data, re.DOTALL):
        parts.append(data[position:run.start()].hex())
        parts.append({"repeat": run[1].hex(), "times": len(run[0])})
        position = run.end()
    if not parts:
        return {"hex": data.hex()}
    return {"parts": parts + [data[position:].hex()]}


def from_parts(line):
    parts = line["parts"] if "parts" in line else [line["hex"]]
    return b"".join(
        bytes.fromhex(part) if isinstance(part, str)
        else bytes.fromhex(part["repeat"]) * part["times"] for part in parts)


def parse(data):
    """The frame in bytes that hold exactly one."""
    frame, = frames.read_stream(data, expects_hello=data[4] == frames.HELLO)
    return frame


def without_version(data):
    """A server's hello with another text in the field that differs from version to version."""
    frame = parse(data)
    if frame.kind != frames.HELLO:
        return data
    fields = [(name, SOFTWARE if name == "software" else value)
              for name, value in frame.fields.items()]
    frame.payload = frames.encode_fields(fields)
    return frames.encode_frame(frame)


def cut(data):
    """The bytes of whole frames at the beginning of `data`, one by one, and the rest."""
    found = []
    while len(data) >= frames.HEAD.size:
        length, _, _, name_length, _ = frames.HEAD.unpack_from(data)
        size = frames.HEAD.size + frames.padded(name_length) + frames.padded(length)
        if len(data) < size:
            break
        found.append(data[:size])
        data = data[size:]
    return found, data


# Words for people

def describe(data):
    frame = describable(data)
    words = {"kind": frames.KIND_NAMES.get(frame.kind, frame.kind)}
    if frame.kind != frames.HELLO:
        words["id"] = frame.id
    if frame.channel:
        words["channel"] = frame.channel
    if frame.kind in (frames.HELLO, frames.ERROR, frames.LOG) or (
            frame.kind == frames.BYE and frame.payload is not None):
        words["fields"] = frame.fields
    elif frame.kind in (frames.MESSAGE, frames.REPLY):
        words.update(describe_payload(frame))
    return words


def describable(data):
    try:
        return parse(data)
    except (ValueError, frames.FrameError):
        length, kind, flags, _, id = frames.HEAD.unpack_from(data)
        return frames.Frame(kind, flags=flags, id=id, payload=bytes(length))


def describe_payload(frame):
    payload = frame.payload
    if payload is None:
        return {"payload": None}
    try:
        if frame.kind == frames.MESSAGE and payload[:1] == b"\x07":
            method, arguments = codec.decode_call(payload)
            return {"method": method, "arguments": plain(arguments)}
        return {"success": plain(codec.decode_envelope(payload))}
    except bridge.PlatformException as error:
        return {"error": [error.code, error.message, plain(error.details)]}
    except bridge.CodecError:
        return {"bytes": len(payload)}


def plain(value):
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return {"bytes": len(value)}
    return value


# Recording

class RecordingClient(bridge.Client):
    """Writes only while it waits, so that what was said when is the same in each run."""

    _may_write = False

    def __init__(self, *descriptors, said, **options):
        self._said = said
        super().__init__(*descriptors, **options)

    def _send(self, frame):
        self._said.append(("client", frames.encode_frame(frame)))
        super()._send(frame)

    def _flush(self):
        if self._may_write:
            super()._flush()

    def _step(self, timeout):
        self._may_write = True
        try:
            super()._step(timeout)
        finally:
            self._may_write = False

    def _take(self, frame):
        self._said.append(("server", without_version(frames.encode_frame(frame))))
        super()._take(frame)


def start_server(transcript):
    return subprocess.Popen(
        ["pwbridge", "serve", "--quiet", *transcript.arguments], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)


def play(connect, script):
    """Runs a script with a client. A script that is None wants the server to refuse."""
    try:
        client = connect()
    except bridge.FrameErrorReply as error:
        if script is not None or not error.is_fatal:
            raise
        return
    if script is None:
        raise AssertionError("the server did not refuse")
    script(client)


def record(transcript, script):
    """Lets a script talk to the real server and notes what is said."""
    with start_server(transcript) as process:
        try:
            play(lambda: RecordingClient(
                process.stdout.fileno(), process.stdin.fileno(), said=transcript.said,
                timeout=PATIENCE, options=transcript.options), script)
        finally:
            process.kill()


# Replaying

def check_server(transcript):
    """Feeds the client's side to the real server; its side has to be the same, byte for byte."""
    with start_server(transcript) as process:
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        try:
            rest = b""
            for turn, (sent, expected) in enumerate(transcript.turns, 1):
                process.stdin.write(b"".join(sent))
                found = []
                while len(found) < len(expected):
                    data = os.read(process.stdout.fileno(), 1 << 16)
                    if not data:
                        break
                    more, rest = cut(rest + data)
                    found += more
                compare(turn, list(map(without_version, found)), expected)
            last = rest + process.stdout.read()
            if last:
                raise AssertionError(f"{len(last)} bytes more than expected: {last[:80]!r}")
        finally:
            timer.cancel()
            process.kill()


def check_client(transcript, script):
    """Gives a script the server's side; the client's side has to be the same, byte for byte."""
    near, far = socket.socketpair()
    problems = []

    def serve():
        try:
            far.settimeout(PATIENCE)
            rest = b""
            for turn, (expected, answers) in enumerate(transcript.turns, 1):
                found = []
                while len(found) < len(expected):
                    data = far.recv(1 << 16)
                    if not data:
                        break
                    more, rest = cut(rest + data)
                    found += more
                compare(turn, found, expected)
                far.sendall(b"".join(answers))
        except (AssertionError, OSError) as error:
            problems.append(error)
        finally:
            far.close()

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    try:
        play(lambda: bridge.Client(near.fileno(), near.fileno(), timeout=PATIENCE,
                                   options=transcript.options), script)
    except Exception as error:  # The other side knows more, if it has something to say.
        problems.append(error)
    server.join(PATIENCE)
    near.close()
    if problems:
        raise problems[0]


def compare(turn, found, expected):
    for number, (is_, should) in enumerate(zip(found, expected), 1):
        if is_ != should:
            raise AssertionError(
                f"turn {turn}, frame {number}: found {describe(is_)} {is_[:200].hex()}, "
                f"expected {describe(should)} {should[:200].hex()}")
    if len(found) != len(expected):
        raise AssertionError(
            f"turn {turn}: {len(found)} frames instead of {len(expected)}: "
            f"{list(map(describe, found))}")
