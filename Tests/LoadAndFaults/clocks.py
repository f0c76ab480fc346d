"""Clocks that jump: the device's own, the machine's, and a process that is stopped for a while."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from facts import processor_seconds
from support.harness import PROGRAM, REPOSITORY, SocketServer, bridge, scratch_folder

CONTROL = "pwbridge/control"
CENTURY = 36_500 * 86_400
LARGEST = (1 << 63) - 1
HERE = pathlib.Path(__file__).resolve().parent


def virtual_steps(run):
    steps = run.size(300, 4000)
    tried = (f"{steps:,} steps of a hundred years, of nothing and of a microsecond, with an "
             "activity started before each tenth; steps backwards and beyond all bounds")
    with run.table.row("steps of a device's clock", tried) as row, \
            SocketServer("--quiet", "-o", "clock=stepped") as server, server.client() as client:
        def advance(**arguments):
            return client.invoke(CONTROL, "clock.advance", arguments)["microseconds"]

        now = first = advance(by=0)
        behind = refused = wrong_by = 0
        for turn in range(steps):
            # At the clock's end none goes away any more.
            if turn % 10 == 0 and not refused:
                client.invoke("PW", "startLiveActivity", {"elapsedSeconds": turn})
            for arguments in ({"by": CENTURY}, {"by": 0}, {"microseconds": 1}):
                try:
                    later = advance(**arguments)
                except bridge.PlatformException as error:
                    refused += error.code == "bad-arguments"
                    continue
                behind += later < now
                wrong_by += later - now != arguments.get(
                    "microseconds", arguments.get("by", 0) * 1_000_000)
                now = later
        row.note(f"{(now - first) / 1e6 / 86_400 / 365.25:,.0f} years, {refused} refused")
        row.equal(behind, 0, "steps that went back")
        row.equal(wrong_by, 0, "steps of another length")
        wrong = ({"by": -1}, {"by": CENTURY * 2}, {"by": float("nan")}, {"by": float("inf")},
                 {"by": -0.001}, {"by": "-8h"}, {"by": "1e999h"}, {"microseconds": -1},
                 {"microseconds": LARGEST}, {"microseconds": -LARGEST - 1}, {"by": LARGEST}, {})
        codes = []
        for arguments in wrong:
            try:
                codes.append(f"{arguments} gives {advance(**arguments)}")
            except bridge.PlatformException as error:
                codes.append(error.code)
        right = codes.count("bad-arguments")
        row.equal(right, len(wrong), "impossible steps refused")
        row.misses += [code for code in codes if code != "bad-arguments"]
        row.must(advance(by=0) == now, "the clock stands where it was", "unmoved by them")
        row.must(client.invoke(CONTROL, "device") is not None, "the server goes on", "goes on")


def stopped_process(run):
    pause, delay = run.size(1.5, 5), 0.5
    tried = (f"SIGSTOP for {pause} s and SIGCONT, with a call whose answer is {delay} s off, one "
             "that is sent meanwhile, and one whose answer is a minute off")
    options = ("--quiet", "--fault", f"PW.soon: delay {int(delay * 1000)}ms",
               "--fault", "PW.late: delay 60s", "--drain", "0.2")
    with run.table.row("a stopped process", tried) as row, SocketServer(*options) as server, \
            server.client() as client, server.client() as late:
        held = late.call_async("PW", "late")
        soon = client.call_async("PW", "soon")
        client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
        server.process.send_signal(signal.SIGSTOP)
        meanwhile = client.call_async("PW", "updateLiveActivity", {"elapsedSeconds": 1})
        time.sleep(pause)
        row.must(not soon.done() and not meanwhile.done(), "stands still", "no answer meanwhile")
        used = processor_seconds(server.process)
        server.process.send_signal(signal.SIGCONT)
        begin = time.monotonic()
        meanwhile.result()
        try:
            soon.result()
        except bridge.MissingPluginException:
            pass
        row.at_most(time.monotonic() - begin, 0.5, "s", "both answered after")
        time.sleep(0.5)
        row.at_most(processor_seconds(server.process) - used, 0.1, "s", "processor time since")
        row.must(not held.done(), "the late one still waits", "not early")


def clocks_waited_on(run):
    """Which of the machine's clocks the program hands to the system for waiting."""
    tried = "the clocks that the server names in system calls while delays, alarms and the end pass"
    if shutil.which("strace") is None:
        run.table.not_tried("clocks that are waited on", tried, "strace is not there")
        return
    with run.table.row("clocks that are waited on", tried) as row:
        trace = f"{scratch_folder()}/trace"
        calls = "timerfd_create,timerfd_settime,clock_nanosleep,timer_create,futex,setitimer,alarm"
        prefix = ("strace", "-D", "-f", "-qq", "-o", trace, "-e", f"trace={calls}")
        options = ("--quiet", "--fault", "PW.soon: delay 200ms")
        with SocketServer(*options, prefix=prefix) as server, server.client() as client:
            client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
            try:
                client.invoke("PW", "soon")
            except bridge.MissingPluginException:
                pass
        time.sleep(0.2)
        with open(trace) as file:
            text = file.read()
        named = set(re.findall(r"CLOCK_\w+|FUTEX_CLOCK_REALTIME|TFD_TIMER_CANCEL_ON_SET", text))
        row.must(named == {"CLOCK_MONOTONIC"}, f"{', '.join(sorted(named))}",
                 "CLOCK_MONOTONIC alone")
        row.must(not re.search(r"setitimer|alarm\(|timer_create", text), "no other timers",
                 "no other timers")


