extension Sequence where Element: ManagedObject {
    /// The objects of which the condition is true, with their unsaved changes, in their order.
    ///
    ///     let grown = try people.filtered(using: Condition(format: "age >= 18"))
    ///
    /// - Throws: ``FetchError`` for what a fetch of the objects' entities would refuse too, and with the code `unreadValues` if
    ///   a value cannot be read.
    /// - Complexity: a look at each object; a round trip to the store for each fault on the way, which objects that were
    ///   fetched together share.
    public func filtered(using condition: Condition) throws(FetchError) -> [Element] {
        var resolved: [ObjectIdentifier: ResolvedCondition] = [:]
        var found: [Element] = []
        for object in self {
            let id = ObjectIdentifier(object.entity)
            if resolved[id] == nil {
                resolved[id] = try ConditionResolver(entity: object.entity).resolve(condition)
            }
            if let test = resolved[id], try test.isReadablyTrue(of: object) { found.append(object) }
        }
        return found
    }

    /// The objects in an order; equal ones stay as they are. Nil comes first in ascending order.
    ///
    ///     let byName = try people.sorted(using: [SortTerm("name"), SortTerm("age", ascending: false)])
    ///
    /// - Throws: ``FetchError`` for what a fetch of the objects' entities would refuse too, for objects whose entities have no
    ///   superentity in common, and with the code `unreadValues` if a value cannot be read.
    /// - Complexity: each value is read once.
    public func sorted(using terms: [SortTerm]) throws(FetchError) -> [Element] {
        let objects = Array(self)
        guard let first = objects.first, !terms.isEmpty else { return objects }
        var common: Entity? = first.entity
        for object in objects {
            while let entity = common, !object.entity.isKind(of: entity) { common = entity.ancestors.last }
        }
        guard let common else {
            throw FetchError(.invalidRequest, "Objects of entities that have nothing in common have no order.")
        }
        let sort = ReaderSort(try FetchResolver.sortTerms(terms, of: common))
        // Objects of several contexts are sorted by nobody who could hear of their failures: each context notes its own.
        guard let context = first.home.context else { return sort.sorted(objects) }
        return try context.evaluatingForFetch { sort.sorted(objects) }
    }
}

extension Sequence where Element == ManagedValue {
    /// The values of which the condition is true, in their order.
    ///
    /// - Throws: as ``Condition/evaluate(with:substitutionVariables:)``.
    public func filtered(
        using condition: Condition, substitutionVariables: [String: ManagedValue] = [:]
    ) throws(FetchError) -> [ManagedValue] {
        var found: [ManagedValue] = []
        for value in self where try condition.evaluate(with: value, substitutionVariables: substitutionVariables) {
            found.append(value)
        }
        return found
    }
}
