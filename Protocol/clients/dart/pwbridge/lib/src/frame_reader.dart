/// Cuts an incoming stream into frames.
library;

import 'dart:convert';
import 'dart:typed_data';

import 'exceptions.dart';
import 'frames.dart';

/// The head of a frame whose payload was too long and has been passed over.
class PwSkippedPayload {
  const PwSkippedPayload(this.kind, this.id, this.length);

  final int kind;
  final int id;

  /// In bytes, as announced.
  final int length;
}

/// Takes bytes as they come and gives the frames that are complete.
///
/// Payloads are views and not copies. A chunk that begins at a frame, and at a multiple of 8 of
/// its buffer, is used as it is; otherwise the bytes go into a buffer of the reader's own, in
/// which frames begin at multiples of 8 as well. Either way a payload lies at a multiple of 8, so
/// that typed lists in it can be looked at in place. No byte that a view shows is written again.
class PwFrameReader {
  PwFrameReader({
    this.expectsHello = true,
    this.maxPayload = PwFrameLayout.maxPayload,
    this.maxChannelName = PwFrameLayout.maxChannelName,
  });

  /// Whether the next frame must be a hello, or an error in its place.
  bool expectsHello;

  /// Longer payloads are passed over and noted in [skipped].
  final int maxPayload;
  final int maxChannelName;

  /// Payloads that were passed over since this list was last cleared.
  final List<PwSkippedPayload> skipped = <PwSkippedPayload>[];

  Uint8List _bytes = Uint8List(0);
  int _start = 0;
  int _end = 0;
  // Whether [_bytes] was made here, so that its free end may be written to.
  bool _isOwn = false;
  // What is left of a frame that is being passed over.
  int _skip = 0;
  // The byte of the stream at _start.
  int _offset = 0;
  bool _hadHello = false;

  /// Takes bytes in. They must not be changed afterwards.
  void add(Uint8List chunk) {
    final int held = _end - _start;
    if (held == 0 && chunk.offsetInBytes % PwFrameLayout.alignment == 0) {
      _bytes = chunk;
      _start = 0;
      _end = chunk.length;
      _isOwn = false;
      return;
    }
    final int need = held + chunk.length;
    if (!_isOwn || _bytes.length - _end < chunk.length) {
      // Twice of what is here, and never what a head announces: memory goes by bytes that came.
      final Uint8List larger = Uint8List(need < 4096 ? 8192 : need * 2);
      larger.setRange(0, held, _bytes, _start);
      _bytes = larger;
      _start = 0;
      _end = held;
      _isOwn = true;
    }
    _bytes.setRange(_end, _end + chunk.length, chunk);
    _end += chunk.length;
  }

  /// The next frame, or null if more bytes are needed.
  ///
  /// Throws a [PwProtocolException] where the stream breaks the rules; there is no going on then.
  PwFrame? next() {
    while (true) {
      if (_skip > 0) {
        final int held = _end - _start;
        final int count = _skip < held ? _skip : held;
        _consume(count);
        _skip -= count;
        if (_skip > 0) {
          return null;
        }
      }
      final PwFrame? frame = _read();
      if (frame != null || _skip == 0) {
        return frame;
      }
    }
  }

  /// To be called at the end of the stream, which must not be inside a frame.
  void finish() {
    if (_end > _start || _skip > 0) {
      _fail('frame-incomplete', 'the stream ended inside a frame', _end - _start);
    }
  }

  void _consume(int count) {
    _start += count;
    _offset += count;
  }

  Never _fail(String code, String text, int position) {
    throw PwProtocolException(code, text, _offset + position);
  }

