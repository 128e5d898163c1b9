#if Macros
    public import DataMonkCore

    /// Declares groups of properties whose combined values are unique among the objects.
    ///
    ///     @Entity final class Flight: ManagedObject {
    ///         #Unique<Flight>([\.number, \.day])
    ///         var number: String = ""
    ///         var day: Date?
    ///     }
    ///
    /// For a single attribute, use `@Attribute(.unique)`.
    ///
    /// - Parameter groups: Array literals of key paths.
    @freestanding(declaration)
    public macro Unique<Object: ManagedObject>(_ groups: [PartialKeyPath<Object>]...) =
        #externalMacro(module: "DataMonkMacros", type: "PropertyGroupMacro")

    /// Declares groups of properties with an index over them. It serves conditions and orders that begin with the first
    /// property of a group.
    ///
    ///     @Entity final class Flight: ManagedObject {
    ///         #Index<Flight>([\.day, \.number], [\.airline])
    ///         var number: String = ""
    ///         var airline: String = ""
    ///         var day: Date?
    ///     }
    ///
    /// For a single attribute, use `@Attribute(.indexed)`.
    ///
    /// - Parameter groups: Array literals of key paths.
    @freestanding(declaration)
    public macro Index<Object: ManagedObject>(_ groups: [PartialKeyPath<Object>]...) =
        #externalMacro(module: "DataMonkMacros", type: "PropertyGroupMacro")
#endif
