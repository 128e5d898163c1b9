import DataMonk
import DebianPackages

/// **Value.** Packages that one update writes: all whose keys lie in a range. The ranges of all batches cover every key
/// there can be, so that packages which are no longer listed turn up in one of them.
struct PackageBatch: Sendable {
    let nodes: ArraySlice<PackageGraph.Node>
    /// The range's first key; nil in the first batch.
    private let first: String?
    /// The first key behind the range; nil in the last batch.
    private let end: String?

    /// Cuts nodes that are sorted by key; one batch of none if there are none.
    static func batches(of nodes: [PackageGraph.Node], size: Int) -> [PackageBatch] {
        let starts = stride(from: 0, to: max(1, nodes.count), by: size)
        return starts.map { start in
            let end = min(start + size, nodes.count)
            return PackageBatch(
                nodes: nodes[start..<end], first: start == 0 ? nil : nodes[start].key,
                end: end == nodes.count ? nil : nodes[end].key)
        }
    }

    /// What the batch's packages have in common; nil if it is all packages.
    var query: Query? {
        switch (first, end) {
        case (let first?, let end?): %"key" >= first && %"key" < end
        case (let first?, nil): %"key" >= first
        case (nil, let end?): %"key" < end
        case (nil, nil): nil
        }
    }
}
