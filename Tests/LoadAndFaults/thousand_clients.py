"""A thousand clients with a thousand calls each: every answer is the right one, and comes once."""

import time

from crowd import SUCCESS, Crowd, Member, call, update
from facts import MEBIBYTE, peak_bytes, percentile, processor_seconds
from support.harness import SocketServer, codec, frames

# Calls that a client has under way at a time.
WINDOW = 8
UPDATE, UNKNOWN, WRONG, LOOK = range(4)
CONTROL = "pwbridge/control"


class Caller(Member):
    """Sends calls of four kinds in an order of the dice, and knows what each must bring."""

    def __init__(self, path, number, calls, dice, refusal):
        super().__init__(path)
        self.refusal = refusal
        # Ids that no two clients share: an answer to another is found out.
        self.base = (number + 1) << 32
        self.number = number
        self.kinds = [UPDATE, *dice.choices(
            (UPDATE, UNKNOWN, WRONG, LOOK), (90, 4, 4, 2), k=calls - 2), LOOK]
        self.next = 0
        self.elapsed = 0
        self.updates = -1
        self.answered = 0
        self.wrong = []
        self.disordered = 0
        self.latencies = []

    @property
    def is_done(self):
        return self.answered == len(self.kinds)

    def refill(self):
        now = time.perf_counter()
        while self.next < len(self.kinds) and len(self.open) < WINDOW:
            kind = self.kinds[self.next]
            id = self.base + self.next
            expected = None
            if kind == UPDATE:
                self.elapsed = self.number * 10_000 + self.next
                self.updates += 1
                self.out += (update(id, self.elapsed) if self.next else call(
                    id, "startLiveActivity", {"elapsedSeconds": self.elapsed}))
            elif kind == UNKNOWN:
                self.out += call(id, f"nothing{self.next}")
            elif kind == WRONG:
                self.out += call(id, "updateLiveActivity", [self.next])
            else:
                self.out += call(id, "activity", channel=CONTROL)
                expected = (self.elapsed, self.updates)
            self.open[id] = (kind, expected, now)
            self.next += 1

    def answer(self, kind, flags, id, payload):
        if kind == frames.HELLO:
            return
        if id not in self.open:
            self.wrong.append(f"{frames.KIND_NAMES.get(kind)} for {id:#x}, which is not open")
            return
        if id != next(iter(self.open)):
            self.disordered += 1
        sort, expected, sent = self.open.pop(id)
        self.latencies.append(time.perf_counter() - sent)
        self.answered += 1
        if kind != frames.REPLY or not self.is_right(sort, flags, payload, expected):
            self.wrong.append(f"{frames.KIND_NAMES.get(kind)} {payload[:80]!r} for kind {sort}")

    def is_right(self, sort, flags, payload, expected):
        if sort == UPDATE:
            return flags == 0 and payload == SUCCESS
        if sort == UNKNOWN:
            return flags == frames.NO_PAYLOAD
        if sort == WRONG:
            return payload == self.refusal
        activity = codec.decode_envelope(payload)
        return (activity["contentState"]["elapsedTime"], activity["updates"]) == expected


def thousand_clients(run):
    clients, calls = run.size(200, 1000), run.size(200, 1000)
    total = clients * calls
    tried = (f"{clients:,} clients × {calls:,} calls, {WINDOW} under way each: updates, unknown "
             "methods, wrong arguments, looks at the own activity")
    with run.table.row("many clients", tried) as row, SocketServer("--quiet") as server:
        with server.client() as client:
            client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
            refusal = client.send("PW", codec.encode_call("updateLiveActivity", [1]))
        members = [Caller(server.path, number, calls, run.dice, refusal)
                   for number in range(clients)]
        crowd = Crowd(members)
        before = processor_seconds(server.process)
        seconds = crowd.run(lambda member: member.is_done, 300)
        used = processor_seconds(server.process) - before
        memory = peak_bytes(server.process)
        # What was answered twice would still come before the end.
        for member in members:
            member.socket.setblocking(False)
            member.receive()
        crowd.close()
        wrong = [text for member in members for text in member.wrong]
        latencies = [value for member in members for value in member.latencies]
        row.equal(sum(member.answered for member in members), total, "answered")
        row.equal(len(wrong), 0, "wrong, lost or doubled")
        row.equal(sum(member.disordered for member in members), 0, "out of order")
        row.note(f"{total / seconds:,.0f} calls/s, client included")
        row.note(f"median {percentile(latencies, 0.5) * 1000:.0f} ms")
        row.at_most(percentile(latencies, 0.99) * 1000, 5000, "ms", "p99")
        row.at_most(memory / MEBIBYTE, run.size(256, 1024), "MiB", "memory")
        row.at_most(used / total * 1e6, 60, "µs", "processor time of a call")
        if wrong:
            row.misses.append(wrong[0])


CHECKS = (thousand_clients,)
