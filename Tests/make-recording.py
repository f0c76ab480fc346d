#!/usr/bin/env python3
"""Writes a recording of made-up traffic, for measurements: make-recording.py BYTES FILE [SEED].

Small messages: calls of a stopwatch, of window and text plugins, events, replies that overtake each
other, a few errors, null replies and calls without an answer. BYTES may end in k, M or G.
"""
import random
import struct
import sys


def string(text):
    data = text.encode()
    return bytes([7, len(data)]) + data


def call(method, arguments):
    return (string(method) + arguments).hex()


def seconds(number):
    return bytes([13, 1]) + string("elapsedSeconds") + bytes([3]) + struct.pack("<i", number)


def main():
    unit = {"k": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    size = sys.argv[1]
    size = int(size[:-1]) * unit[size[-1]] if size[-1] in unit else int(size)
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    chance = random.Random(seed)
    to_native = [
        ("PW", call("startLiveActivity", seconds(0)), ["0000"], 3000),
        ("PW", call("stopLiveActivity", b"\0"), ["0000", None], 900),
        ("window_manager", call("isMaximized", b"\0"), ["0001", "0002"], 60),
        ("flutter/mousecursor", call("activateSystemCursor", bytes([13, 1]) + string("kind")
                                     + string("basic")), ["0000"], 80),
        ("flutter/textinput", b'{"method":"TextInput.show","args":null}'.hex(),
         [b"[null]".hex()], 40),
        ("shop", call("buy", bytes([12, 2, 3]) + struct.pack("<i", 7) + string("tea")),
         ["0000", "01" + (string("418") + string("no tea") + b"\0").hex()], 20000),
    ]
    to_native += [
        ("PW", call("updateLiveActivity", seconds(number)), ["0000"], 1500)
        for number in range(1, 60)
    ]
    events = [("player/events/%d" % player, "00" + (b"\x03" + struct.pack("<i", 40 * player)).hex())
              for player in range(8)]
    line = ('{"seq":%d,"t_us":%d,"dir":"%s","channel":"%s","id":%d,"kind":"%s","hex":%s}\n')
    written = sequence = time = identifier = 0
    waiting = []
    with open(sys.argv[2], "w", buffering=1 << 20) as file:
        while written < size:
            lines = []
            for _ in range(1000):
                time += chance.randrange(1, 90)
                while waiting and waiting[0][0] <= time:
                    due, channel, number, reply = waiting.pop(0)
                    payload = "null" if reply is None else '"%s"' % reply
                    lines.append(line % (sequence, max(due, time), "native->dart", channel, number,
                                         "reply", payload))
                    sequence += 1
                if chance.random() < 0.1:
                    channel, event = events[chance.randrange(len(events))]
                    lines.append(line % (sequence, time, "native->dart", channel, identifier,
                                         "message", '"%s"' % event))
                else:
                    channel, message, replies, delay = to_native[chance.randrange(len(to_native))]
                    lines.append(line % (sequence, time, "dart->native", channel, identifier,
                                         "message", '"%s"' % message))
                    if chance.random() < 0.9999:
                        reply = replies[-1] if chance.random() < 0.02 else replies[0]
                        due = time + int(delay * (0.5 + chance.random()))
                        place = len(waiting)
                        while place > 0 and waiting[place - 1][0] > due:
                            place -= 1
                        waiting.insert(place, (due, channel, identifier, reply))
                sequence += 1
                identifier += 1
            text = "".join(lines)
            file.write(text)
            written += len(text)


main()
