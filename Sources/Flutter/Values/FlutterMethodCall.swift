import Foundation

/// A method call from Dart, or to it (`FlutterCodecs.h`).
open class FlutterMethodCall: NSObject {
  /// The name of the method.
  public let method: String
  /// nil for null; what other values are, says ``FlutterStandardMessageCodec``.
  public let arguments: Any?

  /// A call; `arguments` may be whatever the codec of its channel writes.
  public init(methodName method: String, arguments: Any?) {
    (self.method, self.arguments) = (method, arguments)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? FlutterMethodCall else { return false }
    return method == other.method && NativeEquality.areEqual(arguments, other.arguments)
  }

  open override var hash: Int { method.hashValue }
}

/// An error for Dart to throw as a PlatformException (`FlutterCodecs.h`).
///
/// It is no `Swift.Error`, as on iOS, where apps write `extension FlutterError: Error {}` themselves.
open class FlutterError: NSObject {
  /// What kind of error it is, for programs.
  public let code: String
  /// What went wrong, for people.
  public let message: String?
  /// Anything more, as far as the codec writes it.
  public let details: Any?

  /// An error; `details` may be whatever the codec of its channel writes.
  public init(code: String, message: String?, details: Any?) {
    (self.code, self.message, self.details) = (code, message, details)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? FlutterError else { return false }
    return code == other.code && message == other.message
      && NativeEquality.areEqual(details, other.details)
  }

  open override var hash: Int { code.hashValue }

  open override var description: String {
    "FlutterError(\(code), \(message ?? "nil"), \(details.map { "\($0)" } ?? "nil"))"
  }
}

/// What an object is to say that a method is not implemented; it is known by its identity
/// (`FlutterChannels.h`). A variable on iOS as well, and never to be set.
// swift-format-ignore: AlwaysUseLowerCamelCase
nonisolated(unsafe) public var FlutterMethodNotImplemented = NSObject()

/// What an event sink is given at the end of the stream; it is known by its identity
/// (`FlutterChannels.h`).
// swift-format-ignore: AlwaysUseLowerCamelCase
nonisolated(unsafe) public var FlutterEndOfEventStream = NSObject()

enum NativeEquality {
  /// Whether two native values are `isEqual` to each other.
  static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?):
      NSArray(array: [left]).isEqual(to: [right])
    default: false
    }
  }
}
