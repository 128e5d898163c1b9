public import Foundation

/// **Confined.** A fetch whose results stay up to date, ordered and in sections, and that reports their changes, for lists
/// on a screen.
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
/// On the main actor, `MainContext.fetchedResults` creates a `FetchedResults` that wraps a controller.
///
/// ## Followed changes
/// The controller follows:
///
/// - the user events of its context, including unsaved objects;
/// - changes that the context merges from others, including objects that it did not know;
/// - refreshing, `rollback`, undo and redo.
///
/// An event that does not change the results is not reported.
///
/// If the condition, the order or the sections read values of related objects (`"department.name"`), changes of those
/// objects count too, which Core Data ignores. The objects that lead to a changed object are found over the inverse
/// relationships, which loads those that are not loaded yet. Relationships without an inverse are not followed: changes
/// behind them appear when the objects themselves change, or with the next fetch. Related objects count as they are in the
/// context, including unsaved changes, whereas a plain fetch reads their values from the store. A controller in a child
/// context sees its parent's unsaved changes when the child does: after refreshing or fetching again.
///
/// Nothing leads from the objects of a batch request to those that referred to them before, nor from an object that others
/// have deleted while a delete rule `noAction` or a missing inverse left references to it. If the condition, the order or the
/// sections look at such objects, if only to count them, the controller fetches again and reports the difference.
///
/// If a change does not name its objects, for example because another process has written, the controller fetches again and
/// reports the difference like any other: an object whose values are the same as before is not reported,
/// unless it has transient attributes or its to-many relationships have been read. If an event cannot
/// be followed because the store fails, the results stay as they are, the error is passed to the stack's handler, and the
/// next event catches up. After a reset of the context, and if the data split a section, there are no results, and one
/// change reports ``FetchedResultsChanges/requiresFetch``. If it was the data, the next event fetches again.
///
/// ## Order
/// Results are sorted by the sort terms. Among equal objects, earlier results come first and new ones last: a change to
/// values that are not sort values does not move an object. An object whose sort value changes is reported as a move, even
/// if it stays where it was.
///
/// ## Limit
/// If the request has a limit, an event that may change which objects lie within it costs one SELECT with that limit. An
/// update that moves no object, and a new object that belongs behind the last one, cost none. Values of related objects count
/// as they were saved, so a save of objects that the condition, the order or the sections look at costs one more.
///
/// The controller holds its objects and keeps its context alive.
public final class FetchedResultsController<Object: ManagedObject> {
    private let follower: ResultFollower
    /// The request.
    public let request: FetchRequest
    /// The key path whose value, as text, names an object's section, or `nil` for a single section without a name.
    public let sectionNameKeyPath: String?

    /// Creates a controller without results.
    ///
    /// - Parameters:
    ///   - context: The context of the objects, whose changes the results follow.
    ///   - request: A request with an order, and without offset and columns. With a limit, the results are the first
    ///     objects of its order; values of related objects then count as they were saved, and a filter hides objects of
    ///     the limited results. A batch size has no effect, because the results are sorted by the values of all objects.
    ///   - sectionNameKeyPath: The key path by which objects are grouped into sections. It must be the first sort term of
    ///     the request, so that the objects of a section are adjacent. The first sort term may be a different one, in the
    ///     same order, if the key path is a transient attribute, by which no store sorts, or if both are values of the same
    ///     related object. The order is then checked against the data.
    /// - Throws: ``FetchError`` for a request that is invalid or cannot be followed; with the code `wrongClass` if the
    ///   entity's objects are not of class `Object`.
    public init(
        context: ManagedObjectContext, request: FetchRequest, sectionNameKeyPath: String? = nil
    ) throws {
        let resolved = try ResultRequest(
            request, sectionNameKeyPath: sectionNameKeyPath, model: context.directory.model)
        let entity = resolved.fetch.entity
        guard context.directory.layouts[entity.index].objectClass is Object.Type else {
            throw FetchError.wrongClass(Object.self, of: entity)
        }
        self.request = request
        self.sectionNameKeyPath = sectionNameKeyPath
        follower = ResultFollower(resolved, context: context)
    }

    /// The context of the objects.
    public var context: ManagedObjectContext { follower.context }

    // MARK: Fetching

    /// Fetches, and follows the results from then on. Observers are not notified: the caller displays all results anew.
    ///
    /// - Throws: The errors of a fetch, and ``FetchError`` with the code `inconsistentSections` if the order does not keep
    ///   the objects of a section together. The results then stay as they were.
    /// - Complexity: One SELECT for each store with the entity, one for each to-one that the order crosses, and one read of
    ///   each value that objects are sorted by.
    public func performFetch() throws { try follower.performFetch() }

    /// Fetches again and reports the difference as one change.
    ///
    /// If an observer calls this method, the fetch happens after all observers have received the current change, and errors
    /// are passed to the stack's handler. Without results, as after a reset of the context, all results are reported as
    /// inserted.
    ///
    /// - Throws: The same errors as ``performFetch()``. The results stay as they were, except after `inconsistentSections`:
    ///   then there are none, which is reported, until the next event or a fetch finds data that keep the sections together.
    public func refetch() throws { try follower.refetch() }

