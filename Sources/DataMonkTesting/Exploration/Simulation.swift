/// **Value.** A system whose every interleaving is a list of steps, to be explored by ``Exploration``.
///
/// A simulation must be deterministic: the same steps from the same start make the same run. Whatever is random is a
/// choice between steps.
package protocol Simulation {
    associatedtype Step: Hashable, Sendable

    /// One of the steps that may happen now; nil if there is none.
    func randomStep(using random: inout SeededGenerator) -> Step?

    /// Whether a step may happen now: asked when a list of steps is replayed.
    func isEnabled(_ step: Step) -> Bool

    /// Lets one of the enabled steps happen.
    ///
    /// - Throws: what is wrong with the system, if the step has shown it.
    mutating func perform(_ step: Step) throws

    /// Throws what is wrong with the system between steps.
    func check() throws

    /// Runs the system to rest after the random steps, and throws what has not come to its end: promises of the kind
    /// "it will happen" can be checked only here.
    mutating func settle() throws
}

extension Simulation {
    package mutating func settle() throws {}
}
