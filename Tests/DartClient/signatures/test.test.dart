// https://pub.dev/documentation/test/latest/test/test-library.html
// https://pub.dev/documentation/matcher/latest/matcher/matcher-library.html

class Matcher {}

class TypeMatcher<T> extends Matcher {
  TypeMatcher<T> having(Object? Function(T value) feature, String description, dynamic matcher);
}

class TestFailure implements Exception {
  TestFailure(String? message);
  final String? message;
}

external void expect(dynamic actual, dynamic matcher, {String? reason, dynamic skip});
external Future<void> expectLater(dynamic actual, dynamic matcher, {String? reason, dynamic skip});
external Never fail(String message);
external TypeMatcher<T> isA<T>();
external Matcher throwsA(dynamic matcher);
external void addTearDown(dynamic Function() callback);
external void setUp(dynamic Function() body);
external void tearDown(dynamic Function() body);
external void test(Object? description, dynamic Function() body, {dynamic skip, String? testOn});
external void group(Object? description, dynamic Function() body, {dynamic skip});

const Matcher isTrue = Matcher();
const Matcher isFalse = Matcher();
const Matcher isNull = Matcher();
const Matcher isNotNull = Matcher();
const Matcher isEmpty = Matcher();
const Matcher isNotEmpty = Matcher();
const Matcher throwsArgumentError = Matcher();
const Matcher throwsFormatException = Matcher();
const Matcher throwsStateError = Matcher();
