#if Macros
    public import DataMonkCore

    /// Sets options of an attribute that its type does not express.
    ///
    ///     @Entity final class Account: ManagedObject {
    ///         @Attribute(.unique) var email: String = ""
    ///         @Attribute(.indexed, originalName: "surname") var lastName: String = ""
    ///         @Attribute(.externalStorage) var photo: Data?
    ///         @Attribute(.derived("canonical:(lastName)")) private(set) var sortName: String = ""
    ///     }
    ///
    /// An attribute without such options needs no `@Attribute`.
    ///
    /// - Parameters:
    ///   - options: The options of the attribute.
    ///   - originalName: The attribute's name in earlier versions, if it was renamed.
    ///   - hashModifier: Any text. Changing it gives the attribute a new version hash although its type stays the same.
    ///   - importedFrom: The key, or key path as `user.id`, of the value in the rows of an import: the attribute's
    ///     `mappedKeyName` in `userInfo`. By default it is the attribute's name.
    ///   - userInfo: Notes for the application or its tools, in ``/DataMonkCore/AttributeDescription/userInfo``. They have no
    ///     influence on the store.
    @attached(peer)
    public macro Attribute(
        _ options: AttributeOption..., originalName: String? = nil, hashModifier: String? = nil,
        importedFrom: String? = nil, userInfo: [String: String] = [:]
    ) = #externalMacro(module: "DataMonkMacros", type: "PropertyMarkerMacro")

    /// Keeps an attribute or a relationship in memory only; the store does not contain it.
    ///
    ///     @Entity final class Account: ManagedObject {
    ///         @Transient var isSelected: Bool = false
    ///     }
    /// A transient property belongs to the model. Its changes are tracked and rolled back like those of other properties.
    @attached(peer)
    public macro Transient() = #externalMacro(module: "DataMonkMacros", type: "PropertyMarkerMacro")
#endif
