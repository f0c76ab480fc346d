/// A mistake that codec authors are known to make, as something that can be tried on a message:
/// ``WireReader`` and ``WireWriter`` can be told to make it. What they then read or write is
/// compared with what a testee did, so that nothing is claimed that the bytes do not show.
///
/// The order is the order of preference where several explain the same bytes.
enum CodecBug: CaseIterable, Sendable {
  // Padding
  case countsFromPart
  case countsFromValue
  case skipsPaddingOfEmptyLists
  case skipsPadding
  case padsToFour
  case padsToEight
  case padsByteLists
  case padsWhenAligned
  // Sizes
  case signedSize
  case ignoresSizeEscape
  case shortSizeUpTo254
  case longSizeFrom253
  case longSizeFrom65535
  case sizeOf16Bits
  case bigEndianSize
  case sizeOf32Bits
  case leavesOutCount
  case countsUTF16
  case countsCharacters
  // Numbers
  case int32ForEverything
  case int64ForEverything
  case doubleForEverything
  case swapsBooleans
  case bigEndianNumbers
  case changesNaN
  case losesNegativeZero
  case widensFloat32
  case narrowsInt64Lists
  // Others
  case bytesAsList
  case largeIntegerAsString
  case cutsAtNUL
  case dropsByteOrderMark
  case leavesOutNullArguments

  /// What follows "looks like ".
  var words: String {
    switch self {
    case .countsFromPart:
      "the alignment is counted from the start of the arguments (or of the reply's value) instead "
        + "of from byte 0 of the message"
    case .countsFromValue:
      "the alignment is counted from the start of each value instead of from byte 0 of the message"
    case .skipsPaddingOfEmptyLists: "the padding of an empty typed list is left out"
    case .skipsPadding: "there is no padding at all before doubles and typed lists"
    case .padsToFour: "8-byte numbers are aligned to 4 bytes instead of 8"
    case .padsToEight: "4-byte numbers of a typed list are aligned to 8 bytes instead of 4"
    case .padsByteLists: "a Uint8List is padded to 8 bytes although bytes need no padding"
    case .padsWhenAligned: "8 (or 4) bytes of padding are used where the place is aligned already"
    case .signedSize: "a 16-bit size is taken as signed, so that sizes from 32,768 go wrong"
    case .ignoresSizeEscape:
      "a size is always one byte, without the escape: 254 and 255 announce a 16-bit or 32-bit size"
    case .shortSizeUpTo254: "size 254 is taken for a one-byte size; from 254 on, the escape is due"
    case .longSizeFrom253: "size 253 is escaped although it still fits one byte"
    case .longSizeFrom65535: "size 65,535 is written in 32 bits although it still fits 16"
    case .sizeOf16Bits: "a size above 65,535 is cut to 16 bits"
    case .bigEndianSize: "sizes are big-endian instead of little-endian"
    case .sizeOf32Bits: "a size is always four bytes, instead of one, three or five"
    case .leavesOutCount: "the count of a list or map is left out"
    case .countsUTF16: "the size of a string is its length in UTF-16 units instead of UTF-8 bytes"
    case .countsCharacters:
      "the size of a string is its number of characters instead of UTF-8 bytes"
    case .int32ForEverything: "int32 is used for every integer, also where int64 is due"
    case .int64ForEverything: "int64 is used for every integer, also where int32 is due"
    case .doubleForEverything: "every integer becomes a double (float64)"
    case .swapsBooleans: "true and false are swapped; true is type byte 01, false is 02"
    case .bigEndianNumbers: "numbers are big-endian instead of little-endian"
    case .changesNaN: "the bits of a NaN are lost: every NaN becomes the same one"
    case .losesNegativeZero: "the sign of -0.0 is lost: it becomes 0.0"
    case .widensFloat32: "a Float32List (type 0e) is treated as a Float64List, 8 bytes a number"
    case .narrowsInt64Lists: "the elements of an Int64List are cut to 4 bytes"
    case .bytesAsList: "a Uint8List is treated as a list of integers"
    case .largeIntegerAsString: "a big integer (type 05) is treated as a string (type 07)"
    case .cutsAtNUL: "a string ends at its first NUL character"
    case .dropsByteOrderMark: "the byte order mark (U+FEFF) at the start of a string is dropped"
    case .leavesOutNullArguments: "arguments that are null are left out; they take one byte, 00"
    }
  }

  /// Whether values change, and not only how they are written.
  var changesValues: Bool {
    switch self {
    case .int32ForEverything, .int64ForEverything, .doubleForEverything, .swapsBooleans,
      .changesNaN, .losesNegativeZero, .widensFloat32, .narrowsInt64Lists, .bytesAsList,
      .largeIntegerAsString, .cutsAtNUL, .dropsByteOrderMark:
      true
    default: false
    }
  }

  /// Bytes of padding before a payload.
  ///
  /// - Parameters:
  ///   - position: where the padding would begin.
  ///   - width: of one element.
  func padding(
    at position: Int, width: Int, isEmpty: Bool, part: Int, value: Int
  ) -> Int {
    switch self {
    case .skipsPadding: 0
    case .skipsPaddingOfEmptyLists where isEmpty: 0
    case .countsFromPart: Self.padding(at: position - part, width: width)
    case .countsFromValue: Self.padding(at: position - value, width: width)
    case .padsToFour where width == 8: Self.padding(at: position, width: 4)
    case .padsToEight where width == 4: Self.padding(at: position, width: 8)
    case .padsByteLists where width == 1: Self.padding(at: position, width: 8)
    case .padsWhenAligned where width > 1: width - position % width
    default: Self.padding(at: position, width: width)
    }
  }

  static func padding(at position: Int, width: Int) -> Int {
    let over = position % width
    return over == 0 ? 0 : width - over
  }
}
