/// What a context does to a fetch's objects after the stores have answered: unsaved changes, several stores.
extension ResolvedFetch {
    func includes(_ entity: Entity) -> Bool {
        entity === self.entity || (request.includesSubentities && entity.isKind(of: self.entity))
    }

    /// The same fetch from the first result on, with room for the page and `extra` results more.
    func widened(by extra: Int) -> ResolvedFetch {
        var request = request
        request.fetchOffset = 0
        if request.fetchLimit > 0 { request.fetchLimit = self.request.fetchOffset + request.fetchLimit + extra }
        return ResolvedFetch(
            request: request, entity: entity, condition: condition, sortTerms: sortTerms, prefetches: prefetches,
            selections: selections, groups: groups, having: having)
    }

    /// The page of sorted objects that offset and limit leave.
    func page(_ objects: [ManagedObject]) -> [ManagedObject] {
        let rest = objects.dropFirst(request.fetchOffset)
        return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    }

    // TODO stubs
    func sorted(_ o: [ManagedObject]) -> [ManagedObject] { o }
    func merged(_ a: [ManagedObject], _ b: [ManagedObject]) -> [ManagedObject] { a + b }
    func matches(_ o: ManagedObject) throws -> Bool { true }
}
