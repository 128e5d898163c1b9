/// **Value.** A simulation that lists its enabled steps. A system with a great many of them chooses one itself instead.
package protocol EnumeratedSimulation: Simulation {
    /// Returns the enabled steps. A step listed twice is twice as likely.
    func enabledSteps() -> [Step]
}

extension EnumeratedSimulation {
    package func randomStep(using random: inout SeededGenerator) -> Step? {
        enabledSteps().randomElement(using: &random)
    }

    package func isEnabled(_ step: Step) -> Bool { enabledSteps().contains(step) }
}
