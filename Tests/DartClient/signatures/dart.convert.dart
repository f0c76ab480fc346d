// https://api.dart.dev/dart-convert/dart-convert-library.html
import 'dart:async';
import 'dart:typed_data';

class Converter<S, T> extends StreamTransformer<S, T> {
  T convert(S input);
}

class Encoding {
  Converter<List<int>, String> get decoder;
}

class Utf8Codec extends Encoding {
  Uint8List encode(String string);
  String decode(List<int> codeUnits, {bool? allowMalformed});
}

class AsciiCodec extends Encoding {
  Uint8List encode(String source);
  String decode(List<int> bytes, {bool? allowInvalid});
}

const Utf8Codec utf8 = Utf8Codec();
const AsciiCodec ascii = AsciiCodec();

external dynamic jsonDecode(String source, {Object? Function(Object? key, Object? value)? reviver});
