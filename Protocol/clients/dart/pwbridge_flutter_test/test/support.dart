import 'dart:io';

import 'package:pwbridge_flutter_test/pwbridge_flutter_test.dart';

/// A bridge with a fresh device whose clock waits to be advanced. Under `pwbridge exec` it is the
/// server of that command, otherwise one is started: `pwbridge`, or what `PWBRIDGE` names.
Future<PwBridge> openBridge({Map<String, String> options = const <String, String>{}}) {
  final PwSettings settings = PwSettings(
    options: <String, String>{'clock': 'stepped', ...options},
  );
  if (Platform.environment.containsKey('PWBRIDGE_SOCKET')) {
    return PwBridge.connect(null, settings);
  }
  return PwBridge.spawn(
    executable: Platform.environment['PWBRIDGE'] ?? 'pwbridge',
    settings: settings,
  );
}
