/// What a server says of itself, and what it takes.
library;

import 'dart:convert';

import 'exceptions.dart';
import 'frames.dart';

/// The hello of a server. Before it has come, the defaults count.
class ServerHello {
  /// Throws a [PwProtocolException] for a version that this client does not speak.
  ServerHello(this.fields)
      : maxOpenCalls = _number(fields['max-open-calls'], PwFrameLayout.maxOpenCalls),
        maxPayload = _number(fields['max-payload'], PwFrameLayout.maxPayload),
        maxChannelName = _number(fields['max-channel-name'], PwFrameLayout.maxChannelName) {
    final String version = fields['version'] ?? '';
    if (version != '${PwFrameLayout.version}') {
      throw PwProtocolException('unsupported-version', 'the server speaks "$version"', 0);
    }
  }

  /// What counts until there is one.
  static final ServerHello none =
      ServerHello(<String, String>{'version': '${PwFrameLayout.version}'});

  final Map<String, String> fields;
  final int maxOpenCalls;
  final int maxPayload;
  final int maxChannelName;

  /// Whether it takes cancel frames.
  bool get knowsCancel {
    return (fields['capabilities'] ?? '').split(',').contains(PwCapability.cancel);
  }

  static int _number(String? text, int otherwise) {
    final int number = int.tryParse(text ?? '') ?? otherwise;
    return number > 0 ? number : otherwise;
  }

  /// Throws an [ArgumentError] for a name that no channel can have.
  void checkChannel(String channel) {
    if (channel.isEmpty || channel.contains('\u0000')) {
      throw ArgumentError.value(channel, 'channel', 'must not be empty or hold a NUL');
    }
    if (utf8.encode(channel).length > maxChannelName) {
      throw ArgumentError.value(channel, 'channel', 'has more than $maxChannelName bytes');
    }
  }
}
