// Every difference between Flutter's implementations, in one place. A column is a profile, a row is
// a field; what a field means stands in DecodingRules.swift and EncodingRules.swift.

extension DecodingRules {
  static func of(_ profile: Profile) -> DecodingRules {
    switch profile {
    case .strict: strict
    case .dart: dart
    case .dartWeb: dartWeb
    case .ios: ios
    case .android: android
    case .windows: windows
    case .linux: linux
    }
  }

  static let strict = DecodingRules(
    emptyMessage: .refuse(nil),
    trailingMessage: .refuse(nil),
    readsIllFormedStringMessageAsNone: false,
    missingValue: .refuse(nil),
    shortNumber: .refuse(nil),
    shortPadding: .refuse(nil),
    shortSize: .refuse(nil),
    longString: .refuse(nil),
    skipsLongString: false,
    longTypedList: .refuse(nil),
    longContainer: .refuse(nil),
    signedSizes: nil,
    hugeList: nil,
    unknownType: .refuse(nil),
    largeInteger: .checkedNumber,
    hasOneIntegerType: false,
    refusesInt64: nil,
    illFormedUTF8: .oddity(.refuse(nil)),
    dropsByteOrderMark: false,
    cutsAtNUL: false,
    keys: .exact,
    repeatedKeys: .keepAll,
    mapOrder: .asWritten,
    noMethodCall: .refuse(nil),
    emptyMethodCall: .refuse(nil),
    methodNotString: .refuse(nil),
    trailingMethodCall: .refuse(nil),
    emptyEnvelope: .refuse(nil),
    envelopeFlag: .refuse(nil),
    trailingSuccess: .refuse(nil),
    fallsThroughToError: false,
    trailingError: .refuse(nil),
    readsStackTrace: true,
    stackTraceNotString: .refuse(nil),
    errorFields: .eachField,
    codeNotString: .refuse(nil),
    messageNotString: .refuse(nil),
    readsNullErrorMessageAsEmpty: false)

  static let dart = DecodingRules(
    emptyMessage: .refuse("FormatException(Message corrupted)"),
    trailingMessage: .refuse("FormatException(Message corrupted)"),
    readsIllFormedStringMessageAsNone: false,
    missingValue: .refuse("FormatException(Message corrupted)"),
    shortNumber: .refuse("RangeError"),
    shortPadding: .refuse("RangeError"),
    shortSize: .refuse("RangeError"),
    longString: .refuse("RangeError"),
    skipsLongString: false,
    longTypedList: .refuse("RangeError"),
    longContainer: nil,
    signedSizes: nil,
    hugeList: "RangeError",
    unknownType: .refuse("FormatException(Message corrupted)"),
    largeInteger: .string,
    hasOneIntegerType: true,
    refusesInt64: nil,
    illFormedUTF8: .oddity(.refuse("FormatException(utf8)")),
    dropsByteOrderMark: true,
    cutsAtNUL: false,
    keys: .dart,
    repeatedKeys: .lastValue,
    mapOrder: .asWritten,
    noMethodCall: .refuse("TypeError"),
    emptyMethodCall: nil,
    methodNotString: .refuse("FormatException(Invalid method call)"),
    trailingMethodCall: .refuse("FormatException(Invalid method call)"),
    emptyEnvelope: .refuse("FormatException(Expected envelope, got nothing)"),
    envelopeFlag: .accept,
    trailingSuccess: .accept,
    fallsThroughToError: false,
    trailingError: .refuse("FormatException(Invalid envelope)"),
    readsStackTrace: true,
    stackTraceNotString: .refuse("TypeError(stacktrace not String?)"),
    errorFields: .afterAll,
    codeNotString: .refuse("FormatException(Invalid envelope)"),
    messageNotString: .refuse("FormatException(Invalid envelope)"),
    readsNullErrorMessageAsEmpty: false)

  static let dartWeb: DecodingRules = {
    var rules = dart
    rules.hasOneIntegerType = false
    rules.refusesInt64 = "UnsupportedError"
    return rules
  }()

  static let ios = DecodingRules(
    emptyMessage: .accept,
    trailingMessage: .crash("assert: Corrupted standard message"),
    readsIllFormedStringMessageAsNone: true,
    missingValue: .crash("range exception"),
    shortNumber: .crash("range exception"),
    shortPadding: .crash("range exception"),
    shortSize: .crash("range exception"),
    longString: .accept,
    skipsLongString: true,
    longTypedList: .crash("range exception"),
    longContainer: nil,
    signedSizes: nil,
    hugeList: nil,
    unknownType: .crash("assert (FML_DCHECK) / undefined in release"),
    largeInteger: .string,
    hasOneIntegerType: false,
    refusesInt64: nil,
    illFormedUTF8: .oddity(.crash("CFAutorelease(NULL) (unverified)")),
    dropsByteOrderMark: true,
    cutsAtNUL: false,
    keys: .nsNumber,
    repeatedKeys: .firstPair,
    mapOrder: .unspecified("NSDictionary"),
    noMethodCall: .crash("nil method call"),
    emptyMethodCall: .crash("range exception"),
    methodNotString: .crash("assert: Corrupted standard method call"),
    trailingMethodCall: .crash("assert: Corrupted standard method call"),
    emptyEnvelope: .crash("range exception"),
    envelopeFlag: .crash("assert: Corrupted standard envelope"),
    trailingSuccess: .crash("assert: Corrupted standard envelope"),
    fallsThroughToError: false,
    trailingError: .crash("assert: Corrupted standard envelope"),
    readsStackTrace: false,
    stackTraceNotString: .crash("assert: Corrupted standard envelope"),
    errorFields: .afterAll,
    codeNotString: .crash("assert: Invalid standard envelope"),
    messageNotString: .crash("assert: Invalid standard envelope"),
    readsNullErrorMessageAsEmpty: false)

