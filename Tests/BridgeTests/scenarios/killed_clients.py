"""Clients that are killed in the middle of something: the server and its other clients go on."""

import os
import signal
import subprocess
import sys

from support.harness import Scenario, SocketServer, codec, eventually, frames, main

HELLO = frames.encode_frame(frames.hello_frame())
CALL = frames.encode_frame(frames.Frame(
    frames.MESSAGE, channel="PW", id=1,
    payload=codec.encode_call("startLiveActivity", {"elapsedSeconds": 1})))

# Connects to a path, sends the bytes given, says so and waits to be killed.
VICTIM = """
import socket, sys, time
connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
connection.connect(sys.argv[1])
connection.sendall(bytes.fromhex(sys.argv[2]))
print("sent", flush=True)
time.sleep(60)
"""


class KilledClients(Scenario):
    def kill_after(self, server, data):
        victim = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", VICTIM, server.path, data.hex()],
            stdout=subprocess.PIPE)
        try:
            self.assertEqual(victim.stdout.readline(), b"sent\n")
        finally:
            victim.send_signal(signal.SIGKILL)
            victim.wait()
            victim.stdout.close()

    def test_killed_in_the_middle_of_frames(self):
        data = HELLO + CALL
        cuts = (0, 1, 15, 16, len(HELLO) - 1, len(HELLO), len(HELLO) + 1, len(HELLO) + 16,
                len(HELLO) + 23, len(data) - 1, len(data))
        with SocketServer("--log", "text") as server, server.client() as bystander:
            bystander.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
            for turn, cut in enumerate(cuts):
                self.kill_after(server, data[:cut])
                self.assertIsNone(bystander.invoke(
                    "PW", "updateLiveActivity", {"elapsedSeconds": turn}))
            server.complaints.wait_for("frame-incomplete")
            self.descriptors_are_given_back(server, 1)

    def test_killed_in_the_middle_of_calls(self):
        with SocketServer("--log", "text", "--fault", "PW.startLiveActivity: delay 1h",
                          "--option", "clock=stepped") as server, \
                server.client(device="d") as bystander:
            hello = frames.encode_frame(frames.hello_frame(device="d"))
            for _ in range(5):
                self.kill_after(server, hello + CALL)
            server.complaints.wait_for("never answered: PW startLiveActivity")
            # The calls had their effects, and the replies go nowhere.
            eventually(
                lambda: len(self.control(bystander, "activities")) == 5, "five activities")
            self.control(bystander, "clock.advance", by="1h")
            self.descriptors_are_given_back(server, 1)

    def test_killed_while_much_is_on_its_way(self):
        call = codec.encode_call("journal", {"control": True})
        flood = b"".join(frames.encode_frame(frames.Frame(
            frames.MESSAGE, channel="pwbridge/control", id=id, payload=call))
            for id in range(1, 300))
        with SocketServer("--quiet") as server, server.client() as bystander:
            for _ in range(3):
                self.kill_after(server, HELLO + flood)
                self.assertIsNone(bystander.invoke("PW", "startLiveActivity", {}))
            self.descriptors_are_given_back(server, 1)

    def descriptors_are_given_back(self, server, clients):
        """Standard streams, loop, socket, lock and clients; nobody who has gone."""
        if os.path.isdir(f"/proc/{server.process.pid}/fd"):
            eventually(lambda: server.open_sockets == clients + 1, "no client but the bystander")


if __name__ == "__main__":
    main()
