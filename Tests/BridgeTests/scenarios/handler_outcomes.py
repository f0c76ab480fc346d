"""What else can come of a call of PW and pushwoosh: refusals of ActivityKit, orphans, defaults."""

from support.harness import Scenario, main, on_each_server

START, UPDATE, STOP = "startLiveActivity", "updateLiveActivity", "stopLiveActivity"
AT_5 = {"elapsedSeconds": 5}
SUCCESS = ("success", None)
DROPPED = ("dropped",)
DEFAULT = {"activityId": "order-1", "attributes": {"title": "t"}, "content": {"eta": 12}}


class Refusals(Scenario):
    """Steered over pwbridge/control, as a Dart test would."""

    def assert_refused(self, outcome, reason, words):
        self.assertEqual(outcome[:2], ("error", "418"), outcome)
        self.assertIn(words, outcome[2])
        self.assertEqual(outcome[3]["reason"], reason)
        return outcome[3]

    def refuse_all(self, server, check):
        with server.client() as client:
            self.control(client, "setAuthorization", enabled=False)
            check(client, "denied")
            self.control(client, "reset")
            self.control(client, "setForeground", foreground=False)
            check(client, "visibility")
            self.control(client, "reset")
            self.control(client, "setLimits", **{"maximum-size": 10})
            check(client, "attributesTooLarge")
            self.control(client, "reset")
            self.control(client, "setLimits", **{"maximum-per-app": 0})
            check(client, "targetMaximumExceeded")
            self.control(client, "reset")
            self.control(client, "setLimits", **{"maximum-on-device": 0})
            check(client, "globalMaximumExceeded")
            for reason in ("unsupported", "persistenceFailure", "unentitled"):
                self.control(client, "reset")
                self.control(client, "failNextRequest", reason=reason)
                check(client, reason)

    @on_each_server("--quiet")
    def test_answering(self, server):
        def check(client, reason):
            details = self.assert_refused(
                self.outcome(client, START, AT_5), reason, "Live activity didn't invoked")
            if reason == "attributesTooLarge":
                self.assertEqual(details["limit"], 10)
                self.assertGreater(details["size"], 10)
            self.assertEqual(self.control(client, "activities"), [])
        self.refuse_all(server, check)

    @on_each_server("--quiet", "--handler", "guide")
    def test_guide(self, server):
        """try? says nothing to Dart; the log says why."""
        def check(client, reason):
            client.logs.clear()
            self.assertEqual(self.outcome(client, START, AT_5), DROPPED)
            self.assertEqual(self.control(client, "activities"), [])
            warnings = [text for level, text, _, _ in client.logs if level == "warning"]
            self.assertTrue(any(reason in text for text in warnings), client.logs)
        self.refuse_all(server, check)

    @on_each_server("--quiet")
    def test_the_sixth_of_an_app(self, server):
        with server.client() as client:
            for _ in range(5):
                self.assertEqual(self.outcome(client, START, AT_5), SUCCESS)
            details = self.assert_refused(
                self.outcome(client, START, AT_5), "targetMaximumExceeded", "didn't invoked")
            self.assertEqual(details["limit"], 5)
            # The failed start has taken the handle of the fifth along.
            details = self.assert_refused(
                self.outcome(client, UPDATE, AT_5), "noActivity", "didn't updated")
            self.assertEqual(details["unreachable"], 5)

    @on_each_server("--quiet")
    def test_in_the_background_updates_are_allowed(self, server):
        with server.client() as client:
            self.assertEqual(self.outcome(client, START, AT_5), SUCCESS)
            self.control(client, "setForeground", foreground=False)
            self.assertEqual(self.outcome(client, UPDATE, AT_5), SUCCESS)
            self.assertEqual(self.outcome(client, STOP), SUCCESS)

    @on_each_server("--quiet")
    def test_without_an_activity(self, server):
        with server.client() as client:
            self.assert_refused(
                self.outcome(client, UPDATE, AT_5), "noActivity", "didn't updated")
            self.assert_refused(self.outcome(client, STOP), "noActivity", "didn't stopped")
            self.outcome(client, START, AT_5)
            self.assertEqual(self.outcome(client, STOP), SUCCESS)
            self.assert_refused(
                self.outcome(client, UPDATE, AT_5), "dismissed", "didn't updated")
            self.assert_refused(self.outcome(client, STOP), "dismissed", "didn't stopped")

    @on_each_server("--quiet", "--handler", "guide")
    def test_without_an_activity_in_the_guide(self, server):
        with server.client() as client:
            for method in (UPDATE, STOP):
                self.assertEqual(self.outcome(client, method, AT_5), DROPPED)
            self.assertEqual(self.control(client, "activities", all=True), [])


