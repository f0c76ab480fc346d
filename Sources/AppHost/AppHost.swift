import AppDevice
import BridgeCommands
import Foundation

/// Turns this process into a hosted app.
///
/// The main thread is the app's, with its run loop, its queue and its `MainActor`, as on a phone;
/// the server lives on the device's thread.
public enum AppHost {
  /// Reads the command line (`--help` lists the flags, which are those of `pwbridge serve`), makes
  /// the app's device, does `launch`, serves clients, and ends the process when the conversation is
  /// over. No message is read before `launch` has returned, so that the app's channels are there.
  @MainActor public static func run(_ launch: @MainActor () -> Void) -> Never {
    let server = Unshared(HostedServer.ofThisProcess())
    let device = AppDevice.start(options: server.content.deviceOptions)
    device.atEnd { server.content.conclude() }
    launch()
    device.perform { emulated in
      server.content.begin(loop: device.loop, device: emulated, provider: device)
    }
    while true {
      let hasWaited = RunLoop.main.run(mode: .default, before: .distantFuture)
      // Without anything to wait for it returns at once.
      if !hasWaited { Thread.sleep(forTimeInterval: 0.1) }
    }
  }
}

/// Goes from the main thread to the device's and never back.
private struct Unshared<Content>: @unchecked Sendable {
  let content: Content
  init(_ content: Content) { self.content = content }
}
