/// A recording in a file.
library;

import 'dart:convert';
import 'dart:io';
import 'dart:typed_data';

import 'recorder.dart';

/// Writes a recording to a file, line by line.
///
/// When the disk refuses, the recording ends with its last whole line, and the app goes on:
/// [problem] tells.
class PwRecordingFile {
  PwRecordingFile._(this.path, this._file);

  /// Creates the file; one that is there is replaced.
  ///
  /// Throws a [FileSystemException] if that cannot be.
  factory PwRecordingFile.create(
    String path, {
    String software = 'pwbridge (Dart)',
    Map<String, String> codecs = const <String, String>{},
  }) {
    final PwRecordingFile file =
        PwRecordingFile._(path, File(path).openSync(mode: FileMode.write));
    file.recorder = PwRecorder(file._write, software: software, codecs: codecs);
    return file;
  }

  final String path;
  final RandomAccessFile _file;

  /// What messages and replies are given to.
  late final PwRecorder recorder;

  /// Why the recording ended before its time; null if it did not.
  FileSystemException? problem;

  int _length = 0;
  bool _isClosed = false;

  void _write(String line) {
    if (_isClosed || problem != null) {
      return;
    }
    final Uint8List bytes = utf8.encode(line);
    try {
      _file.writeFromSync(bytes);
      _length += bytes.length;
    } on FileSystemException catch (error) {
      problem = error;
      _cutOff();
    }
  }

  void _cutOff() {
    try {
      _file.truncateSync(_length);
    } on FileSystemException {
      // Readers pass over a tail that is cut off.
    }
  }

  /// Ends the recording. May be called again.
  void close() {
    if (_isClosed) {
      return;
    }
    _isClosed = true;
    recorder.isEnded = true;
    _file.closeSync();
  }
}
