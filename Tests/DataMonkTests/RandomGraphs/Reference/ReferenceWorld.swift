import DataMonk

/// What everybody must see: the committed graph, and the contexts over it.
struct ReferenceWorld: Sendable {
    enum Outcome: Equatable {
        case saved
        /// With the code of the error; nothing changed.
        case refused([SaveError.Code])
        /// The store failed; nothing changed.
        case failed
        /// The semantics do not say what comes out.
        case unspecified
    }

    let schema: GraphSchema
    var store = ReferenceGraph()
    /// Two on the store, and a child of the first.
    var contexts: [ReferenceContext]
    let policies: [MergePolicy]
    /// How many objects have come back under a new identity.
    var rebirths = 0

    init(schema: GraphSchema, _ setup: GraphSetup) {
        self.schema = schema
        policies = setup.policies
        contexts = policies.indices.map { index in
            var context = ReferenceContext(ReferenceGraph(), schema: schema)
            if setup.undoing.contains(index) { context.history = ReferenceHistory() }
            return context
        }
    }

    /// What a context reads: the store, or the parent as it is now.
    func ground(of index: Int) -> ReferenceGraph { index == GraphSetup.child ? contexts[0].view : store }

    /// A context as it will be when it acts next.
    func advanced(_ index: Int) -> ReferenceContext {
        var context = contexts[index]
        context.history = nil
        guard index == GraphSetup.child else {
            context.advance(to: store)
            return context
        }
        let above = advanced(0).view
        if context.base == above { return context }
        context.advance(to: above)
        if context.hasLostObjects { context.rollBack() }
        return context
    }

    /// Objects to whom it is not settled who belongs, in a context or under it.
    func stale(_ index: Int) -> Set<Int> {
        index == GraphSetup.child ? contexts[0].stale.union(contexts[index].stale) : contexts[index].stale
    }

    mutating func undo(_ index: Int, redoes: Bool) {
        var count = rebirths
        func newIdentity(_ former: Int) -> Int {
            count += 1
            return ReferenceGraph.identity(former, reborn: count)
        }
        if redoes { contexts[index].redo(newIdentity) } else { contexts[index].undo(newIdentity) }
        rebirths = count
    }

    // MARK: Saving

    mutating func save(_ index: Int) -> Outcome {
        index == GraphSetup.child ? saveChild() : saveRoot(index)
    }

    /// What the save of a context without conflicts finds wrong with its objects; nil if nothing.
    func refusal(of context: ReferenceContext, denying view: ReferenceContext) -> Outcome? {
        let rows = Array(context.inserted.values) + context.drafts.values.map(\.now)
        let problems =
            rows.flatMap(GraphRules.problems) + view.denied().map { _ in SaveError.Code.relationshipDeniedDelete }
        if problems.isEmpty { return nil }
        return .refused(problems.count == 1 ? problems : [.multipleValidationErrors])
    }

    private mutating func saveRoot(_ index: Int) -> Outcome {
        var context = contexts[index]
        context.advance(to: store)
        // Who points at the deleted object is not known for certain where others have changed it too.
        if !context.denied().isEmpty, !context.stale.isEmpty { return .unspecified }
        if let refusal = refusal(of: contexts[index], denying: context) { return refusal }
        let before = context.view
        if let outcome = settleConflicts(of: &context, policies[index]) { return outcome }
        if let outcome = outcomeOfBrokenReferences(of: context, in: store, policies[index]) { return outcome }
        let committed = store(after: context)
        if GraphRules.hasDuplicates(committed) {
            // The other policies merge two objects into one, which tests of their own look at.
            return policies[index] == .error ? .refused([.constraintConflict]) : .unspecified
        }
        if index == 0 { raiseVersions(from: context, to: committed) }
        store = committed
        context.advance(to: store)
        context.forgetChanges()
        context.unsettle(before, context.view)
        contexts[index] = context
        return .saved
    }

    /// Settles conflicts by the policy; nil if the save goes on.
    private func settleConflicts(of context: inout ReferenceContext, _ policy: MergePolicy) -> Outcome? {
        // What was set to the value it had is not written, so it meets nobody.
        let written = context.drafts.filter { $0.value.base != $0.value.now }
        let met = written.filter { $0.value.base.version != store.rows[$0.key]?.version }
        let metDeletions = context.deleted.filter { $0.value.version != store.rows[$0.key]?.version }
        // The values of the others follow the store again.
        for number in context.drafts.keys where written[number] == nil { context.drafts[number] = nil }
        if met.isEmpty && metDeletions.isEmpty { return nil }
        switch policy {
        case .error: return .refused([.mergeConflict])
        case .rollback, .mergeByPropertyStoreTrump:
            // What a dropped deletion leaves of its effects on others is not said.
            if metDeletions.keys.contains(where: { store.rows[$0] != nil }) { return .unspecified }
        default:
            // The delete rules apply once more, to what others have put to the object.
            if metDeletions.keys.contains(where: { leadsAnywhere($0, context) }) { return .unspecified }
        }
        if met.contains(where: { isOneToOneContested($0.value, store.rows[$0.key]) }) { return .unspecified }
        for (number, draft) in met {
            guard let stored = store.rows[number] else {
                context.drafts[number] = nil
                // Nobody leads one-to-one to an object that is gone.
                for relation in schema.relations[draft.now.kind] ?? [] where !relation.isToMany {
                    guard let inverse = schema.inverse(of: relation), !inverse.isToMany,
                        let other = draft.now.toOnes[relation.name]
                    else { continue }
                    if context.view.rows[other]?.toOnes[inverse.name] == number { context.clear(other, inverse) }
                }
                continue
            }
            context.drafts[number] = merge(draft, stored, policy)
        }
        return nil
    }

