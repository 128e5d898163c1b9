import Foundation

/// **Value.** What a list shows, and how: a fetch whose parts go together with a list.
struct ResultRequest: Sendable {
    let fetch: ResolvedFetch
    /// The key path that names an object's section; nil for a single section.
    let sectionPath: ResolvedPath?
    let order: ReaderSort
    /// The relationships that lead from an object to others whose values decide where it stands, way by way.
    let waysOfPlace: [[Entity.Relationship]]
    /// The same, and those that decide whether it is a result.
    let ways: [[Entity.Relationship]]

    /// - Throws: ``FetchError`` for what cannot be fetched, and for what cannot be a list.
    init(_ request: FetchRequest, sectionNameKeyPath: String?, model: ManagedObjectModel) throws(FetchError) {
        var request = request
        // A list holds its objects, and orders them by their values.
        request.fetchBatchSize = 0
        request.includesPropertyValues = true
        request.propertiesToFetch = []
        try Self.check(request)
        fetch = try ResolvedFetch(request, model: model)
        let paths = PathResolver(entity: fetch.entity)
        sectionPath = if let sectionNameKeyPath { try paths.resolve(sectionNameKeyPath) } else { nil }
        order = ReaderSort(fetch.sortTerms)
        var ways = ReadingWays()
        ways.addOrder(of: fetch)
        if let sectionPath { ways.add(sectionPath) }
        waysOfPlace = ways.all
        ways.addCondition(of: fetch)
        self.ways = ways.all
        if let sectionPath { try checkSections(by: sectionPath) }
    }

    /// Where an object that is a result belongs.
    func place(of object: ManagedObject) -> ResultVerdict.Place {
        ResultVerdict.Place(
            keys: order.keys(of: object).map(\.comparableToItself),
            sectionName: sectionPath?.value(of: object).sectionName ?? "")
    }

    // MARK: What cannot be a list

    private static func check(_ request: FetchRequest) throws(FetchError) {
        func refuse(_ message: String) -> FetchError {
            FetchError(.invalidRequest, message, entityName: request.entityName)
        }
        guard request.resultType == .managedObjects else {
            throw refuse("Fetched results are objects: set the request's resultType to .managedObjects.")
        }
        guard request.fetchLimit == 0, request.fetchOffset == 0 else {
            throw refuse(
                """
                Fetched results follow the whole result: what comes behind a limit would have to be fetched again with each \
                object that goes. Leave limit and offset out, and show as many of the results as you like.
                """)
        }
        guard request.includesPendingChanges else {
            throw refuse(
                """
                Fetched results follow unsaved changes of their context. For those of the store alone, make them in a \
                context of its own, which makes no changes.
                """)
        }
        guard !request.sortTerms.isEmpty else {
            throw refuse("Fetched results need an order, or no object has a place: add a sort term.")
        }
    }

    /// The objects of a section must stand together. They do if the section's key decides first. If another one does, the
    /// data must agree: allowed where no sort term can name the section's key, as no store knows it, and where both are
    /// values of one and the same related object, such as a category's position and its title.
    private func checkSections(by path: ResolvedPath) throws(FetchError) {
        guard !path.isCollection, path.kind.isOrdered, path.kind != .data, let name = path.name else {
            throw FetchError(
                .invalidKeyPath,
                "\(path.name ?? "self") of \(fetch.entity.name) is no single value with a text, and names no section.",
                entityName: fetch.entity.name, keyPath: path.name)
        }
        guard case .path(let first)? = fetch.sortTerms.first?.expression, first != path else { return }
        if path.attribute?.isTransient == true { return }
        if !path.steps.isEmpty, path.steps == first.steps { return }
        throw FetchError(
            .invalidRequest,
            """
            Sections by \(fetch.entity.name).\(name) need an order by it: make it the first sort term, so that the objects \
            of a section stand together.
            """, entityName: fetch.entity.name, keyPath: name)
    }
}

extension FetchError {
    /// Objects of one section with others between them.
    static func scatteredSection(_ request: ResultRequest) -> FetchError {
        let (entity, name) = (request.fetch.entity.name, request.sectionPath?.name ?? "")
        return FetchError(
            .inconsistentSections,
            """
            The order of the results pulls a section by \(entity).\(name) apart. Sort by the section's key first, with the \
            standard comparator, or by a value that orders the sections alike.
            """, entityName: entity, keyPath: name)
    }
}

extension ManagedValue {
    /// The value as a section's name.
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

    /// The value, or nil in place of the one that is not even equal to itself: nobody could find it again.
    fileprivate var comparableToItself: ManagedValue {
        if case .double(let value) = self, value.isNaN { .null } else { self }
    }
}
