"""Many clients in one process: prepared frames, one epoll, every answer checked."""

import collections
import contextlib
import select
import socket
import struct
import time

from support.harness import codec, frames

HEAD = frames.HEAD
HELLO = frames.encode_frame(frames.hello_frame(capabilities=()))
BYE = frames.encode_frame(frames.Frame(frames.BYE))
SUCCESS = codec.encode_success(None)

# The number is the end of this payload, so that a call is a head, these bytes and four more.
_PAYLOAD = codec.encode_call("updateLiveActivity", {"elapsedSeconds": 0x7A7A7A7A})
_CHANNEL = b"PW\0\0\0\0\0\0"
_PADDING = bytes(-len(_PAYLOAD) % 8)
assert _PAYLOAD.endswith(b"zzzz")
_NUMBER = struct.Struct("<i")


def update(id, seconds):
    """The frame of a call of updateLiveActivity."""
    return b"".join((HEAD.pack(len(_PAYLOAD), frames.MESSAGE, 0, 2, id), _CHANNEL, _PAYLOAD[:-4],
                     _NUMBER.pack(seconds), _PADDING))


def call(id, method, arguments=None, channel="PW"):
    """The frame of any other call."""
    return frames.encode_frame(frames.Frame(
        frames.MESSAGE, channel=channel, id=id, payload=codec.encode_call(method, arguments)))


class Member:
    """One client. Subclasses say what is sent and look at what comes."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.socket.setblocking(False)
        self.out = bytearray(HELLO)
        self.rest = b""
        self.open = collections.OrderedDict()
        """What is expected for each id that was sent, in the order of sending."""
        self.has_ended = False
        self.saw_bye = False
        self.events = 0

    def refill(self):
        """Puts more calls into `out`, if there are to be any."""

    def answer(self, kind, flags, id, payload):
        """Looks at a frame that came."""

    def receive(self):
        """Takes in all that has come."""
        while not self.has_ended:
            try:
                data = self.socket.recv(1 << 18)
            except BlockingIOError:
                return
            except ConnectionResetError:
                data = b""
            if not data:
                self.has_ended = True
                return
            self._cut(self.rest + data if self.rest else data)

    def _cut(self, data):
        position = 0
        left = len(data)
        while left - position >= 16:
            length, kind, flags, name, id = HEAD.unpack_from(data, position)
            start = position + 16 + (name + 7 & ~7)
            end = start + (length + 7 & ~7)
            if end > left:
                break
            self.answer(kind, flags, id, data[start:start + length])
            position = end
        self.rest = data[position:]

    def transmit(self):
        """Sends what the system takes."""
        try:
            sent = self.socket.send(self.out)
        except BlockingIOError:
            return
        except (BrokenPipeError, ConnectionResetError):
            self.out.clear()
            return
        del self.out[:sent]

    def close(self):
        self.socket.close()


class Crowd:
    """Runs members until each says that it is done or has ended."""

    def __init__(self, members):
        self.members = members

    def run(self, is_done, limit, each_round=lambda: None):
        """Returns the seconds that it took; a crowd that is not done in time is an error."""
        begin = time.monotonic()
        waiting = {member.socket.fileno(): member for member in self.members}
        with contextlib.closing(select.epoll()) as poll:
            for descriptor, member in waiting.items():
                member.events = select.EPOLLIN | select.EPOLLOUT
                poll.register(descriptor, member.events)
            while waiting:
                each_round()
                if time.monotonic() - begin > limit:
                    raise AssertionError(
                        f"{len(waiting)} of {len(self.members)} clients not done in {limit} s")
                for descriptor, events in poll.poll(0.1, 256):
                    member = waiting.get(descriptor)
                    if member is None:
                        continue
                    if events & ~select.EPOLLOUT:
                        member.receive()
                    member.refill()
                    if member.out:
                        member.transmit()
                    if member.has_ended or is_done(member):
                        poll.unregister(descriptor)
                        del waiting[descriptor]
                        continue
                    wanted = select.EPOLLIN | (select.EPOLLOUT if member.out else 0)
                    if wanted != member.events:
                        member.events = wanted
                        poll.modify(descriptor, wanted)
        return time.monotonic() - begin

    def close(self):
        for member in self.members:
            member.close()
