import DataMonk
import DebianPackages

/// **Value.** Makes the store hold a ``PackageGraph`` and nothing else, by many updates at once.
///
/// What keeps them out of each other's way, and is worth copying:
/// 1. What many packages share is made first, by one update. Updates at work at the same time do not see each other's
///    new objects: would each create the sections that it misses, there would be several of one name. What crosses to
///    them are ids.
/// 2. Every other update has packages of its own, a range of keys: no two of them write one object.
/// 3. Links come after all packages. Then each end of a link has an id, and `use` takes it over. That two updates link to
///    one package is no conflict: a link belongs to the package that depends.
/// 4. Values are compared before they are set, so that what did not change is not written.
struct PackageLoader: Sendable {
    let context: Context
    let graph: PackageGraph
    /// How many updates run at once.
    let width: Int
    /// How many packages one commit writes, if not as many as suits the list.
    var batchSize: Int?
    /// What makes the bar that shows how far a step has come, from its name and the number of packages.
    var progress: @Sendable (String, Int) -> ProgressBar? = { _, _ in nil }

    func load() async throws -> LoadResult {
        let shared = try await SharedObjects.write(graph, in: context)
        let written = try await inBatches("Packages") { update, batch in
            try PackageWriter(update: update, batch: batch, shared: shared).write()
        }
        let packages = written.reduce(into: WrittenPackages()) { $0.formUnion($1) }
        let linked = try await inBatches("Links") { update, batch in
            try LinkWriter(update: update, packages: packages.ids).write(batch)
        }
        let removed = try await removeOthers(packages.stale)
        return LoadResult(
            created: packages.created.count,
            updated: linked.reduce(packages.updated) { $0.union($1.changed) }.subtracting(packages.created).count,
            removed: removed, links: linked.reduce(0) { $0 + $1.count })
    }

    /// Runs a step over all packages, several batches at once, each in an update of its own.
    private func inBatches<Result: Sendable>(
        _ title: String, _ step: @escaping @Sendable (Update, PackageBatch) throws -> Result
    ) async throws -> [Result] {
        // Large batches spare commits; a short list has smaller ones, so that there is work for all updates.
        let size = batchSize ?? min(1000, max(50, graph.nodes.count / (4 * width)))
        let batches = PackageBatch.batches(of: graph.nodes, size: size)
        let progress = progress(title, graph.nodes.count)
        return try await withThrowingTaskGroup(of: Result.self) { group in
            var results: [Result] = []
            for (index, batch) in batches.enumerated() {
                if index >= width, let result = try await group.next() { results.append(result) }
                group.addTask {
                    let result = try await context.update { update in try step(update, batch) }
                    await progress?.advance(by: batch.nodes.count)
                    return result
                }
            }
            for try await result in group { results.append(result) }
            await progress?.finish(with: graph.nodes.count)
            return results
        }
    }

    /// Deletes what the list does not have any more: packages, and the sections and maintainers that are left empty.
    private func removeOthers(_ stale: [ObjectID<Package>]) async throws -> Int {
        let (sections, maintainers) = (graph.sections, graph.maintainers)
        return try await context.update { update in
            try update.delete(stale)
            for section in try update.fetchAll(Section.self) where !sections.contains(section.name) {
                try update.delete(section)
            }
            for maintainer in try update.fetchAll(Maintainer.self) where !maintainers.contains(maintainer.name) {
                try update.delete(maintainer)
            }
            if update.hasChanges { try update.commit() }
            return stale.count
        }
    }
}