  static let android = DecodingRules(
    emptyMessage: .refuse("IllegalArgumentException(Message corrupted)"),
    trailingMessage: .refuse("IllegalArgumentException(Message corrupted)"),
    readsIllFormedStringMessageAsNone: false,
    missingValue: .refuse("IllegalArgumentException(Message corrupted)"),
    shortNumber: .refuse("BufferUnderflowException"),
    shortPadding: .refuse("IllegalArgumentException(position)"),
    shortSize: .refuse("BufferUnderflowException"),
    longString: .refuse("BufferUnderflowException"),
    skipsLongString: false,
    longTypedList: .refuse("BufferUnderflowException"),
    longContainer: nil,
    signedSizes: SignedSizes(
      array: "NegativeArraySizeException", list: "IllegalArgumentException"),
    hugeList: nil,
    unknownType: .refuse("IllegalArgumentException(Message corrupted)"),
    largeInteger: .bigInteger(malformed: "NumberFormatException"),
    hasOneIntegerType: false,
    refusesInt64: nil,
    illFormedUTF8: .replaceAsJDK,
    dropsByteOrderMark: false,
    cutsAtNUL: false,
    keys: .java,
    repeatedKeys: .lastValue,
    mapOrder: .unspecified("HashMap"),
    noMethodCall: .refuse("NullPointerException"),
    emptyMethodCall: nil,
    methodNotString: .refuse("IllegalArgumentException(Method call corrupted)"),
    trailingMethodCall: .refuse("IllegalArgumentException(Method call corrupted)"),
    emptyEnvelope: .refuse("BufferUnderflowException"),
    envelopeFlag: .refuse("IllegalArgumentException(Envelope corrupted)"),
    trailingSuccess: .refuse("IllegalArgumentException(Envelope corrupted)"),
    fallsThroughToError: true,
    trailingError: .refuse("IllegalArgumentException(Envelope corrupted)"),
    readsStackTrace: false,
    stackTraceNotString: .refuse("IllegalArgumentException(Envelope corrupted)"),
    errorFields: .afterAll,
    codeNotString: .refuse("IllegalArgumentException(Envelope corrupted)"),
    messageNotString: .refuse("IllegalArgumentException(Envelope corrupted)"),
    readsNullErrorMessageAsEmpty: false)

  static let windows = DecodingRules(
    emptyMessage: .accept,
    trailingMessage: .accept,
    readsIllFormedStringMessageAsNone: false,
    missingValue: .accept,
    shortNumber: .accept,
    shortPadding: .accept,
    shortSize: .accept,
    longString: .accept,
    skipsLongString: false,
    longTypedList: .accept,
    longContainer: .accept,
    signedSizes: nil,
    hugeList: nil,
    unknownType: .accept,
    largeInteger: .string,
    hasOneIntegerType: false,
    refusesInt64: nil,
    illFormedUTF8: .keepBytes,
    dropsByteOrderMark: false,
    cutsAtNUL: false,
    keys: .variant,
    repeatedKeys: .firstPair,
    mapOrder: .sorted,
    noMethodCall: .refuse("nullptr (NotImplemented reply)"),
    emptyMethodCall: nil,
    methodNotString: .refuse("nullptr (NotImplemented reply)"),
    trailingMethodCall: .accept,
    emptyEnvelope: .accept,
    envelopeFlag: .refuse("decode failed -> NotImplemented"),
    trailingSuccess: .accept,
    fallsThroughToError: false,
    trailingError: .accept,
    readsStackTrace: false,
    stackTraceNotString: .accept,
    errorFields: .afterAll,
    codeNotString: .refuse("std::bad_variant_access"),
    messageNotString: .refuse("std::bad_variant_access"),
    readsNullErrorMessageAsEmpty: true)