    /// Sets an additional condition in code, or `nil` to show everything that the request finds.
    ///
    /// The filter takes effect with the next fetch; ``refetch()`` reports the difference. It is called for an object when
    /// the object is fetched and when it changes, and should depend on nothing else.
    public func setFilter(_ isIncluded: ((Object) -> Bool)?) {
        follower.filter = isIncluded.map { isIncluded in { isIncluded($0.as(Object.self)) } }
    }

    // MARK: Results

    /// The objects in order, or `nil` if a fetch is needed.
    ///
    /// - Complexity: Creates an array of the objects.
    public var fetchedObjects: [Object]? {
        follower.list.map { list in list.sections.flatMap { $0.entries.map { $0.object.as(Object.self) } } }
    }

    /// The number of results.
    public var count: Int { follower.list?.count ?? 0 }

    /// The sections in order. Without a section key path there is one section, which may be empty; otherwise no section is
    /// empty.
    ///
    /// - Complexity: Linear in the number of sections, independent of the number of objects.
    public var sections: [FetchedResultsSection<Object>] {
        (follower.list?.sections ?? []).map(FetchedResultsSection.init)
    }

    /// The number of sections.
    public var numberOfSections: Int { follower.list?.sections.count ?? 0 }

    /// Returns the section at an index, or `nil` if there is none.
    public func sectionIfPresent(at index: Int) -> FetchedResultsSection<Object>? {
        guard let sections = follower.list?.sections, sections.indices.contains(index) else { return nil }
        return FetchedResultsSection(sections[index])
    }

    /// The titles along the edge of a list that lead to its sections: the first letters of their names.
    ///
    /// - Complexity: Linear in the number of sections.
    public var sectionIndex: SectionIndex { SectionIndex(names: (follower.list?.sections ?? []).map(\.name)) }

    /// Returns the object at an index path.
    ///
    /// - Precondition: The index path has two indexes: that of a section and that of an object in it.
    public func object(at indexPath: IndexPath) -> Object {
        guard let object = objectIfPresent(at: indexPath) else {
            stopProgram(
                """
                There is no result at \(indexPath). Check the number of objects in its section first, or ask for \
                objectIfPresent(at:).
                """)
        }
        return object
    }

    /// Returns the object at an index path, or `nil` if there is none.
    public func objectIfPresent(at indexPath: IndexPath) -> Object? {
        guard indexPath.count == 2, let sections = follower.list?.sections, sections.indices.contains(indexPath[0]),
            sections[indexPath[0]].entries.indices.contains(indexPath[1])
        else { return nil }
        return sections[indexPath[0]].entries[indexPath[1]].object.as(Object.self)
    }

    /// Returns the index path of an object, or `nil` if it is not a result.
    ///
    /// - Complexity: Logarithmic.
    public func indexPath(for object: Object) -> IndexPath? {
        follower.list?.position(of: object).map { IndexPath($0) }
    }

    /// Returns the result with an id that occurs in changes and snapshots, or `nil` if there is none.
    public func object(for id: AnyObjectID) -> Object? {
        guard let object = context.registeredObject(for: id), follower.list?.position(of: object) != nil
        else { return nil }
        return object.as(Object.self)
    }

    /// The results by id, without sections if a fetch is needed.
    ///
    /// - Complexity: Linear in the number of objects.
    public var snapshot: FetchedResultsSnapshot {
        FetchedResultsSnapshot(
            version: follower.version,
            sections: (follower.list?.sections ?? []).map { section in
                .init(name: section.name, objectIDs: section.entries.map(\.id))
            })
    }

    // MARK: Following

    /// Calls a block with the changes after each event that changes the results. The results are already the new ones.
    ///
    /// The block is called before the call that ended the event returns. An observer may change objects and end events;
    /// their effects are reported afterwards, in a separate call.
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeChanges(_ body: @escaping (FetchedResultsChanges) -> Void) -> ContextObservation {
        let observation = ContextObservation()
        follower.observers.add(observation.guarding(body))
        return observation
    }

    /// Calls a block before each event changes the results, while they are still the former ones. Each call is followed by
    /// one of the observers of changes.
    ///
    /// A view that asks for the number of its rows only when it is first drawn needs this: it has to ask before the first
    /// change. There is no call before a reset of the context, which has ended the former results by then. If a block fetches
    /// with ``performFetch()``, nothing is reported.
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeUpcomingChanges(_ body: @escaping () -> Void) -> ContextObservation {
        let observation = ContextObservation()
        follower.earlyObservers.add(observation.guarding { (_: Void) in body() })
        return observation
    }

    /// The changes made by each event from now on.
    ///
    ///     for await changes in controller.changes {
    ///         if !snapshot.apply(changes) { snapshot = controller.snapshot }
    ///     }
    ///
    /// The context never waits: at most 64 changes are buffered, and then the oldest are dropped, which
    /// ``FetchedResultsSnapshot/apply(_:)`` detects by their versions. The stream ends with the controller.
    public var changes: AsyncStream<FetchedResultsChanges> {
        let (stream, sender) = NoticeSender<FetchedResultsChanges>.makeStream(afterLoss: nil)
        follower.observers.add { sender.send($0) }
        return stream
    }

    /// Checks the numbered invariants of the list, for tests.
    package func checkInvariants() throws(InvariantViolation) { try follower.list?.checkInvariants() }
}

@available(*, unavailable)
extension FetchedResultsController: Sendable {}
