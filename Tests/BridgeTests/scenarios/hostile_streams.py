"""Streams that are not what they should be: the answer says what is wrong, and others go on."""

import struct

from support.harness import (
    IS_SANITIZED, Scenario, SocketServer, StdioServer, codec, frames, main, on_each_server,
)

HELLO = frames.encode_frame(frames.hello_frame())
START = codec.encode_call("startLiveActivity", {"elapsedSeconds": 1})


def head(length, kind, flags=0, name_length=0, id=0):
    return struct.pack("<IBBHQ", length, kind, flags, name_length, id)


def message(id, payload=START, channel="PW"):
    return frames.encode_frame(frames.Frame(2, channel=channel, id=id, payload=payload))


def replies(found):
    return [frame for frame in found if frame.kind == frames.REPLY]


# Bytes behind a hello and a good message of 56 bytes, the code, and the offset of the wrong byte
# counted from their beginning (None: of no interest).
BROKEN = {
    "kind 0": (bytes(16), "unknown-kind", 4),
    "a kind that is not known": (head(0, 77), "unknown-kind", 4),
    "reserved flags": (head(0, 2, 0x84, 2, 5) + b"PW" + bytes(6), "reserved-flags", 5),
    "a name's padding": (head(0, 2, 1, 2, 5) + b"PW" + b"\0\0\0\0\0\1", "padding-not-zero", 23),
    "a payload's padding": (
        head(1, 2, 0, 2, 5) + b"PW" + bytes(6) + b"\0\0\0\0\1\0\0\0", "padding-not-zero", 28),
    "a length that is one too small": (
        head(9, 2, 0, 2, 5) + b"PW" + bytes(6) + b"\1" * 10 + bytes(6), "padding-not-zero", 33),
    "no channel name": (head(0, 2, 1, 0, 5), "channel-name-missing", 6),
    "a long channel name": (
        head(0, 2, 1, 4097, 5) + b"x" * 4104, "channel-name-too-long", 6),
    "a name that is no UTF-8": (
        head(0, 2, 1, 2, 5) + b"\xc3\x28" + bytes(6), "channel-name-malformed", 16),
    "a name with a NUL": (
        head(0, 2, 1, 2, 5) + b"P\0" + bytes(6), "channel-name-malformed", 16),
    "a name where none belongs": (
        head(0, 5, 1, 2, 5) + b"PW" + bytes(6), "channel-name-unexpected", 6),
    "a payload flagged to be none": (
        head(4, 2, 1, 2, 5) + b"PW" + bytes(14), "payload-unexpected", 0),
    "a payload in dropped": (head(8, 4, 0, 0, 5) + bytes(8), "payload-unexpected", 0),
    "a second hello": (HELLO, "hello-expected", 4),
    "a bye that is no fields": (head(4, 8) + b"bye!" + bytes(4), "fields-malformed", None),
    "an error that is no fields": (head(2, 6) + b"\xff\xfe" + bytes(6), "fields-malformed", None),
}

# First bytes, and a part of the line that says what was seen.
FOREIGN = {
    b"hello world\n": "text",
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n": "HTTP",
    b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n": "WebSocket",
    b"Content-Length: 20\r\n\r\n{}": "LSP",
    b'{"method":"startLiveActivity"}': "JSON",
    b"PW 0705737461727400\n": "--framing lines",
    b"0705737461727400\n": "hexadecimal",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc": "TLS",
    b"SSH-2.0-OpenSSH_9.6\r\n": "SSH",
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00": "gzip",
    b"\xff\xfeh\x00i\x00": "UTF-16",
    bytes(64): "zeroes",
    struct.pack("<I", len(START)) + START: "little-endian length",
    struct.pack(">I", len(START)) + START: "big-endian length",
    START: "without a frame",
    b"\x9d\x01\xfe\xba\xbe\x99\x80\x11\xde\xad\xbe\xef": "hello frame",
    struct.pack("<IBBHQ", 70000, 1, 0, 0, frames.MAGIC): "65535",
    head(10, 1, 0, 0, 5) + b"version=1\n": "",
}


