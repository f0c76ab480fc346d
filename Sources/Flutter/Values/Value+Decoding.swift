import ChannelCodec
import Foundation

/// Values as native code on iOS gets them. `as?` finds in them what it finds there: numbers and
/// bools are `NSNumber`, which bridges to every numeric type that holds the number exactly.
enum NativeValue {
  /// What a value is at the top of a message: null is nil.
  static func of(_ value: Value) -> Any? {
    if case .null = value { return nil }
    return element(value)
  }

  /// The one `NSNull` there is on iOS; Foundation for Linux tells two of them apart as keys.
  static let null = NSNull()

  /// What a value is inside a list or map: null is `NSNull`.
  static func element(_ value: Value) -> Any {
    switch value {
    case .null: null
    case .bool(let bool): NSNumber(value: bool)
    case .int32(let number): NSNumber(value: number)
    case .int64(let number): NSNumber(value: number)
    case .largeInteger(let number): number.text.description
    case .float64(let number): NSNumber(value: number)
    case .string(let text): text.description
    case .uint8List(let list): FlutterStandardTypedData(bytes: data(list))
    case .int32List(let list): FlutterStandardTypedData(int32: data(list))
    case .int64List(let list): FlutterStandardTypedData(int64: data(list))
    case .float32List(let list): FlutterStandardTypedData(float32: data(list))
    case .float64List(let list): FlutterStandardTypedData(float64: data(list))
    case .list(let list): list.map(element) as [Any]
    case .map(let map): dictionary(map)
    // The profile refuses extension types before they come here.
    case .custom(let custom): element(custom.payload)
    }
  }

  /// Of pairs with equal keys the first stays, as with `CFDictionaryAddValue`.
  private static func dictionary(_ map: Value.Map) -> [AnyHashable: Any] {
    var dictionary = [AnyHashable: Any](minimumCapacity: map.count)
    for pair in map { add(key(element(pair.key)), element(pair.value), to: &dictionary) }
    return dictionary
  }

  static func add(_ key: AnyHashable, _ value: Any, to dictionary: inout [AnyHashable: Any]) {
    if dictionary[key] == nil { dictionary[key] = value }
  }

  /// Keys are Swift's own types: an `NSNumber` as key would not be found by `map[1]` here, as it is
  /// on iOS.
  static func key(_ native: Any) -> AnyHashable {
    switch native {
    case let number as NSNumber where type(of: native) == NSNumber.self:
      if NativeNumber.isFloating(number) {
        // As a Double it would equal nothing, not even itself.
        if number.doubleValue.isNaN { return AnyHashable(number) }
        return AnyHashable(number.doubleValue)
      }
      return AnyHashable(number.intValue)
    case let bool as NSNumber where NativeNumber.isBool(bool):
      return AnyHashable(bool.boolValue)
    case let text as String: return AnyHashable(text)
    case let list as [Any]: return AnyHashable(NSArray(array: list))
    case let map as [AnyHashable: Any]: return AnyHashable(NSDictionary(dictionary: map))
    case let object as NSObject: return AnyHashable(object)
    // A subclass of FlutterStandardReader may make keys of anything.
    default: return (native as? any Hashable).map { AnyHashable($0) } ?? AnyHashable("\(native)")
    }
  }

  private static func data<Element: TypedListElement>(_ list: Value.TypedList<Element>) -> Data {
    list.withUnsafeBytes { Data($0) }
  }
}

/// What an `NSNumber` of Foundation for Linux was made of.
enum NativeNumber {
  private static let boolType: AnyClass = type(of: NSNumber(value: true))

  static func isBool(_ number: NSNumber) -> Bool { type(of: number) == boolType }

  static func isFloating(_ number: NSNumber) -> Bool {
    let code = UInt8(bitPattern: number.objCType.pointee)
    return code == UInt8(ascii: "d") || code == UInt8(ascii: "f")
  }

  /// The number as the codec writes it: by the size that Core Foundation stores it in. nil for one
  /// that no codec type holds.
  static func value(_ number: NSNumber) -> Value? {
    if isBool(number) { return .bool(number.boolValue) }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): return .float64(number.doubleValue)
    case UInt8(ascii: "q"), UInt8(ascii: "l"): return .int64(number.int64Value)
    // Above the largest Int64.
    case UInt8(ascii: "Q"): return nil
    default: return .int32(number.int32Value)
    }
  }
}
