public import DataMonkCore

/// **Shared**, on the main actor. The context that shows the data: what views read.
///
///     let stack = try Stack(Person.self)
///     try stack.addDatabaseStore(fileURL: url)
///     let World = try MainContext(stack: stack)
///
///     let monks = try World.fetchAll(Person.self, %"name" == "Monk")
///
/// It is for reading. To change something, begin an update on it and take objects along by their ids; writing to one of
/// its objects stops the program with that advice. Nothing here waits for a disk write.
///
/// Who sees what when: each call that fetches shows the newest commit, and between two turns of the main actor objects
/// take over what was committed, if the target says so; within a turn, between such calls, no object changes.
@preconcurrency @MainActor
public final class MainContext: Updating {
    /// The stack whose data it shows.
    public nonisolated let stack: Stack
    /// The machinery behind the updates.
    public nonisolated let updater: Updater

    let graph: ManagedObjectContext
    let reader: Reader
    var changeFeed = ChangeFeed()
    private var endsTurn = false

    /// Makes a main context.
    ///
    /// - Parameters:
    ///   - stack: whose data it shows.
    ///   - updateTarget: how it follows what updates commit.
    ///   - updateOrder: whether its updates may run at the same time; nil for the stack's order.
    ///   - mergePolicy: which side wins when an update's commit meets another one's. By default the later commit, property by
    ///     property: of two updates that compute a value from the old one, one is lost without a word. See
    ///     ``Updating/update(retrying:deadline:_:fileID:line:)`` and ``Editor/increment(_:by:of:)-(_,_,ObjectID<Object>)``.
    ///   - deadline: how long calls that wait (`beginUpdateAndWait`) do so; nil for the stack's.
    /// - Throws: ``UpdateError`` with the code `invalidTarget` if the target needs a root context that the stack has not.
    public init(
        stack: Stack, updateTarget: UpdateTarget = .mainContext, updateOrder: UpdateOrder? = nil,
        mergePolicy: MergePolicy = .mergeByPropertyObjectTrump, deadline: Duration? = nil
    ) throws {
        try stack.require(updateTarget)
        self.stack = stack
        updater = Updater(
            settings: UpdateSettings(stack: stack, mergePolicy: mergePolicy, order: updateOrder, deadline: deadline))
        let follows = updateTarget == .mainContext || updateTarget == .rootContext(autoMerge: true)
        graph = ManagedObjectContext(coordinator: stack.coordinator, followsCommits: follows, isReadOnly: true)
        reader = Reader(graph: graph)
        graph.turn.endsWithEachCall = false
        graph.isOwnedByCaller = { MainQueue.isCurrent }
        graph.snapshotDidOpen = { [weak self] in
            // Called inside a call on the main actor: every use of `graph` is.
            MainActor.assumeIsolated { self?.endTurnLater() }
        }
        let own = WeakMainContext(context: self)
        stack.mainContexts.withLock { contexts in
            contexts.removeAll { $0.context == nil }
            contexts.append(own)
        }
        graph.setBell { [weak self] in
            // Detached: it has nothing to do with the task that commits.
            Task.detached { @MainActor in self?.mergeSlice() }
        }
    }

    // On the main actor: objects that somebody there still holds are cut loose.
    isolated deinit {}

    /// How many objects change in one turn by what is taken over. Fetches take over everything, and what another process
    /// has committed makes faults of all objects at once.
    package static let sliceLimit = 256

    /// Takes over what was committed, a slice a turn: what else waits for the main actor comes in between.
    private func mergeSlice() {
        if graph.mergeCommits(touchingAtMost: Self.sliceLimit) { return }
        Task { @MainActor [weak self] in self?.mergeSlice() }
    }

    /// Gives the snapshot of this turn back before the turn ends: its store is being closed.
    func endTurn() { graph.endTurn() }

    /// The snapshot of this turn is given back in the next one: nothing is held while the main actor idles.
    private func endTurnLater() {
        if endsTurn { return }
        endsTurn = true
        Task { @MainActor in
            endsTurn = false
            graph.endTurn()
        }
    }

    /// Forgets every object: the next fetch reads everything anew. Objects still held keep nothing.
    public func reset() { graph.reset() }

    /// Makes faults of all objects, and shows the newest commit, be it of another process. Lists follow.
    public func refreshAll() throws { try reader.refreshAll() }

    /// A draft over what this context shows: objects to edit on the main actor.
    public func draft() -> Draft { Draft(over: self) }

    /// The engine's context behind this one.
    public var managedObjectContext: ManagedObjectContext { graph }

    // MARK: Reading
    // Each call stands here, on the main actor's own type: from a nonisolated extension the objects would be free to go
    // anywhere, and the compiler would let them. What a call does is said at `Reader`.

    /// This context's object for an object of another one. See ``Reader/use(_:)-(Object)``.
    public func use<Object: ManagedObject>(_ object: Object) throws -> Object { try reader.use(object) }

    /// This context's objects for objects of another one.
    public func use<Object: ManagedObject>(_ objects: [Object]) throws -> [Object] { try reader.use(objects) }

    /// The object with an id.
    public func use<Object: ManagedObject>(_ id: ObjectID<Object>) throws -> Object { try reader.use(id) }

    /// The objects with some ids.
    public func use<Object: ManagedObject>(_ ids: [ObjectID<Object>]) throws -> [Object] { try reader.use(ids) }

    /// The object with an id.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ id: ObjectID<Object>) throws -> Object {
        try reader.fetch(type, id)
    }

    /// The objects with some ids; ids without an object are left out.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ ids: [ObjectID<Object>]) throws -> [Object] {
        try reader.fetch(type, ids)
    }

    /// The first object that meets a condition.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> Object {
        try reader.fetch(type, query, orderBy: orderBy, options: options)
    }

    /// The objects that meet a condition, in an order.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [Object] {
        try reader.fetchAll(type, query, orderBy: orderBy, options: options)
    }

    /// The objects that meet a condition, read so many at a time. See ``Reader/fetchBatched(_:_:orderBy:options:)``.
    public func fetchBatched<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> BatchedArray<Object> {
        try reader.fetchBatched(type, query, orderBy: orderBy, options: options)
    }

    /// The id of the first object that meets a condition.
    public func fetchID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> ObjectID<Object> {
        try reader.fetchID(type, query, orderBy: orderBy, options: options)
    }

    /// The ids of the objects that meet a condition, in an order.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [ObjectID<Object>] {
        try reader.fetchAllID(type, query, orderBy: orderBy, options: options)
    }

    /// How many objects meet a condition.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, options: QueryOptions? = nil
    ) throws -> Int {
        try reader.count(type, query, options: options)
    }

    /// Rows of values instead of objects.
    public func query<Object: ManagedObject>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, orderBy: OrderBy? = nil,
        groupBy: (any GroupingKeys)? = nil,
        having: Query? = nil, options: QueryOptions? = nil
    ) throws -> [[String: ManagedValue]] {
        try reader.query(type, select, query, orderBy: orderBy, groupBy: groupBy, having: having, options: options)
    }

    /// One value: the first selection of the first row.
    public func queryValue<Object: ManagedObject>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, options: QueryOptions? = nil
    ) throws -> ManagedValue {
        try reader.queryValue(type, select, query, options: options)
    }

    /// One value in a Swift type: the first selection of the first row; nil if there is none.
    public func queryValue<Object: ManagedObject, Value: ManagedAttribute>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, options: QueryOptions? = nil, as: Value.Type
    ) throws -> Value? {
        try reader.queryValue(type, select, query, options: options, as: Value.self)
    }
}