  /// A frame, or null; if it is one to be passed over, [_skip] says how long it is.
  PwFrame? _read() {
    final int held = _end - _start;
    if (expectsHello) {
      _checkBeginning(held);
    }
    if (held < PwFrameLayout.headSize) {
      return null;
    }
    final ByteData head =
        ByteData.sublistView(_bytes, _start, _start + PwFrameLayout.headSize);
    final int length = head.getUint32(PwFrameLayout.payloadLengthOffset, Endian.little);
    final int kind = head.getUint8(PwFrameLayout.kindOffset);
    final int flags = head.getUint8(PwFrameLayout.flagsOffset);
    final int nameLength = head.getUint16(PwFrameLayout.channelLengthOffset, Endian.little);
    final int id = head.getInt64(PwFrameLayout.idOffset, Endian.little);
    if (expectsHello && kind != PwKind.hello && kind != PwKind.error) {
      _fail('hello-expected', 'the first frame is of kind $kind', PwFrameLayout.kindOffset);
    }
    final int payloadStart = PwFrameLayout.headSize + pwPadded(nameLength);
    final int size = payloadStart + pwPadded(length);
    if (kind < PwKind.hello || kind > PwKind.bye) {
      if (kind == 0 || (flags & PwFlag.optional) == 0) {
        _fail('unknown-kind', 'kind $kind is not known', PwFrameLayout.kindOffset);
      }
      _skip = size;
      return null;
    }
    _check(length, kind, flags, nameLength);
    if (held < payloadStart) {
      return null;
    }
    final String channel = _channelName(nameLength);
    _checkPadding(PwFrameLayout.headSize + nameLength, payloadStart);
    if (length > maxPayload) {
      skipped.add(PwSkippedPayload(kind, id, length));
      _skip = size;
      return null;
    }
    if (held < size) {
      return null;
    }
    _checkPadding(payloadStart + length, size);
    final bool hasNone =
        (flags & PwFlag.noPayload) != 0 || kind == PwKind.dropped || kind == PwKind.cancel;
    final int at = _start + payloadStart;
    final PwFrame frame = PwFrame(
      kind,
      flags: flags,
      channel: channel,
      id: id,
      payload: hasNone ? null : Uint8List.sublistView(_bytes, at, at + length),
    );
    _consume(size);
    expectsHello = false;
    if (kind == PwKind.hello) {
      _hadHello = true;
    }
    return frame;
  }

  /// Tells text and other protocols from frames before a length is believed.
  void _checkBeginning(int held) {
    for (int index = 2; index < 4 && index < held; index++) {
      if (_bytes[_start + index] != 0) {
        _fail('not-a-frame', 'the stream does not begin with a hello', index);
      }
    }
    if (held < PwFrameLayout.headSize ||
        _bytes[_start + PwFrameLayout.kindOffset] != PwKind.hello) {
      return;
    }
    for (int index = 0; index < PwFrameLayout.magic.length; index++) {
      final int at = PwFrameLayout.idOffset + index;
      if (_bytes[_start + at] != PwFrameLayout.magic.codeUnitAt(index)) {
        _fail('not-a-frame', 'the hello lacks the magic', at);
      }
    }
  }

  void _check(int length, int kind, int flags, int nameLength) {
    if (kind == PwKind.hello && _hadHello) {
      _fail('hello-expected', 'a second hello', PwFrameLayout.kindOffset);
    }
    if ((flags & ~PwFlag.all) != 0) {
      _fail('reserved-flags', 'flags $flags', PwFrameLayout.flagsOffset);
    }
    if (nameLength > 0 && kind != PwKind.message && kind != PwKind.log) {
      _fail(
        'channel-name-unexpected',
        'in a frame of kind $kind',
        PwFrameLayout.channelLengthOffset,
      );
    }
    if (nameLength > maxChannelName) {
      _fail('channel-name-too-long', '$nameLength bytes', PwFrameLayout.channelLengthOffset);
    }
    if (nameLength == 0 && kind == PwKind.message) {
      _fail('channel-name-missing', 'a message without', PwFrameLayout.channelLengthOffset);
    }
    if (length > 0 &&
        ((flags & PwFlag.noPayload) != 0 || kind == PwKind.dropped || kind == PwKind.cancel)) {
      _fail('payload-unexpected', '$length bytes', PwFrameLayout.payloadLengthOffset);
    }
  }

  String _channelName(int length) {
    final int at = _start + PwFrameLayout.headSize;
    final Uint8List name = Uint8List.sublistView(_bytes, at, at + length);
    if (name.contains(0)) {
      _fail('channel-name-malformed', 'it has a NUL', PwFrameLayout.headSize);
    }
    try {
      return utf8.decode(name);
    } on FormatException {
      _fail('channel-name-malformed', 'it is not UTF-8', PwFrameLayout.headSize);
    }
  }

  void _checkPadding(int from, int to) {
    for (int index = from; index < to; index++) {
      if (_bytes[_start + index] != 0) {
        _fail('padding-not-zero', 'a length is wrong', index);
      }
    }
  }
}
