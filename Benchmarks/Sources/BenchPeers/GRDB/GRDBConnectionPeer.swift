import BenchKit
import GRDB
import SystemSQLite

/// **Confined.** GRDB as connection and statement layer only: its pool, its cached statements, and in the inner loop
/// the C API on them. What an engine built on GRDB would do.
final class GRDBConnectionPeer: Peer {
    static let name = "grdb-conn"
    private let pool: DatabasePool

    init(path: String, template: Template, durability: Durability) throws {
        pool = try makePool(path: path, durability: durability)
    }
    func close() throws { try pool.close() }

    func fetchAllPeople() throws -> Digest {
        let people = try pool.read { try Self.people($0.cachedStatement(sql: RawSQL.allPeople).sqliteStatement) }
        return RawSession.digest(of: people)
    }

    func fetchPeople(minimumAge: Int, location: String, limit: Int) throws -> Digest {
        let people = try pool.read { database in
            let statement = try database.cachedStatement(sql: RawSQL.query).sqliteStatement
            sqlite3_bind_int64(statement, 1, Int64(minimumAge))
            bindText(statement, 2, location)
            sqlite3_bind_int64(statement, 3, Int64(limit))
            return try Self.people(statement)
        }
        return RawSession.digest(of: people)
    }

    func aggregate(minimumAge: Int) throws -> Digest {
        try pool.read { database in
            var digest = Digest()
            let count = try database.cachedStatement(sql: RawSQL.count).sqliteStatement
            sqlite3_bind_int64(count, 1, Int64(minimumAge))
            _ = try Self.step(count)
            digest.add(sqlite3_column_int64(count, 0))
            sqlite3_reset(count)
            let group = try database.cachedStatement(sql: RawSQL.group).sqliteStatement
            while try Self.step(group) {
                digest.row()
                digest.add(sqlite3_column_int64(group, 1))
                digest.addMean(sqlite3_column_double(group, 2))
            }
            sqlite3_reset(group)
            return digest
        }
    }

    func lookUp(ids: [Int64]) throws -> Digest {
        try pool.read { database in
            var digest = Digest()
            for id in ids { try Self.person(id, database)?.add(to: &digest) }
            return digest
        }
    }

    func lookUpSeparately(ids: [Int64]) throws -> Digest {
        var digest = Digest()
        for id in ids { try pool.read { try Self.person(id, $0) }?.add(to: &digest) }
        return digest
    }

    func readDepartmentNames() throws -> Digest {
        let rows = try pool.read { database in
            var rows: [(RawEmployee, String)] = []
            let statement = try database.cachedStatement(sql: RawSQL.employeesWithDepartment).sqliteStatement
            while try Self.step(statement) { rows.append((RawEmployee(statement), columnString(statement, 5))) }
            sqlite3_reset(statement)
            return rows
        }
        var digest = Digest()
        for (employee, department) in rows {
            employee.add(to: &digest)
            digest.add(department)
        }
        return digest
    }

    /// As `raw`, a dictionary of departments; each miss is an access of its own, as a fault would be.
    func readDepartmentNamesLazily() throws -> Digest {
        let employees = try pool.read { database in
            var employees: [RawEmployee] = []
            let statement = try database.cachedStatement(sql: RawSQL.employees).sqliteStatement
            while try Self.step(statement) { employees.append(RawEmployee(statement)) }
            sqlite3_reset(statement)
            return employees
        }
        var names: [Int64: String] = [:]
        var digest = Digest()
        for employee in employees {
            employee.add(to: &digest)
            let name =
                try names[employee.departmentID]
                ?? pool.read { database in
                    let statement = try database.cachedStatement(sql: RawSQL.department).sqliteStatement
                    sqlite3_bind_int64(statement, 1, employee.departmentID)
                    defer { sqlite3_reset(statement) }
                    return try Self.step(statement) ? columnString(statement, 1) : ""
                }
            names[employee.departmentID] = name
            digest.add(name)
        }
        return digest
    }

    func insert(_ people: [PersonInput]) throws { try Self.insert(people, into: pool) }

    private nonisolated static func insert(_ people: [PersonInput], into pool: DatabasePool) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: RawSQL.insert).sqliteStatement
            for person in people {
                bindPerson(person, to: statement)
                try Self.run(statement)
            }
        }
    }

    func loadAndAgeTenth() throws {
        var people = try pool.read { try Self.people($0.cachedStatement(sql: RawSQL.allPeople).sqliteStatement) }
        try pool.write { database in
            let update = try database.cachedStatement(sql: RawSQL.updateAge).sqliteStatement
            for index in people.indices where people[index].id % 10 == 0 {
                people[index].age += 1
                sqlite3_bind_int64(update, 1, Int64(people[index].age))
                sqlite3_bind_int64(update, 2, people[index].id)
                try Self.run(update)
            }
        }
    }

    func delete(ids: [Int64]) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: RawSQL.delete).sqliteStatement
            for id in ids {
                sqlite3_bind_int64(statement, 1, id)
                try Self.run(statement)
            }
        }
    }

    func insertSeparately(_ people: [PersonInput]) throws {
        for person in people { try insert([person]) }
    }

    func readWhileWriting(seconds: Double, people: [PersonInput], greatestID: Int64) throws -> ConcurrentResult {
        try runConcurrently(seconds: seconds, greatestID: greatestID) { key in
            let page = try pool.read { database in
                let statement = try database.cachedStatement(sql: RawSQL.page).sqliteStatement
                sqlite3_bind_int64(statement, 1, key)
                return try Self.people(statement)
            }
            precondition(RawSession.digest(of: page).rows == 100)
        } write: { [pool] index in
            try Self.insert([people[index]], into: pool)
        }
    }

    private nonisolated static func people(_ statement: OpaquePointer) throws -> [RawPerson] {
        var people: [RawPerson] = []
        while try step(statement) { people.append(RawPerson(statement)) }
        sqlite3_reset(statement)
        return people
    }

    @inline(__always)
    private nonisolated static func person(_ id: Int64, _ database: Database) throws -> RawPerson? {
        let statement = try database.cachedStatement(sql: RawSQL.byID).sqliteStatement
        sqlite3_bind_int64(statement, 1, id)
        defer { sqlite3_reset(statement) }
        return try step(statement) ? RawPerson(statement) : nil
    }

    @inline(__always)
    private nonisolated static func step(_ statement: OpaquePointer) throws -> Bool {
        let code = sqlite3_step(statement)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }

    @inline(__always)
    private nonisolated static func run(_ statement: OpaquePointer) throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
