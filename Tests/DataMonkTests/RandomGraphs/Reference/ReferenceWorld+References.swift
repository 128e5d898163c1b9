import DataMonk

/// References that a save would break: to objects that are gone, and of objects that the save's deletions do not know of.
extension ReferenceWorld {
    /// Returns the outcome of saving changes into a graph in which they would break references; nil if they break none.
    func outcomeOfBrokenReferences(
        of context: ReferenceContext, in graph: ReferenceGraph, _ policy: MergePolicy
    ) -> Outcome? {
        let isBroken =
            newDestinations(of: context).contains { !graph.isVisible($0) && context.inserted[$0] == nil }
            || context.deleted.keys.contains { leavesReferrers($0, of: context, in: graph) }
        if !isBroken { return nil }
        // Other tests say how the other policies resolve it.
        return policy == .error ? .refused([.mergeConflict]) : .unspecified
    }

    /// The objects to which something has come to refer.
    private func newDestinations(of context: ReferenceContext) -> Set<Int> {
        var destinations = Set(context.inserted.values.flatMap(\.toOnes.values))
        for draft in context.drafts.values {
            for (name, destination) in draft.now.toOnes where draft.base.toOnes[name] != destination {
                destinations.insert(destination)
            }
        }
        for (link, isThere) in context.linkChanges where isThere { destinations.formUnion([link.first, link.second]) }
        // To what was never saved nothing refers any more.
        return destinations.subtracting(context.deleted.keys).subtracting(context.departed)
    }

    /// Returns whether a graph has objects that lead to a deleted one, and which the deletion has not reached.
    private func leavesReferrers(_ deleted: Int, of context: ReferenceContext, in graph: ReferenceGraph) -> Bool {
        guard let kind = graph.rows[deleted]?.kind else { return false }
        return (schema.relations[kind] ?? []).contains { relation in
            guard let inverse = schema.inverse(of: relation), !inverse.isToMany, relation.deleteRule != .noAction
            else { return false }
            return graph.rows.contains { other, row in
                guard relation.destinationKinds.contains(row.kind), row.toOnes[inverse.name] == deleted,
                    context.deleted[other] == nil
                else { return false }
                let now = context.drafts[other]?.now.toOnes
                return now == nil || now?[inverse.name] == deleted
            }
        }
    }
}
