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
        let objects = Array(self)
        var resolved: [ObjectIdentifier: ResolvedCondition] = [:]
        var paths = DependencyPaths()
        for object in objects where resolved[ObjectIdentifier(object.entity)] == nil {
            let test = try ConditionResolver(entity: object.entity).resolve(condition)
            resolved[ObjectIdentifier(object.entity)] = test
            paths.add(test)
        }
        let contexts = objects.beginInOneState(over: paths)
        defer { contexts.forEach { $0.endCall() } }
        var found: [Element] = []
        for object in objects {
            if let test = resolved[ObjectIdentifier(object.entity)], try test.isReadablyTrue(of: object) {
                found.append(object)
            }
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
        var common: Entity? = first.entity
        for object in objects {
            while let entity = common, !object.entity.isKind(of: entity) { common = entity.ancestors.last }
        }
        guard let common else {
            throw FetchError(
                .invalidRequest,
                "Objects of unrelated entities cannot be sorted together. Sort the objects of each entity separately.")
        }
        let terms = try FetchResolver.sortTerms(terms, of: common)
        var paths = DependencyPaths()
        paths.add(terms)
        let contexts = objects.beginInOneState(over: paths)
        defer { contexts.forEach { $0.endCall() } }
        let sort = ReaderSort(terms)
        // If the objects belong to several contexts, failures in the others are not thrown here: each context records its
        // own.
        guard let context = first.home.context else { return sort.sorted(objects) }
        return try context.faults.evaluatingForFetch { sort.sorted(objects) }
    }
}

extension Array where Element: ManagedObject {
    /// Begins a call in each context that may have to read for the objects, or for what the paths lead to: all of them are
    /// then read in one state.
    ///
    /// - Returns: The contexts in which the call has to end.
    func beginInOneState(over paths: DependencyPaths) -> [ManagedObjectContext] {
        var contexts: [ManagedObjectContext] = []
        for object in self where paths.leadsOn || object.isFault {
            guard let context = object.home.context, !contexts.contains(where: { $0 === context }) else { continue }
            context.faults.beginInOneState()
            contexts.append(context)
        }
        return contexts
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
