"""Good conversations with random damage: always an end that can be read, never a crash."""

import random

from support.harness import Scenario, SocketServer, codec, frames, main

STREAMS = 500


def conversation(dice):
    parts = [frames.hello_frame(options={"clock": "stepped"} if dice.random() < 0.2 else None)]
    for id in range(1, dice.randrange(2, 8)):
        method, arguments = dice.choice([
            ("startLiveActivity", {"elapsedSeconds": id}), ("updateLiveActivity", None),
            ("stopLiveActivity", [1, "two", {"three": 4.0}]), ("help", None),
            ("sendEvent", {"channel": "pushwoosh/receive", "event": b"12345"}),
            ("faults.add", {"rule": "PW: no-reply"}), ("deliverPush", {"payload": "{"}),
            ("clock.advance", {"by": "9h"}), ("invokeDart", {"channel": "x", "method": "y"}),
        ])
        channel = dice.choice(["PW", "pwbridge/control", "pwbridge/control", "pushwoosh", "other"])
        parts.append(frames.Frame(
            frames.MESSAGE, channel=channel, id=dice.choice([id, id, 0]),
            payload=codec.encode_call(method, arguments)))
        if dice.random() < 0.3:
            parts.append(frames.Frame(
                dice.choice([frames.REPLY, frames.DROPPED, frames.CANCEL]), id=id))
    if dice.random() < 0.5:
        parts.append(frames.Frame(frames.BYE))
    return bytearray(b"".join(map(frames.encode_frame, parts)))


def damage(data, dice):
    for _ in range(dice.choice([0, 1, 1, 1, 2, 5])):
        position = dice.randrange(len(data))
        action = dice.randrange(6)
        if action == 0:
            data[position] ^= 1 << dice.randrange(8)
        elif action == 1:
            data[position] = dice.choice([0, 1, 0x7f, 0x80, 0xfe, 0xff])
        elif action == 2:
            del data[position:position + dice.randrange(1, 24)]
        elif action == 3:
            data[position:position] = dice.randbytes(dice.randrange(1, 24))
        elif action == 4:
            del data[position:]
        else:
            data += data[:position]
        if not data:
            data += b"\0"
    return bytes(data)


class RandomStreams(Scenario):
    def test_damaged_streams(self):
        seed = random.SystemRandom().randrange(1 << 32)
        print(f"seed {seed}", flush=True)
        dice = random.Random(seed)
        with SocketServer("--quiet", "--drain", "0.05") as server, \
                server.client() as bystander:
            for number in range(STREAMS):
                data = damage(conversation(dice), dice)
                with self.subTest(number, seed=seed, data=data.hex()), server.raw() as raw:
                    try:
                        for start in range(0, len(data), size := dice.choice([7, 64, 4096])):
                            raw.write(data[start:start + size])
                        raw.end_writing()
                    except OSError:
                        # Refused already; why must still be there to be read.
                        pass
                    found = raw.frames_to_end()
                    self.assertEqual(found[0].kind, frames.HELLO)
                    last = found[-1]
                    if last.kind == frames.ERROR:
                        self.assertEqual(last.fields["fatal"], "true")
                    else:
                        self.assertEqual(last.kind, frames.BYE)
                if number % 10 == 0:
                    self.assertIsNone(bystander.invoke("PW", "startLiveActivity", {}) if number == 0
                                      else bystander.invoke("PW", "updateLiveActivity", {}))
            self.assertIsNone(server.process.poll())


if __name__ == "__main__":
    main()