  static let linux = DecodingRules(
    emptyMessage: .accept,
    trailingMessage: .refuse("ADDITIONAL_DATA"),
    readsIllFormedStringMessageAsNone: false,
    missingValue: .refuse("OUT_OF_DATA"),
    shortNumber: .refuse("OUT_OF_DATA"),
    shortPadding: .refuse("OUT_OF_DATA"),
    shortSize: .refuse("OUT_OF_DATA"),
    longString: .refuse("OUT_OF_DATA"),
    skipsLongString: false,
    longTypedList: .refuse("OUT_OF_DATA"),
    longContainer: nil,
    signedSizes: nil,
    hugeList: nil,
    unknownType: .refuse("UNSUPPORTED_TYPE"),
    largeInteger: .unknownType,
    hasOneIntegerType: true,
    refusesInt64: nil,
    illFormedUTF8: .keepBytes,
    dropsByteOrderMark: false,
    cutsAtNUL: true,
    keys: .gObject,
    repeatedKeys: .lastPair,
    mapOrder: .asWritten,
    noMethodCall: .refuse("OUT_OF_DATA"),
    emptyMethodCall: nil,
    methodNotString: .refuse("FAILED"),
    trailingMethodCall: .refuse("FAILED"),
    emptyEnvelope: .refuse("OUT_OF_DATA"),
    envelopeFlag: .refuse("FAILED"),
    trailingSuccess: .refuse("FAILED"),
    fallsThroughToError: false,
    trailingError: .refuse("FAILED"),
    readsStackTrace: false,
    stackTraceNotString: .refuse("FAILED"),
    errorFields: .eachField,
    codeNotString: .refuse("FAILED"),
    messageNotString: .refuse("FAILED"),
    readsNullErrorMessageAsEmpty: false)
}

extension EncodingRules {
  static func of(_ profile: Profile) -> EncodingRules {
    switch profile {
    case .strict: strict
    case .dart: dart
    case .dartWeb: dartWeb
    case .ios: ios
    case .android: android
    case .windows: windows
    case .linux: linux
    }
  }

  static let strict = EncodingRules(
    nullMessage: .distinct,
    refusesNoString: nil,
    integers: .asTyped,
    largeIntegers: .asText,
    refusesInt64List: nil,
    canonicalNaN: false,
    loneSurrogates: .refuse,
    cutsAtNUL: false,
    padsEmptyTypedLists: true,
    unknownExtension: .refuse(nil),
    writesEmptyErrorMessageAsNull: false,
    refusesStackTrace: nil,
    noteOnMaps: nil)

  static let dart = EncodingRules(
    nullMessage: .noMessage,
    refusesNoString: nil,
    integers: .byValue,
    largeIntegers: .refuse("ArgumentError"),
    refusesInt64List: nil,
    canonicalNaN: false,
    loneSurrogates: .replace([0xef, 0xbf, 0xbd]),
    cutsAtNUL: false,
    padsEmptyTypedLists: true,
    unknownExtension: .refuse("ArgumentError"),
    writesEmptyErrorMessageAsNull: false,
    refusesStackTrace: "no such field",
    noteOnMaps: nil)

  static let dartWeb: EncodingRules = {
    var rules = dart
    rules.integers = .float64
    rules.refusesInt64List = "UnsupportedError"
    return rules
  }()

  static let ios = EncodingRules(
    nullMessage: .distinct,
    refusesNoString: nil,
    integers: .asTyped,
    largeIntegers: .refuse("no such value"),
    refusesInt64List: nil,
    canonicalNaN: false,
    loneSurrogates: .truncate,
    cutsAtNUL: false,
    padsEmptyTypedLists: true,
    unknownExtension: .crash("assert: Unsupported value for standard codec"),
    writesEmptyErrorMessageAsNull: false,
    refusesStackTrace: "no such field",
    noteOnMaps: "map order unspecified (NSDictionary)")

  static let android = EncodingRules(
    nullMessage: .noMessage,
    refusesNoString: nil,
    integers: .asTyped,
    largeIntegers: .asBigInteger,
    refusesInt64List: nil,
    canonicalNaN: true,
    loneSurrogates: .replace([UInt8(ascii: "?")]),
    cutsAtNUL: false,
    padsEmptyTypedLists: true,
    unknownExtension: .refuse("IllegalArgumentException"),
    writesEmptyErrorMessageAsNull: false,
    refusesStackTrace: nil,
    noteOnMaps: "map order unspecified (HashMap; LinkedHashMap keeps insertion order)")

  static let windows = EncodingRules(
    nullMessage: .nullByte,
    refusesNoString: nil,
    integers: .asTyped,
    largeIntegers: .refuse("no such value"),
    refusesInt64List: nil,
    canonicalNaN: false,
    loneSurrogates: .keepBytes,
    cutsAtNUL: false,
    padsEmptyTypedLists: false,
    unknownExtension: .writeNull,
    writesEmptyErrorMessageAsNull: true,
    refusesStackTrace: "no such field",
    noteOnMaps: nil)

  static let linux = EncodingRules(
    nullMessage: .nullByte,
    refusesNoString: "UNSUPPORTED_TYPE",
    integers: .byValue,
    largeIntegers: .refuse("UNSUPPORTED_TYPE"),
    refusesInt64List: nil,
    canonicalNaN: false,
    loneSurrogates: .keepBytes,
    cutsAtNUL: true,
    padsEmptyTypedLists: true,
    unknownExtension: .refuse("UNSUPPORTED_TYPE"),
    writesEmptyErrorMessageAsNull: false,
    refusesStackTrace: "no such field",
    noteOnMaps: nil)
}
