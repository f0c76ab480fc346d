/// One connection to a bridge: calls, answers in any order, and messages from native code.
library;

import 'dart:async';
import 'dart:io';
import 'dart:typed_data';

import 'call.dart';
import 'channels.dart';
import 'connection.dart';
import 'control.dart';
import 'exceptions.dart';
import 'fields.dart';
import 'frame_reader.dart';
import 'frames.dart';
import 'native_messages.dart';
import 'open_calls.dart';
import 'pending_call.dart';
import 'server_hello.dart';
import 'settings.dart';
import 'waiters.dart';

/// One connection to a bridge. Made by [spawn] or [connect].
///
/// Reading, writing and time limits run in the root zone, so that they go on under the fake time
/// of a widget test. A Future that is given out belongs to the zone of its caller: under fake time
/// it completes in `tester.runAsync`, or with the next `tester.pump`.
class PwBridge {
  /// A bridge over any connection. [hello] has to come before anything else is done.
  PwBridge.over(this._connection, [this.settings = const PwSettings()])
      : _reader = PwFrameReader(maxPayload: settings.maxPayload) {
    _sendFrame(
      pwHelloFrame(
        device: settings.device,
        options: settings.options,
        software: settings.software,
        maxPayload: settings.maxPayload,
      ),
    );
    Zone.root.run(() {
      _connection.incoming.listen(
        _receive,
        onError: (Object error) => _end(PwDisconnectedException('$error')),
        onDone: _receiveEnd,
      );
    });
  }

  /// Starts a server of its own and talks to it over standard input and output. The server has a
  /// fresh device, and ends with [close].
  ///
  /// [serverText] takes what the server writes to standard error. Throws a
  /// [PwDisconnectedException] if there is no such program or it ends at once, and a
  /// [PwFrameException] if it refuses, for example an option of the device.
  static Future<PwBridge> spawn({
    String executable = 'pwbridge',
    List<String> arguments = const <String>['serve', '--quiet'],
    PwSettings settings = const PwSettings(),
    void Function(String text)? serverText,
  }) async {
    return _greeted(
      PwBridge.over(
        await PwProcessConnection.start(executable, arguments, onServerText: serverText),
        settings,
      ),
    );
  }

  /// Connects to a server that runs already, at the Unix socket [path] or else the one in
  /// `PWBRIDGE_SOCKET`, which `pwbridge exec` sets for the command that it runs.
  ///
  /// Throws as [spawn] does.
  static Future<PwBridge> connect([
    String? path,
    PwSettings settings = const PwSettings(),
  ]) async {
    final String? place = path ?? Platform.environment['PWBRIDGE_SOCKET'];
    if (place == null || place.isEmpty) {
      throw const PwDisconnectedException(
        'no socket: give a path, or run the tests under pwbridge exec, which sets PWBRIDGE_SOCKET',
      );
    }
    return _greeted(
      PwBridge.over(await PwSocketConnection.connect(place, settings.timeout), settings),
    );
  }

  static Future<PwBridge> _greeted(PwBridge bridge) async {
    try {
      await bridge.hello;
      return bridge;
    } on Object {
      await bridge.abandon();
      rethrow;
    }
  }

  /// What this connection was made with.
  final PwSettings settings;

  final PwConnection _connection;
  final PwFrameReader _reader;
  late final OpenCalls _calls = OpenCalls(_sendFrame);
  late final NativeMessages _messages =
      NativeMessages(send: _sendFrame, onProblem: _note, onAnswered: _checkSettled);
  final StreamController<PwLog> _logs = StreamController<PwLog>.broadcast();
  final List<Object> _problems = <Object>[];
  final Waiters _greeting = Waiters();
  final Waiters _settling = Waiters();
  final Waiters _ending = Waiters();

  ServerHello _server = ServerHello.none;
  bool _isGreeted = false;
  PwException? _failure;
  bool _isEnded = false;
  bool _isClosing = false;
  bool _saidBye = false;

  /// Takes every message from native code before the handlers of [setMessageHandler] are asked.
  PwMessageRouter? get router => _messages.router;

  set router(PwMessageRouter? router) {
    _messages.router = router;
  }

  /// What steers the emulated device.
  late final PwControl control = PwControl(PwMethodChannel(PwControl.channelName, this));

  /// The fields of the server's hello.
  ///
  /// Fails as a call does when there is none.
  Future<Map<String, String>> get hello async {
    if (!_isGreeted && !_isEnded) {
      await _greeting.wait(settings.timeout, failure: 'no hello from the server');
    }
    final PwException? failure = _failure;
    if (!_isGreeted || (failure != null && _isEnded)) {
      throw failure ?? const PwDisconnectedException('the connection is closed');
    }
    return _server.fields;
  }

