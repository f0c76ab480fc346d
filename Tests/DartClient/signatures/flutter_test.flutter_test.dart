// https://api.flutter.dev/flutter/flutter_test/flutter_test-library.html
import 'dart:async';
import 'dart:typed_data';
import 'dart:ui';

import 'flutter.services.dart';
import 'flutter.widgets.dart';
import 'test.test.dart';

export 'test.test.dart';

typedef AllMessagesHandler = Future<ByteData?>? Function(
  String channel,
  MessageHandler? handler,
  ByteData? message,
);

class TestDefaultBinaryMessenger extends BinaryMessenger {
  TestDefaultBinaryMessenger(this.delegate);
  final BinaryMessenger delegate;
  AllMessagesHandler? allMessagesHandler;
  Future<ByteData?> handlePlatformMessage(
    String channel,
    ByteData? data,
    PlatformMessageResponseCallback? callback,
  );
  void setMockMethodCallHandler(
    MethodChannel channel,
    Future<Object?>? Function(MethodCall message)? handler,
  );
}

class TestDefaultBinaryMessengerBinding {
  static TestDefaultBinaryMessengerBinding get instance;
  TestDefaultBinaryMessenger get defaultBinaryMessenger;
}

class TestWidgetsFlutterBinding extends ServicesBinding {
  static TestWidgetsFlutterBinding ensureInitialized();
}

class Finder {}

class CommonFinders {
  Finder text(String text, {bool findRichText = false, bool skipOffstage = true});
  Finder textContaining(Pattern pattern, {bool findRichText = false, bool skipOffstage = true});
}

const CommonFinders find = CommonFinders();
const Matcher findsOneWidget = Matcher();

class WidgetTester {
  Future<void> pumpWidget(Widget widget, {Duration? duration});
  Future<void> pump([Duration? duration]);
  Future<void> tap(Finder finder, {int? pointer});
  Future<T?> runAsync<T>(Future<T> Function() callback);
}

external void testWidgets(
  String description,
  Future<void> Function(WidgetTester widgetTester) callback, {
  bool? skip,
});
