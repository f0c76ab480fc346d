"""dart:async: futures, timers and streams on one event loop, and `await` by greenlets."""

import collections
import heapq
import itertools
import selectors
import time

import greenlet

from .values import Native, Thrown

throw = None  # Set by the runtime: throw(class name, text).


class Loop:
    """Microtasks first, then timers and what comes in."""

    def __init__(self):
        self.microtasks = collections.deque()
        self.timers = []
        self.count = itertools.count()
        self.selector = selectors.DefaultSelector()
        self.uncaught = []

    def soon(self, task):
        self.microtasks.append(task)

    def later(self, seconds, task):
        timer = Timer(task)
        heapq.heappush(self.timers, (time.monotonic() + seconds, next(self.count), timer))
        return timer

    def run(self, is_through, patience):
        """Runs until `is_through()`; for so many seconds at most."""
        deadline = time.monotonic() + patience
        while True:
            while self.microtasks:
                self.microtasks.popleft()()
            if is_through():
                return
            now = time.monotonic()
            if now > deadline:
                raise TimeoutError(f"not through after {patience} s")
            if self.timers and self.timers[0][0] <= now:
                self._fire(heapq.heappop(self.timers)[2])
                continue
            until = min(deadline, self.timers[0][0]) if self.timers else deadline
            for key, _ in self.selector.select(max(until - now, 0)):
                key.data()

    @staticmethod
    def _fire(timer):
        if not timer.is_cancelled:
            timer.is_cancelled = True
            timer.task()


class Timer(Native):
    dart_types = ("Timer",)

    def __init__(self, task):
        self.task = task
        self.is_cancelled = False

    def cancel(self):
        self.is_cancelled = True


LOOP = Loop()


class Future(Native):
    dart_types = ("Future",)

    def __init__(self):
        self.state = None
        self.result = None
        self.listeners = []
        self.is_looked_at = False

    def settle(self, state, result):
        if self.state is not None:
            throw("StateError", "Future already completed")
        self.state, self.result = state, result
        LOOP.soon(self._tell)

    def _tell(self):
        if self.state == "error" and not self.is_looked_at:
            LOOP.uncaught.append(self.result)
        for listener in self.listeners:
            listener(self.state, self.result)
        self.listeners = []

    def look(self, listener):
        """Calls `listener(state, result)` once, in a microtask."""
        self.is_looked_at = True
        if self.state is None:
            self.listeners.append(listener)
        else:
            LOOP.soon(lambda: listener(self.state, self.result))

    def ignore(self):
        self.is_looked_at = True

    def then(self, on_value, onError=None):
        made = Future()

        def listener(state, result):
            if state == "error" and onError is None:
                made.settle(state, result)
                return
            complete_with(made, lambda: on_value(result) if state == "value"
                          else call_error_handler(onError, result))
        self.look(listener)
        return made

    def whenComplete(self, action):
        made = Future()

        def listener(state, result):
            action()
            made.settle(state, result)
        self.look(listener)
        return made


def call_error_handler(handler, error):
    try:
        return handler(error, "stack")
    except TypeError as problem:
        if "argument" not in str(problem):
            raise
        return handler(error)


def complete_with(future, compute):
    """Settles a future with what a function returns or throws."""
    try:
        value = compute()
    except Thrown as thrown:
        future.settle("error", thrown.value)
        return
    if isinstance(value, Future):
        value.look(lambda state, result: future.settle(state, result))
    else:
        future.settle("value", value)


class Coroutine(greenlet.greenlet):
    """The run of an async function. Whoever resumes it goes on when it awaits or ends."""

    def resume(self, state=None, result=None):
        self.parent = greenlet.getcurrent()
        self.switch((state, result))


def run_async(body):
    """Runs the body of an async function until its first await, and returns its future."""
    future = Future()
    coroutine = Coroutine(lambda _: complete_with(future, body))
    coroutine.resume()
    return future


def wait(value):
    """`await`."""
    current = greenlet.getcurrent()
    if not isinstance(current, Coroutine):
        raise RuntimeError("await outside of an async function")
    if isinstance(value, Future):
        value.look(current.resume)
    else:
        LOOP.soon(lambda: current.resume("value", value))
    state, result = current.parent.switch()
    if state == "error":
        raise Thrown(result)
    return result


class Completer(Native):
    def __init__(self):
        self.future = Future()

    def complete(self, value=None):
        if isinstance(value, Future):
            value.look(self.future.settle)
        else:
            self.future.settle("value", value)

    def completeError(self, error, stack=None):
        self.future.settle("error", error)

    @property
    def isCompleted(self):
        return self.future.state is not None


