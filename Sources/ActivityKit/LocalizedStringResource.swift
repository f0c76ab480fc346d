/// Text that is looked up when it is shown. Foundation on Linux has no such type, and there are no
/// string catalogs, so the text is the one that the code has.
public struct LocalizedStringResource: Sendable, Codable, Hashable {
  /// What a string catalog has the text under: the literal, with `%@` and the like for its
  /// interpolations.
  public let key: String
  /// The table that the text would be in.
  public let table: String?
  /// The text itself.
  let text: String

  /// A literal, with interpolations or without.
  public init(
    _ keyAndValue: LocalizedStringResource, table: String? = nil, locale: Locale = .current,
    comment: StaticString? = nil
  ) {
    key = keyAndValue.key
    self.table = table
    text = keyAndValue.text
  }

  /// - Parameter defaultValue: the text where the catalog has none for `key`, which is always.
  public init(
    _ key: StaticString, defaultValue: LocalizedStringResource, table: String? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    self.key = key.description
    self.table = table
    text = defaultValue.text
  }

  private init(key: String, text: String) {
    self.key = key
    table = nil
    self.text = text
  }
}

extension LocalizedStringResource: ExpressibleByStringInterpolation {
  /// Gathers the key and the text of a literal at once.
  public struct StringInterpolation: StringInterpolationProtocol {
    var key = ""
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {
      key.reserveCapacity(literalCapacity + 2 * interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) {
      key += literal.replacingOccurrences(of: "%", with: "%%")
      text += literal
    }

    public mutating func appendInterpolation(_ value: some BinaryInteger) {
      key += "%lld"
      text += "\(value)"
    }

    public mutating func appendInterpolation(_ value: some BinaryFloatingPoint) {
      key += "%lf"
      text += String(format: "%lf", Double(value))
    }

    public mutating func appendInterpolation(_ value: some StringProtocol) {
      key += "%@"
      text += value
    }

    public mutating func appendInterpolation(_ value: LocalizedStringResource) {
      key += "%@"
      text += value.text
    }
  }

  public init(stringLiteral value: String) { self.init(key: value, text: value) }

  public init(stringInterpolation: StringInterpolation) {
    self.init(key: stringInterpolation.key, text: stringInterpolation.text)
  }
}

extension String {
  /// The text of a resource.
  public init(localized resource: LocalizedStringResource) { self = resource.text }
}
