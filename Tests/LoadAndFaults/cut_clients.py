"""Clients that go at every byte of their frames: killed, closing, or closing for writing only."""

import os
import signal
import socket

from facts import MEBIBYTE, descriptors
from support.harness import SocketServer, codec, eventually, frames

PARTS = [frames.encode_frame(frame) for frame in (
    frames.hello_frame(),
    frames.Frame(frames.MESSAGE, channel="PW", id=1,
                 payload=codec.encode_call("startLiveActivity", {"elapsedSeconds": 1})),
    frames.Frame(frames.CANCEL, id=1),
    frames.Frame(frames.BYE),
)]
STREAM = b"".join(PARTS)
ENDS = [sum(map(len, PARTS[:count])) for count in range(len(PARTS) + 1)]


def killed(server, cut):
    """A process that sends so many bytes and is killed."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            connection.connect(server.path)
            connection.sendall(STREAM[:cut])
            os.write(writing, b"x")
            signal.pause()
        finally:
            os._exit(1)
    os.close(writing)
    sent = os.read(reading, 1)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    os.close(reading)
    return sent == b"x"


def closed(server, cut):
    """Closes with the server's answers unread."""
    with server.raw() as raw:
        raw.write(STREAM[:cut])
    return True


def half_closed(server, cut):
    """Sends no more, and reads what the server says of it: true if that is what it must be."""
    with server.raw() as raw:
        raw.write(STREAM[:cut])
        raw.end_writing()
        found = [frame for frame in raw.frames_to_end() if frame.kind != frames.LOG]
    kinds = [frame.kind for frame in found]
    answered = [frames.REPLY] if cut >= ENDS[2] else []
    if cut == 0:
        return kinds == []
    # A bye says it all; what the stream does behind it is of no interest.
    if cut in ENDS:
        return kinds == [frames.HELLO, *answered, frames.BYE]
    return (kinds == [frames.HELLO, *answered, frames.ERROR]
            and found[-1].fields["code"] == "frame-incomplete")


def cut_at_every_byte(run):
    for name, go in (("killed", killed), ("closed", closed), ("closed for writing", half_closed)):
        tried = (f"clients {name} at each of the {len(STREAM) + 1} offsets of hello, call, "
                 "cancel, bye")
        with run.table.row("cut clients", tried) as row, SocketServer("--quiet") as server, \
                server.client() as bystander:
            bystander.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
            before = descriptors(server.process)
            wrong = []
            for cut in range(len(STREAM) + 1):
                if not go(server, cut):
                    wrong.append(cut)
                bystander.invoke("PW", "updateLiveActivity", {"elapsedSeconds": cut})
            row.note(f"{len(STREAM) + 1} clients, a call of another between each")
            row.must(not wrong, f"{len(wrong)} told wrongly {wrong[:5] or ''}".strip(), "0")
            after = before
            try:
                eventually(lambda: descriptors(server.process) == before, "", patience=5)
            except AssertionError:
                after = descriptors(server.process)
            row.equal(after - before, 0, "descriptors left open")
            activity = bystander.invoke("pwbridge/control", "activity")
            row.equal(activity["updates"], len(STREAM) + 1, "calls of the other")


def leavings(run):
    """What clients that come, start an activity and are gone leave in memory."""
    batch, batches = 200, run.size(3, 15)
    tried = (f"{batch * batches:,} clients that start an activity and go without a word, after "
             f"{batch * 2} before; what {batch} living ones take, to compare")
    with run.table.row("no dead devices", tried) as row, SocketServer("--quiet") as server:
        def come_and_go(count):
            for _ in range(count):
                with server.raw() as raw:
                    raw.write(STREAM[:ENDS[2]])
                    raw.frames_until(
                        lambda found: any(frame.kind == frames.REPLY for frame in found))
            eventually(lambda: server.open_sockets == 1, "all gone")

        def stay(count):
            stayers = [server.raw() for _ in range(count)]
            for raw in stayers:
                raw.write(STREAM[:ENDS[2]])
                raw.frames_until(lambda found: any(frame.kind == frames.REPLY for frame in found))
            return stayers

        empty = server.resident_bytes
        stayers = stay(batch)
        living = (server.resident_bytes - empty) / batch
        for raw in stayers:
            raw.close()
        come_and_go(batch * 2)
        before = server.resident_bytes
        come_and_go(batch * batches)
        growth = max(0, server.resident_bytes - before) / (batch * batches)
        row.note(f"a living one {living / 1024:.1f} KiB")
        row.at_most(growth / 1024, living / 1024 / 20, "KiB", "a gone one")
        row.note(f"memory {server.resident_bytes / MEBIBYTE:.1f} MiB")


CHECKS = (cut_at_every_byte, leavings)
