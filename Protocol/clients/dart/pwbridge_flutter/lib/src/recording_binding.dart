/// A binding whose default messenger records.
library;

import 'package:flutter/services.dart';
import 'package:flutter/widgets.dart';
import 'package:pwbridge/recording.dart';

import 'recording_messenger.dart';

/// Flutter's binding for apps, with a [RecordingMessenger] as the messenger of every channel that
/// is not given another one. Create it before anything else in `main`.
class RecordingBinding extends WidgetsFlutterBinding {
  RecordingBinding._(this._recorder, this._channels);

  /// Creates the binding, or returns the one that was created. An app has one binding: if it has
  /// another kind already, Flutter throws.
  static RecordingBinding ensureInitialized(
    PwRecorder recorder, {
    List<String> channels = const <String>['*'],
  }) {
    return _instance ??= RecordingBinding._(recorder, channels);
  }

  static RecordingBinding? _instance;

  final PwRecorder _recorder;
  final List<String> _channels;

  @override
  BinaryMessenger createBinaryMessenger() {
    return RecordingMessenger(
      super.createBinaryMessenger(),
      _recorder,
      channels: _channels,
    );
  }
}
