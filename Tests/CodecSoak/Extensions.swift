import ChannelCodec

/// Extension types of every sort.
enum Extensions {
  /// Type bytes with readers and writers of their own, beside Pigeon's.
  static let all: ExtensionTypes = {
    var types = ExtensionTypes.pigeon
    types[15] = sizedBytes
    types[16] = twoValues
    types[17] = alignedDouble
    types[18] = rawNumbers
    return types
  }()

  /// Pigeon's types, read and written by procedures that do what the codec would do without: must
  /// not make a difference.
  static let pigeonByProcedure: ExtensionTypes = {
    let oneValue = ExtensionType.custom(
      read: { reader throws(CodecError) in try reader.value() },
      write: { value, writer throws(CodecError) in try writer.put(value) })
    var types = ExtensionTypes.none
    for type in UInt8(128)...255 { types[type] = oneValue }
    return types
  }()

  /// A value that the writers of ``all`` take.
  static func value(_ random: inout Random, _ values: RandomValues) -> Value {
    var inner = values
    inner.extensionTypes = []
    switch random.below(4) {
    case 0: return .custom(15, .uint8List(Value.TypedList(inner.text(&random).utf8)))
    case 1: return .custom(16, [inner.value(&random), inner.value(&random)])
    case 2: return .custom(17, .float64(Double(bitPattern: random.next())))
    default:
      return .custom(
        18,
        .list(
          Value.List([
            .int32(Int32(truncatingIfNeeded: random.next())),
            .int64(Int64(bitPattern: random.next())), .int32(Int32(random.byte())),
            .int32(Int32(random.below(65536))), .int64(Int64(random.next() >> 32)),
          ])))
    }
  }

  private static func misfit(_ value: Value) -> CodecError {
    CodecError(.extensionFailed, expected: "this type's payload", found: value.shortText)
  }

  private static let sizedBytes = ExtensionType.custom(
    read: { reader throws(CodecError) in
      .uint8List(Value.TypedList(try reader.bytes(try reader.size())))
    },
    write: { value, writer throws(CodecError) in
      guard case .uint8List(let bytes) = value else { throw misfit(value) }
      writer.put(size: bytes.count)
      writer.put(bytes: bytes)
    })

  private static let twoValues = ExtensionType.custom(
    read: { reader throws(CodecError) in [try reader.value(), try reader.value()] },
    write: { value, writer throws(CodecError) in
      guard case .list(let pair) = value, pair.count == 2 else { throw misfit(value) }
      for element in pair { try writer.put(element) }
    })

  private static let alignedDouble = ExtensionType.custom(
    read: { reader throws(CodecError) in .float64(try reader.float64()) },
    write: { value, writer throws(CodecError) in
      guard let number = value.double else { throw misfit(value) }
      writer.put(number)
    })

  private static let rawNumbers = ExtensionType.custom(
    read: { reader throws(CodecError) in
      .list(
        Value.List([
          .int32(try reader.int32()), .int64(try reader.int64()),
          .int32(Int32(try reader.uint8())), .int32(Int32(try reader.uint16())),
          .int64(Int64(try reader.uint32())),
        ]))
    },
    write: { value, writer throws(CodecError) in
      guard case .list(let list) = value, list.count == 5 else { throw misfit(value) }
      let numbers = list.map(\.integer)
      guard let first = numbers[0].flatMap({ Int32(exactly: $0) }), let second = numbers[1],
        let third = numbers[2].flatMap({ UInt8(exactly: $0) }),
        let fourth = numbers[3].flatMap({ UInt16(exactly: $0) }),
        let fifth = numbers[4].flatMap({ UInt32(exactly: $0) })
      else { throw misfit(value) }
      writer.put(first)
      writer.put(second)
      writer.put(third)
      writer.put(fourth)
      writer.put(fifth)
    })
}
