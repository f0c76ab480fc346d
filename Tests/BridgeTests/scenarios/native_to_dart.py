"""What native code says to Dart: method calls, events, and what waits for a listener."""

from support.harness import (
    Scenario, SocketServer, bridge, codec, main, on_each_server,
)

BUFFERS = "dev.flutter/channel-buffers"


class Calls(Scenario):
    def invoke_dart(self, client, method, arguments=None, **more):
        return client.call_async("pwbridge/control", "invokeDart", {
            "channel": "app", "method": method, "arguments": arguments, **more})

    @on_each_server("--quiet")
    def test_every_answer(self, server):
        def handler(method, arguments):
            if method == "double":
                return arguments * 2
            if method == "fail":
                raise bridge.PlatformException("E1", "no", {"n": 1})
            if method == "crash":
                raise ValueError("oops")
            raise bridge.MissingPluginException()

        with server.client() as client:
            client.set_method_call_handler("app", handler)
            self.assertEqual(
                self.invoke_dart(client, "double", 21).result(),
                {"outcome": "success", "value": 42})
            self.assertEqual(
                self.invoke_dart(client, "fail").result(),
                {"outcome": "error",
                 "error": {"code": "E1", "message": "no", "details": {"n": 1}}})
            self.assertEqual(self.invoke_dart(client, "crash").result()["outcome"], "error")
            self.assertEqual(
                self.invoke_dart(client, "other").result(), {"outcome": "notImplemented"})
            client.set_message_handler("app", lambda payload: b"\x09")
            self.assertEqual(
                self.invoke_dart(client, "double", 1).result()["outcome"], "malformed")
            client.set_message_handler("raw", lambda payload: payload[::-1])
            self.assertEqual(
                client.invoke("pwbridge/control", "sendMessage",
                              {"channel": "raw", "message": b"abc"}),
                {"outcome": "reply", "reply": b"cba"})
            client.set_message_handler("raw", lambda payload: b"none" if payload is None else b"")
            self.assertEqual(
                client.invoke("pwbridge/control", "sendMessage",
                              {"channel": "raw", "message": None})["reply"], b"none")
            self.assertEqual(
                client.invoke("pwbridge/control", "sendMessage",
                              {"channel": "raw", "message": b"x"})["reply"], b"")

    @on_each_server("--quiet", "--option", "clock=stepped")
    def test_nobody_answers_in_time(self, server):
        with server.client() as client:
            waiting = self.invoke_dart(client, "never", timeout="5s")
            self.control(client, "clock.advance", by="5s")
            self.assertEqual(waiting.result(), {"outcome": "timeout"})
            # An answer that comes afterwards harms nobody.
            client.set_method_call_handler("app", lambda method, arguments: None)
            self.assertEqual(client.invoke("PW", "startLiveActivity", {}), None)

    @on_each_server("--quiet")
    def test_one_waits_for_a_listener(self, server):
        """As in Flutter: the newest is kept, older ones are answered without payload."""
        with server.client() as client:
            calls = [self.invoke_dart(client, "m", number) for number in range(3)]
            for call in calls[:2]:
                self.assertEqual(call.result(), {"outcome": "notImplemented"})
            self.assertFalse(calls[2].done())
            got = []
            client.set_method_call_handler("app", lambda method, arguments: got.append(arguments))
            self.assertEqual(calls[2].result()["outcome"], "success")
            self.assertEqual(got, [2])
            self.assertEqual(len(client.buffers.warnings), 2)

    @on_each_server("--quiet")
    def test_native_code_resizes_the_buffer(self, server):
        with server.client() as client:
            def resize(*arguments):
                client.invoke("pwbridge/control", "sendMessage", {
                    "channel": BUFFERS,
                    "message": codec.encode_call("resize", list(arguments))})

            resize("app", 3)
            calls = [self.invoke_dart(client, "m", number) for number in range(4)]
            self.assertEqual(calls[0].result(), {"outcome": "notImplemented"})
            got = []
            client.set_method_call_handler("app", lambda method, arguments: got.append(arguments))
            for call in calls[1:]:
                self.assertEqual(call.result()["outcome"], "success")
            self.assertEqual(got, [1, 2, 3])
            # overflow switches the warning off.
            self.assertEqual(len(client.buffers.warnings), 1)
            client.set_method_call_handler("app", None)
            client.invoke("pwbridge/control", "sendMessage", {
                "channel": BUFFERS, "message": codec.encode_call("overflow", ["app", True])})
            resize("app", 0)
            self.invoke_dart(client, "m", wait=False).result()
            self.control(client, "clock.now")
            self.assertEqual(len(client.buffers.warnings), 1)

    @on_each_server("--quiet")
    def test_a_client_may_send_control_messages_too(self, server):
        with server.client() as client:
            for payload in (codec.encode_call("resize", ["PW", 4]), b"resize\rPW\r4", b"nonsense"):
                # The engine answers them all without payload.
                self.assertIsNone(client.send(BUFFERS, payload))


