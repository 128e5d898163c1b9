/// **Value.** A run that exposed a fault, with a description and the means to repeat it.
package struct ExplorationFailure<Step: Sendable>: Error, Sendable, CustomStringConvertible {
    /// The seed of the run; `nil` for a run from a list of steps.
    package let seed: UInt64?
    /// The steps up to the fault.
    package let steps: [Step]
    /// A Boolean value indicating whether the fault appeared only when the system was brought to rest.
    package let isUnsettled: Bool
    /// The error that was found.
    package let error: any Error

    package var description: String {
        let origin = seed.map { "seed \($0)" } ?? "these steps"
        let list = steps.enumerated().map { "  \($0 + 1). \($1)" }.joined(separator: "\n")
        return "\(error)\n\(origin), \(steps.count) steps\(isUnsettled ? ", then at rest" : ""):\n\(list)"
    }
}
