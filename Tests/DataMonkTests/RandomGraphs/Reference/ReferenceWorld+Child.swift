import DataMonk

/// A child's save: what it changed is done again in its parent, by the parent's own means.
extension ReferenceWorld {
    mutating func saveChild() -> Outcome {
        let child = contexts[GraphSetup.child]
        if let refusal = refusal(of: child, denying: child) { return refusal }
        let parent = contexts[0].view
        let written = child.drafts.filter { $0.value.base != $0.value.now }
        if written.keys.contains(where: { !parent.isVisible($0) }) { return .refused([.mergeConflict]) }
        if let outcome = outcomeOfBrokenReferences(of: child, in: parent, .error) { return outcome }
        // Relationships that both have changed: their other ends are changed one by one, in no order that is told. Where
        // members stand who have come on both sides is not told either.
        let isContested = written.contains { identity, draft in
            draft.base.toOnes != draft.now.toOnes && draft.base.toOnes != parent.rows[identity]?.toOnes
        }
        if isContested || !child.contested.isEmpty || !child.uncertain.isEmpty { return .unspecified }
        contexts[0].beginEvent()
        takeInsertions(child)
        takeUpdates(written, child)
        takeLinks(child)
        takeDeletions(child)
        contexts[0].endEvent()
        contexts[GraphSetup.child].forgetChanges()
        // What the parent's delete rules have done besides the child does not see before it reads again.
        let (before, after) = (child.view, contexts[0].view)
        let isEqual = ReferenceDifference(before, after, schema).isEmpty
        contexts[GraphSetup.child].base = isEqual ? after : before
        return .saved
    }

    private mutating func takeDeletions(_ child: ReferenceContext) {
        for (identity, start) in child.deleted.sorted(by: { $0.key < $1.key }) {
            guard contexts[0].view.isVisible(identity) else { continue }
            let isChanged = contexts[0].drafts[identity] != nil
            contexts[0].delete(identity)
            guard let own = contexts[0].deleted[identity], start.version < own.version else { continue }
            // One that was clean has what others have made of it, should it come back.
            if isChanged { contexts[0].deleted[identity] = start }
            contexts[0].deleted[identity]?.version = start.version
        }
    }

    private mutating func takeInsertions(_ child: ReferenceContext) {
        for (identity, row) in child.inserted {
            contexts[0].insert(identity, row.kind, values: row.values)
        }
        for (identity, row) in child.inserted {
            takeToOnes(of: identity, ReferenceRow(kind: row.kind, values: [:]), row)
        }
    }

    private mutating func takeUpdates(_ written: [Int: ReferenceContext.Draft], _ child: ReferenceContext) {
        for (identity, draft) in written {
            for (key, value) in draft.now.values where draft.base.values[key] != value {
                contexts[0].set(identity, key, value)
            }
            takeToOnes(of: identity, draft.base, draft.now)
            // What the change started from is what the store shall compare.
            if let own = contexts[0].drafts[identity], draft.base.version < own.base.version {
                contexts[0].drafts[identity]?.base = draft.base
            }
        }
    }

    private mutating func takeToOnes(of identity: Int, _ base: ReferenceRow, _ now: ReferenceRow) {
        for relation in schema.relations[now.kind] ?? [] where !relation.isToMany {
            let destination = now.toOnes[relation.name]
            if base.toOnes[relation.name] == destination { continue }
            let isThere = destination.map(contexts[0].view.isVisible) ?? false
            contexts[0].point(identity, relation, to: isThere ? destination : nil)
        }
    }

    private mutating func takeLinks(_ child: ReferenceContext) {
        for (link, isThere) in child.linkChanges {
            let parts = link.name.split(separator: ".").map(String.init)
            let view = contexts[0].view
            guard let row = view.rows[link.first], view.isVisible(link.second),
                let relation = schema.relation(row.kind, parts[1])
            else { continue }
            contexts[0].setLink(link.first, relation, link.second, isThere)
        }
        for order in child.orderChanges.keys {
            let view = contexts[0].view
            guard let row = view.rows[order.owner], let relation = schema.relation(row.kind, order.name) else {
                continue
            }
            let now = view.list(order.owner, relation)
            let wanted = child.view.list(order.owner, relation).filter(now.contains)
            // Whether it was a wish or an addition decides where those stand whom the child did not know of.
            if !now.allSatisfy(wanted.contains) { contexts[0].uncertain.insert(order) }
            contexts[0].orderChanges[order] = wanted + now.filter { !wanted.contains($0) }
        }
    }
}
