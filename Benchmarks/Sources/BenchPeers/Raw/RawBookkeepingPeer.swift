import BenchDataMonk
import BenchKit
import Foundation
import SystemSQLite

/// **Confined.** The C API on Core Data's schema, keeping what Core Data keeps: each row's entity (`Z_ENT`) and
/// version (`Z_OPT`, checked on every change), and the greatest key handed out (`Z_PRIMARYKEY.Z_MAX`, in every commit
/// that inserts). What a commit of DataMonk is to be measured against.
final class RawBookkeepingPeer: Peer {
    static let name = "raw+bookkeeping"
    static let schema = Schema.coreData
    private let connection: RawConnection

    static func makeTemplate(_ template: Template, at path: String, dataset: Dataset) throws {
        try dataMonkPeer.makeTemplate(template, at: path, dataset: dataset)
    }

    init(path: String, template: Template, durability: Durability) throws {
        connection = try RawConnection(path: path, durability: durability)
    }

    func close() { connection.close() }

    func insert(_ people: [PersonInput]) throws {
        try connection.inTransaction("BEGIN IMMEDIATE") { try insertInTransaction(people[...]) }
    }

    func insertSeparately(_ people: [PersonInput]) throws {
        for index in people.indices {
            try connection.inTransaction("BEGIN IMMEDIATE") { try insertInTransaction(people[index...index]) }
        }
    }

    /// One writer, whatever the number of tasks: all that one connection can do.
    func insertSeparately(_ people: [PersonInput], tasks: Int) throws { try insertSeparately(people) }

    func fetchFirstPerson() throws -> Digest {
        let select = try connection.statement(CoreDataSQL.firstPerson)
        defer { sqlite3_reset(select) }
        var digest = Digest()
        if try connection.step(select) { RawPerson(coreDataRow: select).add(to: &digest) }
        return digest
    }

    func loadAndAgeTenth() throws {
        var people: [(person: RawPerson, version: Int64)] = []
        let select = try connection.statement(CoreDataSQL.allPeople)
        while try connection.step(select) {
            people.append((RawPerson(coreDataRow: select), sqlite3_column_int64(select, 8)))
        }
        sqlite3_reset(select)
        try connection.inTransaction("BEGIN IMMEDIATE") {
            let update = try connection.statement(CoreDataSQL.updateAge)
            for index in people.indices where people[index].person.id % 10 == 0 {
                people[index].person.age += 1
                sqlite3_bind_int64(update, 1, Int64(people[index].person.age))
                sqlite3_bind_int64(update, 2, people[index].version + 1)
                sqlite3_bind_int64(update, 3, people[index].person.id)
                sqlite3_bind_int64(update, 4, people[index].version)
                try connection.runChangingOne(update)
            }
        }
    }

    func delete(ids: [Int64]) throws {
        try connection.inTransaction("BEGIN IMMEDIATE") {
            let delete = try connection.statement(CoreDataSQL.delete)
            for id in ids {
                sqlite3_bind_int64(delete, 1, id)
                try connection.runChangingOne(delete)
            }
        }
    }

    /// Takes the next keys and writes the last one back; they are the data set's, as nobody else inserts.
    private func insertInTransaction(_ people: ArraySlice<PersonInput>) throws {
        let greatest = try connection.statement(CoreDataSQL.greatestKey)
        _ = try connection.step(greatest)
        let first = sqlite3_column_int64(greatest, 0)
        sqlite3_reset(greatest)

        let insert = try connection.statement(CoreDataSQL.insert)
        var key = first
        for person in people {
            key += 1
            sqlite3_bind_int64(insert, 1, key)
            sqlite3_bind_int64(insert, 2, Int64(person.age))
            bindInt(insert, 3, person.friendID)
            sqlite3_bind_double(insert, 4, person.created - CoreDataSQL.referenceDate)
            sqlite3_bind_double(insert, 5, person.salary)
            bindText(insert, 6, person.location)
            bindText(insert, 7, person.name)
            try connection.run(insert)
        }

        let update = try connection.statement(CoreDataSQL.setGreatestKey)
        sqlite3_bind_int64(update, 1, key)
        sqlite3_bind_int64(update, 2, first)
        try connection.runChangingOne(update)
    }
}

extension RawPerson {
    /// The row at which the statement stands: `CoreDataSQL.allPeople`.
    @inline(__always)
    fileprivate init(coreDataRow row: OpaquePointer) {
        self.init(row)
        created = Date(timeIntervalSinceReferenceDate: sqlite3_column_double(row, 5))
    }
}
