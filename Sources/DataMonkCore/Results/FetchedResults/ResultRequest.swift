import Foundation

/// **Value.** The definition of a list: a fetch that is suitable for a list, and its sections.
struct ResultRequest: Sendable {
    let fetch: ResolvedFetch
    /// The key path that names an object's section, or `nil` for a single section.
    let sectionPath: ResolvedPath?
    let order: ReaderSort
    /// The relationship paths from an object to those whose values determine its position.
    let orderDependencies: [[Entity.Relationship]]
    /// The same paths, and those to the objects that determine whether it is a result.
    let dependencies: [[Entity.Relationship]]
    /// The to-one steps of ``dependencies``, each once.
    let toOneDependencies: [Entity.Relationship]
    /// The indexes of the entities whose objects a path passes through or ends at, including those that are only compared or
    /// counted.
    let relatedEntities: Set<Int>
    /// Those of ``relatedEntities`` whose deleted objects may still be referred to, because no delete rule has cleared the
    /// references.
    let danglingEntities: Set<Int>
    /// The largest number of results, or 0 for no limit.
    var limit: Int { fetch.request.fetchLimit }

    /// - Throws: ``FetchError`` for a request that cannot be fetched or cannot be a list.
    init(_ request: FetchRequest, sectionNameKeyPath: String?, model: ManagedObjectModel) throws(FetchError) {
        var request = request
        // A list holds its objects and sorts them by their values.
        request.fetchBatchSize = 0
        request.includesPropertyValues = true
        request.propertiesToFetch = []
        try Self.check(request)
        fetch = try ResolvedFetch(request, model: model)
        let paths = PathResolver(entity: fetch.entity)
        sectionPath = if let sectionNameKeyPath { try paths.resolve(sectionNameKeyPath) } else { nil }
        order = ReaderSort(fetch.sortTerms)
        var collected = DependencyPaths()
        collected.addOrder(of: fetch)
        if let sectionPath { collected.add(sectionPath) }
        orderDependencies = collected.all
        collected.addCondition(of: fetch)
        dependencies = collected.all
        toOneDependencies = dependencies.joined().reduce(into: []) { steps, step in
            if !step.isToMany, !steps.contains(step) { steps.append(step) }
        }
        relatedEntities = Self.destinations(of: collected.steps)
        danglingEntities = Self.destinations(
            of: collected.steps.filter { ($0.inverse?.deleteRule ?? .noAction) == .noAction })
        if let sectionPath { try checkSections(by: sectionPath) }
    }

    private static func destinations(of steps: Set<Entity.Relationship>) -> Set<Int> {
        Set(steps.flatMap(\.destination.family).map(\.index))
    }

    func place(of object: ManagedObject) -> ResultVerdict.Place {
        ResultVerdict.Place(
            keys: order.keys(of: object).map(\.comparableToItself),
            sectionName: sectionPath?.value(of: object).comparableToItself.sectionName ?? "")
    }

    // MARK: Checks

    private static func check(_ request: FetchRequest) throws(FetchError) {
        func refuse(_ message: String) -> FetchError {
            FetchError(.invalidRequest, message, entityName: request.entityName)
        }
        guard request.resultType == .managedObjects else {
            throw refuse("Fetched results contain objects. Set the request's resultType to .managedObjects.")
        }
        guard request.fetchOffset == 0 else {
            throw refuse(
                """
                Fetched results cannot begin at an offset, because objects before it come and go without being known \
                to the context. Remove the offset, and show the results from that position on.
                """)
        }
        guard request.includesPendingChanges else {
            throw refuse(
                """
                Fetched results always include unsaved changes of their context. To see saved objects only, use a \
                context of its own in which you make no changes.
                """)
        }
        guard !request.sortTerms.isEmpty else {
            throw refuse("Fetched results need a sort order. Add a sort term.")
        }
    }

    /// Checks that the objects of a section are adjacent.
    ///
    /// They are if the section's key is the first sort term. Otherwise the data must agree. That is allowed if no sort term
    /// can name the section's key, since no store knows it, and if both are values of the same related object, such as a
    /// category's position and its title.
    private func checkSections(by path: ResolvedPath) throws(FetchError) {
        guard !path.isCollection, path.kind.isOrdered, path.kind != .data, let name = path.name else {
            throw FetchError(
                .invalidKeyPath,
                """
                \(path.name ?? "self") of \(fetch.entity.name) is not a single value that can be converted to text, \
                so it cannot be a section name.
                """,
                entityName: fetch.entity.name, keyPath: path.name)
        }
        guard case .path(let first)? = fetch.sortTerms.first?.expression, first != path else { return }
        if path.holder?.isTransient == true { return }
        if !path.steps.isEmpty, path.steps == first.steps { return }
        throw FetchError(
            .invalidRequest,
            """
            Sections by \(fetch.entity.name).\(name) require the results to be sorted by it. Make it the first sort \
            term.
            """, entityName: fetch.entity.name, keyPath: name)
    }
}

extension FetchError {
    /// Returns the error for a section that is split by objects of another one.
    static func scatteredSection(_ request: ResultRequest) -> FetchError {
        let (entity, name) = (request.fetch.entity.name, request.sectionPath?.name ?? "")
        return FetchError(
            .inconsistentSections,
            """
            The sort order of the results does not keep the sections by \(entity).\(name) together. Sort by the \
            section's key first, with the standard comparator, or by a value that orders the sections the same way.
            """, entityName: entity, keyPath: name)
    }
}

extension ManagedValue {
    fileprivate var sectionName: String {
        switch self {
        case .null, .data, .list, .dictionary: ""
        case .bool(let value): value ? "1" : "0"
        case .int(let value): String(value)
        case .double(let value): Int64(exactly: value).map(String.init) ?? String(value)
        case .decimal(let value): value.description
        case .string(let value): value
        case .date(let value): value.description
        case .uuid(let value): value.uuidString
        case .url(let value): value.absoluteString
        case .object(let id): id.uri.absoluteString
        }
    }

    /// The value, or `nil` in place of NaN, which does not equal itself and could never be found again.
    fileprivate var comparableToItself: ManagedValue {
        if case .double(let value) = self, value.isNaN { .null } else { self }
    }
}