class Events(Scenario):
    CHANNEL = "pushwoosh/receive"

    def listen(self, client):
        client.got = []
        client.set_message_handler(self.CHANNEL, lambda payload: client.got.append(payload))
        client.invoke(self.CHANNEL, "listen")

    def send(self, client, **event):
        return self.outcome(
            client, "sendEvent", {"channel": self.CHANNEL, **event}, "pwbridge/control")

    @on_each_server("--quiet")
    def test_a_stream(self, server):
        with server.client() as client:
            self.assertEqual(self.send(client, event=1)[:2], ("error", "no-listener"))
            self.listen(client)
            for event in (1, "two", None, [3.5]):
                self.assertEqual(self.send(client, event=event), ("success", None))
            self.assertEqual(
                self.send(client, error={"code": "E", "message": "m", "details": [1]}),
                ("success", None))
            self.assertEqual(self.send(client, end=True), ("success", None))
            client.wait_for(lambda: len(client.got) == 6)
            self.assertEqual(
                [codec.decode_envelope(payload) for payload in client.got[:4]],
                [1, "two", None, [3.5]])
            with self.assertRaises(bridge.PlatformException):
                codec.decode_envelope(client.got[4])
            # The end of a stream is a message without payload.
            self.assertIsNone(client.got[5])

    @on_each_server("--quiet")
    def test_cancel(self, server):
        with server.client() as client:
            outcome = self.outcome(client, "cancel", channel=self.CHANNEL)
            self.assertEqual(outcome, ("error", "error", "No active stream to cancel", None))
            self.listen(client)
            client.invoke(self.CHANNEL, "cancel")
            self.assertEqual(self.send(client, event=1)[:2], ("error", "no-listener"))
            self.assertEqual(
                self.outcome(client, "other", channel=self.CHANNEL), ("not implemented",))

    @on_each_server("--quiet")
    def test_many_events_keep_their_order(self, server):
        with server.client() as client:
            self.listen(client)
            for number in range(300):
                client.call_async("pwbridge/control", "sendEvent",
                                  {"channel": self.CHANNEL, "event": number})
            client.wait_for(lambda: len(client.got) == 300)
            self.assertEqual(
                [codec.decode_envelope(payload) for payload in client.got], list(range(300)))

    @on_each_server("--quiet")
    def test_another_channel(self, server):
        with server.client() as client:
            self.control(client, "addEventChannel", channel="app/ticks")
            self.assertEqual(
                self.outcome(client, "addEventChannel", {"channel": "PW"},
                             "pwbridge/control")[:2], ("error", "channel-taken"))
            got = []
            client.set_message_handler("app/ticks", got.append)
            client.invoke("app/ticks", "listen", {"from": 5})
            self.control(client, "sendEvent", channel="app/ticks", event=6)
            client.wait_for(lambda: got)
            self.assertEqual(codec.decode_envelope(got[0]), 6)


class SharedDevice(Scenario):
    def test_messages_go_to_who_spoke_last_on_the_channel(self):
        with SocketServer("--quiet") as server:
            with server.client(device="d") as first, server.client(device="d") as second:
                got = []
                for client in (first, second):
                    client.set_method_call_handler(
                        "app", lambda method, _, client=client: got.append(client))

                def ask():
                    call = first.call_async("pwbridge/control", "invokeDart", {
                        "channel": "app", "method": "m"})
                    while not call.done():
                        second.poll(0.01)
                        first.poll(0.01)
                    self.assertEqual(call.result()["outcome"], "success")

                ask()
                self.assertEqual(got, [first])
                second.send("app", b"")
                ask()
                self.assertEqual(got, [first, second])

    def test_a_listener_that_goes_away(self):
        with SocketServer("--quiet") as server:
            with server.client(device="d") as first:
                second = server.client(device="d")
                second.send("app", b"")
                call = first.call_async("pwbridge/control", "invokeDart", {
                    "channel": "app", "method": "m"})
                # It has the message and leaves without an answer.
                second.wait_for(lambda: second.buffers._channels.get("app"))
                second.abandon()
                self.assertEqual(call.result(), {"outcome": "disconnected"})


if __name__ == "__main__":
    main()