def wall_clock_steps(run):
    """The machine's clock cannot be set here, so that a library tells the program another time."""
    tried = ("the wall clock set a day, a year and 30 years forwards and back, each while an "
             "answer is 300 ms off (a dynamic build, its clock shifted by a library)")
    program = REPOSITORY / ".build" / "debug" / PROGRAM
    compiler = shutil.which("clang") or shutil.which("gcc")
    if not program.exists() or compiler is None:
        run.table.not_tried("steps of the wall clock", tried, "no dynamic build, or no C compiler")
        return
    with run.table.row("steps of the wall clock", tried) as row:
        folder = scratch_folder()
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", f"{folder}/wall_clock.so",
                        HERE / "wall_clock.c"], check=True)
        offset = f"{folder}/offset"

        def set_clock(seconds):
            with open(f"{offset}.new", "w") as file:
                file.write(str(seconds))
            os.rename(f"{offset}.new", offset)

        set_clock(0)
        prefix = ("env", f"LD_PRELOAD={folder}/wall_clock.so", f"WALL_CLOCK_OFFSET={offset}",
                  f"PATH={program.parent}:{os.environ['PATH']}")
        recording = f"{folder}/r.jsonl"
        options = ("--log", "json", "--fault", "PW.soon: delay 300ms", "--record", recording)
        spans = []
        with SocketServer(*options, prefix=prefix) as server, server.client() as client:
            client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
            begin = client.invoke(CONTROL, "clock.now")["microseconds"]
            started = time.monotonic()
            for days in (1, -1, 365, -365, 10_950, -10_950, 0):
                call = client.call_async("PW", "soon")
                client.poll(0.05)
                set_clock(days * 86_400)
                sent = time.monotonic()
                try:
                    call.result()
                except bridge.MissingPluginException:
                    pass
                spans.append(time.monotonic() - sent)
            shown = (client.invoke(CONTROL, "clock.now")["microseconds"] - begin) / 1e6
            drift = abs(shown - (time.monotonic() - started))
            state = client.invoke(CONTROL, "activity")["state"]
            # That the library has effect is seen in the log, which tells the wall clock.
            seen = {round((float(found) - time.time()) / 86_400) for found in re.findall(
                r'"time":([0-9.]+)', server.complaints.text)}
        row.must(len(seen) >= 7, f"the log saw {len(seen)} different days", "≥ 7 (it did jump)")
        row.must(all(0.1 < span < 2 for span in spans),
                 f"answers after {min(spans):.2g} to {max(spans):.2g} s", "0.1 to 2 s")
        row.at_most(drift, 0.5, "s", "the device's clock off by")
        row.must(state == "active", f"the activity {state}", "active")
        replayed = subprocess.run([PROGRAM, "inspect", recording], capture_output=True, timeout=30)
        row.equal(replayed.returncode, 0, "exit code of inspect")


CHECKS = (virtual_steps, stopped_process, clocks_waited_on, wall_clock_steps)
