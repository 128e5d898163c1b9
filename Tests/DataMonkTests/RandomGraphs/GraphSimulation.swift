import DataMonk
import DataMonkTesting

/// Several contexts at work on one graph, each step compared with plain values.
///
/// In half of the runs the acting context is read in full after each step; in the others only now and then, so that
/// faults, relations that were not read and contexts that are behind take part.
struct GraphSimulation: Simulation {
    typealias Step = GraphStep

    let stage: GraphStage
    let schema: GraphSchema
    let comparesAlways: Bool
    var reference: ReferenceWorld
    /// Objects last read in each context.
    var held: [[Int: ManagedObject]]
    var lastNumber = 0
    /// Whether what follows is not specified.
    var isOver = false

    init(_ kind: StoreKind, policies: [MergePolicy], comparesAlways: Bool) throws {
        stage = try GraphStage(kind, policies: policies)
        schema = GraphSchema(stage.stack.model)
        self.comparesAlways = comparesAlways
        reference = ReferenceWorld(schema: schema, policies: policies)
        held = policies.map { _ in [:] }
    }

    func check() throws { try stage.checkInvariants() }

    mutating func settle() throws {
        for index in stage.contexts.indices where !isOver { try compare(index) }
    }

    // MARK: Comparing

    mutating func compare(_ index: Int) throws {
        reference.advance(index)
        let reading = try GraphReading(stage.contexts[index], schema)
        held[index] = reading.objects
        let context = reference.contexts[index]
        var comparison = GraphComparison(reading, context.view, schema)
        comparison.stale = context.stale
        comparison.contested = context.contested
        comparison.uncertain = context.uncertain
        do {
            try comparison.check()
        } catch let difference as Difference {
            throw Difference("context \(index): \(difference)")
        }
        adoptOrders(of: reading, context.uncertain) { reference.contexts[index].orderChanges[$0] = $1 }
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
        adoptOrders(of: reading, uncertain) { reference.store.orders[$0] = $1 }
    }

    private func adoptOrders(
        of reading: GraphReading, _ orders: Set<ReferenceOrder>, _ adopt: (ReferenceOrder, [Int]) -> Void
    ) {
        for (membership, members) in reading.members {
            let order = ReferenceOrder(name: membership.relation.name, owner: membership.owner)
            if orders.contains(order) { adopt(order, members) }
        }
    }

    /// Two contexts have set the same link: whatever the store holds of it holds from now on.
    private mutating func adopt(_ link: ReferenceLink, _ reading: GraphReading) {
        let isThere = reading.members.contains { membership, members in
            membership.relation.other(link, from: membership.owner).map(members.contains) == true
        }
        if isThere { reference.store.links.insert(link) } else { reference.store.links.remove(link) }
    }
}
