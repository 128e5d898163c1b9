package import DataMonkCore
import DataMonkSQL
package import Foundation

/// **Confined.** Makes a sound copy of a store by corrections that lose nothing the store still has. The store itself is only
/// read.
///
/// ```
/// copy the database     a snapshot, as for a backup
/// examine, correct      on the copy; until nothing is found, for a correction may bring up the next damage
/// copy external data    the files that rows of the copy refer to
/// examine               what is published is sound
/// publish
/// ```
package struct StoreRepairer {
    /// The maximum number of examinations followed by corrections.
    private static let maximumRounds = 4

    /// Repairs a store.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - storeURL: The location of the store that the file is a copy of, beside which its external data lies; `nil` if it is
    ///     the store.
    ///   - target: The place of the repaired copy, where nothing is yet.
    ///   - model: The store's model; `nil` for the one inside the store.
    /// - Throws: ``StoreError``; with the code `corrupt` if something cannot be corrected without loss. Nothing is left at
    ///   the target then.
    package static func repair(
        _ url: URL, of storeURL: URL? = nil, to target: URL, model: ManagedObjectModel? = nil
    ) throws -> StoreRepair {
        let storeURL = storeURL ?? url
        return try StoreCopier.withCopier(of: url, filesURL: storeURL, to: target) { copier in
            try copier.copyDatabase()
            let partial = copier.file.partialURL
            var actions: [StoreRepair.Action] = []
            for _ in 0..<maximumRounds {
                let diagnosis = try StoreExaminer.examine(partial, of: storeURL, model: model)
                let kept = diagnosis.diagnoses.filter { $0.finding.kind != .orphanFile || actions.isEmpty }
                if kept.isEmpty { break }
                try requireRepairable(diagnosis.examination.unrepairable, storeURL)
                actions += try correct(kept, at: partial)
            }
            let repaired = try StoreExaminer.examine(partial, of: storeURL, model: model)
            _ = try copier.copyFiles(names(in: repaired, at: partial))
            try copier.file.requireSound(model: model) { StoreError.unrepairable($0, storeURL) }
            try copier.file.publish()
            return StoreRepair(url: target, actions: actions)
        }
    }

    private static func requireRepairable(_ findings: [StoreFinding], _ url: URL) throws {
        if !findings.isEmpty { throw StoreError.unrepairable(findings, url) }
    }

    private static func names(in diagnosis: StoreDiagnosis, at url: URL) throws -> Set<UUID> {
        guard let schema = diagnosis.schema, !schema.externalDataAttributes.isEmpty else { return [] }
        return try SQLiteConnection.reading(url) { try $0.externalDataNames(in: schema) }
    }

    private static func correct(_ diagnoses: [Diagnosis], at url: URL) throws -> [StoreRepair.Action] {
        let connection = try writingConnection(to: url)
        let actions = try connection.transaction(.immediate) {
            try diagnoses.compactMap { diagnosis -> StoreRepair.Action? in
                guard let repair = diagnosis.repair else { return nil }
                let count = try repair.statements.reduce(0) { try $0 + connection.changes(by: $1) }
                return StoreRepair.Action(
                    finding: diagnosis.finding, changedRows: count, message: "The repair \(repair.deed).")
            }
        }
        try connection.close()
        return actions
    }

    /// Opens a copy for corrections. Triggers of derived attributes run as in a store.
    static func writingConnection(to url: URL) throws -> SQLiteConnection {
        var options = SQLiteOptions(access: .readWrite)
        options.label = "repair"
        // The copy is thrown away if its making is interrupted; closing it puts it on disk.
        options.durability = .normal
        let connection = try SQLiteConnection(fileURL: url, options: options)
        try connection.registerQueryFunctions()
        try connection.registerDerivationFunctions(DerivationLog())
        if try !connection.schemaObjects().textIndexes.isEmpty {
            try connection.permitIndexingTriggers()
            try connection.permitInternalTables()
        }
        return connection
    }
}

extension SQLiteConnection {
    /// Runs a statement, and returns the number of rows that it has changed, not counting those changed by triggers.
    func changes(by statement: String) throws -> Int {
        try execute(statement)
        let changesRows = ["UPDATE", "DELETE", "INSERT"].contains { statement.hasPrefix($0) }
        return changesRows ? Int(changes) : 0
    }
}

extension StoreError {
    fileprivate static func unrepairable(_ findings: [StoreFinding], _ url: URL) -> StoreError {
        let listed = findings.prefix(3).map(\.description).joined(separator: " ")
        let others = findings.count > 3 ? " There are \(findings.count - 3) more." : ""
        return StoreError(
            .corrupt,
            """
            \(url.lastPathComponent) cannot be repaired without loss, and no copy was made. \(listed)\(others) Resolve \
            this first, restore a backup, or salvage the store.
            """, storeURL: url)
    }
}
