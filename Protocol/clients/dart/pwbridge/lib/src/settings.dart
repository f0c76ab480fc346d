/// What a connection asks for.
library;

import 'frames.dart';

/// What a connection asks for.
class PwSettings {
  const PwSettings({
    this.device,
    this.options = const <String, String>{},
    this.timeout = const Duration(seconds: 10),
    this.maxPayload = PwFrameLayout.maxPayload,
    this.software = 'pwbridge (Dart)',
    this.checksLimits = true,
  });

  /// The name of a device to share with other connections; null for a fresh one.
  final String? device;

  /// Options of the device by name, such as `handler: guide`; the table is in
  /// Protocol/control.md.
  final Map<String, String> options;

  /// How long a call, the hello and the end wait; [Duration.zero] for no limit.
  final Duration timeout;

  /// The largest payload that this side accepts, in bytes.
  final int maxPayload;

  /// Name and version for the hello, for people.
  final String software;

  /// Whether a payload that the server would refuse for its length is refused here already.
  final bool checksLimits;
}
