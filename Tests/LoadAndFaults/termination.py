"""SIGTERM while many clients have much under way: every call has a fate that its client knows."""

import re
import signal
import time

from crowd import BYE, Crowd, Member, call, update
from support.harness import PATIENCE, SocketServer, frames, scratch_folder

WINDOW = 64
DRAIN = 1.0
SPREAD = 1_000_000


class Pipeliner(Member):
    """Keeps many calls under way until the server says bye; a rude one goes on behind that."""

    def __init__(self, path, number, dice, is_rude):
        super().__init__(path)
        self.number = number
        self.dice = dice
        self.is_rude = is_rude
        self.said_bye = False
        self.count = 0
        self.fates = {frames.REPLY: set(), frames.DROPPED: set(), frames.ERROR: set()}
        self.strange = 0

    def refill(self):
        if self.saw_bye and not self.is_rude:
            if not self.said_bye:
                self.out += BYE
                self.said_bye = True
            return
        while len(self.open) < WINDOW:
            self.count += 1
            kind = self.dice.random()
            if kind < 0.9 or self.count == 1:
                self.out += update(self.count, self.number * SPREAD + self.count)
            else:
                # An answer in 50 ms, and one that never comes while the server runs.
                method = "slow" if kind < 0.99 else "held"
                self.out += call(
                    self.count, method, {"n": self.number * SPREAD + self.count})
            self.open[self.count] = None

    def answer(self, kind, flags, id, payload):
        if kind == frames.BYE:
            self.saw_bye = True
        elif kind in self.fates and id:
            self.strange += id not in self.open
            self.open.pop(id, None)
            self.fates[kind].add(id)

    @property
    def taken(self):
        """The calls that the server took: those that it answered or told as dropped."""
        return self.fates[frames.REPLY] | self.fates[frames.DROPPED]


def recorded_calls(path):
    """How often each number stands in the calls of a recording."""
    found = {}
    pattern = re.compile(r'"kind":"message","hex":"[0-9a-f]*?03([0-9a-f]{8})"')
    with open(path, encoding="utf-8") as file:
        for line in file:
            if match := pattern.search(line):
                number = int.from_bytes(bytes.fromhex(match[1]), "little")
                found[number] = found.get(number, 0) + 1
    return found


class Totals:
    def __init__(self):
        self.answered = self.dropped = self.refused = self.untaken = 0
        self.gaps = self.strange = self.differing = 0
        self.codes = set()
        self.longest = 0.0


def one_round(run, clients, is_rude, totals):
    recording = f"{scratch_folder()}/recording.jsonl"
    arguments = ("--quiet", "--drain", str(DRAIN), "--record", recording, "--shown", "none",
                 "--fault", "PW.slow: delay 50ms", "--fault", "PW.held: delay 1h")
    with SocketServer(*arguments) as server:
        members = [Pipeliner(server.path, number, run.dice, is_rude) for number in range(clients)]
        moment = time.monotonic() + run.dice.uniform(0.3, 0.8)
        terminated = []

        def terminate():
            if not terminated and time.monotonic() > moment:
                terminated.append(time.monotonic())
                server.process.send_signal(signal.SIGTERM)

        crowd = Crowd(members)
        crowd.run(lambda member: False, 30, terminate)
        totals.codes.add(server.process.wait(PATIENCE))
        totals.longest = max(totals.longest, time.monotonic() - terminated[0])
        crowd.close()
    expected = set()
    for member in members:
        totals.answered += len(member.fates[frames.REPLY])
        totals.dropped += len(member.fates[frames.DROPPED])
        totals.refused += len(member.fates[frames.ERROR])
        totals.untaken += len(member.open)
        totals.strange += member.strange
        known = member.taken | member.fates[frames.ERROR]
        # The server read a stream of calls up to some point, and accounts for all up to there.
        totals.gaps += known != set(range(1, len(known) + 1))
        expected |= {member.number * SPREAD + id for id in member.taken}
    found = recorded_calls(recording)
    totals.differing += len(expected ^ set(found)) + sum(times > 1 for times in found.values())


def terminated_under_load(run):
    clients, rounds = run.size(40, 100), run.size(2, 10)
    for is_rude in (False, True):
        manner = "and go on sending behind the server's bye" if is_rude else "and say bye then"
        tried = (f"SIGTERM to a server that records, while {clients} clients keep {WINDOW} calls "
                 f"under way each {manner}, {rounds} times")
        with run.table.row("SIGTERM under load", tried) as row:
            totals = Totals()
            for _ in range(rounds):
                one_round(run, clients, is_rude, totals)
            row.note(f"{totals.answered:,} answered, {totals.dropped:,} told as dropped, "
                     f"{totals.refused:,} refused, {totals.untaken:,} sent too late to be read")
            row.must(totals.answered > 0 and totals.dropped > 0, "both kinds there",
                     "calls answered and dropped > 0")
            row.equal(totals.gaps, 0, "clients with a call lost in between")
            row.equal(totals.strange, 0, "doubled")
            row.equal(totals.differing, 0, "differences to the recording")
            row.must(totals.codes == {0}, f"exit codes {totals.codes}", "exit code 0")
            row.at_most(totals.longest, DRAIN + 2, "s", "end after")


CHECKS = (terminated_under_load,)
