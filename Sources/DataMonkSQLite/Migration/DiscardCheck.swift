import DataMonkCore
import DataMonkSQL
import Foundation

/// **Confined.** Refuses a migration that would discard data without permission.
///
/// Data may be discarded if the caller permits it, or if the application also has the model of the store's version: whoever
/// described both versions has described the loss.
struct DiscardCheck {
    private let options: StoreMigrationOptions
    private let connection: SQLiteConnection
    private let fileURL: URL
    /// The entities that a mapping by hand removes.
    private let removed: Set<String>

    init(options: StoreMigrationOptions, mapping: [EntityMapping], connection: SQLiteConnection, fileURL: URL) {
        self.options = options
        removed = Set(mapping.filter { $0.rule == .remove }.map(\.entityName))
        self.connection = connection
        self.fileURL = fileURL
    }

    /// Counts the data that a plan would discard.
    ///
    /// - Returns: The orders of relationships that would be lost. They do not prevent the migration, but are reported.
    /// - Throws: ``MigrationError`` with the code `wouldDiscard` and all other data that would be lost.
    func check(
        _ discards: [MigrationPlan.Discard], versionHashes: [String: Data]
    ) throws -> [MigrationError.Problem] {
        let found = try discards.filter { !isPermitted($0) }.compactMap(problem)
        let (orders, problems) = (
            found.filter { $0.kind == .discardedOrder }, found.filter { $0.kind != .discardedOrder }
        )
        if found.isEmpty { return [] }
        let isDescribed: Bool
        do {
            isDescribed = try options.earlierModel(of: versionHashes) != nil
        } catch  where problems.isEmpty {
            return orders
        } catch {
            // A version of the application's model is unreadable and may be the store's version.
            throw MigrationError.wouldDiscard(problems, in: fileURL, cause: error)
        }
        // Damage is in no description.
        let refused = isDescribed ? problems.filter { $0.kind == .damagedObjects } : problems
        if refused.isEmpty { return isDescribed ? [] : orders }
        throw MigrationError.wouldDiscard(refused, in: fileURL, cause: nil)
    }

    private func isPermitted(_ discard: MigrationPlan.Discard) -> Bool {
        guard let name = discard.propertyName else {
            return removed.contains(discard.entityName) || options.discarding.includes(entity: discard.entityName)
        }
        if options.discarding.includes(property: name, of: discard.entityName) { return true }
        guard let inverse = discard.inverse else { return false }
        return options.discarding.includes(property: inverse.propertyName, of: inverse.entityName)
    }

    private func problem(_ discard: MigrationPlan.Discard) throws -> MigrationError.Problem? {
        // Not cached: a cached statement must not hold a table that the migration drops.
        let statement = try connection.prepare(discard.sql)
        try statement.bind(discard.bindings)
        let count = try statement.step() ? Int(statement.int64(at: 0)) : 0
        return count == 0 ? nil : discard.problem(count)
    }
}
