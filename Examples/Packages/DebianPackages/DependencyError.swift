/// **Value.** Why a list of dependencies could not be read.
public struct DependencyError: Error, Hashable {
    /// The list.
    public let text: String
    /// How many bytes of it were understood.
    public let offset: Int
    /// What should have come there.
    public let expected: String
}
