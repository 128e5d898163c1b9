import BenchKit
import SystemSQLite

/// **Confined.** The workloads by the C API.
struct RawSession {
    let connection: RawConnection
    private let path: String
    /// W13's list: keys in order.
    let list = RawList()

    init(_ connection: RawConnection, path: String) {
        self.connection = connection
        self.path = path
    }

    func fetchAllPeople() throws -> Digest {
        Self.digest(of: try people(connection.statement(RawSQL.allPeople)))
    }

    func fetchPeople(minimumAge: Int, location: String, limit: Int) throws -> Digest {
        let statement = try connection.statement(RawSQL.query)
        sqlite3_bind_int64(statement, 1, Int64(minimumAge))
        bindText(statement, 2, location)
        sqlite3_bind_int64(statement, 3, Int64(limit))
        return Self.digest(of: try people(statement))
    }

    func fetchFirstPerson() throws -> Digest {
        Self.digest(of: try people(connection.statement(RawSQL.firstPerson)))
    }

    func aggregate(minimumAge: Int) throws -> Digest {
        var digest = Digest()
        let count = try connection.statement(RawSQL.count)
        sqlite3_bind_int64(count, 1, Int64(minimumAge))
        _ = try connection.step(count)
        digest.add(sqlite3_column_int64(count, 0))
        sqlite3_reset(count)
        let group = try connection.statement(RawSQL.group)
        while try connection.step(group) {
            digest.row()
            digest.add(sqlite3_column_int64(group, 1))
            digest.addMean(sqlite3_column_double(group, 2))
        }
        sqlite3_reset(group)
        return digest
    }

    /// Outside a transaction every step takes and releases the WAL's read lock.
    func lookUp(ids: [Int64]) throws -> Digest {
        let statement = try connection.statement(RawSQL.byID)
        var digest = Digest()
        for id in ids {
            sqlite3_bind_int64(statement, 1, id)
            if try connection.step(statement) { RawPerson(statement).add(to: &digest) }
            sqlite3_reset(statement)
        }
        return digest
    }

    func readDepartmentNames() throws -> Digest {
        var rows: [(RawEmployee, String)] = []
        let statement = try connection.statement(RawSQL.employeesWithDepartment)
        while try connection.step(statement) { rows.append((RawEmployee(statement), columnString(statement, 5))) }
        sqlite3_reset(statement)
        var digest = Digest()
        for (employee, department) in rows {
            employee.add(to: &digest)
            digest.add(department)
        }
        return digest
    }

    /// A dictionary of the departments seen so far: what a careful caller writes by hand.
    func readDepartmentNamesLazily() throws -> Digest {
        var employees: [RawEmployee] = []
        let statement = try connection.statement(RawSQL.employees)
        while try connection.step(statement) { employees.append(RawEmployee(statement)) }
        sqlite3_reset(statement)
        let department = try connection.statement(RawSQL.department)
        var names: [Int64: String] = [:]
        var digest = Digest()
        for employee in employees {
            employee.add(to: &digest)
            if let name = names[employee.departmentID] {
                digest.add(name)
                continue
            }
            sqlite3_bind_int64(department, 1, employee.departmentID)
            if try connection.step(department) {
                let name = columnString(department, 1)
                names[employee.departmentID] = name
                digest.add(name)
            }
            sqlite3_reset(department)
        }
        return digest
    }

    func insert(_ people: [PersonInput]) throws {
        try connection.inTransaction("BEGIN IMMEDIATE") {
            let statement = try connection.statement(RawSQL.insert)
            for person in people {
                bindPerson(person, to: statement)
                try connection.run(statement)
            }
        }
    }

    func loadAndAgeTenth() throws {
        var people = try people(connection.statement(RawSQL.allPeople))
        try connection.inTransaction("BEGIN IMMEDIATE") {
            let update = try connection.statement(RawSQL.updateAge)
            for index in people.indices where people[index].id % 10 == 0 {
                people[index].age += 1
                sqlite3_bind_int64(update, 1, Int64(people[index].age))
                sqlite3_bind_int64(update, 2, people[index].id)
                try connection.run(update)
            }
        }
    }

    /// Loads everybody, adds 1 to their ages, saves.
    func loadAndAgeAll() throws {
        let people = try people(connection.statement(RawSQL.allPeople))
        try connection.inTransaction("BEGIN IMMEDIATE") {
            let update = try connection.statement(RawSQL.updateAge)
            for person in people {
                sqlite3_bind_int64(update, 1, Int64(person.age + 1))
                sqlite3_bind_int64(update, 2, person.id)
                try connection.run(update)
            }
        }
    }

    func delete(ids: [Int64]) throws {
        try connection.inTransaction("BEGIN IMMEDIATE") {
            let statement = try connection.statement(RawSQL.delete)
            for id in ids {
                sqlite3_bind_int64(statement, 1, id)
                try connection.run(statement)
            }
        }
    }

    func insertSeparately(_ people: [PersonInput]) throws {
        let begin = try connection.statement("BEGIN IMMEDIATE")
        let commit = try connection.statement("COMMIT")
        let insert = try connection.statement(RawSQL.insert)
        for person in people {
            try connection.run(begin)
            bindPerson(person, to: insert)
            try connection.run(insert)
            try connection.run(commit)
        }
    }

    func readWhileWriting(seconds: Double, people: [PersonInput], greatestID: Int64) throws -> ConcurrentResult {
        let reader = RawSession(try RawConnection(path: path, durability: .normal), path: path)
        defer { reader.connection.close() }
        let page = try reader.connection.statement(RawSQL.page)
        // The writer is the only one that uses this session until the call ends.
        nonisolated(unsafe) let writer = self
        return try runConcurrently(seconds: seconds, greatestID: greatestID) { key in
            sqlite3_bind_int64(page, 1, key)
            let people = try reader.people(page)
            precondition(Self.digest(of: people).rows == 100)
        } write: { index in
            try writer.insertSeparately([people[index]])
        }
    }

    @inline(__always)
    private func people(_ statement: OpaquePointer) throws -> [RawPerson] {
        var people: [RawPerson] = []
        while try connection.step(statement) { people.append(RawPerson(statement)) }
        sqlite3_reset(statement)
        return people
    }

    @inline(__always)
    static func digest(of people: [RawPerson]) -> Digest {
        var digest = Digest()
        for person in people { person.add(to: &digest) }
        return digest
    }
}
