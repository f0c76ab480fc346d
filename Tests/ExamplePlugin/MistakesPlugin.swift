import Flutter
import UIKit

/// What plugins get wrong, one method for each mistake.
public class MistakesPlugin: NSObject, FlutterPlugin, @unchecked Sendable {
  private let messenger: FlutterBinaryMessenger

  private init(_ messenger: FlutterBinaryMessenger) { self.messenger = messenger }

  public static func register(with registrar: FlutterPluginRegistrar) {
    let channel = FlutterMethodChannel(
      name: "example/mistakes", binaryMessenger: registrar.messenger())
    registrar.addMethodCallDelegate(MistakesPlugin(registrar.messenger()), channel: channel)
  }

  public func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
    switch call.method {
    case "forget": break
    case "answerTwice":
      result("first")
      result("second")
    case "answerDate":
      result(["when": [Date(timeIntervalSince1970: 0)]])
    case "setHandlerElsewhere":
      DispatchQueue.global().async { [self] in
        FlutterMethodChannel(name: "example/elsewhere", binaryMessenger: messenger)
          .setMethodCallHandler { _, result in result("here") }
        result(nil)
      }
    case "sendElsewhere":
      DispatchQueue.global().async { [self] in
        FlutterMethodChannel(name: "example/mistakes", binaryMessenger: messenger)
          .invokeMethod("fromElsewhere", arguments: nil)
        result(nil)
      }
    case "answerElsewhereLater":
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { result(Thread.isMainThread) }
    case "callDart":
      FlutterMethodChannel(name: "example/mistakes", binaryMessenger: messenger)
        .invokeMethod("askDart", arguments: call.arguments) { answer in
          if let error = answer as? FlutterError { return result("error \(error.code)") }
          if answer as? NSObject === FlutterMethodNotImplemented { return result("not there") }
          result(answer)
        }
    case "answerOnMainActor":
      Task { @MainActor in
        try? await Task.sleep(nanoseconds: 1_000_000)
        result(Thread.isMainThread)
      }
    case "echo": result(call.arguments)
    default: result(FlutterMethodNotImplemented)
    }
  }
}
