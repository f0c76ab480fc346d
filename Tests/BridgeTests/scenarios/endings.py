"""How a server ends: end of input, bye, signals, a client that closes its ears."""

import signal
import time

from support.harness import (
    PATIENCE, Scenario, SocketServer, StdioServer, bridge, eventually, frames, main, on_each_server,
)

HELD = ("--fault", "PW.startLiveActivity: delay 1h", "--option", "clock=stepped")
BRIEF = ("--drain", "0.2")


class EndOfInput(Scenario):
    def calls(self, *arguments, count=1):
        raw = StdioServer(*arguments).raw()
        raw.greet()
        for id in range(1, count + 1):
            raw.call(id, "startLiveActivity", {"elapsedSeconds": 1})
        return raw

    def test_nothing_open(self):
        with self.calls("--quiet", "--strict") as raw:
            raw.frames_until(lambda found: len(found) == 2)
            raw.end_writing()
            self.assertEqual([frame.kind for frame in raw.frames_to_end()[2:]], [frames.BYE])
            self.assertEqual(raw.wait(), 0)
            self.assertEqual(raw.complaints.text, "")

    def test_what_is_sent_just_before_the_end_is_answered(self):
        with self.calls("--quiet", count=20) as raw:
            raw.end_writing()
            found = raw.frames_to_end()
            self.assertEqual(sum(frame.kind == frames.REPLY for frame in found), 20)
            self.assertEqual(raw.wait(), 0)

    def test_what_is_open_is_waited_for(self):
        with self.calls("--quiet", "--strict", "--fault",
                        "PW.startLiveActivity: delay 300ms") as raw:
            raw.end_writing()
            found = raw.frames_to_end()
            self.assertEqual([frame.id for frame in found if frame.kind == frames.REPLY], [1])
            self.assertEqual(raw.wait(), 0)
            self.assertNotIn("never answered", raw.complaints.text)

    def test_what_is_never_answered_is_listed(self):
        for strict, code in (((), 0), (("--strict",), 1)):
            with self.subTest(strict), \
                    self.calls("--quiet", *HELD, *BRIEF, *strict, count=2) as raw:
                raw.end_writing()
                found = raw.frames_to_end()
                self.assertEqual(
                    [frame.id for frame in found if frame.kind == frames.DROPPED], [1, 2])
                self.assertEqual(found[-1].kind, frames.BYE)
                self.assertEqual(raw.wait(), code)
                self.assertEqual(
                    raw.complaints.text.count("never answered: PW startLiveActivity\n"), 2)
                self.assertEqual("--strict" in raw.complaints.text, bool(strict))

    def test_a_long_list_is_cut(self):
        with self.calls("--quiet", *HELD, *BRIEF, count=50) as raw:
            raw.end_writing()
            raw.frames_to_end()
            self.assertEqual(raw.wait(), 0)
            lines = raw.complaints.text.splitlines()
            self.assertEqual(len(lines), 21)
            self.assertIn("30 more", lines[-1])

    def test_a_silence_counts_when_strict(self):
        for strict, code in (((), 0), (("--strict",), 1)):
            with self.subTest(strict), self.calls(
                    "--quiet", "--handler", "guide", *strict) as raw:
                raw.end_writing()
                self.assertIn(frames.DROPPED, [frame.kind for frame in raw.frames_to_end()])
                self.assertEqual(raw.wait(), code)

    def test_the_client_has_gone(self):
        """Closed ears are no reason to be killed by SIGPIPE."""
        with self.calls("--quiet", *HELD, *BRIEF) as raw:
            raw.process.stdout.close()
            raw.call(2, "stopLiveActivity")
            raw.call(3, "stopLiveActivity")
            raw.end_writing()
            self.assertIn(raw.wait(), (0, 1))

    def test_before_any_hello(self):
        with StdioServer("--quiet").raw() as raw:
            raw.end_writing()
            raw.read_to_end()
            self.assertEqual(raw.wait(), 0)
            self.assertEqual(raw.complaints.text, "")


