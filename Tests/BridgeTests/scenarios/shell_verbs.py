"""exec, call and state, as they are used from a shell."""

import json
import os
import signal
import subprocess
import sys
import time

from support.harness import (
    PATIENCE, REPOSITORY, Scenario, SocketServer, eventually, main, run, scratch_folder,
    start,
)

CLIENT = """
import sys
sys.path.insert(0, sys.argv[1])
import pwbridge_client as bridge
with bridge.connect() as client:
    client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
    for method, arguments in (("updateLiveActivity", None), ("nothing", None)):
        try:
            client.invoke("PW", method, arguments)
        except Exception as error:
            print(type(error).__name__)
"""


class Exec(Scenario):
    def run_exec(self, *arguments, code=0):
        result = run("exec", *arguments)
        self.assertEqual(result.returncode, code, result.err)
        return result

    def test_a_client_finds_its_server(self):
        path = str(REPOSITORY / "Protocol" / "clients" / "python")
        result = self.run_exec("--", sys.executable, "-c", CLIENT, path)
        self.assertEqual(result.out, "PlatformException\nMissingPluginException\n")
        lines = result.err.splitlines()
        self.assertEqual(lines[0], "pwbridge: 3 calls, 1 error, 1 not implemented")
        self.assertIn("PW updateLiveActivity", lines[1])
        self.assertIn("PW nothing", lines[2])

    def test_exit_codes(self):
        self.run_exec("--", "sh", "-c", "exit 0")
        self.run_exec("--", "sh", "-c", "exit 7", code=7)
        self.run_exec("--", "sh", "-c", "kill -9 $$", code=128 + 9)
        self.assertIn(
            "No such file or directory", self.run_exec("--", "no-such-command", code=127).err)
        plain = f"{scratch_folder()}/plain"
        with open(plain, "w"):
            pass
        self.run_exec("--", plain, code=126)
        self.run_exec(code=2)
        # A flag of the command stays the command's.
        self.assertEqual(self.run_exec("--", "printf", "%s", "--strict").out, "--strict")

    def test_strict(self):
        script = "pwbridge call PW stopLiveActivity; exit $0"
        guide = ("--handler", "guide")
        self.run_exec(*guide, "--", "sh", "-c", script, "0")
        result = self.run_exec("--strict", *guide, "--", "sh", "-c", script, "0", code=1)
        self.assertIn("pwbridge: 1 call, 1 dropped", result.err)
        # The command's own failure comes first.
        self.run_exec("--strict", *guide, "--", "sh", "-c", script, "5", code=5)
        self.run_exec("--strict", "--", "pwbridge", "call", "PW", "startLiveActivity", "{}")

    def test_standard_streams_are_the_commands(self):
        result = run("exec", "--", "sh", "-c", "cat; echo err >&2", input=b"through")
        self.assertEqual(result.out, "through")
        self.assertTrue(result.err.startswith("err\n"), result.err)

    def test_the_socket_is_private_and_gone_afterwards(self):
        script = 'echo "$PWBRIDGE_SOCKET"; ls -ld "$PWBRIDGE_SOCKET" "${PWBRIDGE_SOCKET%/*}"'
        path, *listing = self.run_exec("--", "sh", "-c", script).out.splitlines()
        self.assertEqual([line[:10] for line in sorted(listing)], ["drwx------", "srw-------"])
        self.assertFalse(os.path.lexists(os.path.dirname(path)))

    def test_signals_are_passed_on(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number):
                folder = scratch_folder()
                script = (f"trap 'echo got; exit 9' {number.name[3:]}; touch {folder}/ready; "
                          "while :; do sleep 0.05; done")
                process = start("exec", "--", "sh", "-c", script, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                eventually(lambda: os.path.exists(f"{folder}/ready"), "the command's start")
                process.send_signal(number)
                self.assertEqual(process.wait(PATIENCE), 9)
                self.assertEqual(process.stdout.read(), b"got\n")
                process.stdout.close()

    def test_two_at_once_do_not_meet(self):
        script = ("pwbridge call -d x PW startLiveActivity '{}' && sleep 0.3 && "
                  "pwbridge state -d x --json")
        both = [start("exec", "--", "sh", "-c", script, stdout=subprocess.PIPE,
                      stderr=subprocess.DEVNULL) for _ in range(2)]
        for process in both:
            output = process.communicate(timeout=PATIENCE)[0]
            self.assertEqual(process.returncode, 0)
            self.assertEqual(output.count(b'"active"'), 1, output)


class CallAndState(Scenario):
    def test_over_a_socket(self):
        with SocketServer("--quiet") as server:
            environment = {"PWBRIDGE_SOCKET": server.path}

            def call(*arguments, code=0):
                result = run("call", "--plain", *arguments, environment=environment)
                self.assertEqual(result.returncode, code, result.err)
                return result

            self.assertEqual(run(
                "state", "-s", server.path, "-d", "phone").out, "no activities\n")
            self.assertEqual(
                call("-d", "phone", "PW", "startLiveActivity", '{"elapsedSeconds":65}').out,
                "null\n")
            result = run("state", "--device", "phone", "--json", environment=environment)
            activity = self.only(json.loads(result.out))
            self.assertIn("active", json.dumps(activity))
            text = run("state", "-d", "phone", environment=environment).out
            self.assertIn("active", text)
            self.assertIn("65", text)
            failed = call("-d", "phone", "PW", "updateLiveActivity", "[1]", code=1)
            self.assertEqual(json.loads(failed.out)["error"]["code"], "418")
            self.assertIn("did you mean", call("PW", "startLiveActivty", code=1).err)
            # Typed JSON both ways.
            result = run("call", "pwbridge/control", "clock.advance", '{"by":{"float64":1}}',
                         environment=environment)
            self.assertIn('"int64"', result.out)
            # A JSON call.
            self.assertEqual(call("-c", "json", "nobody", "m", code=1).out, "")

    def test_several_calls_to_one_device(self):
        lines = (b"# a stopwatch\n\nPW startLiveActivity {\"elapsedSeconds\":0}\n"
                 b"PW updateLiveActivity {\"elapsedSeconds\":1}\nPW stopLiveActivity\n")
        result = run("call", "--plain", "-", input=lines)
        self.assertEqual((result.returncode, result.out), (0, "null\n" * 3), result.err)
        result = run("call", "-", input=b"PW stopLiveActivity\nPW x {\nPW startLiveActivity {}\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("line 2", result.err)
        # The calls around a line that makes no sense are made.
        self.assertEqual(len(result.out.splitlines()), 2)

    def test_without_a_server(self):
        result = run("call", "PW", "startLiveActivity", '{"elapsedSeconds":0}')
        self.assertEqual((result.returncode, result.out), (0, '{"null":null}\n'))
        result = run("call", "--handler", "guide", "PW", "stopLiveActivity")
        self.assertEqual(result.returncode, 1)
        self.assertIn("dropped", result.err)
        for verb in (("call", "PW", "x"), ("state",)):
            result = run(verb[0], "--socket", "/nowhere/socket", *verb[1:])
            self.assertEqual(result.returncode, 2)
            self.assertIn("/nowhere/socket", result.err)

    def test_a_server_that_does_not_answer(self):
        with SocketServer("--quiet", "--fault", "PW: delay 1h", "--option", "clock=stepped",
                          "--drain", "0.1") as server:
            begin = time.monotonic()
            result = run("call", "-s", server.path, "--timeout", "0.5", "PW", "stopLiveActivity")
            self.assertEqual(result.returncode, 1)
            self.assertIn("0.5", result.err)
            self.assertGreaterEqual(time.monotonic() - begin, 0.5)


if __name__ == "__main__":
    main()
