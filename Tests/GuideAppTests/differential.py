"""Sends the same calls to two servers and holds their answers and activities against each other:

    differential.py CASES APP... -- REFERENCE...

APP is the command of the guide's app on the host, REFERENCE that of the typed handler. After the
truth table of the guide's code come CASES random calls and deeds of person, system and time, drawn
from PWBRIDGE_TEST_SEED. The app's tasks run when they like, so after each call the activities have
to become equal within some time, not at once.
"""

import os
import pathlib
import random
import sys
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Protocol" / "clients" / "python"))

import pwbridge_client as bridge  # noqa: E402
from pwbridge_client import codec  # noqa: E402

CONTROL = "pwbridge/control"
OPTIONS = ["clock=stepped", "start-time=1800000000", "remembered-activities=3", "history-length=3"]
KEY = "elapsedSeconds"
SWEEP = [("setForeground", {"foreground": True}), ("setAuthorization", {"enabled": True}),
         ("failNextRequest", {"reason": None}),
         ("setLimits", {"maximum-per-app": 5, "maximum-size": 4096}),
         ("clock.advance", {"by": "13h"})]
# Far more than a task takes to run, on a machine with a lot else to do.
PATIENCE = 20.0
# For tasks without any effect, of which nothing tells when they have run.
REST = 0.02

NOT_INVOKED = bytes.fromhex(
    "010703343138071c4c697665206163746976697479206469646e277420696e766f6b656400")
NOT_UPDATED = bytes.fromhex(
    "010703343138071c4c697665206163746976697479206469646e2774207570646174656400")
DROPPED = "dropped"
LOOK = codec.encode_call("activities", {"all": True})

# Arguments, and the elapsed time that ActivityKit gets; None: the cast of the map fails.
TABLE = [
    ({KEY: 0}, 0), ({KEY: 7}, 7), ({KEY: codec.Int64(7)}, 7), ({KEY: 2**40}, 2**40),
    ({KEY: -1}, -1), ({KEY: -2**63}, -2**63), ({KEY: 2**63 - 1}, 2**63 - 1),
    ({KEY: 2**53 + 1}, 2**53 + 1), ({KEY: 1.0}, 1), ({KEY: -0.0}, 0), ({KEY: 9.2e18}, int(9.2e18)),
    ({KEY: 1.5}, 0), ({KEY: 1e19}, 0), ({KEY: -1e19}, 0), ({KEY: float("nan")}, 0),
    ({KEY: float("inf")}, 0), ({KEY: True}, 1), ({KEY: False}, 0), ({KEY: "7"}, 0),
    ({KEY: None}, 0), ({KEY: [7]}, 0), ({KEY: {}}, 0), ({KEY: b"\7"}, 0),
    ({KEY: codec.BigInteger("7f")}, 0), ({}, 0), ({"elapsedseconds": 7}, 0),
    ({"other": [1, {"a": None}], KEY: 7}, 7), (codec.Pairs([(KEY, 7), (KEY, 8)]), 7),
    ({KEY: 7, 1: "x"}, None), ({KEY: 7, None: 1}, None), ({1: 2}, None), (None, None),
    ([7], None), ("x", None), (7, None), (7.5, None), (True, None), (b"\1\2", None),
]


class Difference(Exception):
    pass


