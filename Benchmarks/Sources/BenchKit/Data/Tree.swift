/// The nodes of a tree and their parents, the same for the same count on every machine. Keys count from 1, the root's; the
/// nodes have ten children each, level by level, until there are enough.
package enum Tree {
    private static let childCount: Int64 = 10

    package static func name(ofNode id: Int64) -> String { "Node Number \(id)" }

    /// The key of a node's parent; nil for the root's.
    package static func parent(ofNode id: Int64) -> Int64? { id == 1 ? nil : (id - 2) / childCount + 1 }
}
