import ChannelCodec
import Foundation

/// What the codec makes of a native object or value (`FlutterStandardCodecHelper` of
/// `shell/platform/darwin/common/framework/Source`, and Swift's bridging to Objective-C before it).
///
/// The Swift type is looked at before anything is cast to `NSNumber`: on Linux that cast forgets the
/// width of small numbers.
enum NativeShape {
  case leaf(Value)
  case list([Any])
  case map([(key: Any, value: Any)])
  /// Nothing that the codec writes; `found` says what it is.
  case unsupported(found: String)

  static let supported = "nil, a bool, a number, a string, data, typed data, a list or a map"

  static func of(_ native: Any?) -> NativeShape {
    guard let native else { return .leaf(.null) }
    let type = type(of: native)
    if type is AnyObject.Type { return object(native, type) }
    if type == String.self, let text = native as? String { return .leaf(.string(Value.Text(text))) }
    if let number = number(native, type) { return number }
    if type == Data.self, let data = native as? Data {
      return .leaf(.uint8List(Value.TypedList(data)))
    }
    if let optional = native as? any OptionalNative { return of(optional.unwrapped) }
    if let list = native as? [Any] { return .list(list) }
    if let map = native as? [AnyHashable: Any] {
      return .map(sorted(map.map { (key: $0.key.base, value: $0.value) }))
    }
    if type == Substring.self, let text = native as? Substring {
      return .leaf(.string(Value.Text(text)))
    }
    if let hashable = native as? AnyHashable, type == AnyHashable.self { return of(hashable.base) }
    return .unsupported(found: "\(type)")
  }

  // MARK: -

  /// Int and Int64 take eight bytes, what Core Foundation stores in four or fewer takes four.
  private static func number(_ native: Any, _ type: any Any.Type) -> NativeShape? {
    if type == Bool.self { return leaf(native as? Bool) { .bool($0) } }
    if type == Int.self { return leaf(native as? Int) { .int64(Int64($0)) } }
    if type == Double.self { return leaf(native as? Double) { .float64($0) } }
    if type == Int32.self { return leaf(native as? Int32) { .int32($0) } }
    if type == Int64.self { return leaf(native as? Int64) { .int64($0) } }
    if type == Float.self { return leaf(native as? Float) { .float64(Double($0)) } }
    if type == UInt8.self { return leaf(native as? UInt8) { .int32(Int32($0)) } }
    if type == Int8.self { return leaf(native as? Int8) { .int32(Int32($0)) } }
    if type == Int16.self { return leaf(native as? Int16) { .int32(Int32($0)) } }
    if type == UInt16.self { return leaf(native as? UInt16) { .int32(Int32($0)) } }
    if type == UInt32.self { return leaf(native as? UInt32) { .int64(Int64($0)) } }
    if type == UInt.self { return (native as? UInt).map { unsigned(UInt64($0), "UInt") } }
    if type == UInt64.self { return (native as? UInt64).map { unsigned($0, "UInt64") } }
    if type == CGFloat.self { return leaf(native as? CGFloat) { .float64(Double($0)) } }
    if type == Decimal.self {
      return leaf(native as? Decimal) { .float64(NSDecimalNumber(decimal: $0).doubleValue) }
    }
    return nil
  }

  private static func leaf<Native>(_ native: Native?, _ value: (Native) -> Value) -> NativeShape? {
    native.map { .leaf(value($0)) }
  }

  private static func unsigned(_ number: UInt64, _ name: String) -> NativeShape {
    guard let fitting = Int64(exactly: number) else {
      return .unsupported(found: "the \(name) \(number), which is more than an Int64 holds")
    }
    return .leaf(.int64(fitting))
  }

  private static func object(_ native: Any, _ type: any Any.Type) -> NativeShape {
    switch native {
    case let number as NSNumber:
      guard let value = NativeNumber.value(number) else {
        return .unsupported(found: "the number \(number), which is more than an Int64 holds")
      }
      return .leaf(value)
    case is NSNull: return .leaf(.null)
    case let text as NSString: return .leaf(.string(Value.Text(String(describing: text))))
    case let typed as FlutterStandardTypedData: return .leaf(typed.value)
    case let data as NSData: return .leaf(.uint8List(Value.TypedList(Data(referencing: data))))
    case let list as NSArray: return .list(list.map { $0 })
    case let map as NSDictionary:
      return .map(sorted(map.map { (key: $0.key, value: $0.value) }))
    default: return .unsupported(found: "an object of class \(type)")
    }
  }

  /// Dictionaries have no order of their own, and Swift's differs from run to run. Sorted, the same
  /// result is the same bytes.
  private static func sorted(_ pairs: [(key: Any, value: Any)]) -> [(key: Any, value: Any)] {
    let names = pairs.compactMap { ($0.key as? String).map { Array($0.utf8) } }
    if names.count == pairs.count {
      return zip(names, pairs).sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }
    return pairs.sorted { String(describing: $0.key) < String(describing: $1.key) }
  }
}

/// An `Optional` of any type inside an `Any`; Swift hands `NSNull` or the content to Objective-C.
private protocol OptionalNative {
  var unwrapped: Any? { get }
}

extension Optional: OptionalNative {
  fileprivate var unwrapped: Any? { self }
}
