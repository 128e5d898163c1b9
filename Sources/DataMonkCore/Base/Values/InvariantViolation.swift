/// **Value.** A violation of a numbered invariant of a state machine: a bug of ours, found by a test.
package struct InvariantViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type whose design note lists the invariant.
    package let machine: String
    /// The number of the invariant in that note.
    package let number: Int
    /// The state that was found instead.
    package let finding: String

    package init(machine: String, invariant number: Int, finding: String) {
        self.machine = machine
        self.number = number
        self.finding = finding
    }

    package var description: String { "\(machine), invariant \(number): \(finding)" }
}

/// Throws the violation unless `condition` holds.
package func require(
    _ condition: Bool, in machine: String, invariant number: Int, otherwise finding: @autoclosure () -> String
) throws(InvariantViolation) {
    if !condition { throw InvariantViolation(machine: machine, invariant: number, finding: finding()) }
}
