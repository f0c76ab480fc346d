import ChannelCodec

/// What the app's widget extension makes of payloads for one `ActivityAttributes` struct.
struct AttributesType {
  var attributesProblem: ((Value) -> DecodingProblem?)?
  var contentStateProblem: ((Value) -> DecodingProblem?)?
}

extension ActivityStore {
  /// Makes a type of attributes known. Pushes for it are then checked as the device's decoder
  /// would, and pushes that start a type which nobody registered are refused (as long as no type is
  /// registered, any name will do).
  ///
  /// - Parameters:
  ///   - attributes: why attributes of a push would not decode, with a path below `attributes`.
  ///   - contentState: the same for a content state, below `content-state`.
  public func registerAttributesType(
    _ name: String, attributes: ((Value) -> DecodingProblem?)? = nil,
    contentState: ((Value) -> DecodingProblem?)? = nil
  ) {
    attributesTypes[name] = AttributesType(
      attributesProblem: attributes, contentStateProblem: contentState)
  }

  /// The same, with the fields of the two structs; nil: not checked.
  public func registerAttributesType(
    _ name: String, attributes: PayloadSchema?, contentState: PayloadSchema?
  ) {
    registerAttributesType(
      name,
      attributes: attributes.map { schema in { schema.problem(in: $0, root: "attributes") } },
      contentState: contentState.map { schema in
        { schema.problem(in: $0, root: "content-state") }
      })
  }

  /// Pushwoosh's `DefaultLiveActivityAttributes`, for apps without a struct of their own.
  public func registerDefaultAttributesType() {
    registerAttributesType(
      ActivityStore.defaultAttributesType,
      attributes: [
        "data": .dictionary(.any), "pushwoosh": .object(["activityId": .string]),
      ],
      contentState: ["data": .dictionary(.any), "pushwoosh": .optional(.object([:]))])
  }

  /// `DefaultLiveActivityAttributes`.
  public static var defaultAttributesType: String { "DefaultLiveActivityAttributes" }

  /// The names of the registered types, sorted.
  public var registeredAttributesTypes: [String] { attributesTypes.keys.sorted() }
}
