/// Frames as Protocol/frames.md lays them out. All numbers are little-endian.
library;

import 'dart:convert';
import 'dart:typed_data';

import 'fields.dart';

/// The kinds of frames.
abstract final class PwKind {
  static const int hello = 1;
  static const int message = 2;
  static const int reply = 3;
  static const int dropped = 4;
  static const int cancel = 5;
  static const int error = 6;
  static const int log = 7;
  static const int bye = 8;
}

/// The flag bits of a frame, as masks.
abstract final class PwFlag {
  /// There is no payload, which is not an empty payload.
  static const int noPayload = 1;

  /// Who does not know the kind skips the frame.
  static const int optional = 2;

  static const int all = 3;
}

/// The head of a frame: where its fields are, and their defaults.
abstract final class PwFrameLayout {
  static const int headSize = 16;
  static const int payloadLengthOffset = 0;
  static const int kindOffset = 4;
  static const int flagsOffset = 5;
  static const int channelLengthOffset = 6;
  static const int idOffset = 8;
  static const int alignment = 8;

  /// The id of a hello, as it lies in the stream.
  static const String magic = 'PWBRIDGE';
  static const int version = 1;
  static const int maxPayload = 16777216;
  static const int maxChannelName = 4096;
  static const int maxOpenCalls = 1024;
}

/// What this client can do, as its hello says.
abstract final class PwCapability {
  static const String cancel = 'cancel';
  static const String log = 'log';
}

/// The next multiple of 8.
int pwPadded(int length) => (length + 7) & ~7;

/// One frame.
class PwFrame {
  PwFrame(this.kind, {this.flags = 0, this.channel = '', this.id = 0, this.payload});

  final int kind;

  /// [PwFlag.optional] or 0; [PwFlag.noPayload] goes by [payload].
  final int flags;

  /// Empty where a kind has none.
  final String channel;

  /// 64 bits. An id of 2^63 or more is a negative number here.
  final int id;

  /// Null for no payload, empty for an empty one. Of a frame that was read, a view on the bytes
  /// as they came in, at a multiple of 8 of their buffer.
  final Uint8List? payload;

  /// The fields of a hello, error, log or bye.
  Map<String, String> get fields => decodePwFields(payload ?? Uint8List(0));

  /// The frame's bytes, padding included.
  Uint8List encode() {
    final Uint8List name = utf8.encode(channel);
    final Uint8List? payload = this.payload;
    final int length = payload == null ? 0 : payload.length;
    final int start = PwFrameLayout.headSize + pwPadded(name.length);
    final Uint8List bytes = Uint8List(start + pwPadded(length));
    final ByteData head = ByteData.sublistView(bytes, 0, PwFrameLayout.headSize);
    head.setUint32(PwFrameLayout.payloadLengthOffset, length, Endian.little);
    head.setUint8(PwFrameLayout.kindOffset, kind);
    head.setUint8(
      PwFrameLayout.flagsOffset,
      payload == null ? flags | PwFlag.noPayload : flags,
    );
    head.setUint16(PwFrameLayout.channelLengthOffset, name.length, Endian.little);
    head.setInt64(PwFrameLayout.idOffset, id, Endian.little);
    bytes.setRange(PwFrameLayout.headSize, PwFrameLayout.headSize + name.length, name);
    if (payload != null) {
      bytes.setRange(start, start + length, payload);
    }
    return bytes;
  }
}

/// The magic as the number that stands in a hello's id.
final int pwMagicId = ByteData.sublistView(Uint8List.fromList(PwFrameLayout.magic.codeUnits))
    .getInt64(0, Endian.little);

/// The hello of a client.
PwFrame pwHelloFrame({
  String? device,
  Map<String, String> options = const <String, String>{},
  String software = 'pwbridge (Dart)',
  int maxPayload = PwFrameLayout.maxPayload,
}) {
  final Map<String, String> fields = <String, String>{
    'version': '${PwFrameLayout.version}',
    'max-payload': '$maxPayload',
    'capabilities': '${PwCapability.cancel},${PwCapability.log}',
    'software': software,
  };
  if (device != null && device.isNotEmpty) {
    fields['device'] = device;
  }
  for (final MapEntry<String, String> option in options.entries) {
    fields['option.${option.key}'] = option.value;
  }
  return PwFrame(PwKind.hello, id: pwMagicId, payload: encodePwFields(fields));
}
