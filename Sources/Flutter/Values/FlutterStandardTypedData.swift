import ChannelCodec
import Foundation

/// What the elements of a ``FlutterStandardTypedData`` are (`FlutterCodecs.h`).
public enum FlutterStandardDataType: Int, Sendable {
  case uInt8 = 0
  case int32 = 1
  case int64 = 2
  case float32 = 3
  case float64 = 4
}

/// Numbers of one width, as Dart's typed lists have them (`FlutterCodecs.h`).
open class FlutterStandardTypedData: NSObject {
  /// The numbers, little-endian and without gaps.
  public let data: Data
  /// What the numbers are.
  public let type: FlutterStandardDataType
  /// How many numbers there are.
  public let elementCount: UInt32
  /// Bytes per element.
  public let elementSize: UInt8

  /// A Uint8List.
  public convenience init(bytes data: Data) { self.init(data, .uInt8) }
  /// An Int32List; `data` holds four bytes for each number.
  public convenience init(int32 data: Data) { self.init(data, .int32) }
  /// An Int64List; `data` holds eight bytes for each number.
  public convenience init(int64 data: Data) { self.init(data, .int64) }
  /// A Float32List; `data` holds four bytes for each number.
  public convenience init(float32 data: Data) { self.init(data, .float32) }
  /// A Float64List; `data` holds eight bytes for each number.
  public convenience init(float64 data: Data) { self.init(data, .float64) }

  /// iOS asserts that the data is a whole number of elements; here bytes behind the last whole one
  /// are left out and reported.
  init(_ data: Data, _ type: FlutterStandardDataType) {
    let width = type.width
    let rest = data.count % width
    if rest != 0 {
      FlutterTrouble.report(
        "FlutterStandardTypedData: \(data.count) bytes are no whole number of elements of "
          + "\(width) bytes; iOS asserts here")
    }
    self.data = rest == 0 ? data : Data(data.dropLast(rest))
    self.type = type
    elementCount = UInt32(clamping: self.data.count / width)
    elementSize = UInt8(width)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? FlutterStandardTypedData else { return false }
    return type == other.type && elementCount == other.elementCount && data == other.data
  }

  open override var hash: Int { data.hashValue ^ type.rawValue }
}

extension FlutterStandardDataType {
  var width: Int {
    switch self {
    case .uInt8: 1
    case .int32, .float32: 4
    case .int64, .float64: 8
    }
  }
}

extension FlutterStandardTypedData {
  /// The value as the codec has it.
  var value: Value {
    switch type {
    case .uInt8: .uint8List(Value.TypedList(data))
    case .int32: .int32List(Value.TypedList(elements(Int32.self)))
    case .int64: .int64List(Value.TypedList(elements(Int64.self)))
    case .float32: .float32List(Value.TypedList(elements(Float.self)))
    case .float64: .float64List(Value.TypedList(elements(Double.self)))
    }
  }

  private func elements<Element: BitwiseCopyable>(_: Element.Type) -> [Element] {
    let width = MemoryLayout<Element>.size
    return data.withUnsafeBytes { bytes in
      (0..<bytes.count / width).map {
        bytes.loadUnaligned(fromByteOffset: $0 * width, as: Element.self)
      }
    }
  }
}
