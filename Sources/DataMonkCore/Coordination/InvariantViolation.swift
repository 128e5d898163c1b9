/// **Value.** A numbered invariant of a state machine that does not hold: a fault of ours, found by a test.
package struct InvariantViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type whose design note lists the invariant.
    package let machine: String
    /// Its number there.
    package let number: Int
    /// What was found instead.
    package let finding: String

    package init(_ machine: String, _ number: Int, _ finding: String) {
        self.machine = machine
        self.number = number
        self.finding = finding
    }

    package var description: String { "\(machine), invariant \(number): \(finding)" }
}

/// Throws the violation unless `condition` holds.
func require(
    _ condition: Bool, _ machine: String, _ number: Int, _ finding: @autoclosure () -> String
) throws(InvariantViolation) {
    if !condition { throw InvariantViolation(machine, number, finding()) }
}
