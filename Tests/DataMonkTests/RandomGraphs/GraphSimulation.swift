import DataMonk
import DataMonkTesting

/// Several contexts at work on one graph, each step compared with plain values.
///
/// In half of the runs the acting context is read in full after each step; in the others only now and then, so that
/// faults, relations that were not read and contexts that are behind take part.
struct GraphSimulation: Simulation {
    typealias Step = GraphStep

    let setup: GraphSetup
    let stage: GraphStage
    let schema: GraphSchema
    var reference: ReferenceWorld
    /// Objects last read in each context.
    var held: [[Int: ManagedObject]]
    var lastNumber = 0
    /// Whether what follows is not specified.
    var isOver = false

    init(_ setup: GraphSetup) throws {
        self.setup = setup
        stage = try GraphStage(setup)
        schema = try GraphModel.schema.get()
        reference = ReferenceWorld(schema: schema, setup)
        held = stage.contexts.map { _ in [:] }
    }

    func check() throws { try stage.checkInvariants() }

    mutating func settle() throws {
        for index in stage.contexts.indices where !isOver { try compare(index) }
    }

    // MARK: Advancing

    /// Brings a context to where it acts: a root's next call takes over what was committed; a child is refreshed where its
    /// parent has changed, since it sees a parent's unsaved changes only when it reads.
    ///
    /// Events end before that: what others did is no part of them.
    mutating func advance(_ index: Int) throws {
        let root = GraphSetup.root(of: index)
        if reference.contexts[root].base != reference.store {
            endEvent(root)
            if root == 0 { endEvent(GraphSetup.child) }
            reference.contexts[root].advance(to: reference.store)
        }
        guard index == GraphSetup.child else { return }
        stage.contexts[root].mergeCommits()
        let above = reference.ground(of: index)
        if reference.contexts[index].base == above { return }
        endEvent(index)
        try stage.contexts[index].refreshAllObjects()
        reference.contexts[index].advance(to: above)
        // What becomes of changes about objects that are gone shows when they are saved; that is told by other tests.
        if reference.contexts[index].hasLostObjects { rollBack(index) }
    }

    mutating func endEvent(_ index: Int) {
        stage.contexts[index].processPendingChanges()
        reference.contexts[index].endEvent()
    }

    mutating func rollBack(_ index: Int) {
        stage.contexts[index].rollback()
        reference.contexts[index].rollBack()
    }

    // MARK: Comparing

    mutating func compare(_ index: Int) throws {
        let root = GraphSetup.root(of: index)
        // What only the engine can say of the parent has to be known before the child is looked at.
        try advance(root)
        if index != root, !reference.contexts[root].uncertain.isEmpty { try compare(root) }
        try advance(index)
        let reading = try GraphReading(stage.contexts[index], schema)
        held[index] = reading.objects
        let context = reference.contexts[index]
        var comparison = GraphComparison(reading, context.view, schema)
        comparison.stale = reference.stale(index)
        comparison.contested = context.contested.union(reference.contexts[root].contested)
        comparison.uncertain = context.uncertain
        do {
            try comparison.check()
        } catch let difference as Difference {
            throw Difference("context \(index): \(difference)")
        }
        try compareSteps(index)
        adoptOrders(of: reading, context.uncertain, context.view) {
            reference.contexts[index].orderChanges[$0] = $1
        }
    }

    private func compareSteps(_ index: Int) throws {
        guard let history = reference.contexts[index].history, let manager = stage.contexts[index].undoManager,
            reference.contexts[index].eventStart == nil
        else { return }
        if manager.stepCount != history.undoSteps.count || manager.canRedo == history.redoSteps.isEmpty {
            throw Difference(
                """
                context \(index): \(manager.stepCount) steps to undo, expected \(history.undoSteps.count); redo: \
                \(manager.canRedo), expected \(history.redoSteps.count)
                """)
        }
    }

    /// Reads the store anew and compares it with what must have been committed.
    mutating func compareStore(uncertain: Set<ReferenceOrder>, contested: Set<ReferenceLink>) throws {
        let reading = try stage.readAnew(schema)
        for link in contested { adopt(link, reading) }
        var comparison = GraphComparison(reading, reference.store, schema)
        comparison.uncertain = uncertain
        do {
            try comparison.check()
        } catch let difference as Difference {
            throw Difference("the store: \(difference)")
        }
        adoptOrders(of: reading, uncertain, reference.store) { reference.store.orders[$0] = $1 }
    }

    private func adoptOrders(
        of reading: GraphReading, _ orders: Set<ReferenceOrder>, _ graph: ReferenceGraph,
        _ adopt: (ReferenceOrder, [Int]) -> Void
    ) {
        if orders.isEmpty { return }
        let identities = graph.identities
        for (membership, members) in reading.members {
            guard let owner = identities[membership.owner] else { continue }
            let order = ReferenceOrder(name: membership.relation.name, owner: owner)
            if orders.contains(order) { adopt(order, members.compactMap { identities[$0] }) }
        }
    }

    /// Two contexts have set the same link: whatever the store holds of it holds from now on.
    private mutating func adopt(_ link: ReferenceLink, _ reading: GraphReading) {
        let identities = reference.store.identities
        let isThere = reading.members.contains { membership, members in
            guard let owner = identities[membership.owner] else { return false }
            return membership.relation.other(link, from: owner)
                .map { members.contains(ReferenceGraph.number(of: $0)) } == true
        }
        if isThere { reference.store.links.insert(link) } else { reference.store.links.remove(link) }
    }
}
