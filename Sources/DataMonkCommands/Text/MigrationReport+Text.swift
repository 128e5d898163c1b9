import DataMonkCore
import Foundation

extension MigrationReport {
    /// Returns the plan and the result for people to read.
    package var text: String {
        let name = plan.storeURL?.lastPathComponent ?? "The store"
        if plan.isEmpty { return "\(name) has this version of the model already. Nothing is to be done.\n" }
        var lines = ["\(name), \(plan.storeByteCount) bytes"]
        for (place, stage) in plan.stages.enumerated() {
            if plan.stages.count > 1 { lines.append("Stage \(place + 1)") }
            lines += stage.steps.map { "  \($0)" }
            if stage.steps.isEmpty { lines.append("  Note the new version, and make indexes anew") }
        }
        lines.append("Space needed  about \(plan.requiredByteCount) bytes beside the store")
        for discard in plan.discards {
            lines.append("\(discard.isPermitted ? "Discards" : "Would discard")  \(discard.problem)")
        }
        if plan.discards.isEmpty { lines.append("Discards nothing") }
        lines += plan.obstacles.map { "Does not fit  \($0)" }
        if let backup { lines.append(backup.text.trimmingCharacters(in: .newlines)) }
        if plan.storeURL == nil {
            lines.append(
                plan.isAdditive
                    ? "Programs of the version before go on" : "Programs of the version before have to be replaced")
        }
        if isDone { lines.append(plan.storeURL == nil ? "Migrated." : "Migrated \(name).") }
        lines += notes
        return lines.map { $0 + "\n" }.joined()
    }
}
