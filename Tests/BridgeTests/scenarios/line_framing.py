"""The text framing, as from a shell."""

import subprocess

from support.harness import PATIENCE, Scenario, codec, main, run, start

START = codec.encode_call("startLiveActivity", {"elapsedSeconds": 0}).hex()
STOP = codec.encode_call("stopLiveActivity").hex()


class LineFraming(Scenario):
    def lines(self, text, *arguments, code=0):
        result = run("serve", "--framing", "lines", "--quiet", *arguments, input=text.encode())
        self.assertEqual(result.returncode, code, result.err)
        self.complaint = result.err
        return result.out.splitlines()

    def test_replies_in_the_order_of_requests(self):
        self.assertEqual(
            self.lines(f"PW {START}\nPW {STOP.upper()}\nPW -\nnobody {START}\n"
                       'nobody ""\nnobody -\n"a \\"b\\"" 00 ff\n\n# nothing\n   \n')[:2],
            ["0000", "0000"])
        self.assertEqual(
            self.lines('nobody ""\nnobody -\n"a \\"b\\"" 00 ff\r\n'), ["-", "-", "-"])

    def test_from_a_shell(self):
        script = (
            "printf '%s\\n' \"PW $(pwbridge encode -c call "
            "'{\"method\":\"startLiveActivity\",\"args\":{\"elapsedSeconds\":7}}')\" "
            "| pwbridge serve --framing lines --quiet | pwbridge decode -c envelope -")
        result = subprocess.run(
            ["sh", "-c", script], stdout=subprocess.PIPE, timeout=PATIENCE, check=True)
        self.assertEqual(result.stdout, b'{"success":{"null":null}}\n')

    def test_refusals_name_line_and_column(self):
        replies = self.lines(
            f"PW\nPW 0\nPW 0x\nPW 00 zz\n\"open 00\nPW {START}\n< 00\n{'x' * 5000} 00\n")
        self.assertEqual(len(replies), 8)
        for number, reply in enumerate(replies, 1):
            with self.subTest(number):
                if number == 6:
                    self.assertEqual(reply, "0000")
                else:
                    self.assertTrue(reply.startswith("! "), reply)
                    self.assertIn(f"line {number}", reply)

    def test_dropped_and_refused(self):
        replies = self.lines(f"PW {STOP}\nPW ff\n", "--handler", "guide")
        self.assertTrue(replies[0].startswith("! dropped"), replies)
        self.assertTrue(replies[1].startswith("! message-malformed at byte 0"), replies)

    def test_the_last_line_needs_no_end(self):
        self.assertEqual(self.lines(f"PW {START}"), ["0000"])

    def test_a_payload_over_the_limit(self):
        replies = self.lines(f"nobody {'00' * 101}\nnobody {'00' * 100}\n", "--max-payload", "100")
        self.assertTrue(replies[0].startswith("! "), replies)
        self.assertEqual(replies[1:], ["-"])

    def test_delayed_replies_keep_their_places(self):
        replies = self.lines(
            f"PW {START}\nnobody -\n", "--fault", "PW.startLiveActivity: delay 200ms")
        self.assertEqual(replies, ["0000", "-"])

    def test_what_was_never_answered(self):
        hold = ("--fault", "PW.startLiveActivity: delay 1h", "--option", "clock=stepped",
                "--drain", "0.1")
        self.assertEqual(len(self.lines(f"PW {START}\n", *hold)), 1)
        self.assertIn("never answered: PW startLiveActivity", self.complaint)
        self.lines(f"PW {START}\n", *hold, "--strict", code=1)

    def test_a_conversation_with_native_code(self):
        """One line at a time, with a message from native code in between."""
        process = start("serve", "--framing", "lines", "--quiet", stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

        def say(line):
            process.stdin.write(line.encode() + b"\n")

        def hear():
            line = b""
            while not line.endswith(b"\n"):
                byte = process.stdout.read(1)
                if not byte:
                    break
                line += byte
            return line.decode().rstrip("\n")

        try:
            say(f"PW {START}")
            self.assertEqual(hear(), "0000")
            ask = codec.encode_call(
                "invokeDart", {"channel": "my app", "method": "m", "arguments": 7})
            say(f"pwbridge/control {ask.hex()}")
            self.assertEqual(hear(), f'> "my app" {codec.encode_call("m", 7).hex()}')
            say(f"< {codec.encode_success(8).hex()}")
            self.assertEqual(
                codec.decode_envelope(bytes.fromhex(hear())), {"outcome": "success", "value": 8})
        finally:
            process.stdin.close()
            self.assertEqual(process.wait(PATIENCE), 0)
            process.stdout.close()

    def test_nothing_reaches_the_terminal_raw(self):
        replies = self.lines('"a\\u001b[31m\\u0007" 00\nbad\x1b[31m\n')
        for text in replies + [self.complaint]:
            self.assertFalse(any(ord(c) < 32 and c != "\n" for c in text), text)


if __name__ == "__main__":
    main()
