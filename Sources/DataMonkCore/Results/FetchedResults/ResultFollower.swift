/// **Confined.** Keeps a list up to date with its context. Implements `FetchedResultsController` for objects of any class.
///
///     unfetched --performFetch--> following --notices--> following, reporting each difference
///     following --reset, or data that contradict the sections--> unfetched, reporting it
///
/// If an event cannot be followed because a value cannot be read, the list stays as it is and the error is reported. The
/// next notice then causes a new fetch. A main context gives one itself, after a while, if no event comes.
///
/// A notice only names the objects to examine; their positions are determined from the objects themselves. A notice may
/// therefore arrive late or twice: the list still ends up correct, and every difference is one between two states that it
/// had.
///
/// Invariants:
/// 1. The list is changed, and observers are notified, for one notice at a time. A notice that arrives meanwhile waits.
/// 2. `version` increases by one with each reported difference and with each fetch.
/// 3. `list` contains objects of the context since its last reset, or is known to be invalid.
/// 4. `list` shows the batch requests through `batchesFollowed`, unless `missed` is set or a notice is being followed.
///
/// A list with a limit contains what the store finds within it. Only the store knows the objects behind the last one, so an
/// event that may move the limit makes the list fetch again. Within a limit, values of related objects count as they were
/// saved. The event that changes them is followed before the save writes them, so after the save the list fetches once more.
/// An event that does not lead to all objects that it may affect makes it fetch again, too; see `isTraceable(_:)`.
final class ResultFollower {
    let context: ManagedObjectContext
    let request: ResultRequest
    /// The additional condition that objects must satisfy, or `nil` if there is none.
    var filter: ((ManagedObject) -> Bool)?
    private(set) var list: ResultList?
    private(set) var version = 0
    /// The registration, present since the first fetch.
    private var observation: ContextObservation?
    /// The registration for saves, or `nil` for a list that a save does not change.
    private var saveObservation: ContextObservation?
    var observers = ObserverList<FetchedResultsChanges>()
    /// Told before the list changes.
    var earlyObservers = ObserverList<Void>()
    /// Invariant 1.
    private var waiting: [ObjectChanges] = []
    private var isAtWork = false
    /// Invariant 3.
    private var resetCount = 0
    /// Invariant 4. Later batch requests make the list fetch again if they concern it.
    private(set) var batchesFollowed: Generation = .opened
    /// The changes of the events that could not be followed; `nil` if the list is up to date.
    private var missed: ChangedObjects?
    /// Indicates whether the next notice fetches where there are no results: an observer has asked for them, or the data
    /// contradicted the sections, which may have been mended.
    private var isFetchWanted = false
    /// Indicates whether the data contradicted the sections when a fetch was made last: only other data can mend that.
    private var isContradicted = false

    init(_ request: ResultRequest, context: ManagedObjectContext) {
        self.request = request
        self.context = context
    }

    // MARK: Fetching

    /// Fetches, and follows the results from then on. If it throws, everything is as before.
    func performFetch() throws {
        let resets = context.resetCount
        install(try fetchedList(), resets)
    }

    /// Returns the list that a fetch finds, and the generation of the fetch.
    ///
    /// - Throws: Errors of reading; ``FetchError`` if the data contradict the sections.
    private func fetchedList() throws -> (list: ResultList, generation: Generation) {
        // Before the fetch, so that all later changes are reported.
        if observation == nil { register() }
        isContradicted = false
        let (verdicts, generation) = try fetchedVerdicts()
        do {
            return (try ResultList(verdicts, of: request), generation)
        } catch {
            isContradicted = true
            throw error
        }
    }

    private func register() {
        observation = context.observeChangesForLists { [weak self] in self?.take($0) }
        if request.limit == 0 || request.dependencies.isEmpty { return }
        saveObservation = context.observeSaves { [weak self] notice in
            guard let self, case .didSave(let changes) = notice, self.leadsHere(changes) else { return }
            self.take(self.everything)
        }
    }

