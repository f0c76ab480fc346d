/// What carries the bytes: a process, a socket, or in tests anything else.
library;

import 'dart:async';
import 'dart:io';
import 'dart:typed_data';

import 'exceptions.dart';

/// A stream of bytes in each direction.
abstract interface class PwConnection {
  /// What the other side sends. Listened to once.
  Stream<List<int>> get incoming;

  /// Sends bytes. Never throws: when the other side has gone, [incoming] ends.
  void add(Uint8List bytes);

  /// Says that nothing more will be sent.
  void closeOutgoing();

  /// Lets go of everything, and waits at most so long for the other side to end.
  Future<void> destroy(Duration patience);

  /// What is known about why the other side ended, for the text of an exception; or empty.
  String get reason;
}

void _ignore(Future<Object?> future) {
  unawaited(future.then((Object? _) {}, onError: (Object _, StackTrace __) {}));
}

/// A server that this process started, spoken to over its standard input and output.
class PwProcessConnection implements PwConnection {
  PwProcessConnection._(this.process, void Function(String text)? onServerText) {
    // Nobody else looks at how writing ends; `incoming` ends as well.
    _ignore(process.stdin.done);
    process.stderr.transform(systemEncoding.decoder).listen((String text) {
      final String all = _said + text;
      _said = all.length > _kept ? all.substring(all.length - _kept) : all;
      if (onServerText != null) {
        onServerText(text);
      }
    }, onError: (Object _) {});
    exitCode = process.exitCode.then((int code) => _exitCode = code);
  }

  /// Starts a server.
  ///
  /// Throws a [PwDisconnectedException] if there is no such program.
  static Future<PwProcessConnection> start(
    String executable,
    List<String> arguments, {
    void Function(String text)? onServerText,
  }) async {
    final Process process;
    try {
      process = await Process.start(executable, arguments);
    } on ProcessException catch (error) {
      throw PwDisconnectedException(
        'could not start $executable: ${error.message}; '
        'put it on the PATH, or give PwBridge.spawn its path as executable',
      );
    }
    return PwProcessConnection._(process, onServerText);
  }

  static const int _kept = 4096;

  final Process process;

  /// Completes when the process has ended.
  late final Future<int> exitCode;

  int? _exitCode;
  String _said = '';

  @override
  Stream<List<int>> get incoming => process.stdout;

  @override
  void add(Uint8List bytes) {
    try {
      process.stdin.add(bytes);
    } on StateError {
      // Writing has ended already; so has what comes in, or it is about to.
    }
  }

  @override
  void closeOutgoing() {
    _ignore(process.stdin.close());
  }

  @override
  Future<void> destroy(Duration patience) async {
    closeOutgoing();
    final Timer terminate = Zone.root.createTimer(patience, () => process.kill());
    final Timer kill = Zone.root.createTimer(patience * 2, () {
      process.kill(ProcessSignal.sigkill);
    });
    await exitCode;
    terminate.cancel();
    kill.cancel();
  }

  @override
  String get reason {
    final String code = _exitCode == null ? '' : 'it ended with exit code $_exitCode';
    final String said = _said.trim();
    if (said.isEmpty) {
      return code;
    }
    return code.isEmpty ? 'it said: $said' : '$code and said: $said';
  }
}

/// A server that was there already, reached over its Unix socket.
class PwSocketConnection implements PwConnection {
  PwSocketConnection._(this._socket) {
    _ignore(_socket.done);
  }

  /// Connects to a socket, within [patience] unless that is [Duration.zero].
  ///
  /// Throws a [PwDisconnectedException] if nobody listens there.
  static Future<PwSocketConnection> connect(String path, Duration patience) async {
    try {
      final InternetAddress address = InternetAddress(path, type: InternetAddressType.unix);
      final Duration? limit = patience > Duration.zero ? patience : null;
      return PwSocketConnection._(await Socket.connect(address, 0, timeout: limit));
    } on SocketException catch (error) {
      throw PwDisconnectedException('could not connect to $path: ${error.message}');
    }
  }

  final Socket _socket;

  @override
  Stream<List<int>> get incoming => _socket;

  @override
  void add(Uint8List bytes) {
    try {
      _socket.add(bytes);
    } on StateError {
      // Writing has ended already; so has what comes in, or it is about to.
    }
  }

  @override
  void closeOutgoing() {
    _ignore(_socket.close());
  }

  @override
  Future<void> destroy(Duration patience) async {
    _socket.destroy();
  }

  @override
  String get reason => '';
}
