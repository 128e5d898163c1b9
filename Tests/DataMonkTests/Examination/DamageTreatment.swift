import DataMonk
import DataMonkSQLite
import Foundation

/// An examination, a repair and a salvage of a store with random damage.
enum DamageTreatment {
    /// Returns what should not have happened; `nil` if all is well.
    static func problem(of copy: StoreCopy) throws -> String? {
        let (folder, bytes) = (copy.url.deletingLastPathComponent(), try Data(contentsOf: copy.url))
        let (repaired, salvaged) = (folder.appending(path: "repaired.db"), folder.appending(path: "salvaged.db"))
        let examination = Result { try Stack.examine(storeAt: copy.url) }
        let repair = Result { try Stack.repair(storeAt: copy.url, to: repaired) }
        let salvage = Result { try Stack.salvage(storeAt: copy.url, to: salvaged) }
        let errors = [examination.error, repair.error, salvage.error]
        if let error = errors.compactMap(\.self).first(where: { !DamageOutcome.isTyped($0) }) {
            return "threw \(type(of: error)): \(error)"
        }
        if try Data(contentsOf: copy.url) != bytes { return "changed the store" }
        for (url, error) in [(repaired, repair.error), (salvaged, salvage.error)] {
            if error != nil {
                if FileManager.default.fileExists(atPath: url.path) { return "left \(url.lastPathComponent)" }
            } else if let finding = try Stack.examine(storeAt: url).findings.first {
                return "found in \(url.lastPathComponent): \(finding)"
            }
        }
        if let error = salvage.error {
            let findings = (try? examination.get().findings) ?? []  // It threw an error of ours.
            // A model of which parts could not be read serves for reading; no new store can be made of it.
            let isWithoutModel =
                error is ModelError || findings.contains { [.unreadableModel, .differentModel].contains($0.kind) }
            return examination.error != nil || isWithoutModel ? nil : "could not be salvaged: \(error)"
        }
        let original = try copy.again()
        let objects = try withExtendedLifetime(original) { try ObjectRow.all(in: original.url) }
        let lost = try ObjectRow.readable(objects, in: copy.url)
            .subtracting(ObjectRow.readable(objects, in: salvaged))
        return lost.isEmpty ? nil : "did not salvage \(lost.prefix(5).map { "\($0.table) \($0.key)" })"
    }
}

/// **Value.** An object, by the row that it has.
private struct ObjectRow: Hashable {
    let table: String
    let key: Int64
    let entity: Int64

    /// Returns the objects of a sound store.
    static func all(in url: URL) throws -> [ObjectRow] {
        let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readOnly))
        let sql = "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'Z_PK'"
        let tables = try connection.withStatement(sql) { row in
            var names: [String] = []
            while try row.step() { names.append(row.text(at: 0) ?? "") }
            return names
        }
        return try tables.filter { $0.hasPrefix("Z") }.flatMap { table in
            try connection.withStatement("SELECT Z_PK, Z_ENT FROM \(table)") { row in
                var rows: [ObjectRow] = []
                while try row.step() {
                    rows.append(ObjectRow(table: table, key: row.int64(at: 0), entity: row.int64(at: 1)))
                }
                return rows
            }
        }
    }

    /// Returns those of some objects whose whole row can be read in a store, which may be damaged.
    static func readable(_ objects: [ObjectRow], in url: URL) throws -> Set<ObjectRow> {
        let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readOnly))
        return try Set(
            objects.filter { object in
                do {
                    return try connection.withStatement("SELECT Z_ENT, * FROM \(object.table) WHERE Z_PK = ?") { row in
                        row.bind(object.key, at: 1)
                        guard try row.step(), row.type(at: 0) == .integer else { return false }
                        return row.int64(at: 0) == object.entity
                    }
                } catch is SQLiteFailure {
                    return false  // Damage, or a table that is gone.
                }
            })
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