class Goodbyes(Scenario):
    @on_each_server("--quiet", "--fault", "PW.startLiveActivity: delay 200ms")
    def test_bye_waits_for_what_is_open(self, server):
        with server.raw() as raw:
            raw.greet()
            raw.call(1, "startLiveActivity", {"elapsedSeconds": 1}).send(frames.BYE)
            kinds = [frame.kind for frame in raw.frames_to_end() if frame.kind != frames.LOG]
            self.assertEqual(kinds, [frames.HELLO, frames.REPLY, frames.BYE])
            if server.name == "stdio":
                self.assertEqual(raw.wait(), 0)

    @on_each_server("--quiet", *HELD, *BRIEF)
    def test_after_a_bye_nothing_more_is_taken(self, server):
        with server.raw() as raw:
            raw.greet()
            raw.call(1, "startLiveActivity", {"elapsedSeconds": 1}).send(frames.BYE)
            raw.call(2, "startLiveActivity", {"elapsedSeconds": 1})
            found = [frame for frame in raw.frames_to_end() if frame.kind != frames.LOG]
            self.assertEqual(
                [(frame.kind, frame.id) for frame in found[1:]],
                [(frames.ERROR, 2), (frames.DROPPED, 1), (frames.BYE, 0)])
            self.assertEqual(found[1].fields["code"], "shutting-down")

    @on_each_server("--quiet")
    def test_with_a_reason(self, server):
        with server.raw() as raw:
            raw.greet()
            raw.send(frames.BYE, payload=b"reason=done for today\n")
            self.assertEqual(raw.frames_to_end()[-1].kind, frames.BYE)


class Signals(Scenario):
    def test_terminated_while_calls_are_open(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number), SocketServer(
                    "--quiet", "--fault", "PW.startLiveActivity: delay 300ms") as server, \
                    server.client() as client, server.client() as idle:
                call = client.call_async("PW", "startLiveActivity", {"elapsedSeconds": 1})
                client.wait_for(lambda: client.logs)
                server.process.send_signal(number)
                self.assertIsNone(call.result())
                idle.wait_for(lambda: idle._said_bye)
                self.assertEqual(server.process.wait(PATIENCE), 0)

    def test_terminated_while_calls_stay_open(self):
        with SocketServer("--log", "text", *HELD, *BRIEF) as server:
            client = server.client()
            call = client.call_async("PW", "startLiveActivity", {"elapsedSeconds": 1})
            client.wait_for(lambda: client.logs)
            server.process.terminate()
            self.assertEqual(self.outcome_of(call), ("dropped",))
            self.assertEqual(server.process.wait(PATIENCE), 0)
            self.assertIn("never answered: PW startLiveActivity", server.complaints.text)
            client.abandon()

    def test_no_new_clients_while_it_ends(self):
        with SocketServer("--quiet", *HELD) as server:
            client = server.client()
            client.call_async("PW", "startLiveActivity", {"elapsedSeconds": 1})
            client.wait_for(lambda: client.logs)
            server.process.terminate()

            def refused():
                try:
                    server.client(timeout=1).abandon()
                except (OSError, bridge.BridgeError):
                    return True
                return False

            eventually(refused, "no more clients")
            self.assertIsNone(server.process.poll())
            # A second signal does not wait.
            begin = time.monotonic()
            server.process.terminate()
            self.assertEqual(server.process.wait(PATIENCE), 128 + signal.SIGTERM)
            self.assertLess(time.monotonic() - begin, 4)
            self.assertIn("never answered: PW startLiveActivity", server.complaints.text)
            client.abandon()
            server.good_codes = {128 + signal.SIGTERM}

    def test_terminated_over_stdio(self):
        with StdioServer("--quiet", "--fault", "PW.startLiveActivity: delay 200ms").raw() as raw:
            raw.greet()
            raw.call(1, "startLiveActivity", {"elapsedSeconds": 1})
            raw.frames_until(lambda found: len(found) > 1)
            raw.process.terminate()
            found = raw.frames_to_end()
            self.assertEqual([frame.kind for frame in found[-2:]], [frames.REPLY, frames.BYE])
            self.assertEqual(raw.wait(), 0)


if __name__ == "__main__":
    main()
