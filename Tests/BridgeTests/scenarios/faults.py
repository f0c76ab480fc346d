"""What goes wrong on purpose: every kind of fault, by flag, by file and by control call."""

import json
import time

from support.harness import (
    Scenario, SocketServer, bridge, main, on_each_server, run, scratch_folder,
)

UPDATE = {"elapsedSeconds": 3}
RULES = """
# one rule a line
PW.updateLiveActivity#2: no-reply
PW.updateLiveActivity#3: error 500 "out of order" {"n":[1,2]}
PW.updateLiveActivity#4: not-implemented
PW.updateLiveActivity#5: corrupt 00 05
PW.updateLiveActivity#6: double-reply
"""
OUTCOMES = [
    ("success", None), ("dropped",), ("error", "500", "out of order", {"n": [1, 2]}),
    ("not implemented",), ("codec",), ("success", None), ("success", None),
]


class Faults(Scenario):
    def check(self, server, prepare=lambda client: None):
        with server.client() as client:
            prepare(client)
            client.invoke("PW", "startLiveActivity", UPDATE)
            client.logs.clear()
            calls = [client.call_async("PW", "updateLiveActivity", UPDATE) for _ in OUTCOMES]
            outcomes = []
            for call in calls:
                try:
                    outcomes.append(self.outcome_of(call))
                except bridge.CodecError:
                    outcomes.append(("codec",))
            self.assertEqual(outcomes, OUTCOMES)
            # A second reply goes nowhere, and is reported once.
            reports = [log for log in client.logs if "already submitted" in log[1].lower()]
            level, text, channel, id = self.only(reports)
            self.assertEqual((channel, id), ("PW", calls[5].id))
            self.assertIn("updateLiveActivity", text)
            self.assertEqual(client.errors, [])
            self.assertEqual(self.control(client, "totals")["repeatedReplies"], 1)
            journal = self.control(client, "journal")["entries"][1:]
            self.assertEqual([entry["repeatedReplies"] for entry in journal],
                             [0, 0, 0, 0, 0, 1, 0])
            # Where the handler runs before the fault, the effect is there; 3 and 4 keep it away.
            activity = self.only(self.control(client, "activities"))
            self.assertEqual(activity["updates"], 5)

    @on_each_server("--quiet", *(
        part for line in RULES.splitlines() if line and line[0] != "#"
        for part in ("--fault", line)))
    def test_by_flag(self, server):
        self.check(server)

    def test_by_file(self):
        folder = scratch_folder()
        text, structured = f"{folder}/rules.txt", f"{folder}/rules.json"
        with open(text, "w") as file:
            file.write(RULES)
        update = {"channel": "PW", "method": "updateLiveActivity"}
        with open(structured, "w") as file:
            json.dump([
                "PW.updateLiveActivity#2: no-reply",
                {**update, "calls": 3, "fault": "error", "code": "500",
                 "message": "out of order", "details": {"n": [1, 2]}},
                {**update, "calls": "4-4", "fault": "not-implemented"},
                {**update, "calls": 5, "fault": "corrupt", "bytes": "0005"},
                {**update, "calls": 6, "fault": "double-reply"},
            ], file)
        for path in (text, structured):
            with self.subTest(path), SocketServer("--quiet", "--faults", path) as server:
                self.check(server)

    @on_each_server("--quiet")
    def test_by_control_call(self, server):
        def prepare(client):
            self.assertEqual(self.control(client, "faults.add", rules=RULES), [1, 2, 3, 4, 5])
            listed = self.control(client, "faults.list")
            self.assertEqual(listed[1]["rule"], RULES.splitlines()[3])
        self.check(server, prepare)

    @on_each_server("--quiet")
    def test_rules_are_taken_back(self, server):
        with server.client() as client:
            number = self.only(self.control(client, "faults.add", rule="PW: not-implemented"))
            self.assertEqual(self.outcome(client, "stopLiveActivity"), ("not implemented",))
            entry = self.only(self.control(client, "faults.list"))
            self.assertEqual((entry["matched"], entry["hits"]), (1, 1))
            self.control(client, "faults.remove", number=number)
            self.assertEqual(self.outcome(client, "stopLiveActivity")[0], "error")
            self.assertEqual(
                self.outcome(client, "faults.remove", {"number": number}, "pwbridge/control")[:2],
                ("error", "no-such-fault"))

    @on_each_server("--quiet", "--fault", "*: no-reply")
    def test_a_rule_for_everything_locks_nobody_out(self, server):
        with server.client() as client:
            self.assertEqual(self.outcome(client, "stopLiveActivity"), ("dropped",))
            self.control(client, "faults.clear")
            self.assertEqual(self.outcome(client, "stopLiveActivity")[0], "error")

    @on_each_server("--quiet", "--option", "clock=stepped",
                    "--fault", "PW.startLiveActivity: delay 90s")
    def test_delay_on_a_stepped_clock(self, server):
        with server.client() as client:
            call = client.call_async("PW", "startLiveActivity", UPDATE)
            # The handler runs at once; the reply waits for the clock.
            self.assertEqual(len(self.control(client, "activities")), 1)
            self.control(client, "clock.advance", by="89.999999s")
            self.assertFalse(call.done())
            self.assertEqual(self.control(client, "device")["heldReplies"], 1)
            self.control(client, "clock.advance", microseconds=1)
            self.assertIsNone(call.result())
            held = client.call_async("PW", "startLiveActivity", UPDATE)
            self.control(client, "faults.clear", release=True)
            self.assertIsNone(held.result())

    @on_each_server("--quiet", "--fault", "PW.startLiveActivity: delay 300ms")
    def test_delay_in_real_time(self, server):
        with server.client() as client:
            begin = time.monotonic()
            slow = client.call_async("PW", "startLiveActivity", UPDATE)
            self.assertEqual(self.outcome(client, "unknown"), ("not implemented",))
            self.assertIsNone(slow.result())
            self.assertGreaterEqual(time.monotonic() - begin, 0.3)

    @on_each_server("--quiet", "--option", "clock=stepped",
                    "--fault", "PW.startLiveActivity: delay 1s",
                    "--fault", "PW.startLiveActivity: no-reply")
    def test_faults_add_up(self, server):
        with server.client() as client:
            call = client.call_async("PW", "startLiveActivity", UPDATE)
            self.control(client, "clock.now")
            self.assertFalse(call.done())
            self.control(client, "clock.advance", by="1s")
            self.assertEqual(self.outcome_of(call), ("dropped",))

    @on_each_server("--fault", "PW.startLiveActivity: close")
    def test_the_connection_is_closed(self, server):
        client = server.client()
        with self.assertRaises(bridge.BridgeError):
            client.invoke("PW", "startLiveActivity", UPDATE)
        client.abandon()
        server.complaints.wait_for("broken off")
        if server.name == "stdio":
            self.assertEqual(client.process.returncode, 0)
        else:
            with server.client() as another:
                self.assertEqual(self.outcome(another, "unknown"), ("not implemented",))

    def test_rules_that_make_no_sense(self):
        for rule, words in [
            ("PW", "no colon"), ("PW: explode", "explode"), ("PW#0: close", "#3"),
            ("PW: delay", "200ms"), ("PW: delay soon", "200ms"), ("PW: corrupt 0", "hexadecimal"),
            ("a.b.c: close", "quotation marks"), ("PW: error", "code"), (": close", "channel"),
            ("PW: close now", "nothing may follow"), ("PW: no-replay", "no-reply"),
        ]:
            with self.subTest(rule):
                result = run("serve", "--fault", rule)
                self.assertEqual(result.returncode, 2)
                self.assertIn(words, result.err)
        path = f"{scratch_folder()}/rules"
        with open(path, "w") as file:
            file.write("# good\nPW: close\nPW: explode\n")
        result = run("serve", "--faults", path)
        self.assertEqual(result.returncode, 2)
        self.assertIn("line 3", result.err)
        result = run("serve", "--faults", f"{path}.not-there")
        self.assertEqual(result.returncode, 2)
        self.assertIn("No such file", result.err)


if __name__ == "__main__":
    main()
