"""Standard streams that are files, closed or never read, and a shortage of descriptors."""

import contextlib
import os
import subprocess
import sys
import time

from support.harness import (
    PATIENCE, PROGRAM, Complaints, RawSocket, Scenario, SocketServer, bridge, codec, eventually,
    frames, main, run, scratch_folder, start, with_news,
)

CALL = frames.Frame(frames.MESSAGE, channel="PW", id=1, payload=codec.encode_call(
    "startLiveActivity", {"elapsedSeconds": 1}))
STREAM = frames.encode_frame(frames.hello_frame()) + frames.encode_frame(CALL)


class OddSurroundings(Scenario):
    def test_files(self):
        folder = scratch_folder()
        with open(f"{folder}/in", "wb") as file:
            file.write(STREAM)
        with open(f"{folder}/in", "rb") as source, open(f"{folder}/out", "wb") as sink:
            code = subprocess.run(
                [PROGRAM, "serve", "--quiet"], stdin=source, stdout=sink,
                timeout=PATIENCE).returncode
        self.assertEqual(code, 0)
        kinds = [frame.kind for frame in frames.read_file(f"{folder}/out")]
        self.assertEqual(kinds, [frames.HELLO, frames.REPLY, frames.BYE])

    def test_nothing_to_read(self):
        result = subprocess.run(
            [PROGRAM, "serve"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=PATIENCE)
        self.assertEqual(result.returncode, 0)

    def test_closed_streams(self):
        folder = scratch_folder()
        for redirections in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            for verb in ("serve", f"serve --socket {folder}/s", "version"):
                with self.subTest(redirections, verb=verb):
                    # What matters is that it neither hangs nor crashes.
                    script = f"timeout {1 if '--socket' in verb else 10} {PROGRAM} {verb} {redirections}"
                    code = subprocess.run(
                        ["sh", "-c", script], stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                        timeout=PATIENCE).returncode
                    if "--socket" in verb:
                        self.assertIn(code, (0, 1, 2, 124))
                    else:
                        self.assertIn(code, (0, 1, 2))

    def test_a_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("SKIPPED: no /dev/full here")
        with open("/dev/full", "wb") as sink:
            result = subprocess.run(
                [PROGRAM, "serve", "--quiet"], input=STREAM, stdout=sink, stderr=subprocess.PIPE,
                timeout=PATIENCE)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"No space left", result.stderr)

    def test_a_limit_on_the_size_of_files(self):
        """`ulimit -f` would end who writes past it; here the recording ends, and the log."""
        folder = scratch_folder()
        prefix = ("bash", "-c", 'ulimit -f 8; exec "$@"', "bash")
        # Where it can, the thread sanitizer makes a larger file before the program starts.
        nowhere = {"TMPDIR": "/nowhere"}
        for name in ("recording.jsonl", "recording.pwrec"):
            with self.subTest(name), SocketServer(
                    "--log", "text", "--record", f"{folder}/{name}", prefix=prefix,
                    environment=nowhere) as server:
                with server.client() as client:
                    client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
                    for second in range(300):
                        self.assertIsNone(client.invoke(
                            "PW", "updateLiveActivity", {"elapsedSeconds": second}))
                # Whoever wanted a recording has lost what is not in it.
                server.good_codes = {2}
                self.assertEqual(server.stop(), 2)
                self.assertEqual(server.complaints.text.count("recording ends here"), 1)
                self.assertIn("File too large", server.complaints.text)
                self.assertLessEqual(os.path.getsize(f"{folder}/{name}"), 8192)
                self.assertEqual(run("inspect", f"{folder}/{name}").returncode, 0)

    def test_a_command_whose_recording_ended(self):
        """A command that failed by itself keeps its code; success without the recording is none."""
        lines = b"".join(b'PW startLiveActivity {"elapsedSeconds":%d}\n' % n for n in range(30))
        limit = ("bash", "-c", 'ulimit -f 1; exec "$@"', "bash")
        # As above, in the variable that only the sanitizer reads: exec needs a place for its socket.
        surroundings = {**os.environ, "TEST_TMPDIR": "/nowhere"}
        surroundings.pop("TMPDIR", None)
        file = f"{scratch_folder()}/recording.jsonl"
        for flags in (("--record", file), ("--mock", file, "--mode", "all")):
            for code, wanted in ((0, 2), (7, 7)):
                with self.subTest(flags=flags, code=code):
                    result = subprocess.run(
                        [*limit, PROGRAM, "exec", "-q", *flags, "--",
                         "sh", "-c", f"pwbridge call - > /dev/null; exit {code}"],
                        input=lines, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                        env=surroundings, timeout=PATIENCE)
                    text = result.stderr.decode()
                    self.assertEqual(result.returncode, wanted, text)
                    self.assertEqual(text.count("the recording is not whole: "), 1, text)
                    self.assertIn("pwbridge: 30 calls", text)

    def test_what_a_command_takes_over(self):
        """Signals that the program ignores for itself kill its commands as ever."""
        for name, code in (("PIPE", 141), ("XFSZ", 153)):
            result = run("exec", "-q", "--", "sh", "-c", f"kill -{name} $$; exit 3")
            self.assertEqual(result.returncode, code, result.err)

    def test_a_log_that_nobody_reads(self):
        """A full pipe on standard error holds nobody up."""
        reading, writing = os.pipe()
        path = f"{scratch_folder()}/socket"
        process = start("serve", "--socket", path, stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL, stderr=writing)
        os.close(writing)
        try:
            eventually(lambda: os.path.exists(path), "the socket")
            with bridge.connect(path, timeout=PATIENCE) as client:
                calls = [client.call_async("PW", "startLiveActivity", {"x": "y" * 60})
                         for _ in range(1500)]
                for call in calls:
                    self.outcome_of(call)
            process.terminate()
            # It says what it can and does not wait for ever.
            time.sleep(0.2)
        finally:
            os.close(reading)
            self.assertEqual(process.wait(PATIENCE), 0)

    def test_a_log_whose_reader_has_gone(self):
        reading, writing = os.pipe()
        os.close(reading)
        process = start("serve", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=writing)
        os.close(writing)
        output, _ = process.communicate(STREAM, timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(frames.read_stream(output)[-1].kind, frames.BYE)

    def test_no_more_descriptors(self):
        """Clients wait for their turn; the server neither ends nor burns time."""
        # Not a limit of this process, which may have inherited more than that.
        prefix = ("bash", "-c", 'ulimit -n 24; exec "$@"', "bash")
        with SocketServer("--log", "text", prefix=prefix) as server:
            raws = [server.raw().hello() for _ in range(40)]
            server.complaints.wait_for("cannot accept")
            time.sleep(0.5)
            # At most a few complaints a second.
            self.assertLess(server.complaints.text.count("cannot accept"), 20)
            for raw in raws[:30]:
                raw.close()
            # Those that waited come in.
            for raw in raws[30:]:
                raw.frames_until(lambda found: found)
                raw.close()

    def test_no_more_descriptors_for_a_proxy(self):
        """Who finds no place waits or is turned away, by where the last descriptor went; the
        others, and those who come later, are served."""
        folder = scratch_folder()
        path = f"{folder}/proxy"
        complaints = Complaints()
        with SocketServer("--quiet") as server:
            proxy = start(
                "record", "--record", f"{folder}/r.jsonl", "--listen", path, "--to", server.path,
                prefix=("bash", "-c", 'ulimit -n 40; exec "$@"', "bash"),
                stdin=subprocess.DEVNULL, stderr=complaints.file)
            complaints.wait_for("ready")
            raws = [RawSocket(path) for _ in range(40)]
            for raw in raws:
                with contextlib.suppress(BrokenPipeError):
                    raw.hello()
            complaints.wait_for("Too many open files")
            served = sum(bool(raw.read_some()) for raw in with_news(raws))
            self.assertGreater(served, 10)
            for raw in raws:
                raw.close()
            eventually(lambda: server.open_sockets == 1, "all gone")
            with bridge.connect(path, timeout=PATIENCE) as client:
                self.assertIsNone(client.invoke("PW", "startLiveActivity", {}))
            proxy.terminate()
            self.assertEqual(proxy.wait(PATIENCE), 0)

    def test_signals_that_were_blocked(self):
        """Some programs start others from threads that block signals."""
        block = "import signal, os, sys; "\
                "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32)); "\
                "os.execvp(sys.argv[1], sys.argv[1:])"
        path = f"{scratch_folder()}/socket"
        server = subprocess.Popen(
            [sys.executable, "-c", block, PROGRAM, "serve", "--quiet", "--socket", path],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            eventually(lambda: os.path.exists(path), "the socket")
            server.terminate()
            self.assertEqual(server.wait(5), 0)
        finally:
            server.kill()
            server.wait()
        command = subprocess.Popen(
            [sys.executable, "-c", block, PROGRAM, "exec", "-q", "--", "sh", "-c", "exit 3"],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.assertEqual(command.wait(5), 3)
        finally:
            command.kill()
            command.wait()

    def test_strict_with_a_socket(self):
        for handler, code in (("answering", 0), ("guide", 1)):
            with self.subTest(handler), \
                    SocketServer("--quiet", "--strict", "--handler", handler) as server:
                server.good_codes = {code}
                with server.client() as client:
                    self.outcome(client, "startLiveActivity", {"elapsedSeconds": 1})
                self.assertEqual(server.stop(), code)


if __name__ == "__main__":
    main()
