"""The channel pwbridge/control: what a Dart test looks at and steers."""

from support.harness import Scenario, SocketServer, bridge, main, on_each_server

START, UPDATE, STOP = "startLiveActivity", "updateLiveActivity", "stopLiveActivity"
STEPPED = ("--quiet", "--option", "clock=stepped", "--option", "start-time=1000")
HOUR = 3600 * 10**6


class Steering(Scenario):
    @on_each_server(*STEPPED)
    def test_every_method_is_described(self, server):
        with server.client() as client:
            methods = self.control(client, "help")
            names = [method["method"] for method in methods]
            self.assertEqual(len(names), len(set(names)))
            for name in ("state", "activities", "journal", "reset", "clock.advance", "dismiss",
                         "deliverPush", "serverRequest", "faults.add", "invokeDart", "sendEvent"):
                self.assertIn(name, names)
            self.assertTrue(all(method["meaning"] for method in methods))
            # A method that is not there is not implemented, and the log helps on.
            self.assertEqual(
                self.outcome(client, "activites", channel="pwbridge/control"),
                ("not implemented",))
            self.assertIn("did you mean activities?", client.logs[-1][1])
            outcome = self.outcome(
                client, "clock.advance", {"bye": 1}, channel="pwbridge/control")
            self.assertEqual(outcome[:2], ("error", "bad-arguments"))

    @on_each_server(*STEPPED)
    def test_a_stepped_clock_stands_still(self, server):
        with server.client() as client:
            self.assertEqual(self.control(client, "clock.now")["microseconds"], 1000 * 10**6)
            self.assertEqual(self.control(client, "clock.now")["microseconds"], 1000 * 10**6)
            now = self.control(client, "clock.advance", by="1h")["microseconds"]
            self.assertEqual(now, 1000 * 10**6 + HOUR)
            now = self.control(client, "clock.advance", by=0.5)["microseconds"]
            self.assertEqual(now, 1000 * 10**6 + HOUR + 500_000)

    @on_each_server(*STEPPED)
    def test_the_system_ends_an_activity_after_8_hours_and_drops_it_4_later(self, server):
        with server.client() as client:
            client.invoke("PW", START, {"elapsedSeconds": 1})
            id = self.only(self.control(client, "activities"))["id"]

            def state():
                return self.control(client, "activity", id=id)["state"]

            self.control(client, "clock.advance", microseconds=8 * HOUR - 1)
            self.assertEqual(state(), "active")
            self.control(client, "clock.advance", microseconds=1)
            self.assertEqual(state(), "ended")
            activity = self.control(client, "activity", id=id)
            self.assertEqual(activity["endedBy"], "system")
            outcome = self.outcome(client, UPDATE, {"elapsedSeconds": 2})
            self.assertEqual(outcome[3]["reason"], "ended")
            self.control(client, "clock.advance", microseconds=4 * HOUR - 1)
            self.assertEqual(state(), "ended")
            self.control(client, "clock.advance", microseconds=1)
            self.assertEqual(state(), "dismissed")
            self.assertEqual(self.control(client, "activities"), [])

    @on_each_server(*STEPPED)
    def test_one_long_step_passes_through_everything(self, server):
        with server.client() as client:
            client.invoke("PW", START, {"elapsedSeconds": 1})
            self.control(client, "clock.advance", by="365d")
            gone = self.only(self.control(client, "activities", all=True))
            self.assertEqual(gone["state"], "dismissed")
            # Each at its time, not at the end of the step.
            self.assertEqual(gone["endedAt"] - gone["startedAt"], 8 * 3600)
            self.assertEqual(gone["dismissedAt"] - gone["startedAt"], 12 * 3600)

    @on_each_server(*STEPPED)
    def test_dismissed_by_the_person(self, server):
        with server.client() as client:
            client.invoke("PW", START, {"elapsedSeconds": 1})
            id = self.only(self.control(client, "activities"))["id"]
            self.assertEqual(
                self.control(client, "dismiss", id=id), {"outcome": "applied"})
            self.assertEqual(self.control(client, "activities"), [])
            gone = self.only(self.control(client, "activities", all=True))
            self.assertEqual((gone["state"], gone["dismissedBy"]), ("dismissed", "user"))
            self.assertEqual(
                self.outcome(client, "dismiss", {"id": "nobody"}, "pwbridge/control")[:2],
                ("error", "no-such-activity"))
            outcome = self.outcome(client, UPDATE, {"elapsedSeconds": 2})
            self.assertEqual(outcome[3]["reason"], "dismissed")

    @on_each_server(*STEPPED)
    def test_reset(self, server):
        with server.client() as client:
            client.invoke("PW", START, {"elapsedSeconds": 1})
            self.control(client, "setLimits", **{"maximum-per-app": 1, "foreground": False})
            self.control(client, "faults.add", rule="PW: not-implemented")
            self.control(client, "clock.advance", by="1h")
            self.control(client, "reset")
            self.assertEqual(self.control(client, "activities", all=True), [])
            self.assertEqual(self.control(client, "faults.list"), [])
            state = self.control(client, "state")
            self.assertEqual((state["maximumPerApp"], state["isForeground"]), (5, True))
            # The clock goes on.
            self.assertEqual(
                self.control(client, "clock.now")["microseconds"], 1000 * 10**6 + HOUR)
            self.assertEqual(self.control(client, "journal")["entries"], [])

    @on_each_server(*STEPPED)
    def test_limits_are_set_all_or_none(self, server):
        with server.client() as client:
            outcome = self.outcome(
                client, "setLimits", {"maximum-per-app": 1, "maximum-size": "many"},
                "pwbridge/control")
            self.assertEqual(outcome[:2], ("error", "device-option"))
            self.assertEqual(self.control(client, "state")["maximumPerApp"], 5)


