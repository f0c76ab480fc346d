import Foundation

#if os(iOS)
  import Flutter
#elseif os(macOS)
  import FlutterMacOS
#else
  #error("Unsupported platform.")
#endif

/// The shape of what Pigeon generates, written by hand: data classes as lists behind a type byte,
/// enums as numbers, one basic message channel for each method.
final class PigeonStyleError: Error {
  let code: String
  let message: String?
  let details: Sendable?

  init(code: String, message: String?, details: Sendable?) {
    self.code = code
    self.message = message
    self.details = details
  }
}

private func wrapResult(_ result: Any?) -> [Any?] {
  return [result]
}

private func wrapError(_ error: Any) -> [Any?] {
  if let error = error as? PigeonStyleError {
    return [error.code, error.message, error.details]
  }
  if let error = error as? FlutterError {
    return [error.code, error.message, error.details]
  }
  return ["\(error)", "\(type(of: error))", nil]
}

private func isNullish(_ value: Any?) -> Bool {
  return value is NSNull || value == nil
}

private func nilOrValue<T>(_ value: Any?) -> T? {
  if value is NSNull { return nil }
  return value as! T?
}

enum Unit: Int {
  case meters = 0
  case feet = 1
}

struct Distance: Hashable {
  var amount: Double
  var unit: Unit
  var label: String? = nil
  var count: Int64

  static func fromList(_ list: [Any?]) -> Distance? {
    let amount = list[0] as! Double
    let unit = list[1] as! Unit
    let label: String? = nilOrValue(list[2])
    let count = list[3] as! Int64
    return Distance(amount: amount, unit: unit, label: label, count: count)
  }

  func toList() -> [Any?] {
    return [amount, unit, label, count]
  }
}

private class DistancesPigeonCodecReader: FlutterStandardReader {
  override func readValue(ofType type: UInt8) -> Any? {
    switch type {
    case 129:
      let number: Int? = nilOrValue(self.readValue() as! Int?)
      if let number = number { return Unit(rawValue: number) }
      return nil
    case 130:
      return Distance.fromList(self.readValue() as! [Any?])
    default:
      return super.readValue(ofType: type)
    }
  }
}

private class DistancesPigeonCodecWriter: FlutterStandardWriter {
  override func writeValue(_ value: Any) {
    if let value = value as? Unit {
      super.writeByte(129)
      super.writeValue(value.rawValue)
    } else if let value = value as? Distance {
      super.writeByte(130)
      super.writeValue(value.toList())
    } else {
      super.writeValue(value)
    }
  }
}

private class DistancesPigeonCodecReaderWriter: FlutterStandardReaderWriter {
  override func reader(with data: Data) -> FlutterStandardReader {
    return DistancesPigeonCodecReader(data: data)
  }

  override func writer(with data: NSMutableData) -> FlutterStandardWriter {
    return DistancesPigeonCodecWriter(data: data)
  }
}

class DistancesPigeonCodec: FlutterStandardMessageCodec, @unchecked Sendable {
  static let shared = DistancesPigeonCodec(readerWriter: DistancesPigeonCodecReaderWriter())
}

protocol DistancesApi {
  func double(_ distance: Distance) throws -> Distance
}

class DistancesApiSetup {
  static var codec: FlutterStandardMessageCodec { DistancesPigeonCodec.shared }

  static func setUp(binaryMessenger: FlutterBinaryMessenger, api: DistancesApi?) {
    let doubleChannel = FlutterBasicMessageChannel(
      name: "dev.flutter.pigeon.example.DistancesApi.double", binaryMessenger: binaryMessenger,
      codec: codec)
    if let api = api {
      doubleChannel.setMessageHandler { message, reply in
        let args = message as! [Any?]
        let distance = args[0] as! Distance
        do {
          reply(wrapResult(try api.double(distance)))
        } catch {
          reply(wrapError(error))
        }
      }
    } else {
      doubleChannel.setMessageHandler(nil)
    }
  }
}

/// What the plugin's author adds to it.
class DistancesPlugin: NSObject, FlutterPlugin, DistancesApi {
  static func register(with registrar: FlutterPluginRegistrar) {
    DistancesApiSetup.setUp(binaryMessenger: registrar.messenger(), api: DistancesPlugin())
  }

  func double(_ distance: Distance) throws -> Distance {
    guard distance.amount >= 0 else {
      throw PigeonStyleError(code: "negative", message: "no negative distances", details: nil)
    }
    var result = distance
    result.amount *= 2
    return result
  }
}
