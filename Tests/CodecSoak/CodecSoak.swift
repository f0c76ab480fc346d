import ChannelCodec
import Foundation

/// Feeds the standard codec with millions of odd inputs and checks what must hold for each.
@main
struct CodecSoak {
  static func main() {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      say("seed \(options.seed)")
      exit(try run(options) ? 0 : 1)
    } catch let misuse as Options.Misuse {
      Options.note("CodecSoak: \(misuse.text)\n\(Options.usage)")
      exit(64)
    } catch {
      Options.note("CodecSoak: \(error)")
      exit(2)
    }
  }

  private static func run(_ options: Options) throws -> Bool {
    Watch.catchCrashes()
    if let command = options.engine {
      let comparison = try Comparison(command, options)
      return try comparison.run()
    }
    let limit = options.timeLimit * 1_000_000
    Watch.limit = limit
    Watch.startTimer()
    if let input = options.replayed {
      var soak = try Soak(options: options)
      return soak.replay(input)
    }
    var isFine = true
    if options.hasHostileInputs {
      var hostile = Hostile(profiles: options.profiles)
      // They are told off when done, and only ended if there is no end in sight.
      Watch.limit = limit * 30
      let (passed, failed) = hostile.run()
      Watch.limit = limit
      say("hostile inputs: \(passed) held their bounds, \(failed) did not")
      isFine = failed == 0
    }
    var soak = try Soak(options: options)
    return soak.run() && isFine
  }
}