    /// The notice after which the list fetches again.
    private var everything: ObjectChanges {
        var changes = ObjectChanges(directory: context.directory)
        changes.isEverything = true
        return changes
    }

    private func install(_ fetched: (list: ResultList, generation: Generation), _ resets: Int) {
        list = fetched.list
        batchesFollowed = fetched.generation
        missed = nil
        isFetchWanted = false
        resetCount = resets
        version += 1
    }

    /// Fetches again and reports the difference. If an observer calls this method, that happens after all observers have
    /// received the current change.
    func refetch() throws {
        if isAtWork {
            isFetchWanted = true
            waiting.append(everything)
            return
        }
        isAtWork = true
        defer { endWork() }
        // Observers have not been told yet that a reset has ended the list.
        if list != nil, context.resetCount != resetCount { tell(lose()) }
        if list == nil {
            if let changes = try fetchAnew() { tell(changes) }
            return
        }
        let verdicts = try verdictsOfFetch()
        missed = nil
        do {
            if let changes = try difference(verdicts) { tell(changes) }
        } catch {
            tell(lose())
            (isFetchWanted, isContradicted) = (true, true)
            throw error
        }
    }

    /// Fetches where there are no results. All of them are new.
    ///
    /// - Returns: `nil` if an observer that was told of them beforehand has fetched.
    private func fetchAnew() throws -> FetchedResultsChanges? {
        let (resets, planned) = (context.resetCount, version)
        let fetched = try fetchedList()
        announce()
        if context.resetCount != resets { return lose() }
        guard version == planned else { return nil }
        install(fetched, resets)
        return fetched.list.insertions(version: version)
    }

    private func announce() {
        let ended = earlyObservers.tell(())
        earlyObservers.remove(ended)
    }

    private func fetchedVerdicts() throws -> (verdicts: [ResultVerdict], generation: Generation) {
        // Use one snapshot for all that is read.
        context.beginLoading()
        defer { context.endCall() }
        let deadline = context.deadline(of: request.fetch.request)
        let objects = try context.fetch(request.fetch.request)
        let generation = context.stores.generation
        // The fetch has read related objects from the store; here they count as they are in the context. Within a limit
        // that would take the objects behind it.
        let behind = request.limit > 0 ? [] : try objectsBehindChanges(until: deadline)
        let uncertain = Set(behind)
        try context.faults.prefetch(request.orderDependencies, of: objects)
        let verdicts = try context.faults.evaluating {
            try objects.filter { !uncertain.contains($0) }.filter(isShown).map(verdict)
                + behind.filter(isResult).map(verdict)
        }
        return (verdicts, generation)
    }

    /// Returns `true` if the filter accepts an object.
    ///
    /// - Throws: An error if the filter read a value that could not be read, and so got an empty value instead.
    func isShown(_ object: ManagedObject) throws -> Bool {
        guard let filter else { return true }
        let failures = context.faults.failures.count
        let isShown = filter(object)
        if context.faults.failures.count > failures {
            throw FetchError.unreadValues(SaveError.unreadValues(context.faults.failures.entries))
        }
        return isShown
    }

    private func verdict(_ object: ManagedObject) -> ResultVerdict {
        ResultVerdict(object: object, place: request.place(of: object), isChanged: false)
    }

    // MARK: Following

    private func take(_ changes: ObjectChanges) {
        waiting.append(changes)
        if isAtWork { return }
        isAtWork = true
        endWork()
    }

    /// Follows the waiting notices, including those that arrive meanwhile.
    private func endWork() {
        while !waiting.isEmpty { if let changes = follow(waiting.removeFirst()) { tell(changes) } }
        isAtWork = false
    }

    private func tell(_ changes: FetchedResultsChanges) {
        let ended = observers.tell(changes)
        observers.remove(ended)
    }

