/// **Value.** A fetch whose names are all found in the model and whose parts are consistent. It is created once for each
/// request, before any store is asked.
package struct ResolvedFetch: Sendable {
    /// The original request, which holds the batch size and the Boolean options.
    package internal(set) var request: FetchRequest
    /// The maximum number of results, or `nil` for all.
    package internal(set) var limit: Int?
    /// The number of results to skip at the start.
    package internal(set) var offset: Int
    /// The fetched entity.
    package let entity: Entity
    /// The condition that the objects must satisfy, or `nil` for all objects.
    package let condition: ResolvedCondition?
    /// The sort terms, most significant first.
    package internal(set) var sortTerms: [ResolvedSortTerm]
    /// The relationships to prefetch, each as its steps.
    package let prefetched: [[Entity.Relationship]]
    /// The slots of the properties that a fetch of objects loads, or `nil` for all.
    package let loadedSlots: SlotSet?
    /// The columns of rows of values, and after them the aggregates inside columns, `having` and the order, which are not
    /// shown. Empty for objects.
    package internal(set) var selections: [ResolvedSelection]
    /// The number of selections that are shown.
    package internal(set) var columnCount: Int
    /// The paths by which rows are grouped.
    package internal(set) var groups: [ResolvedPath]
    /// The condition that groups must satisfy, or `nil` for all groups.
    package internal(set) var having: ResolvedCondition?
    /// The time by which the fetch must end.
    package internal(set) var deadline: ContinuousClock.Instant?

    /// A Boolean value indicating whether one row stands for several objects.
    package var isAggregated: Bool { !groups.isEmpty || selections.contains { $0.function != nil } }
}

extension ResolvedFetch {
    /// Throws if the fetch's task is cancelled or its deadline has passed.
    package func requireTime() throws {
        try Task.checkCancellation()
        if let deadline, deadline <= .now { throw FetchError.deadlinePassed(entity) }
    }

    /// Runs a part of the fetch. If a store cannot be reached or read because the time is over, throws the fetch's own error.
    @inline(__always)
    func inTime<Part>(_ part: () throws -> Part) throws -> Part {
        do {
            return try part()
        } catch let error as StoreError where [.locked, .readFailed, .timeout].contains(error.code) {
            try requireTime()
            throw error
        }
    }

    /// Resolves a request against a model.
    ///
    /// - Throws: ``FetchError`` for the first name that is not in the model, the first values that cannot be compared, and
    ///   inconsistent parts.
    package init(_ request: FetchRequest, model: ManagedObjectModel) throws(FetchError) {
        self = try FetchResolver(model: model).resolve(request)
    }
}

/// **Value.** One criterion by which results are sorted.
package struct ResolvedSortTerm: Sendable {
    /// An expression with a single value, not a collection.
    package let expression: ResolvedExpression
    package let ascending: Bool
    /// The order of text; `.standard` for every other kind.
    package let comparator: SortTerm.Comparator
}

/// **Value.** One column of a row of values.
package struct ResolvedSelection: Sendable {
    package let function: FetchRequest.Selection.Function?
    /// An expression with a single value for each object, neither a collection nor a constant. If `isOfGroup`, it has a
    /// single value for each group: it contains aggregates of the fetch's other selections.
    package let expression: ResolvedExpression
    /// A Boolean value indicating whether the expression is evaluated once for each group, after the aggregates.
    package let isOfGroup: Bool
    package let alias: String
    /// The kind of the column's values.
    package let kind: ValueKind

    /// The path to the value, or `nil` if the value is calculated.
    package var path: ResolvedPath? { expression.path }

    /// A Boolean value indicating whether the column is the number of objects.
    package var isObjectCount: Bool {
        if function == .count, let path, path.steps.isEmpty, case .object = path.terminal { true } else { false }
    }
}
