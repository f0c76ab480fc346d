"""A synchronous client: calls, replies in any order, and messages from native code."""

import os
import select
import socket
import subprocess
import time

from . import codec, frames
from .channel_buffers import CONTROL_CHANNEL, ChannelBuffers, ChannelBuffersError

DEFAULT_TIMEOUT = 10.0


class BridgeError(Exception):
    """The connection is of no use any more."""


class MissingPluginException(Exception):
    """A reply without payload: nobody implements the method."""


class Dropped(Exception):
    """The handler let go of the reply; on a device the call would never complete."""


class FrameErrorReply(Exception):
    """An error frame in the place of a reply."""

    def __init__(self, fields):
        super().__init__(f"{fields.get('code')}: {fields.get('text')}")
        self.code = fields.get("code")
        self.text = fields.get("text")
        self.offset = int(fields["offset"]) if fields.get("offset", "").isdigit() else None
        self.is_fatal = fields.get("fatal") == "true"


class Call:
    """A message that was sent. `result()` waits for the answer."""

    def __init__(self, client, id, decode):
        self.id = id
        self._client = client
        self._decode = decode
        self._payload = None
        self._failure = None
        self._is_done = False

    def done(self):
        """Whether the answer is here; looks without waiting."""
        self._client.poll()
        return self._is_done

    def result(self, timeout=None):
        """The value, or an exception: PlatformException, MissingPluginException, Dropped,
        FrameErrorReply, TimeoutError, BridgeError."""
        self._client._run_until(lambda: self._is_done, timeout, f"no answer to message {self.id}")
        if self._failure is not None:
            raise self._failure
        return self._decode(self._payload)

    def cancel(self):
        """Says that the answer is no longer wanted. It comes all the same."""
        if not self._is_done:
            self._client._send(frames.Frame(frames.CANCEL, id=self.id))

    def _complete(self, payload=None, failure=None):
        self._payload = payload
        self._failure = failure
        self._is_done = True


