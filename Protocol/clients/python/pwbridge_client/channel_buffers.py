"""Messages from native code that nobody listens to yet, as Flutter keeps them.

Flutter keeps one message for each channel until a listener comes, and drops the oldest when there
are more. The channel `dev.flutter/channel-buffers` changes how many; see section 4.4 of codec.md and
Flutter's lib/ui/channel_buffers.dart.
"""

from collections import deque

CONTROL_CHANNEL = "dev.flutter/channel-buffers"
DEFAULT_CAPACITY = 1


class ChannelBuffersError(Exception):
    """A control message that means nothing."""


class _Channel:
    def __init__(self):
        self.capacity = DEFAULT_CAPACITY
        self.waiting = deque()
        self.listener = None
        self.warns = True


class ChannelBuffers:
    """Brings messages to listeners, or keeps them until there is one.

    A listener is called with the payload and a function that answers, to be called once.
    """

    def __init__(self):
        self._channels = {}
        self.warnings = []

    def _channel(self, name):
        return self._channels.setdefault(name, _Channel())

    def push(self, name, payload, answer):
        """A message that has arrived."""
        channel = self._channel(name)
        if channel.listener is not None:
            channel.listener(payload, answer)
            return
        if channel.capacity <= 0:
            # Flutter throws the message away and never answers it.
            self._warn(channel, name)
            return
        while len(channel.waiting) >= channel.capacity:
            self._drop_oldest(channel, name)
        channel.waiting.append((payload, answer))

    def listen(self, name, listener):
        """Sets the listener (None takes it away) and hands it what has been kept."""
        channel = self._channel(name)
        channel.listener = listener
        while channel.waiting and channel.listener is not None:
            payload, answer = channel.waiting.popleft()
            channel.listener(payload, answer)

    def resize(self, name, capacity):
        channel = self._channel(name)
        channel.capacity = capacity
        while len(channel.waiting) > max(capacity, 0):
            self._drop_oldest(channel, name)

    def allow_overflow(self, name, allowed):
        self._channel(name).warns = not allowed

    def _drop_oldest(self, channel, name):
        _, answer = channel.waiting.popleft()
        answer(None)
        self._warn(channel, name)

    def _warn(self, channel, name):
        if channel.warns:
            self.warnings.append(f"a message on {name} was dropped: nobody listens")

    # Control messages

    def control(self, payload):
        """Obeys a message on CONTROL_CHANNEL."""
        data = payload or b""
        if data[:1] != b"\x07":
            self._legacy(data)
            return
        method, position = self._string(data, 0)
        if self._byte(data, position) != 12 or self._byte(data, position + 1) < 2:
            raise ChannelBuffersError("a list of two or more is expected")
        name, position = self._string(data, position + 2)
        kind = self._byte(data, position)
        if method == "resize":
            if kind != 3 or position + 5 > len(data):
                raise ChannelBuffersError("the capacity is an int32")
            self.resize(name, int.from_bytes(data[position + 1:position + 5], "little"))
        elif method == "overflow":
            if kind not in (1, 2):
                raise ChannelBuffersError("the second argument of overflow is a bool")
            self.allow_overflow(name, kind == 1)
        else:
            raise ChannelBuffersError(f"no method {method!r}")

    def _legacy(self, data):
        parts = data.decode("utf-8", "replace").split("\r")
        try:
            command, name, capacity = parts
            if command != "resize":
                raise ValueError
            self.resize(name, int(capacity))
        except ValueError:
            raise ChannelBuffersError(f"no control message: {parts!r}") from None

    @staticmethod
    def _byte(data, position):
        if position >= len(data):
            raise ChannelBuffersError("the control message is cut short")
        return data[position]

    def _string(self, data, position):
        if self._byte(data, position) != 7 or self._byte(data, position + 1) >= 254:
            raise ChannelBuffersError("a string of less than 254 bytes is expected")
        start = position + 2
        end = start + data[position + 1]
        if end > len(data):
            raise ChannelBuffersError("the control message is cut short")
        return data[start:end].decode("utf-8", "replace"), end
