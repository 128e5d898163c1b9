#if Macros
    public import DataMonkCore

    /// Says more of an attribute than its type does.
    ///
    ///     @Entity final class Account: ManagedObject {
    ///         @Attribute(.unique) var email: String = ""
    ///         @Attribute(.indexed, originalName: "surname") var lastName: String = ""
    ///         @Attribute(.externalStorage) var photo: Data?
    ///         @Attribute(.derived("canonical:(lastName)")) private(set) var sortName: String = ""
    ///     }
    ///
    /// An attribute that needs none of this needs no `@Attribute`.
    ///
    /// - Parameters:
    ///   - options: What the attribute is besides its type.
    ///   - originalName: The attribute's name in earlier versions, if it was renamed.
    ///   - hashModifier: Any text; another one makes the attribute another version though its type is the same.
    @attached(peer)
    public macro Attribute(
        _ options: AttributeOption..., originalName: String? = nil, hashModifier: String? = nil
    ) = #externalMacro(module: "DataMonkMacros", type: "PropertyMarkerMacro")

    /// Keeps an attribute or a relationship in memory only: its object has it, the store does not.
    ///
    ///     @Entity final class Account: ManagedObject {
    ///         @Transient var isSelected: Bool = false
    ///     }
    ///
    /// A transient property belongs to the model: it is tracked as a change, and rolled back, as the others are.
    @attached(peer)
    public macro Transient() = #externalMacro(module: "DataMonkMacros", type: "PropertyMarkerMacro")
#endif
