"""Clients that take in next to nothing, while another measures how long its calls take."""

import contextlib
import functools
import os
import time

from facts import MEBIBYTE, peak_bytes, percentile
from support.harness import SocketServer, codec, frames
from table import number

LARGE = 20_000


@functools.cache
def requests():
    """The frames of 100,000 small messages."""
    return b"".join(frames.encode_frame(frames.Frame(frames.MESSAGE, channel="big", id=id))
                    for id in range(2, 100_002))


def fill(raw):
    """Asks for large replies until the server reads no more; none is read."""
    raw.greet()
    rule = codec.encode_call("faults.add", {"rule": f"big: corrupt {'ab' * LARGE}"})
    raw.send(frames.MESSAGE, channel="pwbridge/control", id=1, payload=rule)
    raw.frames_until(lambda found: len(found) == 2)
    raw.socket.settimeout(0.3)
    with contextlib.suppress(TimeoutError, BrokenPipeError, ConnectionResetError):
        raw.write(requests())
    raw.socket.setblocking(False)


def latencies(client, seconds, between=lambda: None):
    """How long calls take, at most one each millisecond."""
    found = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        client.invoke("PW", "updateLiveActivity", {"elapsedSeconds": len(found)})
        done = time.perf_counter()
        found.append(done - begin)
        between()
        time.sleep(max(0.0, 0.001 - (time.perf_counter() - begin)))
    return found


def delays(row, alone, among):
    """Compares calls with those that had the server to themselves: the machine may be busy."""
    usual = percentile(alone, 0.99) * 1000
    row.note(f"p99 alone {number(usual)} ms")
    row.at_most(percentile(among, 0.99) * 1000, max(50.0, 10 * usual), "ms", "p99")


def slow_readers(run):
    seconds = run.size(2, 20)
    tried = (f"20 clients ask for 100,000 replies of {LARGE:,} bytes each; one of them reads a "
             f"byte each ms, 19 read nothing; another calls once a ms for {seconds} s")
    with run.table.row("slow readers", tried) as row, SocketServer("--quiet") as server, \
            server.client() as client, contextlib.ExitStack() as stack:
        client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
        alone = latencies(client, seconds / 4)
        slow = [stack.enter_context(server.raw()) for _ in range(20)]
        for raw in slow:
            fill(raw)
        taken = bytearray()
        among = latencies(client, seconds, lambda: taken.extend(os.read(slow[0].input, 1)))
        row.note(f"{len(among):,} calls; median {percentile(among, 0.5) * 1e6:.0f} µs, alone "
                 f"{percentile(alone, 0.5) * 1e6:.0f} µs")
        delays(row, alone, among)
        row.at_most(peak_bytes(server.process) / MEBIBYTE, 128, "MiB", "memory")
        row.must(len(taken) > seconds * 100, f"{len(taken):,} bytes read one by one",
                 f"> {seconds * 100}")
        # Who reads on gets whole frames, in order.
        raw = slow[0]
        raw.take(bytes(taken))
        raw.socket.setblocking(True)
        raw.frames_until(lambda found: len(found) > 60)
        ids = [frame.id for frame in raw.frames if frame.kind == frames.REPLY]
        row.must(ids == list(range(1, len(ids) + 1)), f"then {len(ids)} replies at full speed",
                 "in order")


CHECKS = (slow_readers,)
