"""Disks that are full, limited, broken or read-only under a recording: calls go on."""

import json
import os
import re
import shutil
import subprocess

from support.harness import (
    PATIENCE, PROGRAM, Complaints, SocketServer, bridge, run as run_program, scratch_folder, start,
)

SENTENCE = "recording ends here, "


def answered_calls(server, count):
    """How many of so many calls were answered rightly."""
    answered = 0
    with server.client() as client:
        client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
        for _ in range(count // 100):
            calls = [client.call_async("PW", "updateLiveActivity", {"elapsedSeconds": number})
                     for number in range(100)]
            answered += sum(call.result() is None for call in calls)
    return answered


def first_calls(recording):
    """How many calls and answers a recording holds; -1 calls if they are not the first ones."""
    result = run_program("convert", "--shown", "none", recording, "-")
    entries = [json.loads(line) for line in result.out.splitlines()]
    calls = [bytes.fromhex(entry["hex"]) for entry in entries
             if entry.get("kind") == "message" and entry["dir"] == "dart->native"]
    answers = sum(entry.get("kind") == "reply" for entry in entries)
    for index, payload in enumerate(calls[1:]):
        if int.from_bytes(payload[-4:], "little") != index % 100:
            return -1, answers
    return len(calls), answers


class Proxy:
    """`record` between clients and a server, with the words of a server."""

    def __init__(self, server, recording, prefix):
        self.path = f"{scratch_folder()}/proxy"
        self.complaints = Complaints()
        self.process = start(
            "record", "--record", recording, "--listen", self.path, "--to", server.path,
            prefix=prefix, stdin=subprocess.DEVNULL, stderr=self.complaints.file)
        self.complaints.wait_for("ready")

    def client(self):
        return bridge.connect(self.path, timeout=PATIENCE)

    def stop(self):
        self.process.terminate()
        return self.process.wait(PATIENCE)


def check(row, prefix, recording, calls, has_own_disk=False):
    """Records until it goes no further, and looks at what came of it."""
    with SocketServer("--quiet", "--record", recording, prefix=prefix) as server:
        server.good_codes = {2}
        check_recorder(row, server, recording, calls, has_own_disk, unanswered=1)


def check_recorder(row, server, recording, calls, has_own_disk, unanswered):
    row.equal(answered_calls(server, calls), calls, "calls answered")
    # Before the end, with which a disk of its own is gone.
    root = f"/proc/{server.process.pid}/root" if has_own_disk else ""
    copy = f"{scratch_folder()}/copy{os.path.splitext(recording)[1]}"
    shutil.copyfile(root + recording, copy)
    row.equal(server.stop(), 2, "exit code")
    text = server.complaints.text
    row.equal(text.count(SENTENCE), 1, "lines that say so")
    reason = re.search(f"{SENTENCE}.*: (.*)", text)
    row.note(f"“{reason[1]}”" if reason else text[-200:])
    # What is there is read, and plays back as it was. The end may be between calls and answers,
    # which is a difference then: of as many calls as were under way, or of one where the server
    # records.
    kept, answers = first_calls(copy)
    row.must(0 < kept < calls and 0 <= kept - answers <= unanswered,
             f"the first {kept:,} calls and {answers:,} answers are in the file",
             "the first ones, whole")
    replayed = run_program("replay", copy)
    row.must(f"{kept} sent, {answers} as recorded" in replayed.out
             and replayed.returncode == int(kept > answers),
             f"its replay: {answers:,} as recorded", "replay as recorded")


def can_mount():
    return os.geteuid() == 0 and subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def mounted(folder, options):
    """A command's beginning that gives it a small disk of its own at a folder."""
    script = f'mount -t tmpfs -o {options} none "$0" && exec "$@"'
    return ("unshare", "-m", "sh", "-c", script, folder)


def full_disk(run):
    calls = run.size(3000, 20_000)
    for form, name in (("text", "r.jsonl"), ("binary", "r.pwrec")):
        tried = f"`serve --record` in the {form} form on a disk of 64 KiB, {calls:,} calls"
        if not can_mount():
            run.table.not_tried("full disk", tried, "no disk can be mounted here")
            continue
        with run.table.row("full disk", tried) as row:
            folder = scratch_folder()
            check(row, mounted(folder, "size=64k"), f"{folder}/{name}", calls, has_own_disk=True)


def full_disk_of_a_proxy(run):
    calls = run.size(3000, 20_000)
    tried = f"`record --listen` on a disk of 64 KiB, {calls:,} calls"
    if not can_mount():
        run.table.not_tried("full disk, proxy", tried, "no disk can be mounted here")
        return
    with run.table.row("full disk, proxy", tried) as row, SocketServer("--quiet") as server:
        folder = scratch_folder()
        recording = f"{folder}/r.jsonl"
        proxy = Proxy(server, recording, mounted(folder, "size=64k"))
        check_recorder(row, proxy, recording, calls, True, unanswered=100)


def limited_files(run):
    calls = run.size(3000, 20_000)
    tried = f"the same under a limit of 64 KiB on the size of files (`ulimit -f`), {calls:,} calls"
    with run.table.row("limited files", tried) as row:
        folder = scratch_folder()
        check(row, ("bash", "-c", 'ulimit -f 64; exec "$@"', "bash"), f"{folder}/r.jsonl", calls)


def failing_disk(run):
    """Errors that no disk can be made to give here, put in the place of the system's answer."""
    for error in ("EROFS", "EACCES", "EIO"):
        tried = f"the 500th write to the recording fails, and all behind it, with {error}"
        if shutil.which("strace") is None:
            run.table.not_tried("failing disk", tried, "strace is not there")
            continue
        with run.table.row("failing disk", tried) as row:
            recording = f"{scratch_folder()}/r.jsonl"
            open(recording, "w").close()
            # -D: the server is this program's child, and strace hangs on from aside.
            trace = ("strace", "-D", "-f", "-qq", "-o", "/dev/null", "-P", recording, "-e",
                     "trace=write,pwrite64,writev", "-e",
                     f"inject=write,pwrite64,writev:error={error}:when=500+")
            check(row, trace, recording, 1000)


def read_only_disk(run):
    tried = ("`serve --record` where nothing can be written: a read-only disk; a folder of another "
             "user")
    if not can_mount():
        run.table.not_tried("read-only disk", tried, "no disk can be mounted here")
        return
    with run.table.row("read-only disk", tried) as row:
        folder = scratch_folder()
        os.chmod(folder, 0o755)
        for prefix, reason in (
                (mounted(folder, "ro"), "Read-only file system"),
                (("setpriv", "--reuid", "65534", "--clear-groups"), "Permission denied")):
            result = subprocess.run(
                [*prefix, shutil.which(PROGRAM), "serve", "--record", f"{folder}/r.jsonl"],
                stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
            row.equal(result.returncode, 2, "exit code")
            text = result.stderr.decode()
            row.must(reason in text and len(text.splitlines()) == 1,
                     f"“{text.strip().rpartition(': ')[2]}”", "one line that names the reason")
            row.must(os.listdir(folder) == [], "no file", "no file")


CHECKS = (full_disk, full_disk_of_a_proxy, limited_files, failing_disk, read_only_disk)
