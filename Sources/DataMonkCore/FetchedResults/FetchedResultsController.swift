public import Foundation

/// **Confined.** A fetch whose results stay up to date, in order and in sections, and which tells what changes of them: what
/// a list on a screen shows.
///
/// ```swift
/// var request = FetchRequest(entityName: "Person", condition: .compare("age", .greaterThanOrEqual, 18))
/// request.sortTerms = [SortTerm("city"), SortTerm("name")]
/// let controller = try FetchedResultsController<Person>(
///     context: context, request: request, sectionNameKeyPath: "city")
/// try controller.performFetch()
/// let observation = controller.observeChanges { changes in
///     for change in changes.objects { print(change.kind) }
/// }
/// print(controller.sections[0].name, controller.object(at: [0, 0]).name)
/// ```
/// On the main actor, `MainContext.fetchedResults` makes a `FetchedResults` over one.
///
/// ## What it follows
/// The user events of its context, unsaved objects included; what the context merges from others, objects included
/// that it did not know; refreshing, `rollback`, undo and redo. An event that changes nothing in the results makes no call.
///
/// Where the condition, the order or the sections read values of related objects (`"department.name"`), changes of those
/// count too, which Core Data leaves out: the objects that lead to a changed one are found over the inverse relationships,
/// which reads those that are not loaded. A relationship without an inverse is not followed; changes behind it show when
/// the objects themselves change, or with the next fetch. Related objects count as the context has them, with unsaved
/// changes, which a mere fetch reads from the store. A list in a child context hears of its parent's unsaved changes
/// when the child does: by refreshing or fetching again.
///
/// What is not named by a change, as when another process has written, is found by fetching again; the difference is told
/// like any other. If an event cannot be followed because the store fails, the results stay as they are, the error goes to
/// the stack's handler, and the next event catches up. After a reset of the context, and when the data pull a section
/// apart, there are no results, and one change says ``FetchedResultsChanges/requiresFetch``.
///
/// ## Order
/// By the sort terms. Of equals, those that were results first come first: a change moves nobody who is sorted by other
/// values, and newcomers come last. An object whose sort key changes is told as a move, even if it stays where it was.
///
/// Holds its objects, and keeps its context alive.
public final class FetchedResultsController<Object: ManagedObject> {
    private let follower: ResultFollower
    /// What is fetched.
    public let request: FetchRequest
    /// The key path whose value, as text, is the name of an object's section; nil for one section without a name.
    public let sectionNameKeyPath: String?

    /// Makes a controller without results.
    ///
    /// - Parameters:
    ///   - context: whose objects the results are, and whose changes they follow.
    ///   - request: what to fetch, with an order, and without limit, offset and columns: the results are the whole result.
    ///     A batch size has no effect.
    ///   - sectionNameKeyPath: what sections are made by. It must be what the request sorts by first, or the objects of a
    ///     section would not stand together. For a transient attribute, by which no store sorts, and where both are values
    ///     of the same related object, the first term may be another one whose order agrees; the data tell.
    /// - Throws: ``FetchError`` for a request that means nothing, or cannot be followed; with the code `wrongClass` if the
    ///   entity's objects are not of class `Object`.
    public convenience init(
        context: ManagedObjectContext, request: FetchRequest, sectionNameKeyPath: String? = nil
    ) throws {
        try self.init(context: context, request: request, sectionNameKeyPath: sectionNameKeyPath) {
            [weak context] body in
            context?.observeChangesForLists(body) ?? ContextObservation()
        }
    }

    /// - Parameter feed: where notices of the context come from, if not from itself.
    package init(
        context: ManagedObjectContext, request: FetchRequest, sectionNameKeyPath: String?,
        feed: @escaping (@escaping (ObjectChanges) -> Void) -> ContextObservation
    ) throws {
        let resolved = try ResultRequest(
            request, sectionNameKeyPath: sectionNameKeyPath, model: context.directory.model)
        let entity = resolved.fetch.entity
        guard context.directory.layouts[entity.index].objectClass is Object.Type else {
            throw FetchError.wrongClass(Object.self, entity)
        }
        self.request = request
        self.sectionNameKeyPath = sectionNameKeyPath
        follower = ResultFollower(resolved, context: context, feed: feed)
    }

    /// Whose objects the results are.
    public var context: ManagedObjectContext { follower.context }

    // MARK: Fetching

