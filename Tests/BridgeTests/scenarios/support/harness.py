"""Starts the real program and talks to it from outside, for the scenarios of this folder.

`pwbridge` is found on the path. Every wait has a limit, and every process that is started here has
ended when the scenario has.
"""

import atexit
import contextlib
import functools
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(REPOSITORY / "Protocol" / "clients" / "python"))

import pwbridge_client as bridge  # noqa: E402
from pwbridge_client import codec, frames  # noqa: E402

PROGRAM = "pwbridge"
# Set by `Tests/sanitize.sh`: how many times longer than usual everything may take.
SLOWNESS = int(os.environ.get("PWBRIDGE_TEST_SLOWNESS", "1"))
# Memory is then neither what the program asks for nor given back at once.
IS_SANITIZED = "ASAN_OPTIONS" in os.environ or "TSAN_OPTIONS" in os.environ
# Far more than anything takes, for a debug build on a machine with a lot else to do.
PATIENCE = 30.0 * SLOWNESS

_processes = []
_folders = []


@atexit.register
def _clean_up():
    for process in _processes:
        with contextlib.suppress(OSError):
            process.kill()
        process.wait()
    for folder in _folders:
        shutil.rmtree(folder, ignore_errors=True)


def scratch_folder():
    """A folder with a short path, since those of sockets are limited to 107 bytes."""
    folder = tempfile.mkdtemp(prefix="pwb-", dir="/tmp")
    _folders.append(folder)
    return folder


def eventually(condition, text, patience=PATIENCE):
    """Waits until `condition()` is true and returns what it returned."""
    deadline = time.monotonic() + patience
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"it did not come about in {patience} s: {text}")
        time.sleep(0.01)


def run(*arguments, input=b"", environment=None, program=PROGRAM):
    """Runs the program to its end. The result has returncode, stdout and stderr as text."""
    result = subprocess.run(
        [program, *arguments], input=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        timeout=PATIENCE, env={**os.environ, **(environment or {})})
    result.out = result.stdout.decode("utf-8", "replace")
    result.err = result.stderr.decode("utf-8", "replace")
    return result


def start(*arguments, prefix=(), **options):
    """Starts the program, perhaps by another that makes its surroundings and then becomes it; it is
    ended with the scenario at the latest."""
    process = subprocess.Popen([*prefix, PROGRAM, *arguments], bufsize=0, **options)
    _processes.append(process)
    return process


class Complaints:
    """The standard error of a process, in a file: nothing blocks, however much it is."""

    def __init__(self):
        self.file, path = tempfile.mkstemp(prefix="pwb-")
        os.unlink(path)

    def __del__(self):
        os.close(self.file)

    @property
    def text(self):
        size = os.fstat(self.file).st_size
        return os.pread(self.file, size, 0).decode("utf-8", "replace")

    def wait_for(self, part):
        eventually(lambda: part in self.text, f"{part!r} on standard error: {self.text!r}")


