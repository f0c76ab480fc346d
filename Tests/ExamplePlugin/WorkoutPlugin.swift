import Flutter
import UIKit

/// A plugin as its author would write it for iOS: a method channel with a codec of its own, an event
/// channel, and a channel whose handler works on a background queue.
@objc(WorkoutPlugin)
public class WorkoutPlugin: NSObject, FlutterPlugin {
  private var route: [RoutePoint] = []
  private let clock = WorkoutClock()
  private var life: [String] = []

  @objc public static func register(with registrar: FlutterPluginRegistrar) {
    let messenger = registrar.messenger()
    let codec = FlutterStandardMethodCodec(readerWriter: RouteReaderWriter())
    let instance = WorkoutPlugin()

    let channel = FlutterMethodChannel(
      name: "example/workout", binaryMessenger: messenger, codec: codec)
    registrar.addMethodCallDelegate(instance, channel: channel)
    registrar.addApplicationDelegate(instance)

    FlutterEventChannel(name: "example/workout/ticks", binaryMessenger: messenger)
      .setStreamHandler(instance.clock)

    let measuring = FlutterMethodChannel(
      name: "example/workout/measuring", binaryMessenger: messenger, codec: codec,
      taskQueue: messenger.makeBackgroundTaskQueue?())
    measuring.setMethodCallHandler { call, result in
      guard let points = call.arguments as? [RoutePoint] else {
        return result(
          FlutterError(code: "BAD_ARGS", message: "expected a list of points", details: nil))
      }
      result(["length": WorkoutPlugin.length(of: points), "onMain": Thread.isMainThread])
    }
  }

  public func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
    switch call.method {
    case "addPoint":
      guard let point = call.arguments as? RoutePoint else {
        result(
          FlutterError(
            code: "BAD_ARGS", message: "expected a point", details: "\(type(of: call.arguments))"))
        return
      }
      route.append(point)
      print("point \(route.count)")
      result(route.count)
    case "route":
      result(route)
    case "summary":
      let options = call.arguments as? [String: Any]
      let precision = options?["precision"] as? Double ?? 1
      result([
        "points": route.count,
        "meters": (WorkoutPlugin.length(of: route) * precision).rounded() / precision,
        "name": options?["name"] as? String as Any,
      ])
    case "life":
      result(life)
    case "clear":
      route = []
      result(nil)
    default:
      result(FlutterMethodNotImplemented)
    }
  }

  public func applicationDidBecomeActive(_ application: UIApplication) {
    life.append("active \(application.applicationState == .active)")
  }

  public func applicationDidEnterBackground(_ application: UIApplication) {
    life.append("background \(application.applicationState == .background)")
  }

  /// On a plane, in meters.
  private static func length(of points: [RoutePoint]) -> Double {
    zip(points, points.dropFirst()).reduce(0) { sum, step in
      sum + hypot(step.1.east - step.0.east, step.1.north - step.0.north)
    }
  }
}

/// A place on the way, which has a type byte of its own on the wire.
class RoutePoint: NSObject {
  let east: Double
  let north: Double

  init(east: Double, north: Double) {
    self.east = east
    self.north = north
  }
}

class RouteReaderWriter: FlutterStandardReaderWriter {
  override func reader(with data: Data) -> FlutterStandardReader { RouteReader(data: data) }
  override func writer(with data: NSMutableData) -> FlutterStandardWriter {
    RouteWriter(data: data)
  }
}

private let routePointType: UInt8 = 128

private class RouteReader: FlutterStandardReader {
  override func readValue(ofType type: UInt8) -> Any? {
    guard type == routePointType else { return super.readValue(ofType: type) }
    guard let fields = readValue() as? [Double], fields.count == 2 else { return nil }
    return RoutePoint(east: fields[0], north: fields[1])
  }
}

private class RouteWriter: FlutterStandardWriter {
  override func writeValue(_ value: Any) {
    guard let point = value as? RoutePoint else { return super.writeValue(value) }
    writeByte(routePointType)
    writeValue([point.east, point.north])
  }
}

/// Sends as many events as Dart asks for, then the end.
@objcMembers class WorkoutClock: NSObject, FlutterStreamHandler {
  private var timer: Timer?
  private var second = 0

  func onListen(
    withArguments arguments: Any?, eventSink events: @escaping FlutterEventSink
  ) -> FlutterError? {
    guard let count = arguments as? Int, count >= 0 else {
      return FlutterError(code: "BAD_ARGS", message: "expected a number", details: arguments)
    }
    second = 0
    timer = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { [weak self] timer in
      guard let self, self.second < count else {
        timer.invalidate()
        return events(FlutterEndOfEventStream)
      }
      self.second += 1
      events(["second": self.second])
    }
    return nil
  }

  func onCancel(withArguments arguments: Any?) -> FlutterError? {
    timer?.invalidate()
    timer = nil
    return nil
  }
}
