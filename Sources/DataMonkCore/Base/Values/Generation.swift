/// **Value.** The number of a published transaction, which may hold several updates' commits. It identifies the state of the
/// data after it.
///
/// Zero is the state in which the stores were opened; the nth published transaction creates generation n.
@usableFromInline
package struct Generation: Hashable, Comparable, Sendable {
    @usableFromInline package let rawValue: UInt64

    @inlinable package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let opened = Generation(rawValue: 0)

    package var next: Generation { Generation(rawValue: rawValue + 1) }

    @inlinable package static func < (left: Generation, right: Generation) -> Bool { left.rawValue < right.rawValue }
}
