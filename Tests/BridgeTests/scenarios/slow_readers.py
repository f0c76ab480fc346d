"""Clients that take nothing in: the others go on, and the server's memory has a bound."""

import contextlib
import time

from support.harness import IS_SANITIZED, Scenario, SocketServer, frames, main

LARGE = 20_000


def replies(found):
    return sum(frame.kind == frames.REPLY for frame in found)


class SlowReaders(Scenario):
    def fill(self, raw, request, count):
        """Writes as many requests as the server takes, without reading a byte."""
        raw.socket.settimeout(0.3)
        sent = 0
        with contextlib.suppress(TimeoutError, BrokenPipeError, ConnectionResetError):
            for id in range(1, count):
                raw.write(request(id))
                sent += 1
        return sent

    def test_replies_that_nobody_takes(self):
        fault = f"big: corrupt {'ab' * LARGE}"
        with SocketServer("--quiet") as server:
            with server.client() as bystander:
                bystander.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
                with server.raw() as slow:
                    slow.greet()
                    slow.call(1, "faults.add", {"rule": fault}, channel="pwbridge/control")
                    slow.frames_until(lambda found: len(found) == 2)
                    # Each of these small messages would be answered with a large one.
                    sent = self.fill(
                        slow,
                        lambda id: frames.encode_frame(
                            frames.Frame(frames.MESSAGE, channel="big", id=id + 1)), 100_000)
                    # 100,000 answers would be 2 GB. What waits is a fraction of that, since
                    # reading stops (pausing at 1 MiB) long before.
                    if not IS_SANITIZED:
                        self.assertLess(server.resident_bytes, 120 << 20)
                    for second in range(1, 20):
                        self.assertIsNone(bystander.invoke(
                            "PW", "updateLiveActivity", {"elapsedSeconds": second}))
                    self.assertGreater(sent, 0)
                # The slow one has gone without a word; nobody minds.
                self.assertIsNone(bystander.invoke(
                    "PW", "updateLiveActivity", {"elapsedSeconds": 20}))

    def test_reading_goes_on_where_it_stopped(self):
        """Whoever reads late gets everything, in order."""
        with SocketServer("--quiet") as server, server.raw() as slow:
            slow.greet()
            slow.call(1, "faults.add", {"rule": f"big: corrupt {'ab' * LARGE}"},
                      channel="pwbridge/control")
            slow.frames_until(lambda found: len(found) == 2)
            # More than the server lets wait before it stops reading.
            count = 80
            for id in range(1, count + 1):
                slow.send(frames.MESSAGE, channel="big", id=id)
            time.sleep(0.3)
            found = [frame for frame in slow.frames_until(lambda found: replies(found) > count)
                     if frame.kind == frames.REPLY][1:]
            self.assertEqual([frame.id for frame in found], list(range(1, count + 1)))
            self.assertEqual({len(frame.payload) for frame in found}, {LARGE})

    def test_a_client_that_says_nothing(self):
        with SocketServer("--quiet") as server:
            silent = [server.raw() for _ in range(20)]
            with server.client() as client:
                self.assertIsNone(client.invoke("PW", "startLiveActivity", {}))
            # They do not hold up the end either (asserted by leaving the server).
            self.assertEqual(server.stop(), 0)
            for raw in silent:
                raw.close()


if __name__ == "__main__":
    main()
