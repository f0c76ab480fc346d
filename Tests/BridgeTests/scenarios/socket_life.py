"""The socket as a file: who may have it, who leaves it behind, who takes it over."""

import contextlib
import os
import signal
import socket
import stat
import subprocess
import time

from support.harness import (
    PATIENCE, PROGRAM, Scenario, SocketServer, eventually, frames, main, run, scratch_folder,
)


def as_another_user(user, work):
    """What `work()` returns, as bytes, in a process that has become the user."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            os.write(writing, work())
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with open(reading, "rb") as pipe:
        found = pipe.read()
    return found, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def greet_and_listen(path):
    """Says hello and returns all that comes back."""
    parts = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stranger:
        stranger.settimeout(PATIENCE)
        stranger.connect(path)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            stranger.sendall(frames.encode_frame(frames.hello_frame()))
        with contextlib.suppress(ConnectionResetError):
            while part := stranger.recv(1 << 16):
                parts.append(part)
    return b"".join(parts)


class SocketLife(Scenario):
    def setUp(self):
        self.folder = scratch_folder()
        self.path = f"{self.folder}/socket"

    def test_only_its_user_and_gone_at_the_end(self):
        for end in (signal.SIGTERM, signal.SIGINT):
            with SocketServer(path=self.path) as server:
                mode = os.lstat(self.path).st_mode
                self.assertTrue(stat.S_ISSOCK(mode))
                self.assertEqual(stat.S_IMODE(mode), 0o600)
                self.assertIn(f"ready {self.path}\n", server.complaints.text)
                self.assertEqual(server.stop(end), 0)
                self.assertFalse(os.path.lexists(self.path))
        self.assertEqual(os.listdir(self.folder), [])

    def test_whatever_the_umask(self):
        previous = os.umask(0)
        try:
            with SocketServer(path=self.path):
                self.assertEqual(stat.S_IMODE(os.lstat(self.path).st_mode), 0o600)
        finally:
            os.umask(previous)

    def test_restart_after_kill(self):
        for _ in range(3):
            with SocketServer(path=self.path) as server:
                with server.client() as client:
                    client.invoke("PW", "startLiveActivity", {})
                    server.process.kill()
                    server.process.wait()
                    client.abandon()
            self.assertTrue(os.path.lexists(self.path))
        with SocketServer(path=self.path) as server, server.client() as client:
            self.assertEqual(self.control(client, "activities"), [])
        self.assertFalse(os.path.lexists(self.path))

    def refused(self, *words, path=None):
        result = run("serve", "--socket", path or self.path)
        self.assertEqual(result.returncode, 2, result.err)
        self.assertEqual(result.out, "")
        line = self.only(result.err.splitlines())
        self.assertTrue(line.startswith("pwbridge: "), line)
        for word in words:
            self.assertIn(word, line)

    def test_a_live_one_is_refused(self):
        with SocketServer(path=self.path) as server, server.client() as client:
            self.refused(self.path, "a server is listening there already")
            self.refused(self.path, "a server is listening there already")
            self.assertIsNone(client.invoke("PW", "startLiveActivity", {}))
            # New clients still get to the first.
            with server.client() as another:
                self.assertIsNone(another.invoke("PW", "startLiveActivity", {}))

    def test_a_live_one_that_is_busy(self):
        """A full queue of a server that accepts nobody is no dead server."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listener.bind(self.path)
            listener.listen(0)
            callers = []
            for _ in range(3):
                caller = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                caller.setblocking(False)
                try:
                    caller.connect(self.path)
                except BlockingIOError:
                    pass
                callers.append(caller)
            self.refused("a server is listening there already")
            for caller in callers:
                caller.close()
        self.assertTrue(os.path.lexists(self.path))

    def test_other_things_are_left_alone(self):
        with open(self.path, "w") as file:
            file.write("precious")
        self.refused("it is left as it is")
        with open(self.path) as file:
            self.assertEqual(file.read(), "precious")
        os.unlink(self.path)

        os.mkdir(self.path)
        self.refused("it is left as it is")
        self.assertTrue(os.path.isdir(self.path))
        os.rmdir(self.path)

        target = f"{self.folder}/target"
        with open(target, "w") as file:
            file.write("precious")
        os.symlink(target, self.path)
        self.refused("it is left as it is")
        self.assertEqual(os.readlink(self.path), target)
        os.unlink(target)
        self.refused("it is left as it is")
        os.unlink(self.path)

        os.mkfifo(self.path)
        self.refused("it is left as it is")
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.path).st_mode))

    def test_paths_that_cannot_be(self):
        self.refused("107", path=f"{self.folder}/{'x' * 120}")
        self.refused("No such file or directory", path=f"{self.folder}/nowhere/socket")
        if os.geteuid() != 0:
            os.chmod(self.folder, 0o500)
            self.refused("Permission denied")
            os.chmod(self.folder, 0o700)

    def test_a_socket_that_is_somebody_elses_by_now_stays(self):
        with SocketServer(path=self.path) as server:
            os.unlink(self.path)
            with SocketServer(path=self.path) as second:
                self.assertEqual(server.stop(), 0)
                with second.client() as client:
                    self.assertIsNone(client.invoke("PW", "startLiveActivity", {}))

    def test_a_client_of_another_user_is_refused(self):
        if os.geteuid() != 0:
            self.skipTest("SKIPPED: only root can become another user")
        with SocketServer("--log", "text", path=self.path) as server:
            # As its owner could open it by mistake; the server asks all the same.
            os.chmod(self.folder, 0o755)
            os.chmod(self.path, 0o666)
            data, code = as_another_user(65534, lambda: greet_and_listen(self.path))
            self.assertEqual(code, 0)
            reader = frames.FrameReader()
            reader.feed(data)
            found = list(reader.frames())
            self.assertEqual([frame.kind for frame in found], [frames.HELLO, frames.ERROR])
            fields = found[1].fields
            self.assertEqual(fields["code"], "too-many-connections")
            self.assertEqual(fields["fatal"], "true")
            self.assertIn("the client belongs to user 65534; only user 0 is served", fields["text"])
            server.complaints.wait_for("the client belongs to user 65534")
            with server.client() as client:
                self.assertIsNone(client.invoke("PW", "startLiveActivity", {}))

    def test_servers_that_race(self):
        """Of several that start at once exactly one wins, over a stale socket too."""
        for turn in range(3):
            if turn > 0:
                stale = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                stale.bind(self.path)
                stale.close()
            processes = [
                subprocess.Popen(
                    [PROGRAM, "serve", "--socket", self.path], stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                for _ in range(6)]
            try:
                eventually(
                    lambda: sum(process.poll() is None for process in processes) <= 1,
                    "one winner")
                time.sleep(0.1)
                winner = self.only([process for process in processes if process.poll() is None])
                for process in processes:
                    if process is not winner:
                        self.assertEqual(process.returncode, 2)
                        self.assertIn(b"listening there already", process.stderr.read())
                winner.terminate()
                self.assertEqual(winner.wait(PATIENCE), 0)
                self.assertFalse(os.path.lexists(self.path))
            finally:
                for process in processes:
                    process.kill()
                    process.wait()
                    process.stderr.close()


if __name__ == "__main__":
    main()