    private func merge(
        _ draft: ReferenceContext.Draft, _ stored: ReferenceRow, _ policy: MergePolicy
    ) -> ReferenceContext.Draft? {
        var now = stored
        func settle<Value: Equatable>(_ base: Value, _ mine: Value, _ theirs: Value) -> Value {
            switch policy {
            case .overwrite: mine
            case .mergeByPropertyStoreTrump: base == mine || base != theirs ? theirs : mine
            default: base == mine ? theirs : mine
            }
        }
        if case .rollback = policy { return nil }
        for key in stored.values.keys {
            now.values[key] = settle(draft.base.values[key], draft.now.values[key], stored.values[key])
        }
        for relation in schema.relations[stored.kind] ?? [] where !relation.isToMany {
            let name = relation.name
            now.toOnes[name] = settle(draft.base.toOnes[name], draft.now.toOnes[name], stored.toOnes[name])
        }
        return ReferenceContext.Draft(base: stored, now: now)
    }

    private func leadsAnywhere(_ identity: Int, _ context: ReferenceContext) -> Bool {
        (schema.relations[store.rows[identity]?.kind ?? ""] ?? []).contains { relation in
            let others =
                relation.isToMany
                ? store.list(identity, relation) : [store.destination(identity, relation)].compactMap(\.self)
            return others.contains { context.deleted[$0] == nil && context.view.isVisible($0) }
        }
    }

    /// Whether a one-to-one was changed on either side: its ends are two objects, and a policy settles each by itself.
    private func isOneToOneContested(_ draft: ReferenceContext.Draft, _ stored: ReferenceRow?) -> Bool {
        guard let stored else { return false }
        return (schema.relations[stored.kind] ?? []).contains { relation in
            guard !relation.isToMany, relation.inverseName != nil, !relation.inverseIsToMany else { return false }
            let (mine, theirs) = (draft.now.toOnes[relation.name], stored.toOnes[relation.name])
            return draft.base.toOnes[relation.name] != mine || draft.base.toOnes[relation.name] != theirs
        }
    }

    private func store(after context: ReferenceContext) -> ReferenceGraph {
        var graph = store
        let view = context.view
        for number in context.deleted.keys {
            graph.rows[number] = nil
            graph.links = graph.links.filter { $0.first != number && $0.second != number }
        }
        for (number, row) in context.inserted {
            graph.rows[number] = row
            graph.rows[number]?.version = 1
        }
        for (number, draft) in context.drafts where draft.base != draft.now && context.deleted[number] == nil {
            graph.rows[number] = draft.now
            graph.rows[number]?.version = draft.base.version + 1
        }
        for (link, isThere) in context.linkChanges where view.isVisible(link.first) && view.isVisible(link.second) {
            if isThere { graph.links.insert(link) } else { graph.links.remove(link) }
        }
        for order in context.orderChanges.keys {
            guard let relation = context.relation(of: order), view.isVisible(order.owner) else { continue }
            graph.orders[order] = view.list(order.owner, relation)
        }
        return graph
    }

    /// What the family itself saves is no change by others for the child.
    private mutating func raiseVersions(from context: ReferenceContext, to graph: ReferenceGraph) {
        let view = context.view
        func raise(_ row: inout ReferenceRow, _ identity: Int) -> Bool {
            guard let own = view.rows[identity], let saved = graph.rows[identity], row.version == own.version else {
                return false
            }
            row.version = saved.version
            return true
        }
        for identity in contexts[GraphSetup.child].drafts.keys {
            guard var draft = contexts[GraphSetup.child].drafts[identity], raise(&draft.base, identity) else {
                continue
            }
            draft.now.version = draft.base.version
            contexts[GraphSetup.child].drafts[identity] = draft
        }
        for identity in contexts[GraphSetup.child].deleted.keys {
            guard var row = contexts[GraphSetup.child].deleted[identity], raise(&row, identity) else { continue }
            contexts[GraphSetup.child].deleted[identity] = row
        }
    }
}
