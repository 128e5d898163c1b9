public import DataMonkCore
public import Foundation

/// **Shared**, on the main actor. A sorted, sectioned list of a main context's objects that is kept up to date, for
/// display in a list on a screen.
///
///     let grown = try World.fetchedResults(
///         Person.self, %"age" >= 18, orderBy: .Ascending("city") | .Ascending("name"), sectionBy: %"city")
///     let observation = grown.observeChanges { changes in
///         for change in changes.objects { print(change.kind) }
///     }
///     print(grown.sections[0].name, grown[[0, 0]].name)
///
/// The list changes on the main actor in a turn after a commit, provided that the context's update target follows
/// commits. It takes over a commit as a whole, and reports it once. See
/// `FetchedResultsController` for the changes that are followed and for the order of objects.
@preconcurrency @MainActor
public final class FetchedResults<Object: ManagedObject> {
    // Nobody else may hold it, and without it, the list would follow nothing.
    let context: MainContext
    private let controller: FetchedResultsController<Object>
    /// The condition that ``filter(_:)`` has set.
    private(set) var isIncluded: ((Object) -> Bool)?
    /// The number of conditions that ``filter(_:)`` has been given.
    private var filters = 0

    init(
        _ request: FetchRequest, sectionBy: QueryKey?, in context: MainContext, isIncluded: ((Object) -> Bool)? = nil
    ) throws {
        self.context = context
        controller = try FetchedResultsController(
            context: context.managedObjectContext, request: request, sectionNameKeyPath: sectionBy?.keyPath)
        setFilter(isIncluded)
        try controller.performFetch()
    }

    // On the main actor, because the objects are released there.
    isolated deinit {}

    // MARK: Results

    /// The objects in order. Also empty if ``reload()`` is needed.
    public var objects: [Object] { controller.fetchedObjects ?? [] }

    /// The number of objects.
    public var count: Int { controller.count }

    /// The sections in order; a single section without a name if the list has no section key.
    public var sections: [FetchedResultsSection<Object>] { controller.sections }

    /// Returns the object at an index path: `grown[[0, 3]]` is the fourth object of the first section.
    ///
    /// - Precondition: The index path is valid.
    public subscript(indexPath: IndexPath) -> Object { controller.object(at: indexPath) }

    /// Returns the object at an index path.
    ///
    /// - Precondition: The index path is valid.
    public func object(at indexPath: IndexPath) -> Object { controller.object(at: indexPath) }

    /// Returns the object at an index path, or `nil` if there is none.
    public func objectIfPresent(at indexPath: IndexPath) -> Object? { controller.objectIfPresent(at: indexPath) }

    /// The number of sections.
    public var numberOfSections: Int { controller.numberOfSections }

    /// Returns the section at an index, or `nil` if there is none.
    public func sectionIfPresent(at index: Int) -> FetchedResultsSection<Object>? {
        controller.sectionIfPresent(at: index)
    }

    /// A Boolean value indicating whether the list was made with a section key.
    public var isSectioned: Bool { controller.sectionNameKeyPath != nil }

    /// The titles along the edge of the list: the first letters of the sections' names.
    public var sectionIndex: SectionIndex { controller.sectionIndex }

    /// Returns the object for an id from changes or a snapshot, or `nil` if the list does not contain it.
    public func object(for id: AnyObjectID) -> Object? { controller.object(for: id) }

    /// Returns the index path of an object, or `nil` if the list does not contain it.
    public func indexPath(for object: Object) -> IndexPath? { controller.indexPath(for: object) }

    /// A Sendable snapshot of the list, by object ids.
    public var snapshot: FetchedResultsSnapshot { controller.snapshot }

    // MARK: Fetching again

    /// Fetches again and reports the difference. Needed after the context was reset.
    ///
    /// In a context that does not follow commits, the objects that it has stay as they were read, except for the
    /// commits of its own drafts; see ``MainContext/refreshAll()``, which updates lists too.
    ///
    /// - Throws: The errors of a fetch. The list is unchanged in that case, except after ``FetchError`` with the code
    ///   `inconsistentSections`: then it is empty until the data keep its sections together again.
    public func reload() throws { try controller.refetch() }

    /// Restricts the list to objects that meet a further condition, or shows all objects again, and reports the
    /// difference.
    ///
    ///     try grown.filter { $0.name.hasPrefix(text) }
    ///
    /// The closure is called when an object is fetched and when it changes. It should depend on nothing but the object.
    ///
    /// - Throws: The errors of a fetch. The list has its former condition in that case.
    public func filter(_ isIncluded: ((Object) -> Bool)?) throws {
        let former = self.isIncluded
        filters += 1
        let number = filters
        setFilter(isIncluded)
        do { try controller.refetch() } catch {
            // An observer may have set another one.
            if filters == number { setFilter(former) }
            throw error
        }
    }

    private func setFilter(_ isIncluded: ((Object) -> Bool)?) {
        self.isIncluded = isIncluded
        controller.setFilter(isIncluded)
    }

    // MARK: Following

    /// Calls a block before each change of the list, while it still has its former contents.
    ///
    /// See `FetchedResultsController.observeUpcomingChanges(_:)` for the changes that have no such call.
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeUpcomingChanges(_ body: @escaping @MainActor () -> Void) -> ContextObservation {
        controller.observeUpcomingChanges { body() }
    }

    /// Calls a block with the changes after each change of the list. The list already has its new contents by then.
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeChanges(_ body: @escaping @MainActor (FetchedResultsChanges) -> Void) -> ContextObservation {
        controller.observeChanges { changes in body(changes) }
    }

    /// The changes of the list, from now on.
    ///
    ///     for await changes in grown.changes { table.apply(changes) }
    ///
    /// Up to 64 changes are buffered for a slow consumer, then the oldest are dropped; `FetchedResultsSnapshot.apply`
    /// detects the gap by the changes' numbers. The stream ends with the list.
    public var changes: AsyncStream<FetchedResultsChanges> { controller.changes }
}

extension MainContext {
    /// Returns a list of the objects that meet a condition, which is kept up to date.
    ///
    ///     let grown = try World.fetchedResults(
    ///         Person.self, %"age" >= 18, orderBy: .Ascending("city") | .Ascending("name"), sectionBy: %"city")
    ///
    /// With the option `.Limit`, the list shows the first objects of the order; see `FetchedResultsController`. The option
    /// `.Batch` has no effect, because a list sorts by the values of all of its objects.
    ///
    /// - Parameter sectionBy: The key whose value, as text, names an object's section. The order must begin with this
    ///   key.
    /// - Throws: `FetchError` for an invalid query, for an offset, and for an order that does not keep sections together.
    /// - Complexity: One SELECT, and one for each to-one relationship in the order's key paths.
    public func fetchedResults<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy, sectionBy: QueryKey? = nil,
        options: QueryOptions? = nil
    ) throws -> FetchedResults<Object> {
        try fetchedResults(query, orderBy: orderBy, sectionBy: sectionBy, options: options, isIncluded: nil)
    }

    /// Returns a list whose objects meet a further condition from the beginning; see ``FetchedResults/filter(_:)``.
    func fetchedResults<Object: ManagedObject>(
        _ query: Query?, orderBy: OrderBy, sectionBy: QueryKey?, options: QueryOptions?,
        isIncluded: ((Object) -> Bool)?
    ) throws -> FetchedResults<Object> {
        try FetchedResults(
            reader.request(Object.self, where: query, orderBy: orderBy, options: options), sectionBy: sectionBy,
            in: self, isIncluded: isIncluded)
    }
}
