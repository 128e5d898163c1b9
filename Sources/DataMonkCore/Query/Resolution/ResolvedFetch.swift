/// **Value.** A fetch whose every name was found in the model and whose parts go together. Made once a request, before
/// any store is asked.
package struct ResolvedFetch: Sendable {
    /// The request it came from: batch size and the switches are read there.
    package let request: FetchRequest
    /// The largest number of results, nil for all.
    package internal(set) var limit: Int?
    /// How many results at the start are left out.
    package internal(set) var offset: Int
    /// The entity that is fetched.
    package let entity: Entity
    /// What the objects have in common, nil for all.
    package let condition: ResolvedCondition?
    /// The order, the most significant first.
    package let sortTerms: [ResolvedSortTerm]
    /// Relationships to load along, step by step.
    package let prefetched: [[Entity.Relationship]]
    /// The columns of rows of values; for objects the attributes to load, none for all.
    package let selections: [ResolvedSelection]
    /// What rows are grouped by.
    package let groups: [ResolvedPath]
    /// What groups in the result have in common, nil for all.
    package let having: ResolvedCondition?
    /// When it has to have ended.
    package internal(set) var deadline: ContinuousClock.Instant?

    /// Whether one row stands for several objects.
    package var isAggregated: Bool { !groups.isEmpty || selections.contains { $0.function != nil } }

    /// The entities whose objects are fetched; abstract ones have none of their own.
    package var entities: [Entity] {
        (request.includesSubentities ? entity.family : [entity]).filter { !$0.isAbstract }
    }
}

extension ResolvedFetch {
    /// Ends a fetch whose task was cancelled, or whose deadline has passed.
    package func requireTime() throws {
        try Task.checkCancellation()
        if let deadline, deadline <= .now { throw FetchError.deadlinePassed(entity) }
    }

    /// Resolves a request against a model.
    ///
    /// - Throws: ``FetchError`` for the first name that is not in the model, the first values that cannot be compared,
    ///   and parts that do not go together.
    package init(_ request: FetchRequest, model: ManagedObjectModel) throws(FetchError) {
        self = try FetchResolver(model: model).resolve(request)
    }
}

/// **Value.** One thing that results are sorted by.
package struct ResolvedSortTerm: Sendable {
    /// A single value: no collection.
    package let expression: ResolvedExpression
    package let ascending: Bool
    /// `.standard` for everything but text.
    package let comparator: SortTerm.Comparator
}

/// **Value.** One column of a row of values.
package struct ResolvedSelection: Sendable {
    package let function: FetchRequest.Selection.Function?
    /// A single value of each object: no collection, and no constant.
    package let expression: ResolvedExpression
    package let alias: String
    /// What kind of value the column holds.
    package let kind: ValueKind

    /// Where the value stands, nil where it is worked out.
    package var path: ResolvedPath? { expression.path }
}
