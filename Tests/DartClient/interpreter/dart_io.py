"""dart:io, as far as the client and its tests use it."""

import os
import pathlib
import selectors
import shutil
import socket
import subprocess
import tempfile

from .asynchrony import LOOP, Controller, Future, delayed, value_future
from .core import Statics, utf8_decode
from .model import CORE
from .values import Map, Native, Thrown, to_units
from .typed_data import TypedList

# Relative paths count from here: the folder of the package whose tests run.
folder = pathlib.Path.cwd()


class Problem(Native):
    """A FileSystemException, ProcessException or SocketException."""

    def __init__(self, kind, message):
        self.dart_types = (kind, "Exception", "IOException")
        self.message = message

    def __str__(self):
        return f"{self.dart_types[0]}: {self.message}"


class File(Native):
    dart_types = ("File", "FileSystemEntity")

    def __init__(self, path):
        self.path = str(path)
        self.real = folder / path

    def _text(self):
        return to_units(self.real.read_text(encoding="utf-8"))

    def readAsStringSync(self):
        return self._text()

    def readAsLinesSync(self):
        return self._text().splitlines()

    def openSync(self, mode):
        try:
            return RandomAccessFile(open(self.real, "wb", buffering=0))
        except OSError as error:
            raise Thrown(Problem("FileSystemException", str(error))) from None

    @property
    def uri(self):
        return Statics(pathSegments=list(self.real.parts))


class RandomAccessFile(Native):
    def __init__(self, file):
        self.file = file

    def _guarded(self, act):
        try:
            act()
        except (OSError, ValueError) as error:
            raise Thrown(Problem("FileSystemException", str(error))) from None

    def writeFromSync(self, data):
        self._guarded(lambda: self.file.write(bytes(data.raw())))

    def truncateSync(self, length):
        self._guarded(lambda: self.file.truncate(length))

    def closeSync(self):
        self._guarded(self.file.close)


class Directory(Native):
    dart_types = ("Directory", "FileSystemEntity")

    def __init__(self, path):
        self.path = str(path)
        self.real = folder / path

    def listSync(self):
        return [(Directory if entry.is_dir() else File)(entry)
                for entry in sorted(self.real.iterdir())]

    def createTempSync(self, prefix):
        return Directory(tempfile.mkdtemp(prefix=prefix, dir=self.real))

    def deleteSync(self, recursive=False):
        shutil.rmtree(self.real) if recursive else self.real.rmdir()


class Reader:
    """Brings what a descriptor has to say into a stream."""

    def __init__(self, descriptor, close=lambda: None):
        self.descriptor = descriptor
        self.close = close
        self.controller = Controller()
        os.set_blocking(descriptor, False)
        LOOP.selector.register(descriptor, selectors.EVENT_READ, self.receive)

    def receive(self):
        try:
            data = os.read(self.descriptor, 1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.controller.add(TypedList.from_bytes(data))
        else:
            self.stop()

    def stop(self):
        if not self.controller.isClosed:
            LOOP.selector.unregister(self.descriptor)
            self.controller.close()
            self.close()


class Sink(Native):
    """Writes to a descriptor. The tests write little: that it may wait does no harm."""

    def __init__(self, write, close):
        self.write_, self.close_ = write, close
        self.is_closed = False
        self.done = Future()

    def add(self, data):
        if self.is_closed:
            raise Thrown(CORE["StateError"]("StreamSink is closed"))
        try:
            self.write_(bytes(data.raw()))
        except OSError as error:
            self.is_closed = True
            self.done.settle("error", Problem("SocketException", str(error)))

    def close(self):
        if not self.is_closed:
            self.is_closed = True
            self.close_()
            self.done.settle("value", None)
        return value_future(None)


class Process(Native):
    def __init__(self, process):
        self.process = process
        self.exitCode = Future()
        out, errors = [Reader(file.fileno(), file.close)
                       for file in (process.stdout, process.stderr)]
        self.stdout, self.stderr = out.controller.stream, errors.controller.stream

        def write(data):
            process.stdin.write(data)
            process.stdin.flush()
        self.stdin = Sink(write, process.stdin.close)
        self._watch()

    def _watch(self):
        if self.process.poll() is None:
            LOOP.later(0.005, self._watch)
        else:
            self.exitCode.settle("value", self.process.returncode)

    def kill(self, signal=15):
        self.process.send_signal(signal)
        return True


def start_process(executable, arguments):
    try:
        process = subprocess.Popen(
            [executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, bufsize=0)
    except OSError as error:
        future = Future()
        future.settle("error", Problem("ProcessException", error.strerror))
        return future
    return value_future(Process(process))


def run_sync(executable, arguments):
    """Process.runSync: a ProcessResult with what was said as texts."""
    try:
        result = subprocess.run([executable, *arguments], capture_output=True, text=True,
                                timeout=60, check=False)
    except OSError as error:
        raise Thrown(Problem("ProcessException", error.strerror)) from None
    return Statics(exitCode=result.returncode, stdout=to_units(result.stdout),
                   stderr=to_units(result.stderr))


class Socket(Native):
    dart_types = ("Socket", "Stream")

    def __init__(self, connection):
        self.connection = connection
        self.reader = Reader(connection.fileno())
        self.sink = Sink(self._write, lambda: connection.shutdown(socket.SHUT_WR))
        self.done = self.sink.done

    def _write(self, data):
        while data:
            try:
                data = data[self.connection.send(data):]
            except BlockingIOError:
                selector = selectors.DefaultSelector()
                selector.register(self.connection, selectors.EVENT_WRITE)
                selector.select(10)

    def add(self, data):
        self.sink.add(data)

    def close(self):
        return self.sink.close()

    def listen(self, on_data, **named):
        return self.reader.controller.stream.listen(on_data, **named)

    def destroy(self):
        self.reader.stop()
        self.connection.close()


def connect_socket(path, port, timeout=None):
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(path)
    except OSError as error:
        connection.close()
        future = Future()
        future.settle("error", Problem("SocketException", error.strerror))
        return future
    return value_future(Socket(connection))


class Environment(Native):
    @property
    def environment(self):
        return Map(os.environ.items())


LIBRARY = {
    "File": File, "Directory": Statics(Directory, systemTemp=Directory(tempfile.gettempdir())),
    "FileMode": Statics(write="write"), "Platform": Environment(),
    "Process": Statics(start=start_process, runSync=run_sync), "ProcessSignal": Statics(sigkill=9),
    "Socket": Statics(connect=connect_socket),
    "InternetAddress": lambda path, type: path, "InternetAddressType": Statics(unix="unix"),
    "systemEncoding": Statics(decoder=utf8_decode),
}
__all__ = ["LIBRARY", "delayed"]
