// https://api.dart.dev/dart-async/dart-async-library.html

class Future<T> {
  factory Future(FutureOr<T> Function() computation);
  factory Future.value([FutureOr<T>? value]);
  factory Future.delayed(Duration duration, [FutureOr<T> Function()? computation]);
  Future<R> then<R>(FutureOr<R> Function(T value) onValue, {Function? onError});
  Future<T> whenComplete(FutureOr<void> Function() action);
  Future<T> timeout(Duration timeLimit, {FutureOr<T> Function()? onTimeout});
  // Within reach of those only who import the library.
  @extension
  void ignore();
}

class FutureOr<T> {}

class Completer<T> {
  factory Completer();
  Future<T> get future;
  bool get isCompleted;
  void complete([FutureOr<T>? value]);
  void completeError(Object error, [StackTrace? stackTrace]);
}

class Timer {
  factory Timer(Duration duration, void Function() callback);
  factory Timer.periodic(Duration duration, void Function(Timer timer) callback);
  void cancel();
  bool get isActive;
}

class Zone {
  static Zone get current;
  static const Zone root = Zone();
  R run<R>(R Function() action);
  Timer createTimer(Duration duration, void Function() callback);
}

class StreamSubscription<T> {
  Future<void> cancel();
}

class Stream<T> {
  StreamSubscription<T> listen(
    void Function(T event)? onData, {
    Function? onError,
    void Function()? onDone,
    bool? cancelOnError,
  });
  Stream<S> transform<S>(StreamTransformer<T, S> streamTransformer);
  Stream<R> cast<R>();
  Stream<T> take(int count);
  Future<List<T>> toList();
}

class StreamTransformer<S, T> {}

class StreamController<T> {
  factory StreamController({
    void Function()? onListen,
    void Function()? onPause,
    void Function()? onResume,
    FutureOr<void> Function()? onCancel,
    bool sync = false,
  });
  factory StreamController.broadcast({
    void Function()? onListen,
    void Function()? onCancel,
    bool sync = false,
  });
  Stream<T> get stream;
  bool get isClosed;
  bool get hasListener;
  void add(T event);
  void addError(Object error, [StackTrace? stackTrace]);
  Future<dynamic> close();
}

class TimeoutException implements Exception {
  TimeoutException(String? message, [Duration? duration]);
  final String? message;
  final Duration? duration;
}

external void unawaited(Future<void>? future);
