import DataMonk

/// What one context must see: the committed graph where it stands, and its own changes over it.
///
/// The rules, each in the words of the semantics:
/// 1. An object that is changed keeps the version it was changed from until it is saved, refreshed or rolled back; a
///    clean one is as committed where the context stands.
/// 2. A to-many holds who points back; links of a many-to-many are added and removed one by one.
/// 3. An order is the last one given, without those that left, those that came behind.
///
/// What two contexts do to the same link or the same order at once has no meaning that the semantics state; such links
/// are `contested`, such orders `uncertain`, and both are compared again from the next save on.
struct ReferenceContext: Sendable {
    struct Draft: Equatable {
        var base: ReferenceRow
        var now: ReferenceRow
    }

    let schema: GraphSchema
    /// The committed graph where the context stands.
    var base: ReferenceGraph
    var inserted: [Int: ReferenceRow] = [:]
    var drafts: [Int: Draft] = [:]
    /// The rows that deleted objects had.
    var deleted: [Int: ReferenceRow] = [:]
    var linkChanges: [ReferenceLink: Bool] = [:]
    var orderChanges: [ReferenceOrder: [Int]] = [:]
    /// Objects that went before their first save.
    var departed: Set<Int> = []
    var contested: Set<ReferenceLink> = []
    var uncertain: Set<ReferenceOrder> = []
    /// What can be undone; nil for a context without an undo manager.
    var history: ReferenceHistory?
    /// What there was before the first change of the user event.
    var eventStart: ReferenceGraph?

    init(_ base: ReferenceGraph, schema: GraphSchema) {
        self.base = base
        self.schema = schema
    }

    var view: ReferenceGraph {
        var view = base
        for (number, draft) in drafts where view.isVisible(number) { view.rows[number] = draft.now }
        for number in deleted.keys { view.rows[number] = nil }
        view.rows.merge(inserted) { $1 }
        for (link, isThere) in linkChanges {
            if isThere { view.links.insert(link) } else { view.links.remove(link) }
        }
        view.orders.merge(orderChanges) { $1 }
        return view
    }

    /// Objects with changes that others have changed as well.
    var stale: Set<Int> {
        Set(drafts.filter { $0.value.base != base.rows[$0.key] }.keys)
            .union(deleted.filter { $0.value != base.rows[$0.key] }.keys)
    }

    /// Everybody whose changes there are to save, and whom they lead to.
    var mentioned: Set<Int> {
        var mentioned = Set(drafts.keys).union(deleted.keys)
        for row in inserted.values { mentioned.formUnion(row.toOnes.values) }
        for draft in drafts.values where draft.base.toOnes != draft.now.toOnes {
            mentioned.formUnion(draft.now.toOnes.values)
        }
        for link in linkChanges.keys { mentioned.formUnion([link.first, link.second]) }
        for (order, list) in orderChanges { mentioned.formUnion(list + [order.owner]) }
        return mentioned.subtracting(inserted.keys).subtracting(departed)
    }

    /// Whether there are changes about objects that are gone.
    var hasLostObjects: Bool { !mentioned.isSubset(of: base.rows.keys) }

    /// Moves to another committed graph.
    mutating func advance(to graph: ReferenceGraph) {
        if history == nil { return move(to: graph) }
        let (oldBase, oldView) = (base, view)
        move(to: graph)
        unsettle(oldBase, base)
        unsettle(oldView, view)
    }

    /// What somebody else has done is no step, and steps about the same relationships are not taken back any more.
    mutating func unsettle(_ before: ReferenceGraph, _ after: ReferenceGraph) {
        history?.unsettle(ReferenceDifference(before, after, schema).related)
    }

    private mutating func move(to graph: ReferenceGraph) {
        for link in linkChanges.keys where base.links.contains(link) != graph.links.contains(link) {
            contested.insert(link)
        }
        for order in orderChanges.keys {
            guard let relation = relation(of: order) else { continue }
            if base.list(order.owner, relation) != graph.list(order.owner, relation) { uncertain.insert(order) }
        }
        base = graph
    }

    /// There is nothing to save any more; what can be undone stays.
    mutating func forgetChanges() {
        let (history, start) = (history, eventStart)
        let departed = departed
        self = ReferenceContext(base, schema: schema)
        self.history = history
        self.departed = departed
        eventStart = start
    }