  /// Lines that the server logs, such as warnings about a call that was dropped.
  Stream<PwLog> get logs => _logs.stream;

  /// Errors that concern no call of this side, and messages that were dropped because nobody
  /// listens. A test can check that there are none.
  List<Object> get problems => <Object>[..._problems, ..._messages.warnings];

  /// How many messages have been sent, or wait to be, and have no answer yet.
  int get openCalls => _calls.count;

  /// How many messages of native code a handler has been given and not answered yet.
  int get openMessages => _messages.count;

  /// Whether the connection has ended.
  bool get isEnded => _isEnded;

  /// Completes when the connection has ended: with null after [close], else with the reason. It
  /// never fails.
  Future<PwException?> get done async {
    if (!_isEnded) {
      await _ending.wait(Duration.zero);
    }
    return _failure;
  }

  /// Completes with true as soon as every call has its answer and every message of native code
  /// its reply, or the connection has ended; with false after [patience]. It never fails.
  Future<bool> settled([Duration patience = const Duration(seconds: 1)]) async {
    if (_isSettled || patience <= Duration.zero) {
      return _isSettled;
    }
    return _settling.wait(patience);
  }

  bool get _isSettled => _isEnded || (openCalls == 0 && openMessages == 0);

  void _checkSettled() {
    if (!_settling.isEmpty && _isSettled) {
      _settling.wake();
    }
  }

  // Calls

  /// Sends bytes and waits for the bytes of the reply; null is no payload, in both directions.
  ///
  /// Fails as [PwCall.reply] does. Throws an [ArgumentError] for a channel name that cannot be.
  Future<Uint8List?> send(String channel, Uint8List? message, {Duration? timeout}) {
    return start(channel, message, timeout: timeout).reply;
  }

  /// Sends bytes without waiting. Messages reach their handlers in the order in which they are
  /// sent; while the server has as many unanswered ones as it takes, further ones wait here.
  PwCall start(String channel, Uint8List? message, {Duration? timeout}) {
    _server.checkChannel(channel);
    final PendingCall call =
        PendingCall(channel, message, wantsReply: true, onCancel: _calls.cancel);
    if (settings.checksLimits && message != null && message.length > _server.maxPayload) {
      call.fail(
        PwFrameException(
          'payload-too-long',
          '${message.length} bytes; the server takes ${_server.maxPayload}',
        ),
      );
      return call;
    }
    final Duration patience = timeout ?? settings.timeout;
    if (patience > Duration.zero) {
      call.expireAfter(patience);
    }
    _enqueue(call);
    return call;
  }

  /// Sends bytes and wants no reply.
  void post(String channel, Uint8List? message) {
    _server.checkChannel(channel);
    final PendingCall call =
        PendingCall(channel, message, wantsReply: false, onCancel: _calls.cancel);
    // Nobody waits for it, so that its failing must not count as an error that nobody took.
    call.reply.ignore();
    _enqueue(call);
  }

  void _enqueue(PendingCall call) {
    if (_isEnded || _isClosing || _saidBye) {
      call.fail(_failure ?? const PwDisconnectedException('the connection is closed'));
      return;
    }
    _calls.add(call);
    _calls.sendWaiting();
  }

  void _sendFrame(PwFrame frame) {
    if (!_isEnded) {
      Zone.root.run(() => _connection.add(frame.encode()));
    }
  }

  // Messages from native code

  /// Sets who answers messages from native code on a channel; null takes it away. One message is
  /// kept for each channel until there is a handler, as Flutter does.
  ///
  /// The handler runs in the zone in which it is set.
  void setMessageHandler(String channel, PwMessageHandler? handler) {
    _messages.setHandler(channel, handler);
  }

  void _note(Object problem) {
    // The first ones tell most; a thousand are enough.
    if (_problems.length < 1000) {
      _problems.add(problem);
    }
  }

  // What comes in

  void _receive(List<int> chunk) {
    if (_isEnded) {
      return;
    }
    try {
      _reader.add(chunk is Uint8List ? chunk : Uint8List.fromList(chunk));
      while (!_isEnded) {
        final PwFrame? frame = _reader.next();
        if (frame == null) {
          break;
        }
        _take(frame);
      }
      _takeSkipped();
    } on PwException catch (error) {
      _end(error);
      _connection.closeOutgoing();
    }
    _calls.sendWaiting();
    _sayByeIfThrough();
    _checkSettled();
  }

  void _receiveEnd() {
    PwException? failure;
    try {
      _reader.finish();
    } on PwProtocolException catch (error) {
      failure = error;
    }
    if (failure == null && !_saidBye) {
      // An ended process says why a moment later; the exit code tells, where there is one.
      Zone.root.createTimer(const Duration(milliseconds: 50), () => _endOfStream(null));
    } else {
      _endOfStream(failure);
    }
  }

