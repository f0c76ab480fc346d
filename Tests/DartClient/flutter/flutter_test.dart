// What the client's Flutter packages use of package:flutter_test. Behaviour:
// https://api.flutter.dev/flutter/flutter_test/TestDefaultBinaryMessenger-class.html
// Timers of Dart's own go by pump, as in fake time. All else goes on by itself: what runAsync is
// needed for, and what would wait for a pump.

import 'dart:async';
import 'dart:typed_data';

import 'fake_time';
import 'package:test/test.dart';

import 'material.dart';
import 'services.dart';

export 'fake_time' show findsOneWidget;
export 'package:test/test.dart';

typedef AllMessagesHandler = Future<ByteData?>? Function(
  String channel,
  MessageHandler? handler,
  ByteData? message,
);

class TestDefaultBinaryMessenger extends BinaryMessenger {
  TestDefaultBinaryMessenger(this.delegate);

  final BinaryMessenger delegate;
  final Map<String, MessageHandler> _inbound = <String, MessageHandler>{};
  final Map<String, MessageHandler> _mocks = <String, MessageHandler>{};
  AllMessagesHandler? allMessagesHandler;

  Future<ByteData?>? send(String channel, ByteData? message) {
    final MessageHandler? mock = _mocks[channel];
    final AllMessagesHandler? all = allMessagesHandler;
    if (all != null) {
      return all(channel, mock, message);
    }
    return mock == null ? delegate.send(channel, message) : mock(message);
  }

  void setMessageHandler(String channel, MessageHandler? handler) {
    if (handler == null) {
      _inbound.remove(channel);
    } else {
      _inbound[channel] = handler;
    }
    delegate.setMessageHandler(channel, handler);
  }

  Future<ByteData?> handlePlatformMessage(String channel, ByteData? data, Object? callback) {
    final MessageHandler? handler = _inbound[channel];
    return (handler == null ? null : handler(data)) ?? Future<ByteData?>.value(null);
  }

  void setMockMethodCallHandler(MethodChannel channel, Object? handler) {
    if (handler == null) {
      _mocks.remove(channel.name);
    } else {
      _mocks[channel.name] = (ByteData? message) => channel.answer(handler, message);
    }
  }
}

class TestWidgetsFlutterBinding extends WidgetsFlutterBinding {
  TestWidgetsFlutterBinding() {
    TestDefaultBinaryMessengerBinding.instance = this;
  }

  static TestWidgetsFlutterBinding? _made;

  static void ensureInitialized() {
    _made ??= TestWidgetsFlutterBinding();
  }

  BinaryMessenger createBinaryMessenger() =>
      TestDefaultBinaryMessenger(super.createBinaryMessenger());
}

class TestDefaultBinaryMessengerBinding {
  static TestWidgetsFlutterBinding? instance;
}

/// A text on the screen, and the button that it stands in.
class _Shown {
  _Shown(this.text, this.button);

  final Text text;
  final TextButton? button;
}

/// Finds texts when it is asked to.
class Finder {
  Finder(this._matches);

  final Object _matches;

  List<_Shown> evaluate() {
    return <_Shown>[
      for (final _Shown shown in WidgetTester.current!.shown())
        if (_matches(shown.text.data)) shown,
    ];
  }
}

class CommonFinders {
  const CommonFinders();

  Finder text(String text) => Finder((String data) => data == text);

  Finder textContaining(String text) => Finder((String data) => data.contains(text));
}

const CommonFinders find = CommonFinders();

class WidgetTester {
  WidgetTester() {
    current = this;
  }

  static WidgetTester? current;

  State? _state;

  Future<Object?> runAsync(Object callback) async => callback();

  Future<void> pumpWidget(StatefulWidget widget) {
    unmount();
    _state = widget.createState();
    _state!.mounted = true;
    return pump();
  }

  void unmount() {
    _state?.dispose();
    _state = null;
  }

  Future<void> pump([Duration? duration]) {
    if (duration != null) {
      advanceFakeTime(duration.inMicroseconds);
    }
    return Future<void>.delayed(Duration.zero);
  }

  Future<void> tap(Finder finder) async {
    final _Shown shown = finder.evaluate().single;
    shown.button!.onPressed();
  }

  List<_Shown> shown() {
    final List<_Shown> found = <_Shown>[];
    _add(_state!.build(BuildContext()), null, found);
    return found;
  }

  void _add(Widget widget, TextButton? button, List<_Shown> found) {
    if (widget is Text) {
      found.add(_Shown(widget, button));
    } else if (widget is TextButton) {
      _add(widget.child, widget, found);
    } else if (widget is MaterialApp) {
      _add(widget.home, button, found);
    } else if (widget is Column) {
      for (final Widget child in widget.children) {
        _add(child, button, found);
      }
    }
  }
}

void testWidgets(String description, Object body) {
  test(description, () async {
    TestWidgetsFlutterBinding.ensureInitialized();
    final WidgetTester tester = WidgetTester();
    try {
      await body(tester);
    } finally {
      tester.unmount();
      expect(fakeTimers(), 0);
    }
  });
}
