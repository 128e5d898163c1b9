import DataMonk
import DataMonkTesting

/// Who takes part in a run, and how: all of it follows from the seed.
///
/// Three contexts: two on the coordinator, and a child of the first one.
struct GraphSetup: Sendable {
    /// The place of the child among the contexts; its parent is the first.
    static let child = 2

    let kind: StoreKind
    let policies: [MergePolicy]
    /// The contexts with an undo manager.
    let undoing: Set<Int>
    /// Whether the child takes over what its parent saves and merges.
    let childFollows: Bool
    /// Whether the acting context is read in full after each step.
    let comparesAlways: Bool
    /// Whether a save may happen whose outcome the semantics leave open; it ends the run.
    let mayEnd: Bool

    init(_ kind: StoreKind, seed: UInt64) {
        let policies: [MergePolicy] = [
            .error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
        ]
        self.kind = kind
        self.policies = [policies[Int(seed / 2 % 5)], policies[Int(seed / 10 % 5)], .error]
        comparesAlways = seed.isMultiple(of: 2)
        var random = SeededGenerator(seed: seed)
        undoing = Set([0, 1, Self.child].filter { _ in Bool.random(using: &random) })
        childFollows = Bool.random(using: &random)
        mayEnd = Int.random(in: 0..<4, using: &random) == 0
    }

    static func root(of index: Int) -> Int { index == child ? 0 : index }
}