class Subscription(Native):
    def __init__(self, controller, on_data, on_error, on_done):
        self.controller = controller
        self.on_data, self.on_error, self.on_done = on_data, on_error, on_done
        self.is_active = True

    def take(self, kind, value):
        if not self.is_active:
            return
        if kind == "data" and self.on_data:
            self.on_data(value)
        elif kind == "error":
            if self.on_error:
                call_error_handler(self.on_error, value)
            else:
                LOOP.uncaught.append(value)
        elif kind == "done":
            self.is_active = False
            if self.on_done:
                self.on_done()

    def cancel(self):
        if self.is_active or self in self.controller.subscriptions:
            self.controller.leave(self)
        self.is_active = False
        return value_future(None)


def value_future(value=None):
    future = Future()
    future.settle("value", value)
    return future


class Stream(Native):
    dart_types = ("Stream",)

    def __init__(self, controller):
        self.controller = controller

    def listen(self, on_data, onError=None, onDone=None):
        return self.controller.enter(
            Subscription(self.controller, on_data, onError, onDone))

    def cast(self):
        return self

    def take(self, count):
        made = Controller()
        taken = []

        def take_one(value):
            taken.append(value)
            made.add(value)
            if len(taken) == count:
                subscription.cancel()
                made.close()
        subscription = self.listen(take_one, onError=made.addError, onDone=made.close)
        return made.stream

    def toList(self):
        made, items = Future(), []
        self.listen(items.append, onError=lambda error: made.settle("error", error),
                    onDone=lambda: made.settle("value", items))
        return made

    def transform(self, decoder):
        made = Controller()
        self.listen(lambda chunk: made.add(decoder(chunk)), onDone=made.close)
        return made.stream


class Controller(Native):
    """A StreamController, also of broadcast streams."""

    def __init__(self, is_broadcast=False, onListen=None, onCancel=None):
        self.is_broadcast = is_broadcast
        self.on_listen, self.on_cancel = onListen, onCancel
        self.subscriptions = []
        self.kept = []
        self.isClosed = False
        self.stream = Stream(self)

    def enter(self, subscription):
        self.subscriptions.append(subscription)
        if self.on_listen and len(self.subscriptions) == 1:
            self.on_listen()
        kept, self.kept = self.kept, []
        for event in kept:
            self._send(*event)
        return subscription

    def leave(self, subscription):
        if subscription in self.subscriptions:
            self.subscriptions.remove(subscription)
            if self.on_cancel and not self.subscriptions:
                self.on_cancel()

    def _send(self, kind, value):
        if not self.subscriptions and not self.is_broadcast:
            self.kept.append((kind, value))
        for subscription in list(self.subscriptions):
            if kind == "done":
                LOOP.soon(lambda of=subscription: self.leave(of))
            LOOP.soon(lambda to=subscription: to.take(kind, value))

    def add(self, value):
        if self.isClosed:
            throw("StateError", "Cannot add event after closing")
        self._send("data", value)

    def addError(self, error, stack=None):
        self._send("error", error)

    def close(self):
        if not self.isClosed:
            self.isClosed = True
            self._send("done", None)
        return value_future(None)

    @property
    def hasListener(self):
        return bool(self.subscriptions)


class Zone(Native):
    """There is one zone here."""

    def run(self, action):
        return action()

    def createTimer(self, duration, task):
        return LOOP.later(duration.fields["inMicroseconds"] / 1e6, task)


class FakeTime:
    """The timers that an app makes with Timer.periodic: they go by advance_fake_time alone."""

    def __init__(self):
        self.now = 0
        self.timers = []

    def periodic(self, duration, task):
        timer = Timer(task)
        step = duration.fields["inMicroseconds"]
        self.timers.append([self.now + step, step, timer])
        return timer

    def active(self):
        self.timers = [entry for entry in self.timers if not entry[2].is_cancelled]
        return self.timers

    def advance(self, microseconds):
        end = self.now + microseconds
        while due := [entry for entry in self.active() if entry[0] <= end]:
            first = min(due, key=lambda entry: entry[0])
            self.now = first[0]
            first[0] += first[1]
            first[2].task(first[2])
        self.now = end


FAKE_TIME = FakeTime()


class Named(Native):
    """A class: what is called, and what stands behind a dot."""

    def __init__(self, call=None, **members):
        self.call = call
        for name, value in members.items():
            setattr(self, name, value)

    def __call__(self, *arguments, **named):
        return self.call(*arguments, **named)

    def dart_get(self, name):
        if name == "new":
            return self.call
        if name not in self.__dict__:
            raise LookupError(name)
        return self.__dict__[name]


def delayed(duration):
    future = Future()
    LOOP.later(duration.fields["inMicroseconds"] / 1e6, lambda: future.settle("value", None))
    return future


_ROOT = Zone()
LIBRARY = {
    "Future": Named(delayed=delayed, value=value_future),
    "Stream": Stream, "Completer": Completer, "Timer": Named(periodic=FAKE_TIME.periodic),
    "StreamController": Named(
        Controller, broadcast=lambda **named: Controller(True, **named)),
    "Zone": Named(root=_ROOT, current=_ROOT),
    "unawaited": lambda future: None,
}
