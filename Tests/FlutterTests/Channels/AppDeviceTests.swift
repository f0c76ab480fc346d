import AppDevice
import ChannelRouter
import EmulatedDevice
import Foundation
import Synchronization
import Testing

extension DeviceTests {
  @Suite(.serialized) struct AppDeviceTests {
    final class Shared<Value: Sendable>: Sendable {
      private let content: Mutex<Value>
      init(_ value: Value) { content = Mutex(value) }
      var value: Value { content.withLock { $0 } }
      func change(_ body: @Sendable (inout sending Value) -> Void) {
        content.withLock { body(&$0) }
      }
    }

    struct Refused: Error, Equatable { let number: Int }

    @Test func workIsDoneOnTheDevicesThread() throws {
      let device = AppDevice.start()
      #expect(!device.isCurrent)
      #expect(device.perform { _ in device.isCurrent })
      // From there it is done at once, however deep.
      #expect(device.perform { _ in device.perform { _ in device.perform { $0.name } } } == "app")
      #expect(throws: Refused(number: 3)) {
        try device.perform { (_) throws(Refused) in throw Refused(number: 3) }
      }
      #expect(AppDevice.shared === device)
    }

    @Test func manyThreadsAndTheOrderOfEach() async {
      let device = AppDevice.start()
      let count = Shared(0)
      let seen = Shared<[Int]>([])
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            for _ in 0..<200 { device.perform { _ in count.change { $0 += 1 } } }
          }
        }
      }
      #expect(count.value == 1600)
      for number in 0..<500 { device.async { _ in seen.change { $0.append(number) } } }
      device.perform { _ in }
      #expect(seen.value == Array(0..<500))
    }

    @Test func afterItsEndADeviceCanStillBeAsked() async throws {
      let device = AppDevice.start()
      let hasEnded = Shared(false)
      let wasDone = Shared(false)
      device.atEnd { hasEnded.change { $0 = true } }
      device.async { _ in wasDone.change { $0 = true } }
      device.stop()
      for _ in 0..<1000 where !hasEnded.value {
        try await Task.sleep(nanoseconds: 2_000_000)
      }
      #expect(hasEnded.value)
      #expect(wasDone.value)
      #expect(device.perform { $0.name } == "app")
      #expect(device.perform { _ in device.perform { $0.name } } == "app")
      device.report(.info, "nobody hears this")
    }

    @Test func aFreshDeviceTakesThePlace() throws {
      var options = DeviceOptions()
      try options.set("seed", to: "5")
      let first = AppDevice.start(options: options)
      #expect(first.perform { $0.options.seed } == 5)
      let second = AppDevice.start()
      #expect(AppDevice.shared === second)
      #expect(second.perform { $0.options.seed } == 1)
      #expect(second.perform { $0.messenger.handledChannels } == ["pwbridge/control"])
    }
  }
}
