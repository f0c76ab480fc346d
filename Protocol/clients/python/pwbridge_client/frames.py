"""Frames as ../../frames.md describes them: reading, writing, fields and hello."""

import struct

HELLO, MESSAGE, REPLY, DROPPED, CANCEL, ERROR, LOG, BYE = range(1, 9)
KIND_NAMES = {
    HELLO: "hello", MESSAGE: "message", REPLY: "reply", DROPPED: "dropped",
    CANCEL: "cancel", ERROR: "error", LOG: "log", BYE: "bye",
}
NO_PAYLOAD, OPTIONAL = 1, 2
HEAD = struct.Struct("<IBBHQ")
MAGIC = int.from_bytes(b"PWBRIDGE", "little")
MAX_PAYLOAD = 16 << 20
MAX_CHANNEL_NAME = 4096


class FrameError(Exception):
    """A stream that breaks the rules. `code` is one of the codes in frames.md."""

    def __init__(self, code, text, offset=None):
        where = "" if offset is None else f" at byte {offset}"
        super().__init__(f"{code}{where}: {text}")
        self.code = code
        self.text = text
        self.offset = offset


class Frame:
    """One frame. `payload` is None for no payload and b"" for an empty one."""

    __slots__ = ("kind", "flags", "channel", "id", "payload")

    def __init__(self, kind, *, flags=0, channel="", id=0, payload=None):
        self.kind = kind
        self.flags = flags | NO_PAYLOAD if payload is None else flags
        self.channel = channel
        self.id = id
        self.payload = payload

    @property
    def fields(self):
        """The fields of a hello, error, log or bye."""
        return parse_fields(self.payload or b"")

    def _parts(self):
        return self.kind, self.flags, self.channel, self.id, self.payload

    def __eq__(self, other):
        return isinstance(other, Frame) and self._parts() == other._parts()

    def __repr__(self):
        name = KIND_NAMES.get(self.kind, self.kind)
        return f"Frame({name}, id={self.id}, channel={self.channel!r}, payload={self.payload!r})"


def padded(length):
    return (length + 7) & ~7


def encode_frame(frame):
    """The bytes of a frame."""
    name = frame.channel.encode("utf-8")
    payload = frame.payload or b""
    head = HEAD.pack(len(payload), frame.kind, frame.flags, len(name), frame.id)
    return b"".join((
        head, name, bytes(padded(len(name)) - len(name)),
        payload, bytes(padded(len(payload)) - len(payload)),
    ))


def encode_fields(fields):
    """Fields from a dictionary or a list of pairs."""
    pairs = fields.items() if isinstance(fields, dict) else fields
    lines = []
    for name, value in pairs:
        text = str(value).replace("\\", "\\\\").replace("\n", "\\n")
        text = text.replace("\r", "\\r").replace("\0", "\\0")
        lines.append(f"{name}={text}\n")
    return "".join(lines).encode("utf-8")


_ESCAPES = {"n": "\n", "r": "\r", "0": "\0", "\\": "\\"}
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.")


def parse_fields(payload):
    """Fields as a dictionary; of a name that repeats, the last counts."""
    try:
        text = payload.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FrameError("fields-malformed", "not UTF-8", error.start) from None
    fields = {}
    if not text:
        return fields
    if not text.endswith("\n"):
        raise FrameError("fields-malformed", "the last line lacks its newline")
    for line in text[:-1].split("\n"):
        name, separator, value = line.partition("=")
        if not separator or not name or not _NAME_CHARACTERS.issuperset(name):
            raise FrameError("fields-malformed", f"no name=value: {line[:40]!r}")
        fields[name] = _unescape(value)
    return fields


def _unescape(value):
    if "\r" in value or "\0" in value:
        raise FrameError("fields-malformed", "a carriage return or NUL that is not escaped")
    if "\\" not in value:
        return value
    characters = []
    rest = iter(value)
    for character in rest:
        if character == "\\":
            character = _ESCAPES.get(next(rest, ""))
            if character is None:
                raise FrameError("fields-malformed", "after a backslash comes n, r, 0 or \\")
        characters.append(character)
    return "".join(characters)


def hello_frame(device=None, options=None, *, software="pwbridge_client (Python)",
                capabilities=("cancel", "log"), max_payload=MAX_PAYLOAD):
    """The hello of a client."""
    fields = [("version", 1), ("max-payload", max_payload),
              ("capabilities", ",".join(capabilities)), ("software", software)]
    if device:
        fields.append(("device", device))
    for name, value in (options or {}).items():
        fields.append((f"option.{name}", value))
    return Frame(HELLO, id=MAGIC, payload=encode_fields(fields))


