// https://api.dart.dev/dart-core/dart-core-library.html
export 'dart:async' show Future, Stream;

class Object {
  const Object();
  bool operator ==(Object other);
  int get hashCode;
  Type get runtimeType;
  String toString();
}

class Type {}

class Function {}

class Record {}

class Null {}

class Enum {
  int get index;
}

class bool {}

class Comparable<T> {
  int compareTo(T other);
}

class Pattern {}

class num implements Comparable<num> {
  num operator +(num other);
  num operator -(num other);
  num operator *(num other);
  num operator %(num other);
  double operator /(num other);
  int operator ~/(num other);
  bool operator <(num other);
  bool operator <=(num other);
  bool operator >(num other);
  bool operator >=(num other);
  bool get isNaN;
  bool get isNegative;
  bool get isInfinite;
  double toDouble();
  int toInt();
}

class int extends num {
  static int parse(String source, {int? radix});
  static int? tryParse(String source, {int? radix});
  int operator &(int other);
  int operator |(int other);
  int operator ^(int other);
  int operator ~();
  int operator <<(int shiftAmount);
  int operator >>(int shiftAmount);
  String toRadixString(int radix);
}

class double extends num {
  static const double nan = 0.0;
  static const double infinity = 0.0;
  static const double negativeInfinity = 0.0;
}

class String implements Comparable<String>, Pattern {
  factory String.fromCharCodes(Iterable<int> charCodes, [int start = 0, int? end]);
  String operator [](int index);
  String operator +(String other);
  String operator *(int times);
  List<int> get codeUnits;
  int get length;
  bool get isEmpty;
  bool get isNotEmpty;
  int codeUnitAt(int index);
  bool contains(Pattern other, [int startIndex = 0]);
  bool startsWith(Pattern pattern, [int index = 0]);
  bool endsWith(String other);
  String substring(int start, [int? end]);
  String trim();
  String padLeft(int width, [String padding = ' ']);
  String replaceAll(Pattern from, String replace);
  List<String> split(Pattern pattern);
}

class RegExp implements Pattern {
  factory RegExp(String source, {bool multiLine = false, bool caseSensitive = true});
}

class StringSink {
  void write(Object? object);
}

class StringBuffer implements StringSink {
  StringBuffer([Object content = '']);
  int get length;
  void write(Object? object);
  void writeCharCode(int charCode);
}

class Iterable<E> {
  int get length;
  bool get isEmpty;
  bool get isNotEmpty;
  E get first;
  E get last;
  E get single;
  bool contains(Object? element);
  bool any(bool Function(E element) test);
  Iterable<R> cast<R>();
  Iterable<T> map<T>(T Function(E e) toElement);
  Iterable<E> skip(int count);
  String join([String separator = '']);
  List<E> toList({bool growable = true});
}

class List<E> extends Iterable<E> {
  factory List.filled(int length, E fill, {bool growable = false});
  factory List.of(Iterable<E> elements, {bool growable = true});
  E operator [](int index);
  void operator []=(int index, E value);
  void add(E value);
  void addAll(Iterable<E> iterable);
  void clear();
  bool remove(Object? value);
  List<R> cast<R>();
  List<E> sublist(int start, [int? end]);
  int indexOf(E element, [int start = 0]);
  void setRange(int start, int end, Iterable<E> iterable, [int skipCount = 0]);
  void fillRange(int start, int end, [E? fillValue]);
}

class Set<E> extends Iterable<E> {
  bool add(E value);
  bool remove(Object? value);
  void clear();
}

class MapEntry<K, V> {
  const MapEntry(this.key, this.value);
  final K key;
  final V value;
}

class Map<K, V> {
  V? operator [](Object? key);
  void operator []=(K key, V value);
  Iterable<MapEntry<K, V>> get entries;
  Iterable<K> get keys;
  Iterable<V> get values;
  int get length;
  bool get isEmpty;
  bool get isNotEmpty;
  bool containsKey(Object? key);
  V? remove(Object? key);
  V putIfAbsent(K key, V Function() ifAbsent);
  Map<RK, RV> cast<RK, RV>();
  void clear();
}

class Duration implements Comparable<Duration> {
  const Duration({
    int days = 0,
    int hours = 0,
    int minutes = 0,
    int seconds = 0,
    int milliseconds = 0,
    int microseconds = 0,
  });
  static const Duration zero = Duration();
  static const int microsecondsPerSecond = 1000000;
  int get inMicroseconds;
  Duration operator *(num factor);
  bool operator >(Duration other);
  bool operator <=(Duration other);
}

class DateTime implements Comparable<DateTime> {
  DateTime.now();
  DateTime.fromMicrosecondsSinceEpoch(int microsecondsSinceEpoch, {bool isUtc = false});
  int get microsecondsSinceEpoch;
}

class Stopwatch {
  Stopwatch();
  void start();
  int get elapsedMicroseconds;
}

class StackTrace {
  static StackTrace get current;
}

class Uri {
  static String encodeFull(String uri);
  List<String> get pathSegments;
}

class Exception {
  factory Exception([dynamic message]);
}

class FormatException implements Exception {
  const FormatException([String message = '', dynamic source, int? offset]);
  final String message;
}

class Error {}

class TypeError extends Error {}

class ArgumentError extends Error {
  ArgumentError([dynamic message, String? name]);
  ArgumentError.value(dynamic value, [String? name, dynamic message]);
  final dynamic message;
}

class RangeError extends ArgumentError {
  RangeError(dynamic message);
  RangeError.range(num invalidValue, int? minValue, int? maxValue, [String? name, String? message]);
}

class StateError extends Error {
  StateError(String message);
  final String message;
}

const Object override = Object();

external bool identical(Object? a, Object? b);