    /// Fetches, and follows the results from then on. Tells nobody: whoever calls it shows everything anew.
    ///
    /// - Throws: what a fetch throws; ``FetchError`` with the code `inconsistentSections` if the order does not keep the
    ///   objects of a section together. The results are what they were then.
    /// - Complexity: one SELECT for each store with the entity, one for each to-one that the order crosses, and a read of
    ///   each value that objects are sorted by.
    public func performFetch() throws { try follower.performFetch() }

    /// Fetches again and tells the difference as one change; called by an observer, after all have heard what they are
    /// being told, and errors go to the stack's handler then. Without results it does what ``performFetch()`` does.
    ///
    /// - Throws: as ``performFetch()``.
    public func refetch() throws { try follower.refetch() }

    /// Takes a further condition, in code; nil to show everything that the request finds. Counts from the next fetch on:
    /// ``refetch()`` tells the difference.
    ///
    /// It is asked of an object when it is fetched, and when it changes; it should look at nothing else.
    public func setFilter(_ isIncluded: ((Object) -> Bool)?) {
        follower.filter = isIncluded.map { isIncluded in { isIncluded($0.as(Object.self)) } }
    }

    // MARK: Results

    /// The objects in order; nil if a fetch is needed.
    ///
    /// - Complexity: makes an array of them.
    public var fetchedObjects: [Object]? {
        follower.list.map { list in list.sections.flatMap { $0.entries.map { $0.object.as(Object.self) } } }
    }

    /// How many results there are.
    public var count: Int { follower.list?.count ?? 0 }

    /// The sections in order. Without a key path for sections there is one, which may be empty; others never are.
    ///
    /// - Complexity: a step for each section, none for each object.
    public var sections: [FetchedResultsSection<Object>] {
        (follower.list?.sections ?? []).map(FetchedResultsSection.init)
    }

    /// The object at a place.
    ///
    /// - Precondition: the index path has two indexes, a section's and an object's in it.
    public func object(at indexPath: IndexPath) -> Object {
        guard indexPath.count == 2, let sections = follower.list?.sections, sections.indices.contains(indexPath[0]),
            sections[indexPath[0]].entries.indices.contains(indexPath[1])
        else { preconditionFailure("There is no result at \(indexPath): ask the sections how many they hold.") }
        return sections[indexPath[0]].entries[indexPath[1]].object.as(Object.self)
    }

    /// Where an object stands; nil if it is no result.
    ///
    /// - Complexity: logarithmic.
    public func indexPath(for object: Object) -> IndexPath? {
        follower.list?.position(of: object).map { IndexPath($0) }
    }

    /// The result that changes and snapshots call by an id; nil if there is none.
    public func object(for id: AnyObjectID) -> Object? {
        guard let object = context.registeredObject(for: id), follower.list?.position(of: object) != nil
        else { return nil }
        return object.as(Object.self)
    }

    /// The results by id; without sections if a fetch is needed.
    ///
    /// - Complexity: a step for each object.
    public var snapshot: FetchedResultsSnapshot {
        FetchedResultsSnapshot(
            version: follower.version,
            sections: (follower.list?.sections ?? []).map { section in
                .init(name: section.name, objectIDs: section.entries.map(\.id))
            })
    }

    // MARK: Following

    /// Calls a block after each event that changes the results, with what changed; the results are the new ones then.
    ///
    /// Before the call returns that ended the event. An observer may change objects, and end events; what becomes of that
    /// is told afterwards, with a call of its own.
    ///
    /// - Returns: a token; the calls stop when it goes.
    public func observeChanges(_ body: @escaping (FetchedResultsChanges) -> Void) -> ContextObservation {
        let observation = ContextObservation()
        follower.observers.add(observation.guarding(body))
        return observation
    }

    /// What each event changes, from now on.
    ///
    ///     for await changes in controller.changes {
    ///         if !snapshot.apply(changes) { snapshot = controller.snapshot }
    ///     }
    ///
    /// The context never waits: at most 64 changes do, then the oldest go; ``FetchedResultsSnapshot/apply(_:)`` tells by the
    /// numbers. Ends with the controller.
    public var changes: AsyncStream<FetchedResultsChanges> {
        let (stream, sender) = NoticeSender<FetchedResultsChanges>.makeStream(afterLoss: nil)
        follower.observers.add { sender.send($0) }
        return stream
    }

    /// Checks the numbered invariants of the list: for tests.
    package func checkInvariants() throws(InvariantViolation) { try follower.list?.checkInvariants() }
}

@available(*, unavailable)
extension FetchedResultsController: Sendable {}
