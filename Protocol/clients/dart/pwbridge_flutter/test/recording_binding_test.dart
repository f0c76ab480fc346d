import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:pwbridge_flutter/pwbridge_flutter.dart';

void main() {
  // A binding of its own: the one for widget tests must not be made in this file.
  test('every channel of an app gets the messenger that records', () {
    final List<String> lines = <String>[];
    final PwRecorder recorder = PwRecorder(lines.add);
    final RecordingBinding binding =
        RecordingBinding.ensureInitialized(recorder, channels: <String>['PW']);
    expect(ServicesBinding.instance.defaultBinaryMessenger, isA<RecordingMessenger>());
    expect(const MethodChannel('PW').binaryMessenger, isA<RecordingMessenger>());
    expect(identical(RecordingBinding.ensureInitialized(recorder), binding), isTrue);
    // The system channels of Flutter itself are none of those that were asked for.
    expect(lines.length, 1);
  });
}
