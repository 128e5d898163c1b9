import DataMonk
import DataMonkFixtures
import DataMonkSQLite
import DataMonkTesting
import Foundation

/// The result of examining, repairing, opening, reading and editing a damaged store.
struct DamageOutcome {
    /// What should not have happened; nil if all is well.
    private(set) var problem: String?

    init(of copy: StoreCopy) {
        do {
            problem = try DamageTreatment.problem(of: copy)
            if problem != nil { return }
            let (before, reported) = try Self.read(copy)
            if let strange = reported.first(where: { !Self.isTyped($0) }) {
                problem = "reported \(strange)"
            } else if reported.isEmpty {
                try Self.readAgain(copy, before).map { problem = $0 }
                try Self.edit(copy)
                _ = try Self.read(copy)
            }
        } catch {
            if !Self.isTyped(error) { problem = "threw \(type(of: error)): \(error)" }
        }
    }

    static func isTyped(_ error: any Error) -> Bool {
        error is StoreError || error is ModelError || error is FetchError || error is SaveError
            || error is MigrationError
    }

    private static func read(_ copy: StoreCopy) throws -> (StoreDump, [any Error]) {
        let stack = Stack(model: try copy.model())
        let reported = Locked<[any Error]>([])
        stack.onError { error in reported.withLock { $0.append(error) } }
        try stack.addDatabaseStore(fileURL: copy.url, autoMigrating: false, synchronous: .normal)
        let dump = try StoreDump(of: stack)
        try stack.close()
        return (dump, reported.withLock { $0 })
    }

    private static func readAgain(_ copy: StoreCopy, _ before: StoreDump) throws -> String? {
        let differences = try read(copy).0.differences(from: before)
        return differences.isEmpty ? nil : "read differently: \(differences.prefix(3))"
    }

    private static func edit(_ copy: StoreCopy) throws {
        let stack = Stack(model: try copy.model())
        stack.onError { _ in }
        try stack.addDatabaseStore(fileURL: copy.url, autoMigrating: false, synchronous: .normal)
        _ = try StoreEdit.perform(on: stack)
        try stack.close()
    }
}