    /// Takes everything back, with no way to undo that.
    mutating func rollBack() {
        forgetChanges()
        departed = []
        eventStart = nil
        if history != nil { history = ReferenceHistory() }
    }

    func relation(of order: ReferenceOrder) -> GraphRelation? {
        let row = base.rows[order.owner] ?? inserted[order.owner] ?? deleted[order.owner]
        return row.flatMap { schema.relation($0.kind, order.name) }
    }
}

// MARK: Changing

extension ReferenceContext {
    mutating func insert(_ number: Int, _ kind: String, values: [String: ManagedValue]) {
        inserted[number] = ReferenceRow(kind: kind, values: values)
    }

    mutating func set(_ number: Int, _ key: String, _ value: ManagedValue) {
        change(number) { $0.values[key] = value }
    }

    /// Writes into an object's row, which is pinned by that.
    mutating func change(_ number: Int, _ body: (inout ReferenceRow) -> Void) {
        if inserted[number] != nil {
            body(&inserted[number, default: ReferenceRow(kind: "", values: [:])])
        } else if let row = base.rows[number] {
            body(&drafts[number, default: Draft(base: row, now: row)].now)
        }
    }

    /// Points a to-one somewhere, with its other side.
    mutating func point(_ number: Int, _ relation: GraphRelation, to destination: Int?) {
        guard let row = view.rows[number], row.toOnes[relation.name] != destination else { return }
        let old = row.toOnes[relation.name]
        change(number) { $0.toOnes[relation.name] = destination }
        guard let inverse = schema.inverse(of: relation) else { return }
        if inverse.isToMany {
            if let old { leave(old, inverse, number) }
            if let destination { arrive(destination, inverse, number) }
            return
        }
        if let old, view.rows[old]?.toOnes[inverse.name] == number {
            change(old) { $0.toOnes[inverse.name] = nil }
        }
        guard let destination else { return }
        if let previous = view.rows[destination]?.toOnes[inverse.name], previous != number,
            view.rows[previous]?.toOnes[relation.name] == destination
        {
            change(previous) { $0.toOnes[relation.name] = nil }
        }
        change(destination) { $0.toOnes[inverse.name] = number }
    }

    /// Gives a to-many its members, in their order if it keeps one.
    mutating func hold(_ number: Int, _ relation: GraphRelation, _ members: [Int]) {
        let old = view.list(number, relation)
        for other in old where !members.contains(other) { unite(number, relation, other, false) }
        for other in members where !old.contains(other) { unite(number, relation, other, true) }
        if relation.isOrdered { orderChanges[ReferenceOrder(name: relation.name, owner: number)] = members }
    }

    private mutating func unite(_ number: Int, _ relation: GraphRelation, _ other: Int, _ isThere: Bool) {
        guard let inverse = schema.inverse(of: relation) else { return }
        if relation.isManyToMany {
            setLink(number, relation, other, isThere)
        } else {
            point(other, inverse, to: isThere ? number : nil)
        }
    }

    mutating func setLink(_ number: Int, _ relation: GraphRelation, _ other: Int, _ isThere: Bool) {
        let link = relation.link(number, other)
        linkChanges[link] = base.links.contains(link) == isThere ? nil : isThere
        let (owner, ordered, member) =
            relation.isOrdered ? (number, relation, other) : (other, schema.inverse(of: relation) ?? relation, number)
        if isThere { arrive(owner, ordered, member) } else { leave(owner, ordered, member) }
    }

    /// Keeps an order when an object has come to stand behind the others.
    private mutating func arrive(_ owner: Int, _ relation: GraphRelation, _ member: Int) {
        guard relation.isOrdered, view.isVisible(owner) else { return }
        let others = view.list(owner, relation).filter { $0 != member }
        orderChanges[ReferenceOrder(name: relation.name, owner: owner)] = others + [member]
    }

    mutating func leave(_ owner: Int, _ relation: GraphRelation, _ member: Int) {
        let order = ReferenceOrder(name: relation.name, owner: owner)
        guard relation.isOrdered, orderChanges[order] != nil else { return }
        orderChanges[order]?.removeAll { $0 == member }
    }

    // MARK: Steps of a deletion

    mutating func dropLink(_ link: ReferenceLink) { linkChanges[link] = base.links.contains(link) ? false : nil }

    mutating func clear(_ number: Int, _ relation: GraphRelation) {
        change(number) { $0.toOnes[relation.name] = nil }
    }
}
