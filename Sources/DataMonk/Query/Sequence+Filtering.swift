public import DataMonkCore

extension Query {
    /// Returns `true` if an object, with its unsaved changes, matches the query.
    ///
    ///     if try (%"age" >= 18 && %"friend.location" == "Taipei").evaluate(with: monk) { … }
    ///
    /// - Throws: `FetchError` wherever a fetch of the object's entity would throw it, too.
    public func evaluate(with object: ManagedObject) throws(FetchError) -> Bool { try condition.evaluate(with: object) }

    /// Returns `true` if plain data matches the query: a dictionary, a list or a single value.
    ///
    /// - Throws: The errors of `Condition.evaluate(with:substitutionVariables:)`.
    public func evaluate(with value: ManagedValue) throws(FetchError) -> Bool { try condition.evaluate(with: value) }
}

extension Sequence where Element: ManagedObject {
    /// Returns the objects that match the query, in their order. Unsaved changes count.
    ///
    ///     let grown = try people.filtered(using: %"age" >= 18)
    ///
    /// - Throws: `FetchError` wherever a fetch of the objects' entities would throw it, too.
    /// - Complexity: Linear in the number of objects. Each fault along the way costs one round trip to the store, shared by
    ///   the objects that were fetched together.
    public func filtered(using query: Query) throws(FetchError) -> [Element] {
        try filtered(using: query.condition)
    }

    /// Returns the objects in sorted order. The sort is stable.
    ///
    ///     let byName = try people.sorted(using: .Ascending("name") | .Descending("age"))
    ///
    /// - Throws: `FetchError` wherever a fetch of the objects' entities would throw it, too, and if the objects' entities
    ///   have no common superentity.
    public func sorted(using order: OrderBy) throws(FetchError) -> [Element] { try sorted(using: order.terms) }

    /// Returns the objects sorted in an order written with key paths. The sort is stable.
    ///
    ///     let byName = try people.sorted(using: .ascending(\.name) | .descending(\.age))
    ///
    /// - Throws: The same errors as the call with a named order.
    public func sorted(using order: TypedOrder<Element>) throws(FetchError) -> [Element] {
        try sorted(using: order.terms)
    }
}
