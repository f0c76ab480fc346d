#!/usr/bin/env python3
"""Makes the transcripts by letting the Python client talk to `pwbridge`, which must be on the path.

    generate.py            writes the files
    generate.py --check    compares them with what server and client say now
"""

import sys

from transcript import (
    FOLDER, Transcript, bridge, check_client, check_server, codec, frames, record,
)

STEPPED = ["--option", "clock=stepped", "--option", "start-time=1000"]


def outcome(call):
    try:
        return call.result()
    except (bridge.PlatformException, bridge.MissingPluginException, bridge.Dropped,
            bridge.FrameErrorReply) as error:
        return error


def control(client, method, **arguments):
    return client.invoke("pwbridge/control", method, arguments)


def stopwatch(client):
    client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
    for second in range(1, 61):
        client.invoke("PW", "updateLiveActivity", {"elapsedSeconds": second})
    client.invoke("PW", "stopLiveActivity")
    client.close()


def silences(client):
    for method, arguments in (
            ("startLiveActivity", {"elapsedSeconds": 0}),
            ("updateLiveActivity", {"elapsedSeconds": 1}), ("stopLiveActivity", None)):
        outcome(client.call_async("PW", method, arguments))
    client.close()


def out_of_order(client):
    client.invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
    first, second, third, fourth = [
        client.call_async("PW", "updateLiveActivity", {"elapsedSeconds": second})
        for second in range(1, 5)]
    third.result()
    outcome(fourth)
    control(client, "clock.advance", by="1s")
    second.result()
    # Asked to be cancelled, it is answered all the same, and without the rest of its delay.
    first.cancel()
    first.result()
    client.close()


def errors(client):
    def call(method, arguments=None, channel="PW"):
        return outcome(client.call_async(channel, method, arguments))

    call("startLiveActivity", [7])
    call("updateLiveActivity", {"elapsedSeconds": 7, 1: "x"})
    call("updateLiveActivity", {"elapsedSeconds": 7})
    call("StartLiveActivity")
    call("startLiveActivity", {"elapsedSeconds": 0}, channel="nobody")
    control(client, "setAuthorization", enabled=False)
    call("startLiveActivity", {"elapsedSeconds": 0})
    call("clock.advance", {"bye": 1}, channel="pwbridge/control")
    outcome(client.send_async("PW", b"\x07\x04stop\xfe"))
    outcome(client.send_async("PW", b""))
    outcome(client.send_async("PW", None))
    outcome(client.send_async("PW", bytes(1001)))
    # An answer that nobody waits for.
    client._send(frames.Frame(frames.REPLY, id=99, payload=b"\0\0"))
    client.wait_for(lambda: client.errors)
    # The end: a kind that nobody knows and that is not flagged optional.
    client._send(frames.Frame(77, payload=b""))
    try:
        client.wait_for(lambda: False)
    except bridge.FrameErrorReply:
        client.abandon()


def native(client):
    got = []

    def handler(method, arguments):
        if method == "double":
            return arguments * 2
        if method == "fail":
            raise bridge.PlatformException("E1", "no", {"n": 1})
        raise bridge.MissingPluginException

    def invoke(method, arguments=None):
        return client.call_async("pwbridge/control", "invokeDart", {
            "channel": "app", "method": method, "arguments": arguments})

    # Nobody listens yet: the newer of two is kept, the older answered without payload.
    older = invoke("double", 20)
    newer = invoke("double", 21)
    older.result()
    client.set_method_call_handler("app", handler)
    newer.result()
    invoke("fail").result()
    invoke("other").result()
    # A stream of events.
    client.set_message_handler("pushwoosh/receive", got.append)
    client.invoke("pushwoosh/receive", "listen")
    for event in (1, "two", None):
        control(client, "sendEvent", channel="pushwoosh/receive", event=event)
    control(client, "sendEvent", channel="pushwoosh/receive",
            error={"code": "E2", "message": None, "details": None})
    control(client, "sendEvent", channel="pushwoosh/receive", end=True)
    client.wait_for(lambda: len(got) == 5)
    client.invoke("pushwoosh/receive", "cancel")
    outcome(client.call_async("pushwoosh/receive", "cancel"))
    # The native side sets the size of a buffer.
    client.invoke("pwbridge/control", "sendMessage", {
        "channel": "dev.flutter/channel-buffers",
        "message": codec.encode_call("resize", ["app", 3])})
    client.close()


def large_payload(client):
    client.set_message_handler("app", lambda payload: payload[:-1])
    control(client, "sendMessage", channel="app", message=b"\xa5" * 150_001)
    client.close()


TRANSCRIPTS = [
    ("stopwatch", "The guide's conversation: start, 60 updates, stop", stopwatch, []),
    ("silences", "The same methods in the guide's own code, which never answers", silences,
     ["--handler", "guide"]),
    ("out-of-order", "Replies out of order, a cancel, a call that is dropped, and log frames",
     out_of_order,
     [*STEPPED, "--fault", "PW.updateLiveActivity#1: delay 2s",
      "--fault", "PW.updateLiveActivity#2: delay 1s",
      "--fault", "PW.updateLiveActivity#4: no-reply"]),
    ("errors", "Error envelopes, not implemented, error frames about calls, and a fatal one",
     errors, [*STEPPED, "--max-payload", "1000"]),
    # Without a script: nothing comes after the hello.
    ("refused", "A hello that gives a device option a value that is none, and is refused", None,
     STEPPED, {"foreground": "a\nb"}),
    ("native", "Calls and events from native code, with and without a listener", native,
     STEPPED),
    ("large-payload", "Payloads of 150,000 bytes and more in both directions", large_payload,
     []),
]


def path_of(name):
    return FOLDER / f"{name}.jsonl"


def main():
    is_check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not is_check:
        sys.exit(__doc__)
    for name, about, script, arguments, *options in TRANSCRIPTS:
        path = path_of(name)
        if is_check:
            stored = Transcript.read(path)
            if stored.write() != path.read_text(encoding="utf-8"):
                sys.exit(f"{path.name}: the words do not go with the bytes")
            check_server(stored)
            check_client(stored, script)
        else:
            transcript = Transcript(name, about, arguments, options=options[0] if options else None)
            record(transcript, script)
            path.write_text(transcript.write(), encoding="utf-8")
        print(f"{path.name}: {len(Transcript.read(path).said)} frames", flush=True)


if __name__ == "__main__":
    main()
