/// Whose behaviour a codec takes on. Flutter's implementations agree on well-formed messages and
/// differ in what they write and in what they make of odd input; each difference is a field of
/// ``DecodingRules`` or ``EncodingRules``, and `ProfileTable.swift` holds them all.
public enum Profile: String, Sendable, CaseIterable {
  /// What a careful implementation accepts, and canonical output. The default.
  case strict
  /// Dart on the VM and AOT, and compiled to WebAssembly
  /// (`packages/flutter/lib/src/services/message_codecs.dart`).
  case dart
  /// Dart compiled to JavaScript, where every number is a double.
  case dartWeb
  /// iOS and macOS (`shell/platform/darwin/common/framework/Source/FlutterStandardCodec.mm`).
  case ios
  /// Android (`shell/platform/android/io/flutter/plugin/common/StandardMessageCodec.java`).
  case android
  /// The C++ client wrapper of Windows and many embedders
  /// (`shell/platform/common/client_wrapper/standard_codec.cc`).
  case windows
  /// Linux with GObject (`shell/platform/linux/fl_standard_message_codec.cc`).
  case linux
}