class Pair:
    """The two servers."""

    def __init__(self, app, reference):
        options = [word for option in OPTIONS for word in ("--option", option)]
        quiet = subprocess_output()
        self.app = bridge.spawn(app + options, stderr=quiet, timeout=60)
        self.reference = bridge.spawn(reference + options, stderr=quiet, timeout=60)
        self.clients = (self.app, self.reference)
        self.steps = []
        self.last = None
        # Calls whose tasks had nothing to do when they ran, if they have run.
        self.is_resting = False

    def close(self):
        for client in self.clients:
            client.close()
            if client.process.returncode != 0:
                raise Difference(f"exit code {client.process.returncode}")

    def answers(self, channel, payload):
        """What the app answers, which has to be what the reference answers."""
        self.steps.append((channel, payload))
        return self.compare(*(client.send_async(channel, payload) for client in self.clients))

    @staticmethod
    def compare(app, reference):
        found, expected = answer(app), answer(reference)
        if found != expected:
            raise Difference(f"the app answers\n  {short(found)}\nexpected\n  {short(expected)}")
        return expected

    def call(self, method, arguments=None):
        """A call on PW, with all that comes of it."""
        if method == "startLiveActivity" and self.is_resting:
            time.sleep(REST)
            self.is_resting = False
        before = self.last
        found = self.settled("PW", codec.encode_call(method, arguments))
        if found == DROPPED and method != "startLiveActivity" and before == self.last:
            self.is_resting = True
        return found

    def control(self, method, arguments=None):
        return codec.decode_envelope(self.settled(CONTROL, codec.encode_call(method, arguments)))

    def settled(self, channel, payload):
        """The answer of both to a message, once both have the same activities."""
        self.steps.append((channel, payload))
        calls = [client.send_async(channel, payload) for client in self.clients]
        app, reference = [client.send_async(CONTROL, LOOK) for client in self.clients]
        result = self.compare(*calls)
        found, expected = answer(app), answer(reference)
        deadline = time.monotonic() + PATIENCE
        while found != expected:
            if time.monotonic() > deadline:
                raise Difference(f"the app has\n  {short(found)}\nexpected\n  {short(expected)}")
            found = answer(self.app.send_async(CONTROL, LOOK))
        self.last = expected
        return result

    def burst(self, calls):
        """Calls on PW one right after the other. The app's tasks may then overtake each other, so
        only the answers have to be equal; what the tasks did is swept away."""
        # With a limit, whether a start succeeds would hang on the tasks before it.
        self.control("setLimits", {"maximum-per-app": None})
        payloads = [codec.encode_call(method, arguments) for method, arguments in calls]
        self.steps += [("PW", payload) for payload in payloads]
        pending = [[client.send_async("PW", payload) for client in self.clients]
                   for payload in payloads]
        for pair in pending:
            self.compare(*pair)
        time.sleep(REST)
        for method, arguments in SWEEP:
            self.answers(CONTROL, codec.encode_call(method, arguments))
        # Until only these are remembered.
        for _ in range(4):
            self.answers("PW", codec.encode_call("startLiveActivity", {KEY: 1}))
            self.answers("PW", codec.encode_call("stopLiveActivity"))
            deadline = time.monotonic() + PATIENCE
            while self.app.invoke(CONTROL, "activities"):
                if time.monotonic() > deadline:
                    raise Difference("the stop after a burst has no effect")
        self.settled(CONTROL, LOOK)
        self.is_resting = False

    def activities(self):
        return codec.decode_envelope(self.last)

    def check_device(self):
        """Switches, limits, tokens and the Dynamic Island."""
        self.answers(CONTROL, codec.encode_call("state"))


def subprocess_output():
    """The servers' logs, to see what went on; thrown away by default."""
    path = os.environ.get("PWBRIDGE_TEST_LOG", os.devnull)
    return open(path, "ab")


def answer(call):
    """Bytes, None for no payload, or a word for what is no reply."""
    try:
        return call.result()
    except bridge.Dropped:
        return DROPPED
    except bridge.FrameErrorReply as error:
        return f"error {error.code}"


def short(found):
    """An answer, for a message."""
    if not isinstance(found, bytes):
        return repr(found)
    try:
        text = repr(codec.decode_envelope(found))
    except (codec.CodecError, bridge.PlatformException) as error:
        text = f"{found.hex()} ({error!r})"
    return text if len(text) < 4000 else text[:4000] + "..."


# The truth table

def check_table(pair):
    pair.control("setLimits", {"maximum-per-app": None})
    for arguments, elapsed in TABLE:
        expected = NOT_INVOKED if elapsed is None else DROPPED
        check("start", arguments, pair.call("startLiveActivity", arguments), expected)
        if elapsed is not None:
            check("start", arguments, newest(pair)["contentState"], {"elapsedTime": elapsed})
        expected = NOT_UPDATED if elapsed is None else DROPPED
        check("update", arguments, pair.call("updateLiveActivity", arguments), expected)
        if elapsed is not None:
            check("update", arguments, newest(pair)["updates"], 1)
        check("stop", arguments, pair.call("stopLiveActivity", arguments), DROPPED)
        if elapsed is not None:
            check("stop", arguments, newest(pair)["state"], "dismissed")
    for method in ("StartLiveActivity", "startLiveActivity ", "", "defaultSetup", "\u00e9"):
        for arguments in (None, {KEY: 1}):
            check(method, arguments, pair.call(method, arguments), None)
    check("channel", None, pair.answers("PX", codec.encode_call("startLiveActivity")), None)
    pair.control("setLimits", {"maximum-per-app": 5})
    return 3 * len(TABLE) + 11


def newest(pair):
    return max(pair.activities(), key=lambda activity: activity["number"])


def check(method, arguments, found, expected):
    if found != expected:
        raise Difference(f"{method} {arguments!r}: {found!r}, expected {expected!r}")


# Random calls

