extension Sequence where Element: ManagedObject {
    /// Returns the objects that satisfy the condition, including their unsaved changes, in their order.
    ///
    ///     let grown = try people.filtered(using: Condition(format: "age >= 18"))
    ///
    /// - Throws: ``FetchError`` if a fetch of the objects' entities would refuse the condition, and with the code
    ///   `unreadValues` if a value cannot be read.
    /// - Complexity: Looks at each object once, with one round trip to the store for each fault on the way; objects that
    ///   were fetched together share round trips.
    public func filtered(using condition: Condition) throws(FetchError) -> [Element] {
        var resolved: [ObjectIdentifier: ResolvedCondition] = [:]
        var found: [Element] = []
        let objects = Array(self)
        objects.meetForeignCommits()
        for object in objects {
            let id = ObjectIdentifier(object.entity)
            if resolved[id] == nil {
                resolved[id] = try ConditionResolver(entity: object.entity).resolve(condition)
            }
            if let test = resolved[id], try test.isReadablyTrue(of: object) { found.append(object) }
        }
        return found
    }

    /// Returns the objects in order. The sort is stable, and `nil` comes first in ascending order.
    ///
    ///     let byName = try people.sorted(using: [SortTerm("name"), SortTerm("age", ascending: false)])
    ///
    /// - Throws: ``FetchError`` if a fetch of the objects' entities would refuse the terms, if the objects' entities have
    ///   no common superentity, and with the code `unreadValues` if a value cannot be read.
    /// - Complexity: Reads each value once.
    public func sorted(using terms: [SortTerm]) throws(FetchError) -> [Element] {
        let objects = Array(self)
        guard let first = objects.first, !terms.isEmpty else { return objects }
        objects.meetForeignCommits()
        var common: Entity? = first.entity
        for object in objects {
            while let entity = common, !object.entity.isKind(of: entity) { common = entity.ancestors.last }
        }
        guard let common else {
            throw FetchError(.invalidRequest, "Objects of unrelated entities cannot be sorted together.")
        }
        let sort = ReaderSort(try FetchResolver.sortTerms(terms, of: common))
        // If the objects belong to several contexts, failures in the others are not thrown here: each context records its
        // own.
        guard let context = first.home.context else { return sort.sorted(objects) }
        return try context.faults.evaluatingForFetch { sort.sorted(objects) }
    }
}

extension Array where Element: ManagedObject {
    /// Moves the context of faults first, if reading them would move it: all of the objects are then read in one state.
    fileprivate func meetForeignCommits() {
        guard let faults = first(where: \.isFault)?.home.context?.faults else { return }
        if faults.meetsForeignCommits { faults.meetForeignCommits() }
    }
}

extension Sequence where Element == ManagedValue {
    /// Returns the values that satisfy the condition, in their order.
    ///
    /// - Throws: The same errors as ``Condition/evaluate(with:substitutionVariables:)``.
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