class HostileStreams(Scenario):
    def check_broken(self, raw, data, code, offset):
        good = message(1)
        raw.write(HELLO + good + data)
        found = raw.frames_to_end()
        self.assertEqual(found[0].kind, frames.HELLO)
        self.assertEqual(found[1].kind, frames.REPLY, found)
        error = found[-1]
        self.assertEqual(error.kind, frames.ERROR)
        self.assertEqual(error.fields["code"], code)
        self.assertEqual(error.fields.get("fatal"), "true")
        if offset is not None:
            self.assertEqual(error.fields["offset"], str(len(HELLO + good) + offset))

    def test_broken_frames_over_stdio(self):
        for name, (data, code, offset) in BROKEN.items():
            with self.subTest(name), StdioServer("--quiet").raw() as raw:
                self.check_broken(raw, data, code, offset)
                self.assertEqual(raw.wait(), 1)
                self.assertIn(code, raw.complaints.text)

    def test_broken_frames_over_a_socket(self):
        with SocketServer("--quiet") as server, server.client() as bystander:
            bystander.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
            for name, (data, code, offset) in BROKEN.items():
                with self.subTest(name), server.raw() as raw:
                    self.check_broken(raw, data, code, offset)
                bystander.invoke("PW", "updateLiveActivity", {"elapsedSeconds": 1})

    def test_foreign_streams_over_stdio(self):
        for data, words in FOREIGN.items():
            with self.subTest(data), StdioServer("--quiet").raw() as raw:
                raw.write(data)
                raw.end_writing()
                error = raw.frames_to_end()[-1]
                self.assertEqual(raw.wait(), 2)
                self.assertEqual(error.fields["code"], "not-a-frame")
                line = self.only(raw.complaints.text.splitlines())
                self.assertTrue(line.startswith("pwbridge: not-a-frame at byte "), line)
                self.assertIn(words, line)
                self.assertLess(len(line), 400)

    def test_foreign_streams_over_a_socket(self):
        with SocketServer("--quiet") as server, server.client() as bystander:
            for data in FOREIGN:
                with self.subTest(data), server.raw() as raw:
                    raw.write(data)
                    raw.end_writing()
                    error = raw.frames_to_end()[-1]
                    self.assertEqual(error.fields["code"], "not-a-frame")
            self.assertIsNone(
                bystander.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0}))

    def test_a_prompt_answer_to_text(self):
        """Nobody who types has to end the stream first."""
        with StdioServer("--quiet").raw() as raw:
            raw.write(b"help\n")
            self.assertEqual(raw.frames_to_end()[-1].fields["code"], "not-a-frame")
            self.assertEqual(raw.wait(), 2)

    def test_no_hello(self):
        with StdioServer("--quiet").raw() as raw:
            raw.write(message(1))
            self.assertEqual(raw.frames_to_end()[-1].fields["code"], "hello-expected")
            self.assertEqual(raw.wait(), 1)

    def test_another_version(self):
        for fields in (b"version=2\n", b"software=x\n", b"version=\n"):
            with self.subTest(fields), StdioServer("--quiet").raw() as raw:
                raw.write(frames.encode_frame(
                    frames.Frame(1, id=frames.MAGIC, payload=fields)))
                self.assertEqual(raw.frames_to_end()[-1].fields["code"], "unsupported-version")
                self.assertEqual(raw.wait(), 1)

    @on_each_server("--quiet")
    def test_kinds_to_come(self, server):
        """Optional frames of an unknown kind are skipped, whatever is in them."""
        with server.raw() as raw:
            raw.write(
                HELLO + head(20, 200, 0xfe, 3, 9) + b"new" + bytes(5) + b"\xff" * 24
                + head(0, 99, 2) + message(1) + frames.encode_frame(frames.Frame(frames.BYE)))
            kinds = [frame.kind for frame in raw.frames_to_end()]
            self.assertEqual(kinds, [frames.HELLO, frames.REPLY, frames.BYE])

    @on_each_server("--quiet", "--max-payload", "1000")
    def test_over_the_cap(self, server):
        with server.client() as client:
            self.assertEqual(client.hello["max-payload"], "1000")
            big = client.send_async("PW", bytes(1001))
            self.assertEqual(self.outcome_of(big), ("refused", "payload-too-long"))
            # Right at the limit it is the handler's business, and the connection goes on.
            client.send("unknown", bytes(1000))
            client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 1})
            many = [client.send_async("PW", bytes(100_000)) for _ in range(20)]
            for call in many:
                self.assertEqual(self.outcome_of(call), ("refused", "payload-too-long"))
            client.invoke("PW", "updateLiveActivity", {"elapsedSeconds": 1})

    def test_four_gigabytes_announced(self):
        with SocketServer("--quiet") as server, server.client() as bystander:
            bystander.invoke("PW", "startLiveActivity", {"elapsedSeconds": 1})
            before = server.resident_bytes
            raws = [server.raw() for _ in range(20)]
            for raw in raws:
                raw.write(HELLO + head(0xffff_ffff, 2, 0, 2, 1) + b"PW" + bytes(6) + bytes(50_000))
            for raw in raws:
                found = raw.frames_until(lambda found: len(found) > 1)
                self.assertEqual(found[1].fields["code"], "payload-too-long")
                self.assertEqual(found[1].id, 1)
            # And within the cap: 16 MiB announced, a few bytes sent.
            for _ in range(20):
                raw = server.raw()
                raw.write(HELLO + head(16 << 20, 2, 0, 2, 1) + b"PW" + bytes(6) + bytes(1000))
                raw.frames_until(lambda found: found)
                raws.append(raw)
            bystander.invoke("PW", "updateLiveActivity", {"elapsedSeconds": 1})
            if not IS_SANITIZED:
                self.assertLess(server.resident_bytes - before, 32 << 20)
            for raw in raws:
                raw.close()

    @on_each_server("--quiet", "--fault", "PW: delay 1h", "--option", "clock=stepped",
                    "--drain", "0.1")
    def test_an_id_in_use(self, server):
        with server.raw() as raw:
            raw.write(HELLO + message(7) + message(8) + message(7))
            found = raw.frames_to_end()
            error = found[-1]
            self.assertEqual(error.kind, frames.ERROR)
            self.assertEqual((error.fields["code"], error.id), ("id-in-use", 7))

    @on_each_server("--quiet")
    def test_an_id_may_be_used_again_and_be_any_number(self, server):
        with server.raw() as raw:
            raw.write(HELLO + b"".join(map(message, (7, 7, 2**64 - 1, 2**63))))
            found = raw.frames_until(lambda found: len(replies(found)) == 4)
            self.assertEqual(
                [frame.id for frame in replies(found)], [7, 7, 2**64 - 1, 2**63])

    @on_each_server("--quiet")
    def test_answers_that_nobody_waits_for(self, server):
        with server.raw() as raw:
            raw.write(HELLO + frames.encode_frame(frames.Frame(3, id=5, payload=b"\0\0"))
                      + frames.encode_frame(frames.Frame(4, id=6))
                      + frames.encode_frame(frames.Frame(5, id=99)) + message(1))
            found = raw.frames_until(lambda found: len(found) == 4)
            self.assertEqual(
                [frame.fields["code"] for frame in found if frame.kind == frames.ERROR],
                ["id-unknown", "id-unknown"])
            self.assertNotIn("fatal", found[1].fields)
            self.assertEqual(found[-1].kind, frames.REPLY)

    @on_each_server("--quiet")
    def test_payloads_that_are_no_method_call(self, server):
        """What the codec refuses is an error that names the byte; the connection goes on."""
        with server.client() as client:
            for payload in (b"\x07\x05st", b"\xff", b"\x0d\xff\xff\xff\xff\xff",
                            b"\x07\x01x\x0c\xfe\xff\xff", START + b"\0"):
                with self.subTest(payload):
                    call = client.send_async("PW", payload)
                    self.assertEqual(self.outcome_of(call), ("refused", "message-malformed"))
            self.assertIsNone(client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 1}))

    def test_half_a_frame(self):
        data = HELLO + message(1)
        for cut in (1, 3, 4, 15, 16, 20, len(HELLO) - 1, len(HELLO) + 1, len(HELLO) + 17,
                    len(data) - 1):
            with self.subTest(cut), StdioServer("--quiet").raw() as raw:
                raw.write(data[:cut])
                raw.end_writing()
                error = raw.frames_to_end()[-1]
                self.assertEqual(error.fields["code"], "frame-incomplete")
                self.assertEqual(raw.wait(), 1)
                self.assertIn("inside a frame", raw.complaints.text)

    def test_byte_by_byte(self):
        with StdioServer("--quiet").raw() as raw:
            for byte in HELLO + message(1) + frames.encode_frame(frames.Frame(frames.BYE)):
                raw.write(bytes([byte]))
            kinds = [frame.kind for frame in raw.frames_to_end()]
            self.assertEqual(kinds, [frames.HELLO, frames.REPLY, frames.BYE])
            self.assertEqual(raw.wait(), 0)


if __name__ == "__main__":
    main()
