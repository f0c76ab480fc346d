"""`record`, as a proxy before a server: who is let in, and how it ends."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import unittest

from support.harness import (
    PATIENCE, PROGRAM, Complaints, RawSocket, Scenario, SocketServer, bridge, eventually, main,
    scratch_folder, start,
)

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
NOBODY = 65534

# Tells its process id and that it was started, and what comes to it.
TESTAMENT = """
import os, signal, sys, time
def end(number, frame):
    with open(sys.argv[1], "a") as file:
        file.write(f"signal {number}\\n")
    os._exit(7)
for number in (1, 2, 15):
    signal.signal(number, signal.SIG_IGN if sys.argv[2] == "deaf" else end)
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n")
time.sleep(120)
"""


def is_alive(process):
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


class Proxy:
    """`pwbridge record --listen`, ready when the constructor returns."""

    def __init__(self, folder, *arguments):
        self.path = f"{folder}/proxy"
        self.recording = f"{folder}/recording.jsonl"
        self.complaints = Complaints()
        self.process = start(
            "record", "--record", self.recording, "--listen", self.path, *arguments,
            stdin=subprocess.DEVNULL, stderr=self.complaints.file)
        self.complaints.wait_for("ready ")

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def client(self):
        return bridge.connect(self.path, timeout=PATIENCE)

    @property
    def entries(self):
        """All lines: each has to be whole."""
        with open(self.recording) as file:
            text = file.read()
        assert text.endswith("\n"), text[-100:]
        return [json.loads(line) for line in text.splitlines()]


class Admission(Scenario):
    def setUp(self):
        self.folder = scratch_folder()

    def test_one_client_too_many_is_turned_away(self):
        with SocketServer() as server:
            proxy = Proxy(self.folder, "--max-connections", "2", "--to", server.path)
            clients = [proxy.client() for _ in range(2)]
            with RawSocket(proxy.path) as third:
                self.assertEqual(third.read_to_end(), b"")
            proxy.complaints.wait_for(
                "a client was turned away: 2 clients are connected, which is the most")
            # The others have not noticed, and a place that is free again is given away.
            for client in clients:
                client.invoke("PW", "startLiveActivity", {})
            clients[0].close()
            eventually(lambda: server.open_sockets == 2, "the first client is gone")
            with proxy.client() as another:
                another.invoke("PW", "startLiveActivity", {})
            clients[1].close()
            self.assertEqual(proxy.end(), 0)

    def test_a_command_that_outlives_its_client_counts(self):
        testament = f"{self.folder}/testament"
        proxy = Proxy(
            self.folder, "--max-connections", "1", "--", sys.executable, "-c", TESTAMENT,
            testament, "deaf")
        with RawSocket(proxy.path):
            eventually(lambda: os.path.exists(testament), "the command runs")
        with RawSocket(proxy.path) as second:
            self.assertEqual(second.read_to_end(), b"")
        self.assertEqual(proxy.end(), 0)

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can be another user")
    def test_another_user_is_turned_away(self):
        with SocketServer() as server:
            proxy = Proxy(self.folder, "--to", server.path)
            # Its permissions alone would not let him in.
            os.chmod(self.folder, 0o755)
            for path, complaints in ((proxy.path, proxy.complaints),
                                     (server.path, server.complaints)):
                os.chmod(os.path.dirname(path), 0o755)
                os.chmod(path, 0o666)
                self.assertEqual(self.answer_to_nobody(path, server), b"" if path == proxy.path
                                 else b"too-many-connections")
                complaints.wait_for(f"belongs to user {NOBODY}; only user 0 is served")
            self.assertEqual(server.open_sockets, 1)
            self.assertEqual(proxy.end(), 0)

    def answer_to_nobody(self, path, server):
        """What a client of another user reads: the code of the error, if there is one."""
        script = (
            "import os, socket, sys; os.setgid(65534); os.setuid(65534);"
            "s = socket.socket(socket.AF_UNIX); s.settimeout(30); s.connect(sys.argv[1]);"
            "d = b''\n"
            "while part := s.recv(65536): d += part\n"
            "sys.stdout.buffer.write(b'too-many-connections' if b'too-many-connections' in d else d)")
        return subprocess.run(
            [sys.executable, "-c", script, path], stdout=subprocess.PIPE, timeout=PATIENCE,
            check=True).stdout


class Endings(Scenario):
    def setUp(self):
        self.folder = scratch_folder()
        self.testament = f"{self.folder}/testament"

    def lines(self):
        with contextlib.suppress(FileNotFoundError), open(self.testament) as file:
            return file.read().splitlines()
        return []

    def test_a_signal_ends_the_proxy_in_good_order(self):
        for number in SIGNALS:
            with self.subTest(number), SocketServer() as server:
                proxy = Proxy(scratch_folder(), "--to", server.path)
                with proxy.client() as client:
                    for _ in range(20):
                        client.invoke("pwbridge/control", "state")
                    self.assertEqual(proxy.end(number), 0)
                    self.assertFalse(os.path.lexists(proxy.path))
                    client.abandon()
                answers = [entry for entry in proxy.entries if entry.get("kind") == "reply"]
                self.assertEqual(len(answers), 20)
                # The server is not the proxy's.
                with server.client() as client:
                    client.invoke("PW", "startLiveActivity", {})

    def test_the_command_of_each_client_gets_the_signal(self):
        for number in SIGNALS:
            with self.subTest(number):
                self.testament = f"{scratch_folder()}/testament"
                proxy = Proxy(
                    scratch_folder(), "--", sys.executable, "-c", TESTAMENT, self.testament, "ears")
                with RawSocket(proxy.path), RawSocket(proxy.path):
                    eventually(lambda: len(self.lines()) == 2, "both commands run")
                    commands = [int(line) for line in self.lines()]
                    self.assertEqual(proxy.end(number), 0)
                self.assertEqual(self.lines()[2:], [f"signal {number}"] * 2)
                self.assertFalse(any(is_alive(command) for command in commands))
                self.assertFalse(os.path.lexists(proxy.path))

    def over_standard_streams(self, *command):
        return start(
            "record", "--record", f"{self.folder}/recording.jsonl", "--", *command,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def finish(self, process):
        code = process.wait(PATIENCE)
        process.stdin.close()
        process.stdout.close()
        return code

    def test_the_exit_code_is_the_commands(self):
        for number in SIGNALS:
            with self.subTest(number):
                self.testament = f"{scratch_folder()}/testament"
                process = self.over_standard_streams(
                    sys.executable, "-c", TESTAMENT, self.testament, "ears")
                eventually(self.lines, "the command runs")
                process.send_signal(number)
                self.assertEqual(self.finish(process), 7)
                self.assertEqual(self.lines()[1:], [f"signal {number}"])

    def test_a_server_answers_what_is_open_first(self):
        path = f"{self.folder}/recording.jsonl"
        client = bridge.spawn(
            [PROGRAM, "record", "--record", path, "--", PROGRAM, "serve", "--quiet", "--fault",
             "PW.startLiveActivity: delay 700ms"], timeout=PATIENCE, stderr=subprocess.DEVNULL)
        call = client.call_async("PW", "startLiveActivity", {})

        def is_recorded():
            with contextlib.suppress(FileNotFoundError), open(path) as file:
                return "startLiveActivity" in file.read()
        eventually(is_recorded, "the call has come to the proxy")
        client.process.send_signal(signal.SIGTERM)
        self.assertIsNone(call.result())
        self.assertEqual(client.process.wait(PATIENCE), 0)
        client.abandon()
        with open(path) as file:
            entries = [json.loads(line) for line in file]
        self.assertEqual(entries[-1]["kind"], "reply")

    def test_a_command_that_does_not_listen_is_killed(self):
        process = self.over_standard_streams(
            sys.executable, "-c", TESTAMENT, self.testament, "deaf")
        eventually(self.lines, "the command runs")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(process), 128 + signal.SIGKILL)
        self.assertFalse(is_alive(int(self.lines()[0])))

    def test_a_second_signal_ends_all_at_once(self):
        proxy = Proxy(self.folder, "--", sys.executable, "-c", TESTAMENT, self.testament, "deaf")
        with RawSocket(proxy.path):
            eventually(self.lines, "the command runs")
            proxy.process.send_signal(signal.SIGTERM)
            eventually(lambda: not os.path.lexists(proxy.path), "the socket is gone")
            self.assertEqual(proxy.end(signal.SIGINT), 128 + signal.SIGINT)
        command = int(self.lines()[0])
        eventually(lambda: not is_alive(command), "the command is gone")


if __name__ == "__main__":
    main()