def random_value(rng, depth=0):
    kind = rng.randrange(14 if depth < 3 else 11)
    if kind == 0:
        return None
    if kind == 1:
        return rng.random() < 0.5
    if kind == 2:
        return rng.randrange(-100, 100_000)
    if kind == 3:
        return codec.Int64(rng.randrange(-100, 100))
    if kind == 4:
        return rng.choice([2**31, -2**31 - 1, 2**53 + 1, 2**63 - 1, -2**63, rng.getrandbits(62)])
    if kind == 5:
        return float(rng.randrange(-1000, 1000))
    if kind == 6:
        return rng.choice([0.5, -0.0, 1e19, -9.3e18, 2.0**63, -2.0**63, 9.2e18, 1e300, 5e-324,
                           float("nan"), float("inf"), -float("inf"), rng.uniform(-1e6, 1e6)])
    if kind == 7:
        return rng.choice(["", "7", KEY, "\u00e9\U0001f600", "x" * rng.randrange(300)])
    if kind == 8:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(5)))
    if kind == 9:
        return codec.BigInteger(rng.choice(["7", "-1", "ffffffffffffffffff", "0"]))
    if kind == 10:
        return random_typed_list(rng)
    if kind == 11:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return random_map(rng, depth + 1)


def random_typed_list(rng):
    import array
    kind = rng.choice("iqdf")
    numbers = [rng.randrange(-1000, 1000) for _ in range(rng.randrange(5))]
    return array.array(kind, numbers)


def random_key(rng):
    choice = rng.random()
    if choice < 0.55:
        return KEY
    if choice < 0.9:
        return rng.choice(["", "other", "elapsedseconds", "elapsedSeconds ", "\u00e9", "data",
                           "ElapsedSeconds", f"k{rng.randrange(20)}"])
    return rng.choice([None, 1, codec.Int64(1), True, 1.5, b"\1"])


def random_map(rng, depth=0):
    return codec.Pairs([(random_key(rng), random_value(rng, depth + 1))
                        for _ in range(rng.randrange(4))])


def random_arguments(rng):
    choice = rng.random()
    if choice < 0.35:
        return {KEY: rng.randrange(100_000)}
    if choice < 0.6:
        return {KEY: random_value(rng)}
    return random_map(rng) if choice < 0.85 else random_value(rng)


def random_call(rng):
    choice = rng.random()
    if choice < 0.32:
        name = "startLiveActivity"
    elif choice < 0.78:
        name = "updateLiveActivity"
    elif choice < 0.96:
        name = "stopLiveActivity"
    else:
        name = random_name(rng)
    return name, random_arguments(rng)


def random_step(pair, rng):
    if rng.random() < 0.86:
        pair.call(*random_call(rng))
    else:
        random_deed(pair, rng)


def random_name(rng):
    name = rng.choice(["startLiveActivity", "updateLiveActivity", "stopLiveActivity"])
    place = rng.randrange(len(name))
    return rng.choice([name.upper(), name[:place], name[:place] + "\u0131" + name[place:], "*"])


def random_deed(pair, rng):
    """Something that the person, the system or time does."""
    ids = [activity["id"] for activity in pair.activities()]
    deed = rng.randrange(8)
    if deed == 0:
        pair.control("setForeground", {"foreground": rng.random() < 0.6})
    elif deed == 1:
        pair.control("setAuthorization", {"enabled": rng.random() < 0.7})
    elif deed == 2:
        pair.control("setLimits", {"maximum-per-app": rng.choice([1, 2, 5, 5, 8]),
                                   "maximum-size": rng.choice([4096, 4096, 30])})
    elif deed == 3:
        reasons = ["denied", "persistenceFailure", "notEncodable", "visibility"]
        pair.control("failNextRequest", {"reason": rng.choice(reasons)})
    elif deed in (4, 5):
        hours = rng.choice([0.0, 0.5, 4.0, 8.0, 12.5])
        pair.control("clock.advance", {"by": hours * 3600 + rng.randrange(3)})
    elif deed == 6 and ids:
        pair.control("dismiss", {"id": rng.choice(ids)})
    else:
        name = rng.choice(["immediate-end-passes-ended", "counts-ended", "dynamic-island"])
        pair.control("setOption", {"name": name, "value": rng.choice(["on", "off"])})


def main():
    cases = int(sys.argv[1])
    cut = sys.argv.index("--")
    seed = int(os.environ.get("PWBRIDGE_TEST_SEED") or random.SystemRandom().getrandbits(32))
    print(f"random calls use PWBRIDGE_TEST_SEED={seed}", flush=True)
    rng = random.Random(seed)
    pair = Pair(sys.argv[2:cut], sys.argv[cut + 1:])
    begin = time.monotonic()
    try:
        rows = check_table(pair)
        for number in range(cases):
            random_step(pair, rng)
            if number % 20 == 0:
                pair.check_device()
            if number % 100 == 50:
                pair.burst([random_call(rng) for _ in range(40)])
        pair.close()
    except Difference as difference:
        print(f"DIFFERENT after {len(pair.steps)} messages: {difference}")
        for channel, payload in pair.steps[-8:]:
            print(f"  {channel} {codec.decode_call(payload)}")
        return 1
    seconds = time.monotonic() - begin
    print(f"{rows} rows of the table and {cases} random steps, with a burst every hundred, agree, {seconds:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
