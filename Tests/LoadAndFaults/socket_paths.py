"""The socket's path: races for it, other things at it, other users."""

import os
import signal
import socket
import stat
import subprocess
import time

from support.harness import (
    PATIENCE, SocketServer, eventually, frames, run as run_program, scratch_folder, start,
)


def racing_servers(run):
    rounds = run.size(10, 50)
    tried = (f"two servers are started on one path at once, {rounds} times, every other time over "
             "the socket of a dead one")
    with run.table.row("two servers, one path", tried) as row:
        winners = []
        losers = set()
        served = 0
        for turn in range(rounds):
            path = f"{scratch_folder()}/socket"
            if turn % 2:
                with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stale:
                    stale.bind(path)
            both = [start("serve", "--quiet", "--socket", path, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(2)]
            eventually(lambda both=both: any(one.poll() is not None for one in both), "a loser")
            time.sleep(0.02)
            running = [one for one in both if one.poll() is None]
            winners.append(len(running))
            losers |= {one.returncode for one in both if one.poll() is not None}
            served += run_program(
                "call", "--socket", path, "PW", "startLiveActivity", "{}").returncode == 0
            for one in running:
                one.terminate()
                one.wait(PATIENCE)
        row.equal(winners.count(1), rounds, "rounds with one winner")
        row.equal(served, rounds, "winners that serve")
        row.must(losers == {2}, f"exit codes of the others {losers}", "exit code 2")


def other_things(run):
    """What is there is described by its inode, kind, size and target, before and after."""
    tried = ("`serve --socket` and `record --listen` at a link to a file, to a socket and to "
             "nothing, a folder, a FIFO, a file, a device")
    with run.table.row("other things at the path", tried) as row:
        folder = scratch_folder()
        path = f"{folder}/it"
        with open(f"{folder}/file", "w") as file:
            file.write("precious")
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(f"{folder}/live")
        listener.listen()
        dead = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        dead.bind(f"{folder}/dead")
        dead.close()

        def describe(name):
            facts = os.lstat(name)
            target = os.readlink(name) if stat.S_ISLNK(facts.st_mode) else ""
            return facts.st_ino, facts.st_mode, facts.st_size, facts.st_mtime_ns, target

        makers = {
            "link to a file": lambda: os.symlink(f"{folder}/file", path),
            "link to a socket": lambda: os.symlink(f"{folder}/live", path),
            "link to a dead socket": lambda: os.symlink(f"{folder}/dead", path),
            "dangling link": lambda: os.symlink(f"{folder}/nothing", path),
            "folder": lambda: os.mkdir(path),
            "FIFO": lambda: os.mkfifo(path),
            "file": lambda: os.link(f"{folder}/file", path),
        }
        if os.geteuid() == 0:
            makers["device"] = lambda: os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        refused = 0
        for what, make in makers.items():
            make()
            before = describe(path), describe(f"{folder}/file"), sorted(os.listdir(folder))
            for arguments in (("serve", "--socket", path),
                              ("record", "--record", "/dev/null", "--listen", path, "--", "cat")):
                result = run_program(*arguments)
                after = describe(path), describe(f"{folder}/file"), sorted(os.listdir(folder))
                if result.returncode != 2 or len(result.err.splitlines()) != 1:
                    row.misses.append(f"{what}: {arguments[0]} {result.returncode} {result.err}")
                elif before != after:
                    row.misses.append(f"{what}: {arguments[0]} changed something")
                else:
                    refused += 1
            (os.rmdir if what == "folder" else os.unlink)(path)
        listener.close()
        row.equal(refused, len(makers) * 2, "refused with 2 and untouched")


def other_user(run):
    tried = "a client of user 65534 at a server of root, whose socket was opened to all by chmod"
    if os.geteuid() != 0:
        run.table.not_tried("another user's client", tried, "only root can be another user")
        return
    attempts = 20
    with run.table.row("another user's client", tried) as row, \
            SocketServer("--log", "text") as server, server.client() as own:
        os.chmod(os.path.dirname(server.path), 0o755)
        os.chmod(server.path, 0o666)
        told = 0
        for _ in range(attempts):
            told += is_told(server)
            own.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
            own.invoke("PW", "stopLiveActivity")
        row.equal(told, attempts, "told why and cut off")
        server.complaints.wait_for("user 65534")
        lines = server.complaints.text.count("the client belongs to user 65534")
        row.equal(lines, attempts, "lines in the log")
        row.note("the own client goes on")


def is_told(server):
    """Whether a client of another user gets a hello, the reason, and the end, and nothing else."""
    process = os.fork()
    if process == 0:
        code = 1
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            with server.raw() as raw:
                try:
                    raw.hello().call(1, "startLiveActivity", {})
                except BrokenPipeError:
                    pass  # It may be cut off by now.
                found = raw.frames_to_end()
            fields = found[-1].fields
            is_right = ([frame.kind for frame in found] == [frames.HELLO, frames.ERROR]
                        and fields["code"] == "too-many-connections"
                        and "belongs to user 65534" in fields["text"])
            code = 0 if is_right else 3
        finally:
            os._exit(code)
    deadline = time.monotonic() + PATIENCE
    while True:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        if time.monotonic() > deadline:
            os.kill(process, signal.SIGKILL)
        time.sleep(0.002)


CHECKS = (racing_servers, other_things, other_user)
