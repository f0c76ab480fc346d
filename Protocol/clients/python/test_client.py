"""The client against a server that is played by the test, over a pair of sockets."""

import os
import socket
import sys
import tempfile
import threading
import unittest

import pwbridge_client as bridge
from pwbridge_client import codec, frames
from pwbridge_client.frames import Frame

SERVER_HELLO = Frame(frames.HELLO, id=frames.MAGIC, payload=b"version=1\ndevice=fresh-1\n")


class ClientCase(unittest.TestCase):
    def setUp(self):
        ours, self.peer = socket.socketpair()
        self.peer.settimeout(5)
        self.reader = frames.FrameReader()
        self.got = []
        self.say(SERVER_HELLO)
        self.client = bridge.Client(ours.fileno(), ours.fileno(), device="d", timeout=5,
                                    close=ours.close)
        self.hello = self.hear()

    def tearDown(self):
        self.client.abandon()
        self.peer.close()

    def say(self, *said):
        self.peer.sendall(b"".join(frames.encode_frame(frame) for frame in said))

    def hear(self):
        """The next frame that the client sent."""
        while not self.got:
            data = self.peer.recv(1 << 16)
            if not data:
                return None
            self.reader.feed(data)
            self.got += self.reader.frames()
        return self.got.pop(0)


class CallTests(ClientCase):
    def test_hello(self):
        self.assertEqual(self.hello.kind, frames.HELLO)
        self.assertEqual(self.hello.fields["device"], "d")
        self.assertEqual(self.client.hello["device"], "fresh-1")

    def test_outcomes(self):
        calls = [self.client.call_async("PW", f"m{number}", {"n": number}) for number in range(6)]
        for number, call in enumerate(calls):
            sent = self.hear()
            self.assertEqual((sent.kind, sent.channel, sent.id), (frames.MESSAGE, "PW", call.id))
            self.assertEqual(codec.decode_call(sent.payload), (f"m{number}", {"n": number}))
            self.assertFalse(call.done())
        a, b, c, d, e, f = calls
        self.assertEqual(len(self.client.open_calls), 6)
        # The last first: replies come in any order.
        self.say(
            Frame(frames.ERROR, id=f.id,
                  payload=b"code=message-malformed\ntext=truncated\noffset=3\n"),
            Frame(frames.REPLY, id=e.id, payload=b""),
            Frame(frames.DROPPED, id=d.id),
            Frame(frames.REPLY, id=c.id),
            Frame(frames.REPLY, id=b.id, payload=codec.encode_error("418", "teapot", [1])),
            Frame(frames.REPLY, id=a.id, payload=codec.encode_success({"ok": True})))
        self.assertEqual(a.result(), {"ok": True})
        with self.assertRaises(bridge.PlatformException) as caught:
            b.result()
        error = caught.exception
        self.assertEqual((error.code, error.message, error.details), ("418", "teapot", [1]))
        with self.assertRaises(bridge.MissingPluginException):
            c.result()
        with self.assertRaises(bridge.Dropped):
            d.result()
        with self.assertRaises(bridge.CodecError):
            e.result()
        with self.assertRaises(bridge.FrameErrorReply) as caught:
            f.result()
        self.assertEqual((caught.exception.code, caught.exception.offset), ("message-malformed", 3))
        self.assertEqual(self.client.open_calls, [])

    def test_raw(self):
        for payload, reply in ((None, b""), (b"", None), (b"\1", b"\2")):
            call = self.client.send_async("raw", payload)
            self.assertEqual(self.hear().payload, payload)
            self.say(Frame(frames.REPLY, id=call.id, payload=reply))
            self.assertEqual(call.result(), reply)
        self.client.post("raw", b"x")
        self.assertEqual(self.hear().id, 0)

    def test_cancel(self):
        call = self.client.call_async("PW", "m")
        self.hear()
        call.cancel()
        sent = self.hear()
        self.assertEqual((sent.kind, sent.id), (frames.CANCEL, call.id))
        self.say(Frame(frames.REPLY, id=call.id, payload=b"\0\0"))
        self.assertIsNone(call.result())

    def test_timeout(self):
        with self.assertRaises(TimeoutError):
            self.client.invoke("PW", "m", timeout=0.05)

    def test_log(self):
        self.say(Frame(frames.LOG, flags=frames.OPTIONAL, channel="PW", id=4,
                       payload=b"level=warning\ntext=hm\n"))
        self.client.wait_for(lambda: self.client.logs)
        self.assertEqual(self.client.logs, [("warning", "hm", "PW", 4)])

    def test_answer_to_nothing(self):
        self.say(Frame(frames.REPLY, id=99, payload=b"\0\0"))
        self.client.wait_for(lambda: self.client.errors)
        self.assertEqual(self.client.errors[0].code, "id-unknown")

    def test_fatal_error(self):
        call = self.client.call_async("PW", "m")
        self.say(Frame(frames.ERROR, payload=b"code=unknown-kind\ntext=x\nfatal=true\n"))
        with self.assertRaises(bridge.FrameErrorReply) as caught:
            call.result()
        self.assertTrue(caught.exception.is_fatal)
        with self.assertRaises(bridge.FrameErrorReply):
            self.client.invoke("PW", "m")

    def test_lost_connection(self):
        call = self.client.call_async("PW", "m")
        self.hear()
        self.peer.close()
        with self.assertRaises(bridge.BridgeError):
            call.result()

    def test_nonsense(self):
        call = self.client.call_async("PW", "m")
        self.peer.sendall(bytes(16))
        with self.assertRaisesRegex(bridge.BridgeError, "unknown-kind"):
            call.result()

    def test_close(self):
        def serve():
            while self.hear().kind != frames.BYE:
                pass
            self.peer.shutdown(socket.SHUT_WR)
        thread = threading.Thread(target=serve)
        thread.start()
        self.client.close()
        thread.join(5)
        self.assertTrue(self.client.is_ended)

    def test_server_bye(self):
        self.say(Frame(frames.BYE))
        self.client.poll(5)
        self.assertEqual(self.hear().kind, frames.BYE)
        with self.assertRaises(bridge.BridgeError):
            self.client.invoke("PW", "m")

    def test_many_messages_to_a_slow_server(self):
        """The server answers before it reads on: the client has to read while it writes."""
        count = 3000

        def serve():
            for _ in range(count):
                sent = self.hear()
                self.say(Frame(frames.REPLY, id=sent.id, payload=sent.payload))
        thread = threading.Thread(target=serve)
        thread.start()
        calls = [self.client.send_async("echo", bytes(2000)) for _ in range(count)]
        for call in calls:
            self.assertEqual(len(call.result()), 2000)
        thread.join(5)
        self.assertFalse(thread.is_alive())


