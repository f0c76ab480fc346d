import ChannelCodec
import Testing

@testable import Conformance

/// The project's own codec, in this process.
@Suite("Own codec") struct OwnCodecTests {
  /// The two that share the least. CI runs the release build under every profile.
  @Test(arguments: [Profile.strict, .ios])
  func passesEveryCase(_ profile: Profile) throws {
    let list = try CaseList(VectorSource.compiledIn, profile: profile)
    let results = ConformanceRun(list).run(InProcessTestee(profile: profile))
    #expect(results.cases.count >= 4000)
    #expect(!results.isPartial && results.isSuccess(strict: true))
    let failures = results.cases.filter { $0.verdict != .pass }
    #expect(failures.isEmpty, "\(failures.prefix(5).map(\.id))")
  }

  @Test(arguments: Profile.allCases)
  func passesGeneratedCases(_ profile: Profile) throws {
    let list = try CaseList(VectorSource.compiledIn, profile: profile)
    var options = ConformanceRun.Options()
    options.filters = [.anything("generated.*")]
    options.generatedCount = 2000
    options.seed = UInt64.random(in: 0...UInt64.max)
    let results = ConformanceRun(list, options: options).run(InProcessTestee(profile: profile))
    #expect(
      results.cases.isEmpty,
      "seed \(options.seed): \(results.cases.prefix(3).map { ($0.id, $0.request, $0.actual) })")
    #expect(results.generatedPasses.values.reduce(0, +) == 2000)
    #expect(results.generatedPasses.count == 4)
  }

  @Test func idsAreUniqueAndLevelsAreBoth() throws {
    let cases = try CaseList(VectorSource.compiledIn, profile: .strict).cases
    #expect(Set(cases.map(\.id)).count == cases.count)
    #expect(cases.filter { $0.level == .required }.count > 3000)
    #expect(cases.filter { $0.level == .recommended }.count > 500)
  }

  /// What the levels are about, by example.
  @Test(
    arguments: [
      ("standard.int32.zero.decode", Level.required),
      ("standard.size.int64list-0.encode", .required),
      ("maps.keys.int32-and-float64.decode", .recommended),
    ])
  func level(_ id: String, _ level: Level) throws {
    let cases = try CaseList(VectorSource.compiledIn, profile: .strict).cases
    let found = try #require(cases.first { $0.id == id }, "no case \(id)")
    #expect(found.level == level)
  }
}

/// Another profile than the expected one is found out, and made small.
@Suite("Shrinking") struct ShrinkingTests {
  @Test func aWrongProfileIsShrunk() throws {
    let list = try CaseList(VectorSource.compiledIn, profile: .strict)
    var options = ConformanceRun.Options()
    options.filters = [.anything("generated.*")]
    options.generatedCount = 4000
    // The C++ wrapper leaves the padding of empty typed lists out.
    let results = ConformanceRun(list, options: options).run(InProcessTestee(profile: .windows))
    let encodes = results.cases.filter { $0.area == "generated.encode" }
    #expect(!encodes.isEmpty && !results.isSuccess)
    for result in encodes {
      guard case .value(let text)? = result.request else {
        Issue.record("\(result.id): no value")
        continue
      }
      #expect(text.utf8.count < 100, "\(text)")
      #expect(!result.explanation.isEmpty)
    }
  }

  @Test func theSameSeedMakesTheSameCases() {
    for number in 0..<200 {
      let first = GeneratedCase(seed: 5, number: number, profile: .strict)
      let second = GeneratedCase(seed: 5, number: number, profile: .strict)
      let other = GeneratedCase(seed: 6, number: number + 4, profile: .strict)
      #expect(first.sourceText == second.sourceText)
      #expect(first.kind == other.kind)
    }
  }
}
