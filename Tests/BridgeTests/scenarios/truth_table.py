"""What the guide's handler makes of each kind of argument, byte for byte, in both behaviours."""

from support.harness import Scenario, bridge, codec, main, on_each_server

NOT_INVOKED = bytes.fromhex(
    "010703343138071c4c697665206163746976697479206469646e277420696e766f6b656400")
NOT_UPDATED = bytes.fromhex(
    "010703343138071c4c697665206163746976697479206469646e2774207570646174656400")
SUCCESS = b"\0\0"

KEY = "elapsedSeconds"

# Arguments of startLiveActivity, the elapsed time that ActivityKit gets, and whether a fall-back to
# 0 is warned about.
STARTS = [
    ({KEY: 0}, 0, False),
    ({KEY: 7}, 7, False),
    ({KEY: 2**40}, 2**40, False),
    ({KEY: -1}, -1, False),
    ({KEY: -2**63}, -2**63, False),
    ({KEY: 1.0}, 1, False),
    ({KEY: -0.0}, 0, False),
    ({KEY: 1.5}, 0, True),
    ({KEY: 1e19}, 0, True),
    ({KEY: float("nan")}, 0, True),
    ({KEY: float("inf")}, 0, True),
    ({KEY: True}, 1, False),
    ({KEY: False}, 0, False),
    ({KEY: "7"}, 0, True),
    ({KEY: None}, 0, True),
    ({KEY: [7]}, 0, True),
    ({}, 0, True),
    ({"elapsedseconds": 7}, 0, True),
]

# Arguments that are no map with string keys.
NO_MAPS = [
    {KEY: 7, 1: "x"}, {KEY: 7, None: 1}, {1: 2}, None, [7], "x", 7, 7.5, True, b"\1\2",
]


def call(method, arguments=None):
    return codec.encode_call(method, arguments)


def answer(client, payload):
    """The bytes of the reply, or "dropped"."""
    try:
        return client.send("PW", payload)
    except bridge.Dropped:
        return "dropped"


class TruthTable(Scenario):
    def elapsed_times(self, client):
        return [activity["contentState"]["elapsedTime"]
                for activity in self.control(client, "activities")]

    def check_rows(self, server, success):
        with server.client(options={"maximum-per-app": "none"}) as client:
            for arguments, elapsed, warns in STARTS:
                with self.subTest(start=arguments):
                    self.control(client, "reset")
                    client.logs.clear()
                    self.assertEqual(
                        answer(client, call("startLiveActivity", arguments)), success)
                    self.assertEqual(self.elapsed_times(client), [elapsed])
                    warnings = [text for level, text, _, _ in client.logs
                                if level == "warning" and "0 is taken" in text]
                    self.assertEqual(len(warnings), int(warns), client.logs)
            for arguments in NO_MAPS:
                with self.subTest(no_map=arguments):
                    self.control(client, "reset")
                    self.assertEqual(
                        answer(client, call("startLiveActivity", arguments)), NOT_INVOKED)
                    self.assertEqual(
                        answer(client, call("updateLiveActivity", arguments)), NOT_UPDATED)
                    self.assertEqual(self.elapsed_times(client), [])

    @on_each_server("--handler", "answering", "--quiet")
    def test_arguments_answering(self, server):
        self.check_rows(server, SUCCESS)

    @on_each_server("--handler", "guide", "--quiet")
    def test_arguments_guide(self, server):
        self.check_rows(server, "dropped")

    def check_conversation(self, server, success):
        with server.client() as client:
            self.assertEqual(answer(client, call("startLiveActivity", {KEY: 0})), success)
            self.assertEqual(answer(client, call("updateLiveActivity", {KEY: 3})), success)
            self.assertEqual(self.elapsed_times(client), [3])
            self.assertEqual(answer(client, call("updateLiveActivity", {KEY: 1.5})), success)
            self.assertEqual(self.elapsed_times(client), [0])
            # Whatever the argument of stop is.
            self.assertEqual(answer(client, call("stopLiveActivity", {"any": 1})), success)
            self.assertEqual(self.elapsed_times(client), [])
            gone = self.only(self.control(client, "activities", all=True))
            self.assertEqual(gone["state"], "dismissed")

    @on_each_server("--handler", "answering", "--quiet")
    def test_conversation_answering(self, server):
        self.check_conversation(server, SUCCESS)

    @on_each_server("--handler", "guide", "--quiet")
    def test_conversation_guide(self, server):
        self.check_conversation(server, "dropped")

    def check_not_implemented(self, server):
        with server.client() as client:
            # Case counts; an unknown channel and an unknown method look the same.
            self.assertIsNone(answer(client, call("StartLiveActivity")))
            self.assertIsNone(client.send("PX", call("startLiveActivity", {KEY: 0})))

    @on_each_server("--handler", "answering", "--quiet")
    def test_not_implemented_answering(self, server):
        self.check_not_implemented(server)

    @on_each_server("--handler", "guide", "--quiet")
    def test_not_implemented_guide(self, server):
        self.check_not_implemented(server)
        with server.client() as client:
            # The guide has these on the plugin's own channel only.
            self.assertIsNone(answer(client, call("defaultSetup")))
            self.assertIsNone(answer(client, call("defaultStart", {})))


if __name__ == "__main__":
    main()