class NativeMessageTests(ClientCase):
    def push(self, id, method, channel="events", arguments=None):
        self.say(Frame(frames.MESSAGE, channel=channel, id=id,
                       payload=codec.encode_call(method, arguments)))

    def reply(self, id):
        self.client.poll(5)
        sent = self.hear()
        self.assertEqual((sent.kind, sent.id), (frames.REPLY, id))
        return sent.payload

    def test_handlers(self):
        def handle(method, arguments):
            if method == "fail":
                raise bridge.PlatformException("code", "message", arguments)
            if method == "crash":
                raise ValueError("oops")
            if method == "missing":
                raise bridge.MissingPluginException
            return [method, arguments]
        self.client.set_method_call_handler("events", handle)
        self.push(1, "go", arguments=5)
        self.assertEqual(codec.decode_envelope(self.reply(1)), ["go", 5])
        for id, method, code in ((2, "fail", "code"), (3, "crash", "error")):
            self.push(id, method, arguments="x")
            with self.assertRaises(codec.PlatformException) as caught:
                codec.decode_envelope(self.reply(id))
            self.assertEqual(caught.exception.code, code)
        self.push(4, "missing")
        self.assertIsNone(self.reply(4))
        self.client.set_message_handler("raw", lambda payload: payload + b"!")
        self.say(Frame(frames.MESSAGE, channel="raw", id=5, payload=b"hey"))
        self.assertEqual(self.reply(5), b"hey!")

    def test_one_message_is_kept(self):
        seen = []
        self.push(1, "first")
        self.push(2, "second")
        self.assertIsNone(self.reply(1))
        self.assertEqual(len(self.client.buffers.warnings), 1)
        self.client.set_method_call_handler("events", lambda method, _: seen.append(method))
        self.assertEqual(self.hear().id, 2)
        self.assertEqual(seen, ["second"])

    def test_resize_and_overflow(self):
        control = bytes.fromhex("0706726573697a65 0c02 0706 6576656e7473 03 02000000")
        self.say(Frame(frames.MESSAGE, channel="dev.flutter/channel-buffers", id=1,
                       payload=control))
        self.assertIsNone(self.reply(1))
        overflow = bytes.fromhex("07086f766572666c6f77 0c02 0706 6576656e7473 01")
        self.say(Frame(frames.MESSAGE, channel="dev.flutter/channel-buffers", id=2,
                       payload=overflow))
        self.assertIsNone(self.reply(2))
        for id in (3, 4, 5):
            self.push(id, f"m{id}")
        self.assertIsNone(self.reply(3))
        self.assertEqual(self.client.buffers.warnings, [])
        seen = []
        self.client.set_method_call_handler("events", lambda method, _: seen.append(method))
        self.assertEqual(seen, ["m4", "m5"])
        # The form of old: resize, the channel and a number, apart by carriage returns.
        self.say(Frame(frames.MESSAGE, channel="dev.flutter/channel-buffers", id=6,
                       payload=b"resize\rother\r0"))
        self.say(Frame(frames.MESSAGE, channel="other", id=7, payload=b"x"))
        self.client.wait_for(lambda: self.client.buffers.warnings)

    def test_bad_control_messages(self):
        for payload in (None, b"", b"\x07", b"resize\rx", b"resize\rx\ry",
                        bytes.fromhex("0706726573697a65 0c02 0701 78 04 0100000000000000"),
                        bytes.fromhex("0706726573697a65 0c01 0701 78"),
                        bytes.fromhex("07037a7a7a 0c02 0701 78 03 01000000")):
            count = len(self.client.buffers.warnings)
            self.say(Frame(frames.MESSAGE, channel="dev.flutter/channel-buffers",
                           payload=payload))
            self.client.wait_for(lambda: len(self.client.buffers.warnings) > count)

    def test_handler_that_calls_back(self):
        def serve():
            self.push(1, "ask")
            call = self.hear()
            self.say(Frame(frames.REPLY, id=call.id, payload=codec.encode_success(42)))
        self.client.set_method_call_handler(
            "events", lambda method, _: self.client.invoke("PW", "number"))
        thread = threading.Thread(target=serve)
        thread.start()
        self.client.poll(5)
        thread.join(5)
        self.assertEqual(codec.decode_envelope(self.hear().payload), 42)


