/// **Value.** A system whose interleavings are lists of steps, to be explored by ``Exploration``.
///
/// A simulation must be deterministic: the same steps from the same initial state produce the same run. All randomness is a
/// choice between steps.
package protocol Simulation {
    associatedtype Step: Hashable, Sendable

    /// Returns one of the enabled steps, or `nil` if there is none.
    func randomStep(using random: inout SeededGenerator) -> Step?

    /// Returns `true` if a step is enabled. Used to replay a list of steps.
    func isEnabled(_ step: Step) -> Bool

    /// Performs one of the enabled steps.
    ///
    /// - Throws: The fault of the system that the step has exposed, if any.
    mutating func perform(_ step: Step) throws

    /// Throws the fault of the system between steps, if there is one.
    func check() throws

    /// Brings the system to rest after the random steps, and throws if something has not completed. Liveness can be checked
    /// only here.
    mutating func settle() throws
}

extension Simulation {
    package mutating func settle() throws {}
}
