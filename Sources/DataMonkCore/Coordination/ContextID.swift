/// **Value.** Which context a standing or a bell belongs to. Given out by the coordinator, never used twice.
package struct ContextID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static func < (left: ContextID, right: ContextID) -> Bool { left.rawValue < right.rawValue }
}