class FrameReader:
    """Cuts a stream into frames. Feed it bytes as they come, then iterate over `frames()`."""

    def __init__(self, *, expects_hello=True, max_payload=MAX_PAYLOAD,
                 max_channel_name=MAX_CHANNEL_NAME):
        self.expects_hello = expects_hello
        self.max_payload = max_payload
        self.max_channel_name = max_channel_name
        self.too_long = []
        """Heads (kind, id, length) of frames over the limit; they are skipped."""
        self._buffer = bytearray()
        self._offset = 0
        self._skip = 0

    def feed(self, data):
        self._buffer += data

    def frames(self):
        """Yields the frames that are complete."""
        while True:
            if self._skip:
                count = min(self._skip, len(self._buffer))
                self._consume(count)
                self._skip -= count
                if self._skip:
                    return
            frame = self._next()
            if frame is None:
                return
            if frame is not _SKIPPED:
                yield frame

    def finish(self):
        """To be called at the end of the stream."""
        if self._buffer or self._skip:
            raise FrameError("frame-incomplete", "the stream ended inside a frame",
                             self._offset + len(self._buffer))

    def _consume(self, count):
        del self._buffer[:count]
        self._offset += count

    def _fail(self, code, text, position):
        raise FrameError(code, text, self._offset + position)

    def _next(self):
        buffer = self._buffer
        if self.expects_hello:
            if any(buffer[2:4]) or (len(buffer) >= 16 and buffer[4] == HELLO
                                    and buffer[8:16] != b"PWBRIDGE"):
                self._fail("not-a-frame", f"begins with {bytes(buffer[:24])!r}", 0)
        if len(buffer) < HEAD.size:
            return None
        length, kind, flags, name_length, id = HEAD.unpack_from(buffer)
        if self.expects_hello and kind not in (HELLO, ERROR):
            self._fail("hello-expected", f"the first frame is of kind {kind}", 4)
        start = HEAD.size + padded(name_length)
        size = start + padded(length)
        if kind not in KIND_NAMES:
            if kind == 0 or not flags & OPTIONAL:
                self._fail("unknown-kind", f"kind {kind} is not known", 4)
            self._skip = size
            return _SKIPPED
        self._check(length, kind, flags, name_length)
        if len(buffer) < start:
            return None
        name = bytes(buffer[HEAD.size:HEAD.size + name_length])
        try:
            channel = name.decode("utf-8")
        except UnicodeDecodeError:
            channel = "\0"
        if "\0" in channel:
            self._fail("channel-name-malformed", "a channel name is UTF-8 without NUL", HEAD.size)
        self._check_padding(HEAD.size + name_length, start)
        if length > self.max_payload:
            self.too_long.append((kind, id, length))
            self._skip = size
            return _SKIPPED
        if len(buffer) < size:
            return None
        self._check_padding(start + length, size)
        payload = bytes(buffer[start:start + length])
        if flags & NO_PAYLOAD or kind in (DROPPED, CANCEL):
            payload = None
        frame = Frame(kind, flags=flags, channel=channel, id=id, payload=payload)
        self._consume(size)
        self.expects_hello = False
        return frame

    def _check(self, length, kind, flags, name_length):
        if kind == HELLO and not self.expects_hello and self._offset:
            self._fail("hello-expected", "a second hello", 4)
        if flags & ~3:
            self._fail("reserved-flags", f"flags {flags:#04x}", 5)
        if name_length and kind not in (MESSAGE, LOG):
            self._fail("channel-name-unexpected", f"in a frame of kind {kind}", 6)
        if name_length > self.max_channel_name:
            self._fail("channel-name-too-long", f"{name_length} bytes", 6)
        if kind == MESSAGE and not name_length:
            self._fail("channel-name-missing", "a message without a channel name", 6)
        if length and (flags & NO_PAYLOAD or kind in (DROPPED, CANCEL)):
            self._fail("payload-unexpected", f"{length} bytes", 0)

    def _check_padding(self, start, end):
        if any(self._buffer[start:end]):
            self._fail("padding-not-zero", "a length field is wrong", start)


_SKIPPED = object()


def read_stream(data, **options):
    """All frames of a whole stream in memory, such as a stored conversation."""
    reader = FrameReader(**options)
    reader.feed(data)
    frames = list(reader.frames())
    reader.finish()
    return frames


def read_file(path, **options):
    """All frames of a file that holds one direction of a stream."""
    with open(path, "rb") as file:
        return read_stream(file.read(), **options)
