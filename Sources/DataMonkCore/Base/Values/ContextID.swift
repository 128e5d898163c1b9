/// **Value.** The identity of a context, for its standing and its bell. Assigned by the coordinator and never reused.
package struct ContextID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static func < (left: ContextID, right: ContextID) -> Bool { left.rawValue < right.rawValue }
}
