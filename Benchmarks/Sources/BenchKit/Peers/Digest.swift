/// **Value.** What a workload read, so that the runner sees whether every peer did the same work. Does not depend on
/// the order. A peer feeds it every attribute of every object; keys are none, as engines have identities instead.
@frozen
package struct Digest: Equatable, Sendable, CustomStringConvertible {
    @usableFromInline var count: UInt64 = 0
    @usableFromInline var sum: UInt64 = 0

    @inlinable package init() {}

    package var description: String { "\(count) rows, sum \(sum)" }
    @inlinable package var rows: Int { Int(count) }
    @inlinable package var total: Int { Int(bitPattern: UInt(sum)) }

    @inlinable package mutating func row() { count &+= 1 }
    @inlinable package mutating func add(_ value: Int) { sum &+= UInt64(bitPattern: Int64(value)) }
    @inlinable package mutating func add(_ value: Int64) { sum &+= UInt64(bitPattern: value) }
    @inlinable package mutating func add(_ value: Double) { sum &+= value.bitPattern }
    /// To the hundredth: peers that give decimals round.
    @inlinable package mutating func addMean(_ value: Double) { add(Int((value * 100).rounded())) }
    /// Adds an object's place in an order.
    @inlinable package mutating func add(place: Int, salary: Double) {
        row()
        add(place &* Int(salary * 4))
    }
    @inlinable package mutating func add(_ other: Digest) {
        count &+= other.count
        sum &+= other.sum
    }
    @inlinable package mutating func add(_ value: String) { sum &+= UInt64(value.utf8.count) &* 31 }
    @inlinable package mutating func add(_ value: Int64?) { if let value { add(value) } else { sum &+= 7 } }
    @inlinable package mutating func add(_ value: String?) { if let value { add(value) } else { sum &+= 13 } }
}