class Orphans(Scenario):
    def check(self, server, started):
        with server.client() as client:
            self.assertEqual(self.outcome(client, START, AT_5), started)
            first = self.only(self.control(client, "activities"))["id"]
            client.logs.clear()
            call = client.call_async("PW", START, AT_5)
            self.assertEqual(self.outcome_of(call), started)
            self.assertEqual({log[0::2] for log in client.logs}, {("warning", "PW")})
            self.assertEqual({log[3] for log in client.logs}, {call.id})
            texts = [text for _, text, _, _ in client.logs]
            self.assertIn(first, texts[0])
            self.assertIn("can no longer be updated or stopped", texts[0])
            # A silence is told in the log as well.
            self.assertEqual(
                ["without answering" in text for text in texts[1:]],
                [True] if started == DROPPED else [])
            # Both are on screen, and the stop reaches the second only.
            self.assertEqual(len(self.control(client, "activities")), 2)
            self.assertEqual(self.outcome(client, STOP), started)
            self.assertEqual(self.only(self.control(client, "activities"))["id"], first)

    @on_each_server("--quiet")
    def test_answering(self, server):
        self.check(server, SUCCESS)

    @on_each_server("--quiet", "--handler", "guide")
    def test_guide(self, server):
        self.check(server, DROPPED)