class SocketServer:
    """`pwbridge serve --socket`, ready when the constructor returns."""

    name = "socket"

    def __init__(self, *arguments, path=None, environment=None, prefix=()):
        self.path = path or f"{scratch_folder()}/socket"
        self.good_codes = {0, -signal.SIGKILL}
        self.complaints = Complaints()
        self.process = start(
            "serve", "--socket", self.path, *arguments, prefix=prefix,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.complaints.file,
            env={**os.environ, **(environment or {})})
        eventually(
            lambda: "ready " in self.complaints.text or self.process.poll() is not None,
            "ready")
        if self.process.poll() is not None:
            raise AssertionError(f"the server did not start: {self.complaints.text}")

    def client(self, **options):
        options.setdefault("timeout", PATIENCE)
        return bridge.connect(self.path, **options)

    def raw(self):
        return RawSocket(self.path)

    @property
    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    @property
    def open_sockets(self):
        """The listening one and one for each client."""
        folder = f"/proc/{self.process.pid}/fd"
        links = []
        for name in os.listdir(folder):
            with contextlib.suppress(OSError):
                links.append(os.readlink(f"{folder}/{name}"))
        return sum(link.startswith("socket:") for link in links)

    def stop(self, signal=signal.SIGTERM):
        """Ends the server and returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal)
        code = self.process.wait(PATIENCE)
        # Not one byte ever belongs there.
        if not self.process.stdout.closed:
            output = self.process.stdout.read()
            self.process.stdout.close()
            assert output == b"", output
        return code

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is not None:
            print(f"--- standard error of the server:\n{self.complaints.text}", file=sys.stderr)
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
        else:
            code = self.stop()
            assert code in self.good_codes, f"exit {code}: {self.complaints.text}"


class StdioServer:
    """`pwbridge serve` over stdin and stdout: every client is a process of its own."""

    name = "stdio"

    def __init__(self, *arguments, environment=None):
        self.arguments = arguments
        self.environment = environment
        self.complaints = None

    def client(self, **options):
        self.complaints = Complaints()
        options.setdefault("timeout", PATIENCE)
        client = bridge.spawn(
            [PROGRAM, "serve", *self.arguments], stderr=self.complaints.file, **options)
        client.complaints = self.complaints
        _processes.append(client.process)
        return client

    def raw(self):
        return RawProcess(*self.arguments)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is not None and self.complaints is not None:
            print(f"--- standard error of the server:\n{self.complaints.text}", file=sys.stderr)


SERVERS = (StdioServer, SocketServer)


def with_news(raws, rest=1):
    """Those to which something has come, or the end, when nothing more comes for some seconds."""
    poll = select.poll()
    waiting = {raw.input: raw for raw in raws}
    for descriptor in waiting:
        poll.register(descriptor, select.POLLIN)
    found = []
    while events := poll.poll(rest * 1000):
        for descriptor, _ in events:
            poll.unregister(descriptor)
            found.append(waiting[descriptor])
    return found


class _Raw:
    """Bytes to a server and bytes from it."""

    def __init__(self):
        self.reader = frames.FrameReader()
        self.frames = []

    def hello(self, **options):
        self.write(frames.encode_frame(frames.hello_frame(**options)))
        return self

    def send(self, kind, **options):
        self.write(frames.encode_frame(frames.Frame(kind, **options)))
        return self

    def call(self, id, method, arguments=None, channel="PW"):
        return self.send(
            frames.MESSAGE, channel=channel, id=id, payload=codec.encode_call(method, arguments))

    def read_some(self, patience=PATIENCE):
        """What there is, at least one byte; empty at the end."""
        # select() is of no use above descriptor 1023.
        poll = select.poll()
        poll.register(self.input, select.POLLIN)
        if not poll.poll(patience * 1000):
            raise AssertionError("nothing came")
        with contextlib.suppress(ConnectionResetError):
            return os.read(self.input, 1 << 16)
        return b""

    def read_to_end(self):
        """All bytes up to the end of the stream."""
        parts = []
        while part := self.read_some():
            parts.append(part)
        return b"".join(parts)

    def take(self, data):
        """Notes the frames in some bytes."""
        self.reader.feed(data)
        self.frames += self.reader.frames()

    def frames_to_end(self):
        """All frames of the stream."""
        self.take(self.read_to_end())
        self.reader.finish()
        return self.frames

    def frames_until(self, condition):
        """All frames so far, read until `condition(frames)` is true."""
        while not condition(self.frames):
            part = self.read_some()
            if not part:
                raise AssertionError(f"the stream ended after {self.frames}")
            self.take(part)
        return self.frames

    def greet(self, **options):
        """Sends a hello and waits for the answer."""
        self.hello(**options)
        self.frames_until(lambda found: found)
        return self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


class RawSocket(_Raw):
    def __init__(self, path):
        super().__init__()
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # A connect with a time limit would fail where clients queue; the server takes them in soon.
        self.socket.connect(path)
        self.socket.settimeout(PATIENCE)
        self.input = self.socket.fileno()

    def write(self, data):
        self.socket.sendall(data)

    def end_writing(self):
        self.socket.shutdown(socket.SHUT_WR)

    def close(self):
        self.socket.close()


class RawProcess(_Raw):
    """A `pwbridge serve` of its own, spoken to in bytes."""

    def __init__(self, *arguments):
        super().__init__()
        self.complaints = Complaints()
        self.process = start(
            "serve", *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.complaints.file)
        self.input = self.process.stdout.fileno()

    def write(self, data):
        # Whoever refuses the first bytes does not read the rest.
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(data)

    def end_writing(self):
        self.process.stdin.close()

    def wait(self):
        """The exit code."""
        return self.process.wait(PATIENCE)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise


def on_each_server(*arguments):
    """Makes a test of a method that takes a server: it runs over stdio and over a socket."""
    def decorate(method):
        @functools.wraps(method)
        def test(self):
            for kind in SERVERS:
                with self.subTest(kind.name), kind(*arguments) as server:
                    method(self, server)
        return test
    return decorate


class Scenario(unittest.TestCase):
    """A test case with words for what calls bring."""

    maxDiff = None

    def outcome(self, client, method, arguments=None, channel="PW"):
        """`("success", value)`, `("error", code, message, details)`, `("not implemented",)`,
        `("dropped",)` or `("refused", code)`."""
        return self.outcome_of(client.call_async(channel, method, arguments))

    def outcome_of(self, call):
        try:
            return ("success", call.result())
        except bridge.PlatformException as error:
            return ("error", error.code, error.message, error.details)
        except bridge.MissingPluginException:
            return ("not implemented",)
        except bridge.Dropped:
            return ("dropped",)
        except bridge.FrameErrorReply as error:
            return ("refused", error.code)

    def control(self, client, method, **arguments):
        return client.invoke("pwbridge/control", method, arguments or None)

    def only(self, items):
        self.assertEqual(len(items), 1, items)
        return items[0]


def main():
    unittest.main(verbosity=2)
