"""The rules of a conversation: dropped, cancel, errors about calls, messages without a reply."""

from support.harness import Scenario, codec, frames, main, on_each_server

STOP = codec.encode_call("stopLiveActivity")


class Conversation(Scenario):
    def exchange(self, raw, *sent):
        """Sends frames and a bye, and returns what came but hello, logs and bye."""
        raw.hello(capabilities=("cancel",))
        for frame in sent:
            raw.write(frames.encode_frame(frame))
        raw.send(frames.BYE)
        found = raw.frames_to_end()
        self.assertEqual(found[0].kind, frames.HELLO)
        self.assertEqual(found[-1].kind, frames.BYE)
        return found[1:-1]

    @on_each_server("--quiet", "--handler", "guide")
    def test_dropped(self, server):
        with server.raw() as raw:
            found = self.exchange(
                raw, frames.Frame(frames.MESSAGE, channel="PW", id=5, payload=STOP))
            self.assertEqual(found, [frames.Frame(frames.DROPPED, id=5)])

    @on_each_server("--quiet")
    def test_no_payload_and_an_empty_one(self, server):
        with server.raw() as raw:
            found = self.exchange(
                raw,
                frames.Frame(frames.MESSAGE, channel="nobody", id=1),
                frames.Frame(frames.MESSAGE, channel="nobody", id=2, payload=b""),
                frames.Frame(frames.MESSAGE, channel="pwbridge/control", id=3, payload=b""),
                frames.Frame(frames.MESSAGE, channel="PW", id=4))
            self.assertEqual(found[:2], [
                frames.Frame(frames.REPLY, id=1), frames.Frame(frames.REPLY, id=2)])
            self.assertEqual([frame.id for frame in found[2:]], [3, 4])
            for frame in found[2:]:
                self.assertEqual(frame.kind, frames.ERROR)
                self.assertEqual(frame.fields["code"], "message-malformed")

    @on_each_server("--quiet")
    def test_messages_that_want_no_reply(self, server):
        with server.raw() as raw:
            start = codec.encode_call("startLiveActivity", {"elapsedSeconds": 1})
            found = self.exchange(
                raw,
                frames.Frame(frames.MESSAGE, channel="PW", payload=start),
                frames.Frame(frames.MESSAGE, channel="nobody", payload=start),
                frames.Frame(frames.MESSAGE, channel="PW", payload=b"\xff"),
                frames.Frame(frames.MESSAGE, channel="pwbridge/control", id=9,
                             payload=codec.encode_call("activities")))
            answers = [frame for frame in found if frame.kind == frames.REPLY]
            self.assertEqual([frame.id for frame in answers], [9])
            self.assertEqual(len(codec.decode_envelope(answers[0].payload)), 1)

    @on_each_server("--quiet", "--fault", "PW.stopLiveActivity: delay 200ms")
    def test_cancel(self, server):
        """The answer comes all the same, once."""
        with server.raw() as raw:
            found = self.exchange(
                raw,
                frames.Frame(frames.CANCEL, id=1),
                frames.Frame(frames.MESSAGE, channel="PW", id=1, payload=STOP),
                frames.Frame(frames.CANCEL, id=1), frames.Frame(frames.CANCEL, id=1),
                frames.Frame(frames.CANCEL, id=0), frames.Frame(frames.CANCEL, id=2**64 - 1))
            self.assertEqual([(frame.kind, frame.id) for frame in found], [(frames.REPLY, 1)])

    @on_each_server("--quiet")
    def test_errors_about_calls_say_where(self, server):
        with server.raw() as raw:
            found = self.exchange(
                raw,
                frames.Frame(frames.MESSAGE, channel="PW", id=1, payload=b"\x07\x04stop\xfe"),
                frames.Frame(frames.MESSAGE, channel="PW", id=2, payload=STOP))
            self.assertEqual([frame.id for frame in found], [1, 2])
            error = found[0]
            self.assertEqual(error.fields["code"], "message-malformed")
            self.assertEqual(error.fields["offset"], "6")
            self.assertNotIn("fatal", error.fields)

    @on_each_server("--quiet")
    def test_no_logs_unless_asked_for(self, server):
        message = frames.Frame(frames.MESSAGE, channel="PW", id=1, payload=codec.encode_call(
            "startLiveActivity", {}))
        with server.raw() as raw:
            self.assertEqual([frame.kind for frame in self.exchange(raw, message)],
                             [frames.REPLY])
        with server.client() as client:
            client.invoke("PW", "startLiveActivity", {})
            self.assertEqual(client.logs[0][0], "warning")
            self.assertIn("log", client.hello["capabilities"].split(","))

    @on_each_server("--quiet")
    def test_names_of_channels(self, server):
        names = ["x" * 4096, "ünïcödé/\U0001f600", "a b", "\x01\x1b[31m", "12345678"]
        with server.client() as client:
            for name in names:
                with self.subTest(name):
                    self.assertIsNone(client.send(name, b"x"))
            seen = [entry["channel"] for entry in self.control(client, "journal")["entries"]]
            self.assertEqual(seen, names)

    @on_each_server("--quiet", "--max-payload", "100")
    def test_a_reply_that_the_client_does_not_take(self, server):
        """A client with a small limit gets an error in the place of a large reply."""
        with server.client(max_payload=1024) as client:
            call = client.call_async("pwbridge/control", "options")
            self.assertEqual(self.outcome_of(call), ("refused", "payload-too-long"))
            self.assertEqual(self.outcome(client, "unknown"), ("not implemented",))


if __name__ == "__main__":
    main()