class Defaults(Scenario):
    """defaultSetup and defaultStart."""

    @on_each_server("--quiet", "--option", "clock=stepped")
    def test_answering(self, server):
        for channel in ("PW", "pushwoosh"):
            with self.subTest(channel), server.client() as client:
                self.assertEqual(
                    self.outcome(client, "defaultSetup", channel=channel), SUCCESS)
                self.assertEqual(
                    self.outcome(client, "defaultStart", DEFAULT, channel=channel), SUCCESS)
                activity = self.only(self.control(client, "activities"))
                self.assertEqual(activity["attributesType"], "DefaultLiveActivityAttributes")
                self.assertEqual(
                    activity["attributes"],
                    {"data": {"title": "t"}, "pushwoosh": {"activityId": "order-1"}})
                self.assertEqual(activity["contentState"], {"data": {"eta": 12}})
                # Tokens arrive a while after; the SDK sends them to its server.
                self.control(client, "clock.advance", by="10s")
                requests = self.control(client, "serverRequests")
                methods = [request["method"] for request in requests]
                self.assertIn("setActivityPushToStartToken", methods)
                self.assertIn("setActivityToken", methods)

    @on_each_server("--quiet")
    def test_arguments(self, server):
        wrong = [
            (None, "arguments"), ([], "arguments"), ("x", "arguments"),
            ({**DEFAULT, "activityId": ""}, "activityId"),
            ({**DEFAULT, "activityId": None}, "activityId"),
            ({**DEFAULT, "activityId": 7}, "activityId"),
            ({**DEFAULT, "attributes": []}, "attributes"),
            ({**DEFAULT, "attributes": {1: 2}}, "attributes"),
            ({**DEFAULT, "content": None}, "content"),
            ({**DEFAULT, "content": {None: 2}}, "content"),
            ({"activityId": "x", "attributes": {}}, "content"),
        ]
        with server.client() as client:
            for channel in ("PW", "pushwoosh"):
                for arguments, path in wrong:
                    with self.subTest(channel, arguments=arguments):
                        outcome = self.outcome(client, "defaultStart", arguments, channel)
                        self.assertEqual(outcome[:2], ("error", "418"))
                        self.assertEqual(outcome[3]["path"], path)
            self.assertEqual(self.control(client, "activities"), [])

    @on_each_server("--quiet")
    def test_too_large(self, server):
        with server.client() as client:
            outcome = self.outcome(
                client, "defaultStart", {**DEFAULT, "content": {"x": "y" * 5000}}, "pushwoosh")
            self.assertEqual(outcome[:2], ("error", "418"))
            self.assertEqual(outcome[3]["reason"], "attributesTooLarge")
            self.assertEqual(outcome[3]["limit"], 4096)
            self.assertGreater(outcome[3]["size"], 5000)

    @on_each_server("--quiet")
    def test_numbers_that_become_bools(self, server):
        """AnyCodable of the SDK takes 0 and 1 for bools; that is warned about."""
        arguments = {**DEFAULT, "content": {"zero": 0, "one": 1.0, "two": 2, "no": [False, 0]}}
        with server.client() as client:
            self.assertEqual(self.outcome(client, "defaultStart", arguments), SUCCESS)
            activity = self.only(self.control(client, "activities"))
            self.assertEqual(
                repr(activity["contentState"]["data"]),
                repr({"zero": False, "one": True, "two": 2, "no": [False, False]}))
            self.assertTrue(any("AnyCodable" in text for _, text, _, _ in client.logs))

    @on_each_server("--quiet", "--handler", "guide")
    def test_guide(self, server):
        with server.client() as client:
            self.assertEqual(self.outcome(client, "defaultSetup", channel="pushwoosh"), DROPPED)
            self.assertEqual(
                self.outcome(client, "defaultStart", DEFAULT, "pushwoosh"), DROPPED)
            self.assertEqual(len(self.control(client, "activities")), 1)
            # What is missing is empty, and an activity starts all the same.
            self.assertEqual(self.outcome(client, "defaultStart", {}, "pushwoosh"), DROPPED)
            self.assertEqual(len(self.control(client, "activities")), 2)

    @on_each_server("--quiet", "--handler", "guide")
    def test_what_would_crash_the_app(self, server):
        with server.client() as client:
            crashes = [
                ("defaultStart", [1]), ("defaultStart", "x"),
                ("defaultStart", {**DEFAULT, "activityId": 7}),
                ("defaultStart", {**DEFAULT, "attributes": {1: 2}}),
                ("startLiveActivityWithToken", 7),
            ]
            for method, arguments in crashes:
                with self.subTest(method, arguments=arguments):
                    self.assertEqual(
                        self.outcome(client, method, arguments, "pushwoosh"),
                        ("refused", "internal"))
            # The device lives on.
            self.assertEqual(self.outcome(client, "stopLiveActivity", channel="pushwoosh"), SUCCESS)

    def check_tokens(self, server):
        with server.client() as client:
            self.assertEqual(
                self.outcome(
                    client, "startLiveActivityWithToken", {"token": "ab12", "activityId": "a"},
                    "pushwoosh"),
                SUCCESS)
            self.assertEqual(
                self.outcome(client, "stopLiveActivity", channel="pushwoosh"), SUCCESS)
            bodies = [request["body"] for request in self.control(client, "serverRequests")]
            self.assertEqual(
                [(body["activity_token"], body["activity_id"]) for body in bodies],
                [("ab12", "a"), ("", "")])
            outcome = self.outcome(
                client, "startLiveActivityWithToken", {"token": "", "activityId": "a"},
                "pushwoosh")
            self.assertEqual(outcome[:3], ("error", "Error 1", "pushwoosh"))

    @on_each_server("--quiet")
    def test_tokens_answering(self, server):
        self.check_tokens(server)

    @on_each_server("--quiet", "--handler", "guide")
    def test_tokens_guide(self, server):
        self.check_tokens(server)


if __name__ == "__main__":
    main()
