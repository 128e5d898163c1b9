/// **Shared.** A count that is raised without a lock: what shows that ThreadSanitizer looks at these programs at all.
final class PlantedRace: Sendable {
    // Without protection on purpose: only `StressOptions.hasPlantedRace` makes one, and its value is of no use.
    nonisolated(unsafe) private var count = 0

    func raise() { count += 1 }
}
