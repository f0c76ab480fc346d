import ChannelRouter

/// What both directions of the binary form share; `Protocol/recording.md` is the contract.
///
/// A file is one or more segments. A segment is the magic, then records: the length of the rest as
/// a varint, a tag, and the parts that the tag announces. Numbers are differences to those of the
/// record before, so that most take one byte.
enum BinaryFormat {
  /// The first bytes of a segment: PWBREC, the version, and a newline that a text transfer would
  /// hurt.
  static let magic: [UInt8] = [0x50, 0x57, 0x42, 0x52, 0x45, 0x43, 0x01, 0x0a]

  /// The low three bits of a tag. Messages and answers have the numbers that frames give them.
  enum Kind: UInt8 {
    case header = 1
    case message = 2
    case reply = 3
    case dropped = 4
    case refused = 6
  }

  static let kindMask: UInt8 = 0x07
  /// From native code to Dart.
  static let toDart: UInt8 = 0x08
  /// The rest of the record is the payload; without it there is none.
  static let hasPayload: UInt8 = 0x10
  static let isOneWay: UInt8 = 0x20
  /// A byte of further flags follows.
  static let hasMore: UInt8 = 0x40
  static let reserved: UInt8 = 0x80

  static let hasConnection: UInt8 = 0x01
  static let hasUnknownFields: UInt8 = 0x02
  static let hasShown: UInt8 = 0x04
  static let moreReserved: UInt8 = 0xf8

  /// More channels than this are not numbered: each of their records has the name again.
  static let mostChannels = 65_536
  /// The longest length in front of a record: ten groups of seven bits.
  static let longestVarint = 10

  /// Small for numbers near zero, of either sign.
  static func zigzag(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: (number &<< 1) ^ (number &>> 63))
  }

  static func unzigzag(_ number: UInt64) -> Int64 {
    Int64(bitPattern: (number &>> 1)) ^ (0 &- Int64(bitPattern: number & 1))
  }
}

/// What one record leaves behind for the next. Both directions keep the same.
struct BinaryState {
  var sequence: UInt64 = 0
  var microseconds: Int64 = 0
  /// The last id of a message, in each direction.
  var lastMessageID: UInt64 = 0
}
