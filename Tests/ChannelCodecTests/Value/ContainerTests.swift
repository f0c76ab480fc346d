import ChannelCodec
import Testing

@Suite("Value: lists and maps as collections")
struct ContainerTests {
  private static let elements: [Value] = [
    0, [1, 2], "three", ["k": [4, nil]], .custom(128, [5]), .float64List([6]), [],
  ]

  @Test("a list is a collection")
  func list() {
    let list = Value.List(Self.elements)
    #expect(Array(list) == Self.elements)
    #expect(list.count == 7)
    #expect(!list.isEmpty)
    #expect(list.first == 0)
    #expect(list.indices.count == 7)
    #expect(list.indices.map { list[$0] } == Self.elements)
    #expect(Array(list.dropFirst(2).prefix(3)) == Array(Self.elements[2..<5]))
    #expect(list.firstIndex(of: "three").map { list.distance(from: list.startIndex, to: $0) } == 2)
    #expect(list.index(list.startIndex, offsetBy: 7) == list.endIndex)
    #expect(list.index(list.startIndex, offsetBy: 8, limitedBy: list.endIndex) == nil)
    #expect(list.startIndex < list.endIndex)
    #expect(list.contains(["k": [4, nil]]))
    #expect(list.map { $0 } == Self.elements)
    #expect(Array(zip(list, 0...)).last?.1 == 6)
  }

  @Test("a map is a collection of pairs in the order given")
  func map() {
    let map: Value.Map = ["b": [1], "a": ["x": 2], [3]: 3, "b": nil]
    #expect(map.count == 4)
    #expect(map.map(\.key) == ["b", "a", [3], "b"])
    #expect(map.map(\.value) == [[1], ["x": 2], 3, nil])
    #expect(map.indices.map { map[$0].key } == map.map(\.key))
    #expect(map.dropFirst().first?.value == ["x": 2])
    #expect(map.index(map.startIndex, offsetBy: 4) == map.endIndex)
  }

  @Test("empty containers")
  func empty() {
    let list = Value.List([])
    let map = Value.Map([])
    #expect(list.isEmpty && list.startIndex == list.endIndex && list.first == nil)
    #expect(map.isEmpty && map.startIndex == map.endIndex && map.first == nil)
    #expect(Array(Value.List([[], [:], []])) == [[], [:], []])
  }

  @Test("views of a decoded message give what its bytes say")
  func decodedViews() throws {
    let message = wire("0c 03 0d 01 07 01 61 0c 02 03 01 00 00 00 01 00 0c 00")
    let value = try #require(try StandardMessageCodec().decode(message))
    let list = try #require(value.list)
    #expect(Array(list) == [["a": [1, true]], nil, []])
    #expect(list[0]?["a"]?[1] == true)
    #expect(list[1] == .some(.null))
  }

  @Test("an extension value shows its type byte and payload")
  func custom() throws {
    let custom = Value.Custom(type: 200, payload: ["a": [1]])
    #expect(custom.type == 200)
    #expect(custom.payload == ["a": [1]])
    #expect(Value.custom(custom) == .custom(200, ["a": [1]]))
    #expect(custom == Value.Custom(type: 200, payload: ["a": [1]]))
    #expect(custom != Value.Custom(type: 201, payload: ["a": [1]]))
    #expect(Set([custom, Value.Custom(type: 200, payload: ["a": [1]])]).count == 1)
    let decoded = try StandardMessageCodec(extensions: .pigeon).decode(wire("81 82 03 07 00 00 00"))
    guard case .custom(let outer)? = decoded, case .custom(let inner) = outer.payload else {
      Issue.record("no extension value: \(String(describing: decoded))")
      return
    }
    #expect(outer.type == 129)
    #expect(inner.type == 130)
    #expect(inner.payload == 7)
  }

  @Test("one place past the end traps")
  func pastTheEnd() async {
    await #expect(processExitsWith: .failure) {
      let list: Value.List = [1, 2]
      _ = list[list.endIndex]
    }
    await #expect(processExitsWith: .failure) {
      let map: Value.Map = ["a": 1]
      _ = map[map.endIndex]
    }
    await #expect(processExitsWith: .failure) {
      let numbers: Value.TypedList<Int32> = [1]
      _ = numbers[1]
    }
  }

  @Test("containers moved into containers are aligned anew, in every phase", arguments: 0..<16)
  func alignment(_ phase: Int) throws {
    let inner: Value = [
      1.5, .int32List([1, 2]), ["d": .float64List([2.5])], .custom(150, [.float32List([1.5])]),
      .int64List([3]), .float64List([]), "after",
    ]
    let prefix = Value.string(Value.Text(String(repeating: "p", count: phase)))
    let outer: Value = [prefix, inner, inner]
    #expect(outer[1] == inner)
    #expect(outer[2] == inner)
    #expect(outer[2]?[2]?["d"] == .float64List([2.5]))
    #expect(outer[1]?[6] == "after")
    // Taken out again, a view equals the original though it stands at another offset.
    #expect(Value.list(try #require(outer[2]?.list)) == inner)
    let codec = StandardMessageCodec(extensions: .pigeon)
    let bytes = try #require(try codec.encode(outer))
    #expect(try codec.decode(bytes) == outer)
  }

  @Test("random trees: built inside out, built in order and decoded are one value")
  func randomTrees() throws {
    var random = TestRandom(stream: 1)
    let codec = StandardMessageCodec(extensions: .pigeon)
    for round in 0..<400 {
      let tree = ValueTree.random(1 + random.below(60), using: &random)
      var builder = ValueBuilder()
      tree.build(into: &builder)
      let built = builder.finish()
      let value = tree.value
      let reference = ReferenceWriter.bytes(of: tree)
      let bytes = try codec.encode(value)
      #expect(bytes == reference, "round \(round): \(bytes?.wireText ?? "nil")")
      #expect(try codec.encode(built) == reference, "round \(round), built")
      let decoded = try #require(try codec.decode(reference))
      #expect(decoded == value && built == value && decoded == built, "round \(round)")
      #expect(decoded.hashValue == value.hashValue && built.hashValue == value.hashValue)
      #expect(decoded.isEqualInDart(to: value), "round \(round)")
      // The careful reader is the reference of the fast one.
      let careful = try codec.react(to: reference).result.get()
      #expect(careful == value, "round \(round), careful reader")
      if bytes != reference || decoded != value { break }
    }
  }
}
