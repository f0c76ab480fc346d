// What is easier said in Dart: exceptions, spans and times.

class Exception {}

class Error {}

class FormatException implements Exception {
  const FormatException([this.message = '', this.source, this.offset]);
  final String message;
  final Object? source;
  final int? offset;

  @override
  String toString() => 'FormatException: $message';
}

class ArgumentError extends Error {
  ArgumentError([this.message]);
  ArgumentError.value(Object? value, [String? name, this.message]);
  final Object? message;

  @override
  String toString() => 'Invalid argument(s): $message';
}

class RangeError extends ArgumentError {
  RangeError(Object? message) : super(message);
  RangeError.range(Object? value, int? least, int? most, [String? name])
      : super('$name: $value is not in $least..$most');
}

class StateError extends Error {
  StateError(this.message);
  final String message;

  @override
  String toString() => 'Bad state: $message';
}

class TypeError extends Error {
  TypeError([this.message]);
  final Object? message;

  @override
  String toString() => 'TypeError: $message';
}

class TimeoutException implements Exception {
  TimeoutException(this.message, [this.duration]);
  final String? message;
  final Duration? duration;

  @override
  String toString() => 'TimeoutException: $message';
}

class Duration {
  const Duration({
    int hours = 0,
    int seconds = 0,
    int milliseconds = 0,
    int microseconds = 0,
  }) : inMicroseconds = hours * 3600000000 + seconds * 1000000 + milliseconds * 1000 + microseconds;

  static const int microsecondsPerSecond = 1000000;
  static const Duration zero = Duration();

  final int inMicroseconds;

  bool operator >(Duration other) => inMicroseconds > other.inMicroseconds;
  bool operator <=(Duration other) => inMicroseconds <= other.inMicroseconds;
  Duration operator *(int factor) => Duration(microseconds: inMicroseconds * factor);

  @override
  String toString() => '$inMicroseconds us';
}

class DateTime {
  DateTime.fromMicrosecondsSinceEpoch(this.microsecondsSinceEpoch, {bool isUtc = false});
  factory DateTime.now() => DateTime.fromMicrosecondsSinceEpoch(nowMicroseconds());
  final int microsecondsSinceEpoch;
}

class Stopwatch {
  int _start = 0;

  void start() {
    _start = nowMicroseconds();
  }

  int get elapsedMicroseconds => nowMicroseconds() - _start;
}