    private func follow(_ changes: ObjectChanges) -> FetchedResultsChanges? {
        let isTraceable = isTraceable(changes)
        batchesFollowed = context.stores.generation
        guard list != nil else { return followWithoutResults(changes, isTraceable: isTraceable) }
        // Invariant 3.
        guard context.resetCount == resetCount else { return lose() }
        isFetchWanted = false
        let verdicts: [ResultVerdict]
        do {
            let isFetched = !isTraceable || missed != nil || mayShift(changes)
            verdicts = try isFetched ? verdictsOfFetch(following: changes) : self.verdicts(following: changes)
        } catch {
            context.directory.reportIncompleteRead(error)
            // Not a read that fails for now: the last store was removed, and no object of it can be read any more.
            if !context.coordinator.hasStores {
                (isFetchWanted, isContradicted) = (true, false)
                return lose()
            }
            missed = (missed ?? ChangedObjects()).adding(changes)
            context.root.listDidFallBehind?()
            return nil
        }
        missed = nil
        do {
            return try difference(verdicts)
        } catch {
            context.coordinator.report(error)
            (isFetchWanted, isContradicted) = (true, true)
            return lose()
        }
    }

    /// Returns verdicts on the objects that an event affects.
    private func verdicts(following changes: ObjectChanges) throws -> [ResultVerdict] {
        let verdicts = try verdicts(on: changes)
        if request.limit == 0 || verdicts.isEmpty { return verdicts }
        return try list?.verdicts(verdicts, within: request.limit) ?? verdictsOfFetch(following: changes)
    }

    private func followWithoutResults(_ changes: ObjectChanges, isTraceable: Bool) -> FetchedResultsChanges? {
        // An empty notice lets lists catch up with what could not be read.
        let mayBeRead = changes.isEmptyToLists && !isContradicted
        if !isFetchWanted || isTraceable && !mayBeRead && !concern(changes) { return nil }
        do {
            return try fetchAnew()
        } catch {
            context.coordinator.report(error)
            if context.coordinator.hasStores, !isContradicted { context.root.listDidFallBehind?() }
            return nil
        }
    }

    /// Objects that a filter hides take places within the limit all the same, and nothing here knows them.
    private func mayShift(_ changes: ObjectChanges) -> Bool { request.limit > 0 && filter != nil && concern(changes) }

    /// - Throws: ``FetchError`` if the data contradict the sections. There is no list then.
    private func difference(_ verdicts: [ResultVerdict]) throws(FetchError) -> FetchedResultsChanges? {
        guard let plan = list?.plan(verdicts), !plan.isEmpty else { return nil }
        let planned = version
        announce()
        // An observer may have reset the context, or fetched.
        if context.resetCount != resetCount { return lose() }
        // Move the list out while it changes, so that no copy is made.
        guard version == planned, var list = list.take() else { return nil }
        let changes = try list.apply(plan, of: request, version: version + 1)
        self.list = list
        version += 1
        return changes
    }

    private func lose() -> FetchedResultsChanges {
        list = nil
        missed = nil
        version += 1
        var changes = FetchedResultsChanges(version: version)
        changes.requiresFetch = true
        return changes
    }

    /// Returns verdicts on all objects that are in the list or should be.
    ///
    /// - Parameter changes: The event to follow. After a commit of another process it names every object, so those that
    ///   have been read again are compared with what they were.
    private func verdictsOfFetch(following changes: ObjectChanges? = nil) throws -> [ResultVerdict] {
        let fetched = try fetchedVerdicts().verdicts
        let events = missed ?? ChangedObjects()
        let changed = (changes.map(events.adding) ?? events).identifiers
        let found = Set(fetched.map { ObjectIdentifier($0.object) })
        let gone = (list?.objects ?? []).filter { !found.contains(ObjectIdentifier($0)) }
        return gone.map { ResultVerdict(object: $0, place: nil, isChanged: true) }
            + fetched.map { verdict in
                ResultVerdict(
                    object: verdict.object, place: verdict.place,
                    isChanged: changed.contains(ObjectIdentifier(verdict.object)))
            }
    }
}

@available(*, unavailable)
extension ResultFollower: Sendable {}