  void _endOfStream(PwException? failure) {
    final String reason = _connection.reason;
    final String text = reason.isEmpty ? '' : ': $reason';
    _end(failure ?? PwDisconnectedException('the server closed the connection$text'));
  }

  void _take(PwFrame frame) {
    switch (frame.kind) {
      case PwKind.hello:
        _takeHello(_fields(frame));
      case PwKind.message:
        _messages.take(frame);
      case PwKind.reply:
        _answered(frame.id)?.complete(frame.payload);
      case PwKind.dropped:
        final PendingCall? call = _answered(frame.id);
        if (call != null) {
          call.fail(PwDroppedException(call.channel, frame.id));
        }
      case PwKind.error:
        _takeError(frame);
      case PwKind.log:
        final Map<String, String> fields = _fields(frame);
        _logs.add(
          PwLog(
            fields['level'] ?? 'info',
            fields['text'] ?? '',
            frame.channel.isEmpty ? null : frame.channel,
            frame.id,
          ),
        );
      case PwKind.bye:
        _sayBye();
      case PwKind.cancel:
        // The answer is sent all the same.
        break;
    }
  }

  Map<String, String> _fields(PwFrame frame) {
    try {
      return decodePwFields(frame.payload ?? Uint8List(0));
    } on FormatException catch (error) {
      throw PwProtocolException('fields-malformed', error.message, 0);
    }
  }

  void _takeHello(Map<String, String> fields) {
    _server = ServerHello(fields);
    _isGreeted = true;
    _calls.limit = _server.maxOpenCalls;
    _calls.serverCancels = _server.knowsCancel;
    // What a server that refuses has to say stands right behind its hello, in the same chunk or
    // the next: whoever waits for the hello looks at the failure first.
    _greeting.wake();
  }

  PendingCall? _answered(int id) {
    final PendingCall? call = _calls.take(id);
    if (call == null) {
      _note(PwFrameException('id-unknown', 'an answer to $id, which is not open'));
    }
    return call;
  }

  void _takeError(PwFrame frame) {
    final PwFrameException error = PwFrameException.fromFields(_fields(frame));
    final PendingCall? call = _calls.take(frame.id);
    if (call != null) {
      call.fail(error);
    } else {
      _note(error);
    }
    if (error.isFatal || !_isGreeted) {
      _end(error);
    }
  }

  void _takeSkipped() {
    for (final PwSkippedPayload skipped in _reader.skipped) {
      final PwFrameException error = PwFrameException(
        'payload-too-long',
        'the server sent ${skipped.length} bytes; this side takes ${settings.maxPayload}',
      );
      if (skipped.kind == PwKind.reply) {
        _answered(skipped.id)?.fail(error);
      } else {
        _note(error);
        if (skipped.kind == PwKind.message && skipped.id != 0) {
          _sendFrame(PwFrame(PwKind.reply, id: skipped.id));
        }
      }
    }
    _reader.skipped.clear();
  }

  // The end

  void _sayBye() {
    if (!_saidBye) {
      _sendFrame(PwFrame(PwKind.bye));
      _saidBye = true;
    }
    _calls.failWaiting(const PwDisconnectedException('the connection is being closed'));
  }

  /// A bye says that no more messages come, so that calls have to have their turn before.
  void _sayByeIfThrough() {
    if (_isClosing && !_isEnded && !_calls.hasWaiting) {
      _sayBye();
    }
  }

  void _end(PwException reason) {
    if (_isEnded) {
      return;
    }
    _isEnded = true;
    // The end that was asked for is no failure, but a call that is still open has failed.
    _failure = _saidBye && reason is PwDisconnectedException ? null : reason;
    _messages.forget();
    _calls.failAll(reason);
    _greeting.wake();
    _ending.wake();
    _checkSettled();
    unawaited(_logs.close());
  }

  /// Sends what waits for its turn, says bye, waits until everything has been answered and the
  /// server has closed, and lets go of the connection; a server that was spawned has ended then.
  ///
  /// Throws a [TimeoutException] if the server does not come to an end: it is killed then.
  Future<void> close() async {
    try {
      if (!_isEnded) {
        final Future<bool> end =
            _ending.wait(settings.timeout, failure: 'the server does not end the connection');
        _isClosing = true;
        _sayByeIfThrough();
        await end;
      }
    } finally {
      await abandon();
    }
  }

  /// Lets go of the connection without a word.
  Future<void> abandon() async {
    _end(const PwDisconnectedException('the connection was abandoned'));
    await _connection.destroy(
      settings.timeout > Duration.zero ? settings.timeout : const PwSettings().timeout,
    );
  }
}
