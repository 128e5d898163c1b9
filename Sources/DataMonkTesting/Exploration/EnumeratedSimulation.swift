/// **Value.** A simulation that lists the steps that may happen; a system with very many of them chooses by itself.
package protocol EnumeratedSimulation: Simulation {
    /// What may happen now. A step that stands in the list twice is twice as likely.
    func enabledSteps() -> [Step]
}

extension EnumeratedSimulation {
    package func randomStep(using random: inout SeededGenerator) -> Step? {
        enabledSteps().randomElement(using: &random)
    }

    package func isEnabled(_ step: Step) -> Bool { enabledSteps().contains(step) }
}