class StartTests(unittest.TestCase):
    SERVER = """
import os, sys
sys.path.insert(0, sys.argv[1])
from pwbridge_client import frames
reader = frames.FrameReader()
def say(frame): os.write(1, frames.encode_frame(frame))
while True:
    data = os.read(0, 65536)
    if not data: break
    reader.feed(data)
    for frame in reader.frames():
        if frame.kind == frames.HELLO:
            say(frames.Frame(frames.HELLO, id=frames.MAGIC, payload=b"version=1\\n"))
        elif frame.kind == frames.MESSAGE:
            say(frames.Frame(frames.REPLY, id=frame.id, payload=frame.payload))
        elif frame.kind == frames.BYE:
            sys.exit(0)
"""

    def test_spawn(self):
        command = [sys.executable, "-c", self.SERVER, os.path.dirname(os.path.abspath(__file__))]
        with bridge.spawn(command) as client:
            self.assertEqual(client.send("echo", b"hello"), b"hello")
        self.assertEqual(client.process.returncode, 0)

    def test_no_server(self):
        with self.assertRaises(bridge.BridgeError):
            bridge.spawn([sys.executable, "-c", "pass"])
        with self.assertRaises(OSError):
            bridge.connect("/nowhere/at/all")

    def test_a_queue_of_clients(self):
        """With a time limit a Unix socket refuses who would have to wait; the client waits."""
        with tempfile.TemporaryDirectory() as folder, \
                socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            path = f"{folder}/socket"
            listener.bind(path)
            listener.listen(0)
            waiting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            waiting.connect(path)
            with self.assertRaises(TimeoutError):
                bridge.connect(path, timeout=0.1)

            def serve():
                for _ in range(2):
                    connection, _ = listener.accept()
                    connection.sendall(frames.encode_frame(SERVER_HELLO))
                    served.append(connection)

            served = []
            server = threading.Timer(0.2, serve)
            server.start()
            bridge.connect(path, timeout=5).abandon()
            server.join(5)
            for connection in [waiting, *served]:
                connection.close()

    def test_refused(self):
        error = Frame(frames.ERROR, payload=b"code=device-name\ntext=x\nfatal=true\n")
        for said in ([error], [SERVER_HELLO, error]):
            ours, peer = socket.socketpair()
            peer.sendall(b"".join(map(frames.encode_frame, said)))
            with self.assertRaises(bridge.FrameErrorReply) as caught:
                bridge.Client(ours.fileno(), ours.fileno(), timeout=5)
            self.assertEqual(caught.exception.code, "device-name")
            ours.close()
            peer.close()

    def test_silent_server(self):
        ours, peer = socket.socketpair()
        with self.assertRaises(TimeoutError):
            bridge.Client(ours.fileno(), ours.fileno(), timeout=0.1)
        ours.close()
        peer.close()


if __name__ == "__main__":
    unittest.main()
