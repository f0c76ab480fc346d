"""A day of a stopwatch on the virtual clock, second by second, and a month in larger steps."""

from facts import MEBIBYTE, processor_seconds
from support.harness import SocketServer, bridge

CONTROL = "pwbridge/control"
HOUR = 3600
DAY = 24 * HOUR
EPOCH = 1_767_225_600  # 2026-01-01T00:00:00Z
PUSH_START = {"aps": {
    "event": "start", "content-state": {"data": {"eta": 0}},
    "attributes-type": "DefaultLiveActivityAttributes",
    "attributes": {"data": {"name": "n"}, "pushwoosh": {"activityId": "day"}},
    "alert": {"title": "t", "body": "b"}}}


class Stopwatch:
    """Plays an app, a person and a server through days that are all alike.

    From hour 0 to 6, and from 19 to 24, an activity is started and stopped each hour. One that is
    started at 6 is left alone: the system ends it after 8 hours and takes it away after 12. From 19
    on a server pushes every other minute, with content that goes stale in between.
    """

    def __init__(self, client, step):
        self.client = client
        self.step = step
        self.calls = []
        self.updates = 0
        self.pushes = 0
        self.looks = 0
        self.errors = []

    def ask(self, channel, method, arguments=None, refused=False):
        self.calls.append((method, refused, self.client.call_async(channel, method, arguments)))

    def settle(self):
        """Waits for what is under way and returns the last result."""
        result = None
        for method, refused, call in self.calls:
            try:
                result = call.result()
                outcome = "success"
            except bridge.PlatformException as error:
                outcome = f"{error.code}: {error.message}"
            # Each that is not as it must be is counted, and the first is shown.
            if refused != outcome.startswith("418: "):
                self.errors.append(f"{method}: {outcome}")
        self.calls = []
        return result

    def look(self, wanted, **arguments):
        """Looks whether the newest activity is in a state."""
        self.ask(CONTROL, "activities", {"all": True})
        newest = [activity for activity in self.settle()
                  if all(activity[name] == value for name, value in arguments.items())][-1]
        self.looks += 1
        if newest["state"] != wanted:
            self.errors.append(f"{newest['state']} in place of {wanted}")

    def second(self, now):
        """What happens at a second, and then the clock goes on."""
        second = now % DAY
        hour, rest = divmod(second, HOUR)
        if rest == 0 and (hour <= 6 or hour >= 19):
            self.ask("PW", "startLiveActivity", {"elapsedSeconds": 0})
        elif rest == HOUR - self.step and (hour < 6 or hour >= 19):
            self.ask("PW", "stopLiveActivity")
        else:
            # What has ended takes no updates, and the app is told.
            self.ask("PW", "updateLiveActivity", {"elapsedSeconds": rest},
                     refused=14 <= hour < 19)
            self.updates += 1
        for hours, state in ((13, "active"), (15, "ended"), (18.5, "dismissed")):
            if second == hours * HOUR:
                self.look(state, startedBy="app")
        if hour >= 19:
            self.push(now, second)
        self.ask(CONTROL, "clock.advance", {"by": self.step})
        if len(self.calls) > 200:
            self.settle()

    def push(self, now, second):
        time = EPOCH + now
        if second == 19 * HOUR:
            self.deliver({"aps": {**PUSH_START["aps"], "timestamp": time}})
        elif second == DAY - self.step:
            self.deliver({"aps": {"event": "end", "timestamp": time, "dismissal-date": time}})
        elif second % 120 == 0:
            self.deliver({"aps": {
                "event": "update", "timestamp": time, "stale-date": time + 30,
                "content-state": {"data": {"eta": second}}}})
        elif second % 1200 == 660:
            self.look("stale", startedBy="push")

    def deliver(self, payload):
        self.ask(CONTROL, "deliverPush", {"payload": payload})
        report = self.settle()
        self.pushes += 1
        if not report or not report["hadEffect"]:
            self.errors.append(f"a push without effect: {report}")


def days(run, name, days, step):
    end = days * DAY
    tried = (f"{days * 24} h of a stopwatch, an update every {step} s of the stepped clock: "
             "starts, stops, ends at 8 h, removals at 12 h, stale dates, pushes, a journal of 1024 "
             "entries")
    options = ("--quiet", "-o", "clock=stepped", "-o", f"start-time={EPOCH}",
               "-o", "any-codable-defect=off")
    with run.table.row(name, tried) as row, SocketServer(*options) as server, \
            server.client() as client:
        watch = Stopwatch(client, step)
        watch.ask("pushwoosh", "defaultSetup")
        watch.settle()
        # After a tenth, when a month has seen all that happens in two days.
        settled = end // 10 if days == 1 else max(end // 10, 2 * DAY)
        early = None
        for now in range(0, end, step):
            if early is None and now >= settled:
                watch.settle()
                early = server.resident_bytes
            watch.second(now)
        watch.settle()
        late = server.resident_bytes
        totals = client.invoke(CONTROL, "totals")
        row.note(f"{watch.updates:,} updates, {watch.pushes:,} pushes, {watch.looks} looks at "
                 f"states, {totals['received']:,} messages")
        row.equal(len(watch.errors), 0, "unexpected")
        row.note(f"memory {early / MEBIBYTE:.1f} MiB after {settled / HOUR:g} h, "
                 f"{late / MEBIBYTE:.1f} MiB at the end")
        row.at_most((late / early - 1) * 100, 10, "%", "growth")
        row.note(f"processor time {processor_seconds(server.process):.1f} s")
        if watch.errors:
            row.misses.append(watch.errors[0])


def long_day(run):
    days(run, "a day", 1, run.size(10, 1))


def long_month(run):
    days(run, "a month", run.size(10, 30), 60)


CHECKS = (long_day, long_month)
