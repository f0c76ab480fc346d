"""Ten thousand calls in flight: back pressure, order, and nothing lost."""

from support.harness import Scenario, codec, eventually, frames, main, on_each_server

CALLS = 10_000


class InFlight(Scenario):
    @on_each_server("--quiet", "--max-open-calls", "256")
    def test_ten_thousand_in_order(self, server):
        """Written as fast as the server takes them; the client reads while it writes."""
        with server.client() as client:
            self.assertEqual(client.hello["max-open-calls"], "256")
            client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
            order = []
            calls = []
            for number in range(CALLS):
                call = client.call_async("PW", "updateLiveActivity", {"elapsedSeconds": number})
                complete = call._complete

                def note(*arguments, number=number, complete=complete, **options):
                    order.append(number)
                    complete(*arguments, **options)

                call._complete = note
                calls.append(call)
            for call in calls:
                self.assertIsNone(call.result())
            self.assertEqual(order, list(range(CALLS)))
            activity = self.only(self.control(client, "activities"))
            self.assertEqual(activity["updates"], CALLS)
            self.assertEqual(activity["contentState"], {"elapsedTime": CALLS - 1})

    @on_each_server("--quiet", "--max-open-calls", "50", "--option", "clock=stepped",
                    "--fault", "PW.updateLiveActivity: delay 1h", "--drain", "0.1")
    def test_reading_stops_at_the_limit(self, server):
        """What is beyond the limit is not even looked at before something is answered."""
        with server.raw() as raw:
            raw.greet()
            raw.call(1, "startLiveActivity", {"elapsedSeconds": 0})
            for id in range(2, 62):
                raw.call(id, "updateLiveActivity", {"elapsedSeconds": id})
            # Behind fifty held calls nothing gets through, not even a control call.
            raw.call(1000, "clock.now", channel="pwbridge/control")
            raw.frames_until(lambda found: 1 in answered(found))
            with self.assertRaisesRegex(AssertionError, "nothing came"):
                while True:
                    raw.take(raw.read_some(patience=0.3))
            self.assertEqual(answered(raw.frames), [1])
            if server.name == "stdio":
                raw.process.kill()

    @on_each_server("--quiet", "--max-open-calls", "50", "--option", "clock=stepped",
                    "--fault", "PW.updateLiveActivity: delay 1h", "--drain", "0.1")
    def test_a_client_that_goes_while_it_is_held_back(self, server):
        """Nobody reads what it sends, yet that it has gone is noticed."""
        with server.raw() as raw:
            raw.greet()
            for id in range(1, 61):
                raw.call(id, "updateLiveActivity", {"elapsedSeconds": id})
            raw.frames_until(lambda found: sum(frame.kind == frames.LOG for frame in found) >= 50)
            raw.close()
            if server.name == "stdio":
                raw.wait()
            else:
                eventually(
                    lambda: server.open_sockets == 1, "no socket but the one to listen on", 5)

    @on_each_server("--quiet", "--option", "clock=stepped",
                    "--fault", "PW.updateLiveActivity#%3: delay 10s",
                    "--fault", "PW.updateLiveActivity#%5: delay 25s")
    def test_out_of_order(self, server):
        """Delayed replies come when they are due; every one is told by its id."""
        with server.raw() as raw:
            raw.greet()
            raw.call(1, "startLiveActivity", {"elapsedSeconds": 0})
            for number in range(1, 31):
                raw.call(100 + number, "updateLiveActivity", {"elapsedSeconds": number})
            for id, by in ((201, "10s"), (202, "15s"), (203, "10s")):
                raw.call(id, "clock.advance", {"by": by}, channel="pwbridge/control")
            numbers = range(1, 31)
            plain = [100 + n for n in numbers if n % 3 and n % 5]
            third = [100 + n for n in numbers if not n % 3 and n % 5]
            fifth = [100 + n for n in numbers if n % 3 and not n % 5]
            both = [100 + n for n in numbers if not n % 3 and not n % 5]
            raw.frames_until(lambda found: len(answered(found)) == 34)
            order = answered(raw.frames)
            self.assertEqual(order[:1 + len(plain)], [1] + plain)
            rest = [id for id in order[1 + len(plain):] if id < 200]
            self.assertEqual(rest, third + fifth + both)

    @on_each_server("--quiet")
    def test_all_written_before_anything_is_read(self, server):
        """As many as the buffers hold: then every answer is there, in order."""
        with server.raw() as raw:
            raw.greet()
            count = 500
            payload = codec.encode_call("stopLiveActivity")
            raw.write(b"".join(
                frames.encode_frame(frames.Frame(
                    frames.MESSAGE, channel="PW", id=id, payload=payload))
                for id in range(1, count + 1)))
            raw.frames_until(lambda found: len(answered(found)) == count)
            self.assertEqual(answered(raw.frames), list(range(1, count + 1)))


def answered(found):
    return [frame.id for frame in found
            if frame.kind in (frames.REPLY, frames.DROPPED) or frame.kind == frames.ERROR]


if __name__ == "__main__":
    main()
