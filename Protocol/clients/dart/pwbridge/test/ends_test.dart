// How connections begin and end when the other side is slow, silent or of another kind.

import 'dart:async';
import 'dart:typed_data';

import 'package:pwbridge/frames.dart';
import 'package:pwbridge/pwbridge.dart';
import 'package:test/test.dart';

/// A server that says only what the test makes it say.
class ManualConnection implements PwConnection {
  final StreamController<List<int>> _controller = StreamController<List<int>>();

  /// What the client has said.
  final List<PwFrame> said = <PwFrame>[];

  final PwFrameReader _reader = PwFrameReader();
  bool isDestroyed = false;

  /// Whether nothing is open for which the server would wait at a bye.
  bool closesAtBye = true;

  void say(PwFrame frame) => _controller.add(frame.encode());

  /// Says a hello.
  void greet([Map<String, String> fields = const <String, String>{'version': '1'}]) {
    say(PwFrame(PwKind.hello, id: pwMagicId, payload: encodePwFields(fields)));
  }

  void hangUp() {
    unawaited(_controller.close());
  }

  @override
  Stream<List<int>> get incoming => _controller.stream;

  @override
  void add(Uint8List bytes) {
    _reader.add(bytes);
    final PwFrame frame = _reader.next()!;
    said.add(frame);
    if (frame.kind == PwKind.bye && closesAtBye) {
      hangUp();
    }
  }

  @override
  void closeOutgoing() {}

  @override
  Future<void> destroy(Duration patience) async {
    isDestroyed = true;
  }

  @override
  String get reason => '';
}

void main() {
  const PwSettings impatient = PwSettings(timeout: Duration(milliseconds: 50));

  test('a server that says no hello is a TimeoutException, and can be abandoned', () async {
    final ManualConnection connection = ManualConnection();
    final PwBridge bridge = PwBridge.over(connection, impatient);
    await expectLater(bridge.hello, throwsA(isA<TimeoutException>()));
    await bridge.abandon();
    expect(connection.isDestroyed, isTrue);
    expect(await bridge.done, isA<PwDisconnectedException>());
  });

  test('a hello that comes too late does no harm', () async {
    final ManualConnection connection = ManualConnection();
    final PwBridge bridge = PwBridge.over(connection, impatient);
    await expectLater(bridge.hello, throwsA(isA<TimeoutException>()));
    connection.greet();
    expect((await bridge.hello)['version'], '1');
    await bridge.close();
  });

  for (final Map<String, String> fields in <Map<String, String>>[
    <String, String>{'version': '2'},
    <String, String>{'software': 'pwbridge'},
  ]) {
    test('a hello with $fields is refused', () async {
      final ManualConnection connection = ManualConnection();
      final PwBridge bridge = PwBridge.over(connection);
      connection.greet(fields);
      await expectLater(
        bridge.hello,
        throwsA(
          isA<PwProtocolException>()
              .having((PwProtocolException error) => error.code, 'code', 'unsupported-version'),
        ),
      );
      await bridge.abandon();
    });
  }

  test('close lets calls have their turn that wait for it', () async {
    final ManualConnection connection = ManualConnection()..closesAtBye = false;
    final PwBridge bridge = PwBridge.over(connection);
    connection.greet(<String, String>{'version': '1', 'max-open-calls': '1'});
    await bridge.hello;
    final PwCall one = bridge.start('PW', null);
    final PwCall two = bridge.start('PW', null);
    final Future<void> end = bridge.close();
    await expectLater(bridge.send('PW', null), throwsA(isA<PwDisconnectedException>()));
    expect(connection.said.last.id, one.id);
    connection.say(PwFrame(PwKind.reply, id: 1));
    expect(await one.reply, isNull);
    connection.say(PwFrame(PwKind.reply, id: 2, payload: Uint8List(1)));
    expect((await two.reply)!.length, 1);
    connection.hangUp();
    await end;
    expect(
      <int>[for (final PwFrame frame in connection.said) frame.kind],
      <int>[PwKind.hello, PwKind.message, PwKind.message, PwKind.bye],
    );
    expect(await bridge.done, isNull);
  });

  test('close gives up on a server that does not answer', () async {
    final ManualConnection connection = ManualConnection();
    final PwBridge bridge = PwBridge.over(connection, impatient);
    connection.greet(<String, String>{'version': '1', 'max-open-calls': '1'});
    await bridge.hello;
    final PwCall one = bridge.start('PW', null, timeout: Duration.zero);
    final PwCall two = bridge.start('PW', null, timeout: Duration.zero);
    one.reply.ignore();
    two.reply.ignore();
    await expectLater(bridge.close(), throwsA(isA<TimeoutException>()));
    expect(connection.isDestroyed, isTrue);
    await expectLater(two.reply, throwsA(isA<PwDisconnectedException>()));
  });

  test('nobody has to look at a call that was cancelled', () async {
    final ManualConnection connection = ManualConnection();
    final PwBridge bridge = PwBridge.over(connection);
    connection.greet(
      <String, String>{'version': '1', 'max-open-calls': '1', 'capabilities': 'cancel'},
    );
    await bridge.hello;
    bridge.start('PW', null).cancel();
    bridge.start('PW', null).cancel();
    expect(bridge.openCalls, 1);
    expect(connection.said.last.kind, PwKind.cancel);
    await bridge.abandon();
    expect(bridge.openCalls, 0);
  });

  test('settled waits no longer than it is told to', () async {
    final ManualConnection connection = ManualConnection();
    final PwBridge bridge = PwBridge.over(connection);
    connection.greet();
    await bridge.hello;
    final PwCall call = bridge.start('PW', null);
    expect(await bridge.settled(const Duration(milliseconds: 10)), isFalse);
    expect(await bridge.settled(Duration.zero), isFalse);
    expect(call.isAnswered, isFalse);
    connection.say(PwFrame(PwKind.reply, id: 1));
    expect(await bridge.settled(), isTrue);
    expect(call.isAnswered, isTrue);
    await bridge.close();
  });
}
