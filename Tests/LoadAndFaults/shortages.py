"""Too few descriptors, and clients that hold memory hostage."""

import contextlib
import time

from disks import Proxy
from facts import MEBIBYTE, descriptors, peak_bytes, processor_seconds
from slow_readers import delays, latencies
from support.harness import RawSocket, SocketServer, eventually, frames, with_news


def no_more_descriptors(run):
    limit, clients, rest = 64, 200, run.size(2, 10)
    tried = (f"`ulimit -n {limit}`; {clients} clients; after {rest} s all that were let in leave, "
             "again and again until all have been served")
    prefix = ("bash", "-c", f'ulimit -n {limit}; exec "$@"', "bash")
    with run.table.row("no more descriptors", tried) as row, \
            SocketServer("--log", "text", prefix=prefix) as server, \
            contextlib.ExitStack() as stack:
        with server.client() as first:
            first.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
        eventually(lambda: server.open_sockets == 1, "the first has gone")
        before = descriptors(server.process)
        # More than the system lets wait would block here; the rest comes as places are free.
        raws = []
        for _ in range(clients // 2):
            raws.append(stack.enter_context(server.raw().hello()))
        server.complaints.wait_for("cannot accept")
        row.note(f"{descriptors(server.process)} descriptors")
        used = processor_seconds(server.process)
        lines = server.complaints.text.count("cannot accept")
        time.sleep(rest)
        used = processor_seconds(server.process) - used
        lines = server.complaints.text.count("cannot accept") - lines
        row.at_most(used / rest * 100, 5, "%", "processor while short")
        row.at_most(lines / rest, 12, "/s", "lines in the log")
        served = 0
        longest = 0.0
        while raws:
            raw = raws.pop(0)
            begin = time.monotonic()
            raw.frames_until(lambda found: found)
            longest = max(longest, time.monotonic() - begin)
            raw.call(1, "startLiveActivity", {"elapsedSeconds": 0})
            raw.frames_until(
                lambda found: any(frame.kind == frames.REPLY for frame in found))
            raw.close()
            served += 1
            if served + len(raws) < clients:
                raws.append(stack.enter_context(server.raw().hello()))
        row.equal(served, clients, "served in the end")
        row.at_most(longest, 2, "s", "longest wait for a place")
        eventually(lambda: descriptors(server.process) == before, "all given back")
        row.note("all descriptors given back")


def no_more_descriptors_for_a_proxy(run):
    limit, clients = 64, 100
    tried = (f"`record --listen` under `ulimit -n {limit}`, two descriptors for a client; "
             f"{clients} clients at once, then one that calls")
    prefix = ("bash", "-c", f'ulimit -n {limit}; exec "$@"', "bash")
    with run.table.row("no more descriptors, proxy", tried) as row, \
            SocketServer("--quiet") as server:
        proxy = Proxy(server, "/dev/null", prefix)
        raws = []
        for _ in range(clients):
            raws.append(RawSocket(proxy.path))
            with contextlib.suppress(BrokenPipeError):
                raws[-1].hello()
        # Whether who finds no place waits or is turned away goes by where the last descriptor went.
        answered = with_news(raws)
        served = sum(bool(raw.read_some()) for raw in answered)
        row.note(f"{len(answered) - served} turned away")
        row.note(f"{clients - len(answered)} wait")
        row.must(served > limit // 4, f"{served} served", f"> {limit // 4}")
        for raw in raws:
            raw.close()
        eventually(lambda: server.open_sockets == 1, "all have gone")
        with proxy.client() as client:
            row.must(client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0}) is None,
                     "a later one answered", "answered")
        row.equal(proxy.stop(), 0, "exit code")


def memory_hostages(run):
    clients, seconds = 1023, run.size(1, 5)
    announced = frames.HEAD.pack(0xFFFF_FFFF, frames.MESSAGE, 0, 1, 1) + b"x" + bytes(7)
    hello = frames.encode_frame(frames.hello_frame(capabilities=()))
    for options, accepts in (((), "16 MiB"), (("--max-payload", "4294967295"), "4 GiB")):
        tried = (f"{clients:,} clients announce a payload of 4 GiB each and send 1 KiB of it, to a "
                 f"server that accepts {accepts}; another calls")
        with run.table.row("memory hostages", tried) as row, \
                SocketServer("--quiet", *options) as server, contextlib.ExitStack() as stack:
            client = stack.enter_context(server.client())
            client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
            alone = latencies(client, seconds)
            raws = [stack.enter_context(server.raw()) for _ in range(clients)]
            for raw in raws:
                raw.write(hello)
            for raw in raws:
                raw.frames_until(lambda found: found)
            greeted = server.resident_bytes
            for raw in raws:
                raw.write(announced + bytes(1024))
            found = latencies(client, seconds)
            row.note(f"greeted {greeted / MEBIBYTE:.1f} MiB")
            row.at_most(peak_bytes(server.process) / MEBIBYTE, 128, "MiB", "memory")
            delays(row, alone, found)


CHECKS = (no_more_descriptors, no_more_descriptors_for_a_proxy, memory_hostages)
