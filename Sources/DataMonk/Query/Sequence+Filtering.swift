public import DataMonkCore

extension Query {
    /// Whether the query is true of an object, with its unsaved changes.
    ///
    ///     if try (%"age" >= 18 && %"friend.location" == "Taipei").evaluate(with: monk) { … }
    ///
    /// - Throws: `FetchError` for what a fetch of the object's entity would refuse too.
    public func evaluate(with object: ManagedObject) throws(FetchError) -> Bool { try condition.evaluate(with: object) }

    /// Whether the query is true of plain data: dictionaries, lists, single values.
    ///
    /// - Throws: as `Condition.evaluate(with:substitutionVariables:)`.
    public func evaluate(with value: ManagedValue) throws(FetchError) -> Bool { try condition.evaluate(with: value) }
}

extension Sequence where Element: ManagedObject {
    /// The objects of which the query is true, with their unsaved changes, in their order.
    ///
    ///     let grown = try people.filtered(using: %"age" >= 18)
    ///
    /// - Throws: `FetchError` for what a fetch of the objects' entities would refuse too.
    /// - Complexity: a look at each object; a round trip to the store for each fault on the way, which objects that were
    ///   fetched together share.
    public func filtered(using query: Query) throws(FetchError) -> [Element] {
        try filtered(using: query.condition)
    }

    /// The objects in an order; equal ones stay as they are.
    ///
    ///     let byName = try people.sorted(using: .Ascending("name") | .Descending("age"))
    ///
    /// - Throws: `FetchError` for what a fetch of the objects' entities would refuse too, and for objects whose entities
    ///   have no superentity in common.
    public func sorted(using order: OrderBy) throws(FetchError) -> [Element] { try sorted(using: order.terms) }
}
