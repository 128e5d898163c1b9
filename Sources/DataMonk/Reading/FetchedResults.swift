public import DataMonkCore
public import Foundation

/// **Shared**, on the main actor. Objects in order and in sections, as a main context shows them, kept up to date: what a
/// list on a screen shows.
///
///     let grown = try World.fetchedResults(
///         Person.self, %"age" >= 18, orderBy: .Ascending("city") | .Ascending("name"), sectionBy: %"city")
///     let observation = grown.observeChanges { changes in
///         for change in changes.objects { print(change.kind) }
///     }
///     print(grown.sections[0].name, grown[[0, 0]].name)
///
/// It changes on the main actor's own turn after a commit, if the target of the context says that this one follows; in
/// steps of at most 256 objects a turn, each told with its own change. What is followed, and how objects are ordered, is
/// said at `FetchedResultsController`.
@preconcurrency @MainActor
public final class FetchedResults<Object: ManagedObject> {
    private let controller: FetchedResultsController<Object>

    init(_ request: FetchRequest, sectionBy: QueryKey?, in context: MainContext) throws {
        controller = try FetchedResultsController(
            context: context.managedObjectContext, request: request, sectionNameKeyPath: sectionBy?.keyPath
        ) { [weak context] body in
            context?.observeChangesForLists { body($0) } ?? ContextObservation()
        }
        try controller.performFetch()
    }

    // On the main actor: the objects go there.
    isolated deinit {}

    // MARK: Results

    /// The objects in order; empty as well if ``reload()`` is needed.
    public var objects: [Object] { controller.fetchedObjects ?? [] }

    /// How many objects there are.
    public var count: Int { controller.count }

    /// The sections in order; one without a name if there is nothing to make them by.
    public var sections: [FetchedResultsSection<Object>] { controller.sections }

    /// The object at a place: `grown[[0, 3]]` is the fourth one of the first section.
    ///
    /// - Precondition: there is one.
    public subscript(indexPath: IndexPath) -> Object { controller.object(at: indexPath) }

    /// The object at a place.
    ///
    /// - Precondition: there is one.
    public func object(at indexPath: IndexPath) -> Object { controller.object(at: indexPath) }

    /// The object that changes and snapshots call by an id; nil if it is not here.
    public func object(for id: AnyObjectID) -> Object? { controller.object(for: id) }

    /// Where an object stands; nil if it is not here.
    public func indexPath(for object: Object) -> IndexPath? { controller.indexPath(for: object) }

    /// The same by id, free to go elsewhere.
    public var snapshot: FetchedResultsSnapshot { controller.snapshot }

    // MARK: Fetching again

    /// Fetches again and tells the difference: needed after the context was reset, and by those whose context follows no
    /// commits.
    ///
    /// - Throws: what a fetch throws; everything is as before then.
    public func reload() throws { try controller.refetch() }

    /// Shows only objects that meet a further condition, in code, or again all of them; tells the difference.
    ///
    ///     try grown.filter { $0.name.hasPrefix(text) }
    ///
    /// It is asked of an object when it is fetched, and when it changes; it should look at nothing else.
    ///
    /// - Throws: what a fetch throws.
    public func filter(_ isIncluded: ((Object) -> Bool)?) throws {
        controller.setFilter(isIncluded)
        try controller.refetch()
    }

    // MARK: Following

    /// Calls a block after each change, with what changed; the results are the new ones then.
    ///
    /// - Returns: a token; the calls stop when it goes.
    public func observeChanges(_ body: @escaping @MainActor (FetchedResultsChanges) -> Void) -> ContextObservation {
        controller.observeChanges { changes in body(changes) }
    }

    /// What changes, from now on.
    ///
    ///     for await changes in grown.changes { table.apply(changes) }
    ///
    /// At most 64 changes wait for one who listens slowly, then the oldest go; `FetchedResultsSnapshot.apply` tells by the
    /// numbers. Ends with the list.
    public var changes: AsyncStream<FetchedResultsChanges> { controller.changes }
}

extension MainContext {
    /// A list of the objects that meet a condition, which stays up to date.
    ///
    ///     let grown = try World.fetchedResults(
    ///         Person.self, %"age" >= 18, orderBy: .Ascending("city") | .Ascending("name"), sectionBy: %"city")
    ///
    /// - Parameter sectionBy: the key whose value, as text, names an object's section; the order must begin with it.
    /// - Throws: `FetchError` for a query that means nothing, a limit, and an order that does not keep sections together.
    /// - Complexity: one SELECT, and one for each to-one that the order crosses.
    public func fetchedResults<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy, sectionBy: QueryKey? = nil,
        options: QueryOptions? = nil
    ) throws -> FetchedResults<Object> {
        try FetchedResults(reader.request(type, query, orderBy, options), sectionBy: sectionBy, in: self)
    }
}
