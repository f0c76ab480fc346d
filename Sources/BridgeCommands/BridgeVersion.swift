/// The version of pwbridge, told in this place only.
public enum BridgeVersion {
  public static let text = "0.1.0"
}
