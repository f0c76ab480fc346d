"""The log on standard error: text, JSON, none; nothing raw on the terminal."""

import json
import re

from support.harness import Scenario, SocketServer, main, on_each_server

START = {"elapsedSeconds": 0}


class Logs(Scenario):
    def talk(self, server, **options):
        with server.client(**options) as client:
            client.invoke("PW", "startLiveActivity", START)
            self.outcome(client, "updateLiveActivity", None)
            self.outcome(client, "nothing")
        server.complaints.wait_for("nothing")
        return server.complaints

    @on_each_server()
    def test_text(self, server):
        complaints = self.talk(server)
        prefix = r"(\[\d+\] )?"
        lines = complaints.text.splitlines()
        for pattern in (
            prefix + r"PW startLiveActivity \{elapsedSeconds: 0\} -> success null \d+(us|ms|\.\ds)",
            prefix + r'PW updateLiveActivity -> error 418 "Live activity didn\'t updated" \d+\w+',
            prefix + r"PW nothing -> not implemented \d+\w+",
        ):
            matching = [line for line in lines if re.fullmatch(pattern, line)]
            self.assertEqual(len(matching), 1, (pattern, lines))

    @on_each_server("--log", "json")
    def test_json(self, server):
        complaints = self.talk(server)
        objects = [json.loads(line) for line in complaints.text.splitlines()
                   if not line.startswith("ready ")]
        calls = [item for item in objects if item["event"] == "call"]
        self.assertEqual([call["method"] for call in calls],
                         ["startLiveActivity", "updateLiveActivity", "nothing"])
        self.assertEqual([call["outcome"] for call in calls],
                         ["success", "error", "not-implemented"])
        self.assertEqual(calls[1]["error"]["code"], "418")
        self.assertTrue(all(call["microseconds"] >= 0 for call in calls))
        self.assertTrue(all(item["time"] > 1e9 for item in objects))

    @on_each_server("--quiet")
    def test_quiet(self, server):
        with server.client() as client:
            client.invoke("PW", "startLiveActivity", START)
            self.outcome(client, "nothing")
        text = server.complaints.text
        self.assertEqual(text, f"ready {server.path}\n" if server.name == "socket" else "")

    def check_names(self, server):
        evil = "\x1b[31mred\x07\r\n\u202eoverride\u2028"
        with server.client() as client:
            client.send(evil, b"")
            self.outcome(client, evil, evil)
            self.outcome(client, "startLiveActivity", {evil: evil, "elapsedSeconds": evil})
            self.outcome(client, "defaultStart", {"activityId": 1, "attributes": evil})
            self.outcome(client, "dismiss", {"id": evil}, channel="pwbridge/control")
            self.outcome(client, "last")
        server.complaints.wait_for("last")
        text = server.complaints.text
        for character in "\x1b\x07\r\u202e\u2028":
            self.assertNotIn(character, text)
        self.assertIn("red", text)

    @on_each_server()
    def test_names_that_would_move_the_cursor(self, server):
        self.check_names(server)

    @on_each_server("--log", "json")
    def test_names_that_would_move_the_cursor_in_json(self, server):
        self.check_names(server)
        for line in server.complaints.text.splitlines():
            if not line.startswith("ready "):
                json.loads(line)

    def test_clients_are_told_apart(self):
        with SocketServer("--log", "text") as server:
            with server.client(device="phone") as one, server.client() as two:
                one.invoke("PW", "startLiveActivity", START)
                two.invoke("PW", "startLiveActivity", START)
            server.complaints.wait_for("[2] closed")
            text = server.complaints.text
            self.assertIn('[1] connected (pwbridge_client (Python)), device "phone"', text)
            self.assertIn("[1] PW startLiveActivity", text)
            self.assertIn("[2] PW startLiveActivity", text)

    @on_each_server()
    def test_a_log_that_nobody_reads_away(self, server):
        """A large argument is cut to a line that people can read."""
        with server.client() as client:
            self.outcome(client, "nothing", {"x" * 3000: ["y" * 3000] * 20})
        server.complaints.wait_for("nothing")
        self.assertTrue(all(len(line) < 1200 for line in server.complaints.text.splitlines()))


if __name__ == "__main__":
    main()
