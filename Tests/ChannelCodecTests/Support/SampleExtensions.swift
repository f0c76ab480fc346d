import ChannelCodec

/// Extension types as real subclasses of StandardMessageCodec have them.
enum SampleExtensions {
  /// cloud_firestore's DateTime: a raw int64.
  static let dateTime: UInt8 = 128
  /// cloud_firestore's GeoPoint: two aligned doubles.
  static let geoPoint: UInt8 = 129
  /// A size and that many bytes.
  static let blob: UInt8 = 130
  /// Two values in a row, the first of which names the second.
  static let pair: UInt8 = 131
  /// Every raw number that there is.
  static let numbers: UInt8 = 132
  /// Refuses to read and to write.
  static let stubborn: UInt8 = 133
  /// Reads more than any message has.
  static let greedy: UInt8 = 134

  static let types: ExtensionTypes = {
    var types = ExtensionTypes()
    types[dateTime] = .custom(
      read: { (reader) throws(CodecError) in .int64(try reader.int64()) },
      write: { (value, writer) throws(CodecError) in writer.put(try integer(value)) })
    types[geoPoint] = .custom(
      read: { (reader) throws(CodecError) in
        let latitude = try reader.float64()
        return [.float64(latitude), .float64(try reader.float64())]
      },
      write: { (value, writer) throws(CodecError) in
        writer.put(value[0]?.double ?? 0)
        writer.put(value[1]?.double ?? 0)
      })
    types[blob] = .custom(
      read: { (reader) throws(CodecError) in
        .uint8List(Value.TypedList(try reader.bytes(try reader.size())))
      },
      write: { (value, writer) throws(CodecError) in
        guard case .uint8List(let list) = value else { throw refusal("bytes", value) }
        writer.put(size: list.count)
        writer.put(bytes: list)
      })
    types[pair] = .custom(
      read: { (reader) throws(CodecError) in [try reader.value(), try reader.value()] },
      write: { (value, writer) throws(CodecError) in
        for element in value.list ?? [] { try writer.put(element) }
      })
    types[numbers] = .custom(
      read: { (reader) throws(CodecError) in
        [
          .integer(Int64(try reader.uint8())), .integer(Int64(try reader.uint16())),
          .integer(Int64(try reader.uint32())), .int32(try reader.int32()),
          .integer(Int64(reader.position)),
        ]
      },
      write: { (value, writer) throws(CodecError) in
        writer.put(UInt8(try integer(value[0])))
        writer.put(UInt16(try integer(value[1])))
        writer.put(UInt32(try integer(value[2])))
        writer.put(Int32(try integer(value[3])))
        if writer.position != Int(try integer(value[4])) { throw refusal("position", value) }
      })
    types[stubborn] = .custom(
      read: { (_) throws(CodecError) in throw refusal("something else", nil) },
      write: { (value, _) throws(CodecError) in throw refusal("something else", value) })
    types[greedy] = .custom(
      read: { (reader) throws(CodecError) in
        let before = reader.position
        do throws(CodecError) {
          _ = try reader.bytes(1000)
        } catch {
          // A read that fails moves nothing.
          if reader.position != before { return "moved" }
          throw error
        }
        return nil
      },
      write: { (_, writer) throws(CodecError) in writer.put(bytes: [1, 2, 3]) })
    types[255] = .oneValue
    return types
  }()

  static func refusal(_ expected: String, _ value: Value?) -> CodecError {
    CodecError(.extensionFailed, expected: expected, found: value?.shortText ?? "nothing")
  }

  static func integer(_ value: Value?) throws(CodecError) -> Int64 {
    guard let number = value?.integer else { throw refusal("an integer", value) }
    return number
  }
}
