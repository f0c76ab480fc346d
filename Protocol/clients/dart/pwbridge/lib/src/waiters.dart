/// Futures for something that is going to happen.
library;

import 'dart:async';

/// Those who wait for one thing. Each has a Future of the zone in which it asked.
class Waiters {
  final List<Completer<bool>> _waiting = <Completer<bool>>[];

  /// Whether nobody waits.
  bool get isEmpty => _waiting.isEmpty;

  /// Completes with true at the next [wake]. After [patience], in real time, it completes with
  /// false, or fails with a [TimeoutException] if there is a text for one; [Duration.zero] is no
  /// limit.
  Future<bool> wait(Duration patience, {String? failure}) {
    final Completer<bool> completer = Completer<bool>();
    _waiting.add(completer);
    if (patience <= Duration.zero) {
      return completer.future;
    }
    final Timer timer = Zone.root.createTimer(patience, () {
      // Who is no longer in the list has been woken.
      if (!_waiting.remove(completer)) {
        return;
      }
      if (failure == null) {
        completer.complete(false);
      } else {
        completer.completeError(TimeoutException(failure, patience), StackTrace.current);
      }
    });
    return completer.future.whenComplete(timer.cancel);
  }

  /// It has happened.
  void wake() {
    final List<Completer<bool>> woken = List<Completer<bool>>.of(_waiting);
    _waiting.clear();
    for (final Completer<bool> completer in woken) {
      completer.complete(true);
    }
  }
}
