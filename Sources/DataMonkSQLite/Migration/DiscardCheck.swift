import DataMonkCore
import DataMonkSQL
import Foundation

/// **Confined.** Refuses a migration that would discard data without permission.
///
/// Data may be discarded if the caller permits it, or if the application also has the model of the store's version: whoever
/// described both versions has described the loss. A stage with a mapping by hand says only what the mapping names: whatever
/// else would go, the caller has to permit.
struct DiscardCheck {
    private let options: StoreMigrationOptions
    private let connection: SQLiteConnection
    private let fileURL: URL
    /// The entities that a mapping by hand removes.
    private let removed: Set<String>
    /// Indicates whether the stage has a mapping by hand.
    private let hasMapping: Bool
    /// The names by which the caller knows the data.
    private let names: StoredNames

    /// - Parameter names: The names in the store of the data that the stage begins with.
    init(
        options: StoreMigrationOptions, mapping: [EntityMapping], names: StoredNames, connection: SQLiteConnection,
        fileURL: URL
    ) {
        self.options = options
        self.names = names
        hasMapping = !mapping.isEmpty
        removed = Set(mapping.filter { $0.rule == .remove }.map(\.entityName))
        self.connection = connection
        self.fileURL = fileURL
    }

    /// Counts the data that a script would discard.
    ///
    /// - Returns: What the caller has not permitted, but will be lost: orders, which prevent no migration, and what whoever
    ///   described both versions has described. It is reported.
    /// - Throws: ``MigrationError`` with the code `wouldDiscard` and all other data that would be lost.
    func check(
        _ discards: [MigrationScript.Discard], versionHashes: [String: Data]
    ) throws -> [MigrationError.Problem] {
        let found = try discards.filter { !isPermitted($0) }.map(named).compactMap { discard in
            try count(discard).map { (discard: discard, count: $0) }
        }
        let losses = found.map { $0.discard.loss($0.count) }
        let obstacles = found.filter { $0.discard.subject != .order }.map { $0.discard.problem($0.count) }
        if obstacles.isEmpty { return losses }
        let isDescribed: Bool
        do {
            isDescribed = try !hasMapping && options.permitsLosses(of: versionHashes)
        } catch {
            // A version of the application's model is unreadable and may be the store's version.
            throw MigrationError.wouldDiscard(obstacles, in: fileURL, cause: error)
        }
        // Damage is in no description.
        let refused = isDescribed ? obstacles.filter { $0.kind == .damagedObjects } : obstacles
        if refused.isEmpty { return losses }
        throw MigrationError.wouldDiscard(refused, in: fileURL, cause: nil)
    }

    /// Counts the data that a script would discard, whether it may or not.
    func planned(
        _ discards: [MigrationScript.Discard], versionHashes: [String: Data]
    ) throws -> [MigrationPlan.Discard] {
        // Reason for try?: a version that cannot be read permits nothing, and is an error when the store is migrated.
        let isDescribed = !hasMapping && (try? options.permitsLosses(of: versionHashes)) ?? false
        return try discards.compactMap { discard in
            guard let problem = try count(discard).map(named(discard).problem) else { return nil }
            let isPermitted =
                isPermitted(discard) || problem.kind == .discardedOrder
                || isDescribed && problem.kind != .damagedObjects
            return MigrationPlan.Discard(problem: problem, isPermitted: isPermitted)
        }
    }

    /// Returns a discard with the names of the store's version.
    private func named(_ discard: MigrationScript.Discard) -> MigrationScript.Discard {
        var discard = discard
        discard.storedNames = names.stored(
            StoredName(entityName: discard.entityName, propertyName: discard.propertyName))
        return discard
    }

    private func isPermitted(_ discard: MigrationScript.Discard) -> Bool {
        if discard.isChosen || discard.propertyName == nil && removed.contains(discard.entityName) { return true }
        if isPermitted(StoredName(entityName: discard.entityName, propertyName: discard.propertyName)) { return true }
        guard let inverse = discard.inverse else { return false }
        return isPermitted(StoredName(entityName: inverse.entityName, propertyName: inverse.propertyName))
    }

    /// Returns `true` if the caller permits all data that has a name in the version that the stage begins with.
    private func isPermitted(_ name: StoredName) -> Bool {
        names.stored(name).allSatisfy { name in
            name.propertyName.map { options.discarding.includes(property: $0, of: name.entityName) }
                ?? options.discarding.includes(entity: name.entityName)
        }
    }

    private func count(_ discard: MigrationScript.Discard) throws -> Int? {
        // Not cached: a cached statement must not hold a table that the migration drops.
        let statement = try connection.prepare(discard.sql)
        try statement.bind(discard.bindings)
        let count = try statement.step() ? Int(statement.int64(at: 0)) : 0
        return count == 0 ? nil : count
    }
}
