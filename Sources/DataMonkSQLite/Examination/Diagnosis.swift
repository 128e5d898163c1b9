package import DataMonkCore
import DataMonkSQL

/// **Value.** A finding, and the statements that resolve it.
package struct Diagnosis: Sendable {
    package let finding: StoreFinding
    /// The correction that loses nothing; `nil` if there is none.
    let repair: RowCheck.Correction?
    /// The correction that a salvage makes if there is no other.
    let sacrifice: RowCheck.Correction?

    init(
        _ kind: StoreFinding.Kind, entityName: String? = nil, propertyName: String? = nil, table: String? = nil,
        files: [String] = [], count: Int = 1, problem: String, remedy: StoreFinding.Remedy = .salvage,
        advice: String? = nil, repair: RowCheck.Correction? = nil
    ) {
        self.repair = repair
        sacrifice = nil
        let remedy = repair == nil ? remedy : .repair
        finding = StoreFinding(
            kind, entityName: entityName, propertyName: propertyName, table: table,
            files: Array(files.prefix(StoreFinding.maximumListed)), count: count, remedy: remedy,
            message: "\(problem) \(advice ?? Self.advice(remedy, repair))")
    }

    /// Creates the diagnosis of rows that a check has found.
    init(_ check: RowCheck, rows: [StoreFinding.Row], count: Int) {
        repair = check.repair
        sacrifice = check.sacrifice
        // The rows that a repair cannot resolve are found again in its copy, which is then refused.
        let remedy: StoreFinding.Remedy = check.repair == nil ? .salvage : .repair
        let isAbsent = check.kind == .missingEntity
        let place =
            isAbsent ? "In \(check.table)" : "In \(count) \(count == 1 ? "row" : "rows") of \(check.table)"
        finding = StoreFinding(
            check.kind, entityName: check.entityName, propertyName: check.propertyName, table: check.table, rows: rows,
            count: count, remedy: remedy,
            message: "\(place), \(check.problem). \(Self.advice(remedy, check.repair ?? check.sacrifice))")
    }

    private static func advice(_ remedy: StoreFinding.Remedy, _ correction: RowCheck.Correction?) -> String {
        switch (remedy, correction) {
        case (.repair, let correction?): "A repair \(correction.deed)."
        case (.salvage, let correction?): "A salvage \(correction.deed)."
        default: "Restore a backup, or salvage the store."
        }
    }
}

/// **Value.** The result of an examination, with everything that a repair or a salvage needs.
package struct StoreDiagnosis: Sendable {
    package let examination: StoreExamination
    let diagnoses: [Diagnosis]
    /// The schema of the file, or `nil` if no model of it is known.
    let schema: StoreSchema?
    /// The metadata, or `nil` if they cannot be read.
    let metadata: StoreMetadata?
    /// The store's identifier, or `nil` if it cannot be read.
    let identifier: String?
    /// A Boolean value indicating whether the store keeps a history.
    let hasHistory: Bool

    /// A Boolean value indicating whether pages of the file are damaged, beyond those of indexes.
    var hasDamagedPages: Bool { diagnoses.contains { $0.finding.kind == .damagedPages } }
}
