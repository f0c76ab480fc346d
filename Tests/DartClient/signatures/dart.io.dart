// https://api.dart.dev/dart-io/dart-io-library.html
import 'dart:async';
import 'dart:convert';
import 'dart:typed_data';

class FileMode {
  static const FileMode write = FileMode();
}

class FileSystemEntity {
  String get path;
  Uri get uri;
  void deleteSync({bool recursive = false});
}

class Directory extends FileSystemEntity {
  factory Directory(String path);
  static Directory get systemTemp;
  Directory createTempSync([String? prefix]);
  List<FileSystemEntity> listSync({bool recursive = false, bool followLinks = true});
}

class File extends FileSystemEntity {
  factory File(String path);
  RandomAccessFile openSync({FileMode mode = FileMode.write});
  String readAsStringSync({Encoding encoding = utf8});
  List<String> readAsLinesSync({Encoding encoding = utf8});
}

class RandomAccessFile {
  void writeFromSync(List<int> buffer, [int start = 0, int? end]);
  void truncateSync(int length);
  void closeSync();
}

class IOException implements Exception {}

class FileSystemException implements IOException {
  const FileSystemException([String message = '', String? path = '', Object? osError]);
  final String message;
}

class ProcessException implements IOException {
  const ProcessException(
    String executable,
    List<String> arguments, [
    String message = '',
    int errorCode = 0,
  ]);
  final String message;
}

class SocketException implements IOException {
  const SocketException(String message);
  final String message;
}

class Platform {
  static Map<String, String> get environment;
}

class ProcessSignal {
  static const ProcessSignal sigterm = ProcessSignal();
  static const ProcessSignal sigkill = ProcessSignal();
}

class ProcessResult {
  int get exitCode;
  dynamic get stdout;
  dynamic get stderr;
}

class ProcessStartMode {
  static const ProcessStartMode normal = ProcessStartMode();
}

class IOSink implements StringSink {
  void add(List<int> data);
  Future<dynamic> close();
  Future<dynamic> get done;
}

class Process {
  static Future<Process> start(
    String executable,
    List<String> arguments, {
    String? workingDirectory,
    Map<String, String>? environment,
    bool includeParentEnvironment = true,
    bool runInShell = false,
    ProcessStartMode mode = ProcessStartMode.normal,
  });
  static ProcessResult runSync(
    String executable,
    List<String> arguments, {
    String? workingDirectory,
    Map<String, String>? environment,
    bool includeParentEnvironment = true,
    bool runInShell = false,
    Encoding? stdoutEncoding,
    Encoding? stderrEncoding,
  });
  Future<int> get exitCode;
  Stream<List<int>> get stdout;
  Stream<List<int>> get stderr;
  IOSink get stdin;
  bool kill([ProcessSignal signal = ProcessSignal.sigterm]);
}

class InternetAddressType {
  static const InternetAddressType unix = InternetAddressType();
}

class InternetAddress {
  factory InternetAddress(String address, {InternetAddressType? type});
}

class Socket extends Stream<Uint8List> implements IOSink {
  static Future<Socket> connect(
    dynamic host,
    int port, {
    dynamic sourceAddress,
    int sourcePort = 0,
    Duration? timeout,
  });
  void destroy();
}

const Encoding systemEncoding = Encoding();
