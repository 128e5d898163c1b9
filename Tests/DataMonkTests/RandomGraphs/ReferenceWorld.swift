import DataMonk

/// What everybody must see: the committed graph, and the contexts over it.
struct ReferenceWorld: Sendable {
    enum Outcome: Equatable {
        case saved
        /// With the code of the error; nothing changed.
        case refused([SaveError.Code])
        /// The semantics do not say what comes out: the run ends.
        case unspecified
    }

    let schema: GraphSchema
    var store = ReferenceGraph()
    var contexts: [ReferenceContext]
    var policies: [MergePolicy]

    init(schema: GraphSchema, policies: [MergePolicy]) {
        self.schema = schema
        self.policies = policies
        contexts = policies.map { _ in ReferenceContext(ReferenceGraph(), schema: schema) }
    }

    mutating func advance(_ index: Int) { contexts[index].advance(to: store) }

    // MARK: Saving

    mutating func save(_ index: Int) -> Outcome {
        var context = contexts[index]
        context.advance(to: store)
        let denied = context.denied()
        if !denied.isEmpty {
            // Who points at the deleted object is not known for certain where others have changed it too.
            if !context.stale.isEmpty { return .unspecified }
            return .refused(denied.count == 1 ? [.relationshipDeniedDelete] : [.multipleValidationErrors])
        }
        guard let outcome = settleConflicts(of: &context, policies[index]) else {
            commit(context)
            contexts[index].advance(to: store)
            contexts[index].forgetChanges()
            return .saved
        }
        return outcome
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
        default: break
        }
        for (number, draft) in met {
            guard let stored = store.rows[number] else {
                context.drafts[number] = nil
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

    private mutating func commit(_ context: ReferenceContext) {
        let view = context.view
        for (number, row) in context.inserted {
            store.rows[number] = row
            store.rows[number]?.version = 1
        }
        for (number, draft) in context.drafts where draft.base != draft.now {
            store.rows[number] = draft.now
            store.rows[number]?.version = draft.base.version + 1
        }
        for number in context.deleted.keys {
            store.rows[number] = nil
            store.links = store.links.filter { $0.first != number && $0.second != number }
        }
        for (link, isThere) in context.linkChanges {
            if isThere { store.links.insert(link) } else { store.links.remove(link) }
        }
        for order in context.orderChanges.keys {
            guard let relation = context.relation(of: order), view.isVisible(order.owner) else { continue }
            store.orders[order] = view.list(order.owner, relation)
        }
    }
}
