"""The shell commands of the client's README, run as a newcomer would."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import sources

PROGRAM = os.environ.get("PWBRIDGE")
# Run elsewhere: the build by CI, and the script by whoever runs this.
LEFT_OUT = (".ci/release", "Tests/dart-client.sh")


def commands():
    """The lines of the blocks that have no language."""
    found, language = [], None
    for line in (sources.CLIENT / "README.md").read_text(encoding="utf-8").splitlines():
        if line.strip().startswith("```"):
            language = line.strip()[3:] if language is None else None
        elif language == "":
            found.append(line)
    return found


class ReadmeTests(unittest.TestCase):
    def test_the_build_is_that_of_the_repository(self):
        build = commands()[0]
        text = (sources.PROTOCOL.parent / "README.md").read_text(encoding="utf-8")
        self.assertIn(f"    {build}\n", text)

    def test_paths(self):
        """Files and folders that the README names are there."""
        text = (sources.CLIENT / "README.md").read_text(encoding="utf-8")
        named = re.findall(r"`((?:Tests|\.\./\.\.|pwbridge\w*)/[\w./-]+)`", text)
        self.assertGreater(len(named), 8)
        for name in named:
            if name.startswith("pwbridge/receive"):
                continue
            base = sources.PROTOCOL.parent if name.startswith("Tests/") else sources.CLIENT
            if name != "pwbridge/control":
                self.assertTrue((base / name).exists(), name)

    @unittest.skipUnless(PROGRAM, "PWBRIDGE names no program")
    def test_commands(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "pwbridge").symlink_to(PROGRAM)
            # In place of Flutter's: calls the bridge as tests would.
            flutter = folder / "flutter"
            flutter.write_text("#!/bin/sh\ntest $# = 1 && pwbridge call PW stopLiveActivity; "
                               "test -S \"$PWBRIDGE_SOCKET\"\n")
            flutter.chmod(0o755)
            environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
            environment.pop("PWBRIDGE_SOCKET", None)

            def run(command):
                return subprocess.run(
                    ["sh", "-c", command], cwd=folder, env=environment, text=True, timeout=60,
                    stdin=subprocess.DEVNULL, capture_output=True, check=False)

            start = run("pwbridge exec --record session.jsonl -- "
                        "pwbridge call PW startLiveActivity '{\"elapsedSeconds\":0}'")
            self.assertEqual(start.returncode, 0, start.stderr)
            ran = 0
            for command in commands():
                if command.startswith(LEFT_OUT):
                    continue
                with self.subTest(command):
                    found = run(command)
                    self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
                    ran += 1
            self.assertEqual(ran, 5)


if __name__ == "__main__":
    unittest.main()
