#if Macros
    public import DataMonkCore

    /// Groups of properties whose values together occur in one object only.
    ///
    ///     @Entity final class Flight: ManagedObject {
    ///         #Unique<Flight>([\.number, \.day])
    ///         var number: String = ""
    ///         var day: Date?
    ///     }
    ///
    /// For a single attribute, `@Attribute(.unique)` says the same.
    ///
    /// - Parameter groups: Lists of key paths, written out.
    @freestanding(declaration)
    public macro Unique<Object: ManagedObject>(_ groups: [PartialKeyPath<Object>]...) =
        #externalMacro(module: "DataMonkMacros", type: "PropertyGroupMacro")

    /// Groups of properties with an index over them: conditions and orders that begin with a group's first property are
    /// answered from it.
    ///
    ///     @Entity final class Flight: ManagedObject {
    ///         #Index<Flight>([\.day, \.number], [\.airline])
    ///         var number: String = ""
    ///         var airline: String = ""
    ///         var day: Date?
    ///     }
    ///
    /// For a single attribute, `@Attribute(.indexed)` says the same.
    ///
    /// - Parameter groups: Lists of key paths, written out.
    @freestanding(declaration)
    public macro Index<Object: ManagedObject>(_ groups: [PartialKeyPath<Object>]...) =
        #externalMacro(module: "DataMonkMacros", type: "PropertyGroupMacro")
#endif
