public import DataMonkCore

/// **Confined.** An update at work: reads like every context, makes and changes objects, and commits.
///
///     try await World.update { update in
///         let farmer = try update.create(Person.self)
///         farmer.name = "Farmer"
///         let monk = try update.fetch(Person.self, %"name" == "Monk")
///         monk.friend = farmer
///         try update.commit()
///     }
///
/// Changes that are not committed are discarded when the last reference to the update goes. An update keeps its context
/// alive, so a callback that captures it can go on where the body ended, inside `perform`.
public final class Update: Reader {
    /// The context that the update works in.
    public let context: UpdateContext
    private let ticket: UpdateGate.Ticket

    init(context: UpdateContext, ticket: UpdateGate.Ticket) {
        self.context = context
        self.ticket = ticket
        super.init(graph: context.graph)
    }

    // MARK: Changing

    /// Makes a new object with its default values.
    ///
    /// - Throws: ``ModelError`` if the class has no entity in the stack's model, or an abstract one.
    public func create<Object: ManagedObject>(_ type: Object.Type) throws -> Object {
        try graph.insert(type)
    }

    /// The first object that meets the condition, or a new one that does.
    ///
    /// The condition may hold only `==` and `&&`; its values are set on the new object.
    ///
    ///     let knight = try update.fetchOrCreate(Person.self, %"name" == "Knight" && %"age" == 18)
    ///
    /// Two updates at the same time can both find nothing and create one each: make the attributes unique in the model, or
    /// use the order `.serial`, where that may not be.
    ///
    /// - Throws: ``FetchError`` for any other operator, before anything is looked for.
    public func fetchOrCreate<Object: ManagedObject>(_ type: Object.Type, _ query: Query) throws -> Object {
        let equalities = try query.condition.equalities()
        if let found = try fetchAll(type, query, options: .Limit(1)).first { return found }
        for equality in equalities where try graph.entity(for: type).propertiesByName[equality.keyPath] == nil {
            throw FetchError(
                .unsupportedCondition,
                """
                A new object cannot be given \(equality.keyPath): only its own properties. Fetch first, create where that \
                finds nothing, and set the rest by hand.
                """, keyPath: equality.keyPath)
        }
        let object = try create(type)
        for equality in equalities {
            switch equality.value {
            case .value(let value): try object.setValue(value, forKey: equality.keyPath)
            case .keyPath(let keyPath): try object.setValue(object.value(forKey: keyPath), forKey: equality.keyPath)
            default: continue
            }
        }
        return object
    }

    /// Deletes an object with the next commit; its relationships' delete rules apply.
    public func delete(_ object: ManagedObject) throws {
        graph.delete(object)
    }

    /// Deletes some objects with the next commit.
    public func delete(_ objects: [ManagedObject]) throws {
        for object in objects { graph.delete(object) }
    }

    /// Deletes the object with an id with the next commit; does nothing if it is gone already.
    public func delete<Object: ManagedObject>(_ id: ObjectID<Object>) throws {
        try delete([id])
    }

    /// Deletes the objects with some ids with the next commit; ids without an object are passed over.
    public func delete<Object: ManagedObject>(_ ids: [ObjectID<Object>]) throws {
        for object in try graph.objects(with: ids.map(\.erased)) { graph.delete(object) }
    }

    /// Deletes the objects that meet a condition with the next commit.
    ///
    /// - Returns: how many they are.
    @discardableResult
    public func deleteAll<Object: ManagedObject>(_ type: Object.Type, _ query: Query? = nil) throws -> Int {
        let objects = try fetchAll(type, query)
        for object in objects { graph.delete(object) }
        return objects.count
    }

    // MARK: Committing

    /// Writes every change into the store; on disk when it returns. If it throws, nothing was written and every change is
    /// still there.
    ///
    /// - Throws: ``SaveError`` for invalid objects and conflicts, ``StoreError`` if the store fails.
    public func commit() throws {
        try graph.save()
    }

    /// Takes back every change since the last commit.
    public func rollback() {
        graph.rollback()
    }

    /// Calls a block with what each user event of the update changes: each step, and each commit.
    ///
    /// - Returns: a token; the calls stop when it goes.
    public func observeChanges(_ body: @escaping (ObjectChanges) -> Void) -> ContextObservation {
        graph.observeChanges(body)
    }

    /// Whether there is anything to commit.
    public var hasChanges: Bool { graph.hasChanges }

    // MARK: Going on

    /// Goes on with the update from a callback.
    ///
    /// While the body of the update still runs (it awaits the callback, say) this is a part of it; afterwards it is a
    /// step of its own, in the order of the calls. The call returns at once; errors go to the stack's error handler unless
    /// the handle is asked for them.
    @discardableResult
    public func perform(
        _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void
    ) -> UpdateHandle {
        let (context, ticket) = (context, ticket)
        guard context.gate.reenterIfHolding(ticket) else { return context.perform(body) }
        return UpdateHandle(stack: context.settings.stack) { try await context.runInside(ticket, body) }
    }
}
