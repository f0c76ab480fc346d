import ChannelCodec
import Foundation

@testable import Flutter

/// Whether a native value is what iOS makes of `value`, types included.
func isNative(_ native: Any?, of value: Value, isTop: Bool = true) -> Bool {
  guard let native else { return isTop && value.isNull }
  switch value {
  case .null: return !isTop && native is NSNull
  case .bool(let bool):
    guard let number = native as? NSNumber, NativeNumber.isBool(number) else { return false }
    return number.boolValue == bool
  case .int32, .int64:
    guard let number = number(native) else { return false }
    return !NativeNumber.isFloating(number) && number.int64Value == value.integer
  case .float64(let double):
    guard let number = number(native), NativeNumber.isFloating(number) else { return false }
    return number.doubleValue.bitPattern == double.bitPattern
      || (double.isNaN && number.doubleValue.isNaN)
  case .string(let text): return native as? String == text.description
  case .largeInteger(let number): return native as? String == number.description
  case .uint8List, .int32List, .int64List, .float32List, .float64List:
    guard let typed = native as? FlutterStandardTypedData else { return false }
    return typed.value == value
  case .list(let list):
    guard let natives = native as? [Any], natives.count == list.count else { return false }
    return zip(natives, list).allSatisfy { isNative($0, of: $1, isTop: false) }
  case .map(let map):
    guard let natives = native as? [AnyHashable: Any] else { return false }
    let isWhole = map.allSatisfy { pair in
      natives[NativeValue.key(NativeValue.element(pair.key))].map {
        isNative($0, of: pair.value, isTop: false)
      } ?? false
    }
    return isWhole && natives.count == map.count
  case .custom: return false
  }
}

private func number(_ native: Any) -> NSNumber? {
  guard let number = native as? NSNumber, type(of: native) == NSNumber.self else { return nil }
  return number
}

extension Value {
  /// Whether Foundation for Linux keeps what the wire can tell apart: it forgets the width of the
  /// numbers from -1 to 12, and dictionaries have an order of their own.
  var comesBackUnchanged: Bool {
    switch self {
    case .int64(let number): !(-1...12).contains(number)
    case .float64(let number): !number.isNaN
    case .largeInteger, .custom: false
    case .string(let text): text.isValidUTF8
    case .list(let list): list.allSatisfy(\.comesBackUnchanged)
    case .map(let map):
      map.count < 2
        && map.allSatisfy { pair in
          // Keys are Swift's Int, whatever their width.
          if case .int32 = pair.key { return false }
          return pair.key.comesBackUnchanged && pair.value.comesBackUnchanged
        }
    default: true
    }
  }
}