class Client:
    """One connection. Make one with `connect` or `spawn`; use it with `with`.

    Not for several threads at once.
    """

    def __init__(self, read_descriptor, write_descriptor, *, device=None, options=None,
                 timeout=DEFAULT_TIMEOUT, close=None, max_payload=frames.MAX_PAYLOAD):
        self.timeout = timeout
        self.logs = []
        """(level, text, channel, id) of the log frames that came."""
        self.errors = []
        """FrameErrorReply of the errors that concern no call of this client."""
        self.buffers = ChannelBuffers()
        self.is_ended = False
        self._read = read_descriptor
        self._write = write_descriptor
        self._close = close
        self._reader = frames.FrameReader(max_payload=max_payload)
        self._calls = {}
        self._next_id = 1
        self._out = bytearray()
        self._failure = None
        self._said_bye = False
        self._poll = select.poll()
        self.hello = None
        """The fields of the server's hello."""
        os.set_blocking(read_descriptor, False)
        os.set_blocking(write_descriptor, False)
        self._send(frames.hello_frame(device, options, max_payload=max_payload))
        self._run_until(lambda: self.hello is not None, timeout, "no hello from the server")
        # A server that refuses says why right behind its hello.
        if self._failure is not None:
            raise self._failure

    # Calls

    def invoke(self, channel, method, arguments=None, timeout=None):
        """Calls a method with the standard method codec and returns its result."""
        return self.call_async(channel, method, arguments).result(timeout)

    def call_async(self, channel, method, arguments=None):
        """Sends a method call without waiting."""
        def decode(payload):
            if payload is None:
                text = f"No implementation found for method {method} on channel {channel}"
                raise MissingPluginException(text)
            return codec.decode_envelope(payload)
        return self.send_async(channel, codec.encode_call(method, arguments), decode)

    def send(self, channel, payload, timeout=None):
        """Sends bytes (None for no payload) and returns the bytes of the reply, or None."""
        return self.send_async(channel, payload).result(timeout)

    def send_async(self, channel, payload, decode=lambda payload: payload):
        call = Call(self, self._next_id, decode)
        self._next_id += 1
        self._calls[call.id] = call
        self._send(frames.Frame(frames.MESSAGE, channel=channel, id=call.id, payload=payload))
        return call

    def post(self, channel, payload):
        """Sends bytes and wants no reply."""
        self._send(frames.Frame(frames.MESSAGE, channel=channel, payload=payload))

    @property
    def open_calls(self):
        """The ids of messages that have no answer yet."""
        return list(self._calls)

    # Messages from native code

    def set_message_handler(self, channel, handler):
        """`handler(payload)` returns the reply's bytes or None; None as handler takes it away."""
        if handler is None:
            self.buffers.listen(channel, None)
        else:
            self.buffers.listen(channel, lambda payload, answer: answer(handler(payload)))

    def set_method_call_handler(self, channel, handler):
        """`handler(method, arguments)` returns the result, or raises PlatformException or
        MissingPluginException; any other exception becomes an error envelope, as in Dart."""
        def listener(payload, answer):
            answer(self._answer_call(handler, payload))
        self.buffers.listen(channel, None if handler is None else listener)

    @staticmethod
    def _answer_call(handler, payload):
        try:
            method, arguments = codec.decode_call(payload)
            return codec.encode_success(handler(method, arguments))
        except MissingPluginException:
            return None
        except codec.PlatformException as error:
            return codec.encode_error(error.code, error.message, error.details)
        except Exception as error:  # Whatever the handler raises is the caller's to see.
            return codec.encode_error("error", str(error))

    # Waiting

    def poll(self, timeout=0.0):
        """Takes in what has come, waiting at most so many seconds for something."""
        self._step(timeout)

    def wait_for(self, condition, timeout=None):
        """Takes in frames until `condition()` is true."""
        self._run_until(condition, timeout, "it did not come about")

    def close(self, timeout=None):
        """Says bye, takes in what is still answered, and closes."""
        try:
            if not self.is_ended and self._failure is None:
                self._say_bye()
                self._run_until(lambda: self.is_ended, timeout, "no end of the stream")
        finally:
            self.abandon()

    def _say_bye(self):
        if not self._said_bye:
            self._send(frames.Frame(frames.BYE))
            self._said_bye = True

    def abandon(self):
        """Closes without a word."""
        close, self._close = self._close, None
        self.is_ended = True
        if close is not None:
            close()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None:
            self.close()
        else:
            self.abandon()

    # Bytes

    def _send(self, frame):
        if self._failure is not None:
            raise self._failure
        if self.is_ended:
            raise BridgeError("the connection is closed")
        if self._said_bye and frame.kind == frames.MESSAGE:
            raise BridgeError("a bye was sent: no more messages can be")
        self._out += frames.encode_frame(frame)
        self._flush()
        # A server with too many open calls stops reading until its answers have been read.
        deadline = time.monotonic() + self.timeout
        while len(self._out) > 1 << 20:
            if time.monotonic() > deadline:
                raise TimeoutError("the server reads nothing")
            self._step(0.1)

    def _flush(self):
        while self._out:
            try:
                count = os.write(self._write, memoryview(self._out)[:1 << 16])
            except BlockingIOError:
                return
            except OSError:
                # What the server had to say may still be there to be read.
                self._out.clear()
                return
            del self._out[:count]

    def _step(self, timeout):
        if self.is_ended:
            return
        # select() is of no use above descriptor 1023.
        self._poll.register(self._read, select.POLLIN)
        if self._out:
            writes = select.POLLOUT
            both = writes | select.POLLIN if self._write == self._read else writes
            self._poll.register(self._write, both)
        ready = dict(self._poll.poll(max(timeout, 0) * 1000))
        if self._write != self._read and self._out:
            self._poll.unregister(self._write)
        self._flush()
        if ready.get(self._read, 0) & ~select.POLLOUT:
            self._receive()

    def _receive(self):
        try:
            data = os.read(self._read, 1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        try:
            if data:
                self._reader.feed(data)
                for frame in self._reader.frames():
                    self._take(frame)
                self._take_too_long()
            else:
                self.is_ended = True
                self._reader.finish()
        except frames.FrameError as error:
            self._fail(BridgeError(str(error)))
        if self.is_ended:
            self._fail(BridgeError("the server closed the connection"))

    def _take(self, frame):
        if frame.kind == frames.HELLO:
            self.hello = frame.fields
        elif frame.kind == frames.MESSAGE:
            self._take_message(frame)
        elif frame.kind in (frames.REPLY, frames.DROPPED):
            call = self._calls.pop(frame.id, None)
            if call is None:
                self.errors.append(FrameErrorReply(
                    {"code": "id-unknown", "text": f"an answer to {frame.id}, which is not open"}))
            elif frame.kind == frames.REPLY:
                call._complete(frame.payload)
            else:
                call._complete(failure=Dropped(f"message {frame.id} will never be answered"))
        elif frame.kind == frames.ERROR:
            self._take_error(frame)
        elif frame.kind == frames.BYE:
            self._say_bye()
        elif frame.kind == frames.LOG:
            fields = frame.fields
            self.logs.append(
                (fields.get("level"), fields.get("text"), frame.channel or None, frame.id))

    def _take_error(self, frame):
        failure = FrameErrorReply(frame.fields)
        call = self._calls.pop(frame.id, None)
        if call is not None:
            call._complete(failure=failure)
        else:
            self.errors.append(failure)
        if failure.is_fatal or self.hello is None:
            self._fail(failure)

    def _take_message(self, frame):
        def answer(payload):
            if frame.id and not self.is_ended:
                self._send(frames.Frame(frames.REPLY, id=frame.id, payload=payload))
        if frame.channel == CONTROL_CHANNEL:
            try:
                self.buffers.control(frame.payload)
            except ChannelBuffersError as error:
                self.buffers.warnings.append(str(error))
            answer(None)
        else:
            self.buffers.push(frame.channel, frame.payload, answer)

    def _take_too_long(self):
        for kind, id, length in self._reader.too_long:
            failure = FrameErrorReply(
                {"code": "payload-too-long", "text": f"a payload of {length} bytes"})
            call = self._calls.pop(id, None) if kind == frames.REPLY else None
            if call is not None:
                call._complete(failure=failure)
            else:
                self.errors.append(failure)
        self._reader.too_long.clear()

    def _fail(self, failure):
        if self._failure is None:
            self._failure = failure
        calls, self._calls = self._calls, {}
        for call in calls.values():
            call._complete(failure=failure)

    def _run_until(self, condition, timeout, text):
        deadline = time.monotonic() + (self.timeout if timeout is None else timeout)
        while not condition():
            if self._failure is not None:
                raise self._failure
            if self.is_ended:
                raise BridgeError("the connection is closed")
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(text)
            self._step(min(left, 1.0))


def _reach(connection, path, timeout):
    """Connects, and waits while the server has more clients to take in than the system holds."""
    deadline = time.monotonic() + timeout
    connection.settimeout(timeout)
    while True:
        try:
            return connection.connect(path)
        except BlockingIOError:
            # With a time limit a Unix socket says so at once instead of waiting.
            if time.monotonic() > deadline:
                raise TimeoutError("the server takes no clients in") from None
            time.sleep(0.005)


def connect(path=None, *, timeout=DEFAULT_TIMEOUT, **options):
    """Connects to the Unix socket `path`, or to the one in PWBRIDGE_SOCKET."""
    path = path or os.environ.get("PWBRIDGE_SOCKET")
    if not path:
        raise BridgeError("no socket: give a path or set PWBRIDGE_SOCKET")
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _reach(connection, path, timeout)
        descriptor = connection.fileno()
        return Client(descriptor, descriptor, timeout=timeout, close=connection.close, **options)
    except BaseException:
        connection.close()
        raise


def spawn(command=("pwbridge", "serve"), *, timeout=DEFAULT_TIMEOUT, stderr=None, **options):
    """Starts a server and talks to it over its stdin and stdout.

    The process is `client.process`; after `close` it has ended.
    """
    process = subprocess.Popen(
        list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, bufsize=0)

    def close():
        process.stdin.close()
        process.stdout.close()
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    try:
        client = Client(process.stdout.fileno(), process.stdin.fileno(), timeout=timeout,
                        close=close, **options)
    except BaseException:
        close()
        raise
    client.process = process
    return client