class Journal(Scenario):
    @on_each_server(*STEPPED, "--fault", "PW.updateLiveActivity#3: delay 1h")
    def test_calls_and_what_came_of_them(self, server):
        with server.client() as client:
            client.invoke("PW", START, {"elapsedSeconds": 1})
            client.invoke("PW", UPDATE, {"elapsedSeconds": 2})
            self.outcome(client, UPDATE, None)
            self.outcome(client, "StopLiveActivity")
            held = client.call_async("PW", UPDATE, {"elapsedSeconds": 3})
            journal = self.control(client, "journal")
            self.assertFalse(journal["more"])
            seen = [(entry["method"], entry["outcome"]) for entry in journal["entries"]]
            self.assertEqual(seen, [
                (START, "success"), (UPDATE, "success"), (UPDATE, "error"),
                ("StopLiveActivity", "notImplemented"), (UPDATE, "open"),
            ])
            first, _, third = journal["entries"][:3]
            self.assertEqual(first["arguments"], {"elapsedSeconds": 1})
            self.assertEqual(first["channel"], "PW")
            self.assertGreaterEqual(first["microseconds"], 0)
            self.assertEqual(
                third["error"],
                {"code": "418", "message": "Live activity didn't updated", "details": None})
            still_open = self.control(client, "journal", open=True)
            self.assertEqual(self.only(still_open["entries"])["arguments"], {"elapsedSeconds": 3})
            self.control(client, "clock.advance", by="1h")
            self.assertIsNone(held.result())
            self.assertEqual(self.control(client, "journal", open=True)["entries"], [])
            # Page by page.
            numbers, since = [], 0
            while True:
                page = self.control(client, "journal", since=since, limit=2)
                numbers += [entry["number"] for entry in page["entries"]]
                since = page["next"]
                if not page["more"]:
                    break
            self.assertEqual(numbers, [entry["number"] for entry in journal["entries"]])

    @on_each_server("--quiet", "--handler", "guide")
    def test_silences(self, server):
        with server.client() as client:
            self.outcome(client, START, {"elapsedSeconds": 1})
            self.outcome(client, STOP)
            outcomes = [entry["outcome"] for entry in self.control(client, "journal")["entries"]]
            self.assertEqual(outcomes, ["dropped", "dropped"])
            self.assertEqual(self.control(client, "totals")["dropped"], 2)


class SharedDevice(Scenario):
    def test_two_connections(self):
        with SocketServer(*STEPPED) as server:
            with server.client(device="phone") as one, server.client(device="phone") as two, \
                    server.client() as other, server.client(device="tablet") as third:
                self.assertEqual(one.hello["device"], "phone")
                self.assertNotIn("device", other.hello)
                one.invoke("PW", START, {"elapsedSeconds": 1})
                two.invoke("PW", UPDATE, {"elapsedSeconds": 2})
                activity = self.only(self.control(one, "activities"))
                self.assertEqual(activity["contentState"], {"elapsedTime": 2})
                self.assertEqual(self.control(other, "activities"), [])
                self.assertEqual(self.control(third, "activities"), [])
                self.control(two, "clock.advance", by="8h")
                self.assertEqual(self.only(self.control(one, "activities"))["state"], "ended")
            # A named device waits for whoever comes next; a nameless one is gone.
            with server.client(device="phone") as again:
                self.assertEqual(self.only(self.control(again, "activities"))["state"], "ended")

    def test_options_of_a_device_that_is_there(self):
        with SocketServer(*STEPPED) as server:
            with server.client(device="phone", options={"handler": "guide"}) as first:
                with server.client(device="phone") as second:
                    self.assertEqual(self.outcome(second, STOP), ("dropped",))
                with server.client(device="phone", options={"handler": "guide"}):
                    pass
                with self.assertRaises(bridge.FrameErrorReply) as caught:
                    server.client(device="phone", options={"handler": "answering"})
                self.assertEqual(caught.exception.code, "device-options")
                self.assertEqual(self.outcome(first, STOP), ("dropped",))

    @on_each_server("--quiet")
    def test_wrong_options_and_names(self, server):
        for options, code, words in [
            ({"options": {"handlr": "guide"}}, "device-options", "did you mean handler?"),
            ({"options": {"handler": "guid"}}, "device-options", "guide"),
            ({"options": {"fault": "PW: explode"}}, "device-options", "explode"),
            ({"device": "x" * 129}, "device-name", "128"),
            ({"device": "a\x1bb"}, "device-name", "control"),
        ]:
            with self.subTest(options), self.assertRaises(bridge.FrameErrorReply) as caught:
                server.client(**options)
            self.assertEqual(caught.exception.code, code)
            self.assertIn(words, caught.exception.text)
            self.assertTrue(caught.exception.is_fatal)


if __name__ == "__main__":
    main()
