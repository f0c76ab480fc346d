"""Commands behind `exec`, `record` and `replay` that are killed by a signal."""

import os
import signal
import subprocess

from support.harness import PATIENCE, run as run_program, scratch_folder, start, eventually

DEADLY = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGABRT, signal.SIGKILL,
          signal.SIGSEGV, signal.SIGTERM)


def killed_commands(run):
    tried = (f"`exec` and `record` with a command that is killed by each of {len(DEADLY)} signals "
             "after a call")
    with run.table.row("commands that die", tried) as row:
        folder = scratch_folder()
        codes = 0
        for number in DEADLY:
            script = ("pwbridge call PW startLiveActivity {} > /dev/null 2>&1; ulimit -c 0; "
                      f"kill -{int(number)} $$; sleep 20")
            for arguments in (
                    ("exec", "--", "sh", "-c", script),
                    ("record", "--record", f"{scratch_folder()}/r", "--", "sh", "-c", script)):
                result = run_program(*arguments, environment={"TMPDIR": folder})
                if result.returncode == 128 + number:
                    codes += 1
                else:
                    row.misses.append(f"{arguments[0]}: {number!r} gives {result.returncode}: "
                                      f"{result.err}")
        row.equal(codes, len(DEADLY) * 2, "exit codes 128 + signal")
        row.equal(len(os.listdir(folder)), 0, "sockets and folders left")


def killed_behind_a_socket(run):
    """A proxy whose commands die serves the next client."""
    clients = run.size(5, 30)
    tried = (f"`record --listen` with a command that kills itself, {clients} clients one after the "
             "other, then SIGTERM")
    with run.table.row("commands that die, proxy", tried) as row:
        folder = scratch_folder()
        path = f"{folder}/socket"
        proxy = start(
            "record", "--record", f"{folder}/r.jsonl", "--listen", path, "--", "sh", "-c",
            "kill -9 $$", stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(lambda: os.path.exists(path), "the socket")
        failed = 0
        for _ in range(clients):
            result = run_program(
                "call", "--socket", path, "--timeout", "5", "PW", "stopLiveActivity")
            failed += result.returncode == 2
        row.equal(failed, clients, "clients told with exit code 2")
        row.must(proxy.poll() is None, "the proxy goes on", "goes on")
        proxy.terminate()
        row.note(f"its exit code at SIGTERM {proxy.wait(PATIENCE)}")
        row.must(not os.path.lexists(path), "no socket left", "no socket left")


CHECKS = (killed_commands, killed_behind_a_socket)
