"""What the host tells about the guide's app that the app itself keeps to itself:

    telling.py APP...

Each has to come as a log frame to a client that asked for logs, to stand in the log on standard
error, and to be in the journal with the call that it is about.
"""

import pathlib
import sys
import tempfile
import time
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Protocol" / "clients" / "python"))

import pwbridge_client as bridge  # noqa: E402

APP = []
CONTROL = "pwbridge/control"
PATIENCE = 30.0


class Telling(unittest.TestCase):
    def setUp(self):
        command = APP + ["--option", "clock=stepped", "--option", "start-time=1000"]
        self.log = tempfile.TemporaryFile("w+b")
        self.addCleanup(self.log.close)
        self.words = []
        self.client = bridge.spawn(command, stderr=self.log, timeout=PATIENCE)

    def tearDown(self):
        self.client.close()
        self.assertEqual(self.client.process.returncode, 0)
        self.log.seek(0)
        text = self.log.read().decode()
        for words in self.words:
            self.assertIn(words, text)

    def call(self, method, arguments=None):
        with self.assertRaises(bridge.Dropped):
            self.client.invoke("PW", method, arguments)

    def control(self, method, arguments=None):
        return self.client.invoke(CONTROL, method, arguments)

    def start(self, seconds=0):
        self.call("startLiveActivity", {"elapsedSeconds": seconds})

    def told(self, words, level="warning"):
        """The log frame with these words."""
        def found():
            return [log for log in self.client.logs if words in log[1]]
        self.client.wait_for(found, PATIENCE)
        self.assertEqual(found()[0][0], level)
        self.words.append(words)
        return found()[0]

    def remarks(self, method):
        """What the journal has about the last call of a method."""
        entries = self.control("journal", {"channel": "PW"})["entries"]
        last = [entry for entry in entries if entry["method"] == method][-1]
        return [remark["text"] for remark in last["remarks"]]

    def test_a_result_that_is_never_called(self):
        self.start()
        journal = self.control("journal", {"channel": "PW"})
        self.assertIn("dropped", str(journal))
        self.assertIn("startLiveActivity", str(journal))

    def test_a_lost_handle(self):
        self.start(1)
        self.start(2)
        first = self.control("activities")[0]["id"]
        text = self.told(
            f"has let go of its handle to the activity {first}, which is active")[1]
        self.assertTrue(text.startswith("PW startLiveActivity: "), text)
        self.assertIn(text, self.remarks("startLiveActivity"))

    def test_a_refused_request(self):
        self.start()
        self.control("setForeground", {"foreground": False})
        self.start()
        self.told("a request for StopwatchWidgetAttributes has been refused: visibility: "
                  "Target is not foreground")
        self.told("has let go of its handle")
        remarks = " ".join(self.remarks("startLiveActivity"))
        self.assertIn("has been refused", remarks)
        self.assertIn("has let go", remarks)
        self.assertEqual(len(self.control("activities")), 1)

    def test_a_push_that_does_not_decode(self):
        self.start(3)
        # The guide's app asks for no push token, so a push can only start another activity.
        for state, problem in [
            ({"elapsedTime": 1.5}, "content-state.elapsedTime: expected Int, found 1.5"),
            ({"elapsedTime": "7"}, 'content-state.elapsedTime: expected Int, found "7"'),
            ({"elapsed": 7}, "content-state.elapsedTime: missing, expected Int"),
        ]:
            report = self.push(state)
            self.assertFalse(report["hadEffect"])
            self.told(problem)
        self.assertTrue(self.push({"elapsedTime": 7.0})["hadEffect"])
        states = [activity["contentState"] for activity in self.control("activities")]
        self.assertEqual(states, [{"elapsedTime": 3}, {"elapsedTime": 7.0}])

    def push(self, state):
        return self.control("deliverPush", {"payload": {"aps": {
            "event": "start", "timestamp": 1000, "attributes-type": "StopwatchWidgetAttributes",
            "attributes": {}, "content-state": state, "alert": {"title": "t", "body": "b"}}}})

    def test_an_update_after_the_end(self):
        self.start()
        self.call("stopLiveActivity")
        self.settled(lambda activity: activity["state"] == "dismissed")
        self.call("updateLiveActivity", {"elapsedSeconds": 1})
        text = self.told("has no effect: the activity is dismissed; start a new one", "info")[1]
        self.assertIn(text, self.remarks("updateLiveActivity"))

    def test_updates_out_of_order(self):
        # Two hundred calls at once; in which order their tasks run is up to the machine.
        self.control("setLimits", {"history-length": 1000})
        self.start()
        for round in range(20):
            first = 1 + round * 200
            calls = [self.client.call_async("PW", "updateLiveActivity", {"elapsedSeconds": number})
                     for number in range(first, first + 200)]
            for call in calls:
                with self.assertRaises(bridge.Dropped):
                    call.result()
            activity = self.settled(lambda activity: activity["updates"] == first + 199)
            history = [change["contentState"]["elapsedTime"] for change in activity["history"]
                       if change["kind"] == "updated"][-200:]
            self.assertEqual(sorted(history), list(range(first, first + 200)))
            late = sum(1 for place in range(1, 200) if history[place] < max(history[:place]))
            if late:
                text = self.told("out of order: the update of message")[1]
                self.assertIn("PW", text)
                self.assertIn("updateLiveActivity", text)
                print(f"{late} of 200 updates came late, and it was told")
                return
        print("SKIPPED: no update came late in 4000")
        self.assertFalse([log for log in self.client.logs if "out of order" in log[1]])

    def settled(self, condition):
        deadline = time.monotonic() + PATIENCE
        while True:
            activity = self.control("activities", {"all": True})[-1]
            if condition(activity):
                return activity
            self.assertLess(time.monotonic(), deadline, activity)


if __name__ == "__main__":
    APP = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
