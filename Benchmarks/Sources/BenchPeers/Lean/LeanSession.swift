import BenchKit
import SystemSQLite

/// **Confined.** The engine of `LeanPeer`: identity maps and what is to be saved.
final class LeanSession {
    let connection: RawConnection
    private let people = LeanMap()
    private let employees = LeanMap()
    private let departments = LeanMap()
    /// The texts of the row being read.
    private let texts = UnsafeMutablePointer<TextColumn>.allocate(capacity: 64)
    private var inserted: [LeanPerson] = []
    private var updated: [LeanPerson] = []
    private var deleted: [LeanPerson] = []

    init(_ connection: RawConnection) { self.connection = connection }

    func reset() {
        for map in [people, employees, departments] { map.removeAll() }
    }

    func close() {
        for map in [people, employees, departments] { map.deallocate() }
        texts.deallocate()
        connection.close()
    }

    // MARK: Reading

    func fetchAllPeople() throws -> Digest { digest(of: try fetchPeople(connection.statement(RawSQL.allPeople))) }

    func fetchPeople(minimumAge: Int, location: String, limit: Int) throws -> Digest {
        let statement = try connection.statement(RawSQL.query)
        sqlite3_bind_int64(statement, 1, Int64(minimumAge))
        bindText(statement, 2, location)
        sqlite3_bind_int64(statement, 3, Int64(limit))
        return digest(of: try fetchPeople(statement))
    }

    func lookUp(ids: [Int64]) throws -> Digest {
        let statement = try connection.statement(RawSQL.byID)
        var arena = RowArena()
        defer { arena.close() }
        var digest = Digest()
        for id in ids {
            if let known = people.find(id) {
                unsafeDowncast(known, to: LeanPerson.self).add(to: &digest)
                continue
            }
            sqlite3_bind_int64(statement, 1, id)
            if try connection.step(statement) { person(statement, in: &arena).add(to: &digest) }
            sqlite3_reset(statement)
        }
        return digest
    }

    func prefetchDepartments() throws {
        let statement = try connection.statement(RawSQL.departments)
        var arena = RowArena()
        defer { arena.close() }
        while try connection.step(statement) { _ = department(statement, in: &arena) }
        sqlite3_reset(statement)
    }

    /// Each department comes from the map, or else from the store.
    func readDepartmentNames() throws -> Digest {
        let statement = try connection.statement(RawSQL.employees)
        var arena = RowArena()
        defer { arena.close() }
        var result: [LeanEmployee] = []
        while try connection.step(statement) { result.append(employee(statement, in: &arena)) }
        sqlite3_reset(statement)
        let one = try connection.statement(RawSQL.department)
        var digest = Digest()
        for employee in result {
            digest.row()
            digest.add(employee.text(1))
            digest.add(employee.optionalText(2))
            digest.add(employee.double(3))
            digest.add(try department(of: employee, one, in: &arena).text(1))
        }
        return digest
    }

    // MARK: Changing

    func create(_ people: ArraySlice<PersonInput>) {
        var arena = RowArena()
        defer { arena.close() }
        for person in people {
            let object = LeanPerson(id: person.id, row: PackedRow.make(person, in: &arena))
            self.people.register(object)
            inserted.append(object)
        }
    }

    func ageTenth() throws {
        for person in try fetchPeople(connection.statement(RawSQL.allPeople)) where person.id % 10 == 0 {
            if person.changed == 0 { updated.append(person) }
            person.age += 1
        }
    }

    /// Faults, made only to be deleted.
    func delete(_ ids: [Int64]) {
        for id in ids {
            let object = LeanPerson(id: id, row: nil)
            people.register(object)
            deleted.append(object)
        }
    }

    func save() throws {
        try connection.inTransaction("BEGIN IMMEDIATE") {
            let insert = try connection.statement(RawSQL.insert)
            for person in inserted {
                PackedRow.bind(person.base, .person, to: insert)
                try connection.run(insert)
            }
            let update = try connection.statement(RawSQL.updateAge)
            for person in updated {
                sqlite3_bind_int64(update, 1, person.int(2))
                sqlite3_bind_int64(update, 2, person.id)
                try connection.run(update)
                person.changed = 0
            }
            let delete = try connection.statement(RawSQL.delete)
            for person in deleted {
                sqlite3_bind_int64(delete, 1, person.id)
                try connection.run(delete)
            }
        }
        inserted.removeAll(keepingCapacity: true)
        updated.removeAll(keepingCapacity: true)
        deleted.removeAll(keepingCapacity: true)
    }

    // MARK: Rows to objects

    @inline(__always)
    private func fetchPeople(_ statement: OpaquePointer) throws -> [LeanPerson] {
        var arena = RowArena()
        defer { arena.close() }
        var result: [LeanPerson] = []
        while try connection.step(statement) { result.append(person(statement, in: &arena)) }
        sqlite3_reset(statement)
        return result
    }

    @inline(__always)
    private func digest(of people: [LeanPerson]) -> Digest {
        var digest = Digest()
        for person in people { person.add(to: &digest) }
        return digest
    }

    @inline(__always)
    private func person(_ statement: OpaquePointer, in arena: inout RowArena) -> LeanPerson {
        let id = sqlite3_column_int64(statement, 0)
        if let known = people.find(id) { return unsafeDowncast(known, to: LeanPerson.self) }
        let object = LeanPerson(id: id, row: PackedRow.make(statement, .person, in: &arena, texts: texts))
        people.register(object)
        return object
    }

    @inline(__always)
    private func employee(_ statement: OpaquePointer, in arena: inout RowArena) -> LeanEmployee {
        let id = sqlite3_column_int64(statement, 0)
        if let known = employees.find(id) { return unsafeDowncast(known, to: LeanEmployee.self) }
        let object = LeanEmployee(id: id, row: PackedRow.make(statement, .employee, in: &arena, texts: texts))
        employees.register(object)
        return object
    }

    private func department(_ statement: OpaquePointer, in arena: inout RowArena) -> LeanDepartment {
        let id = sqlite3_column_int64(statement, 0)
        if let known = departments.find(id) { return unsafeDowncast(known, to: LeanDepartment.self) }
        let object = LeanDepartment(id: id, row: PackedRow.make(statement, .department, in: &arena, texts: texts))
        departments.register(object)
        return object
    }

    @inline(__always)
    private func department(
        of employee: LeanEmployee, _ one: OpaquePointer, in arena: inout RowArena
    ) throws -> LeanDepartment {
        if let known = employee.department { return known }
        let id = employee.int(4)
        let found: LeanDepartment
        if let known = departments.find(id) {
            found = unsafeDowncast(known, to: LeanDepartment.self)
        } else {
            sqlite3_bind_int64(one, 1, id)
            _ = try connection.step(one)
            found = department(one, in: &arena)
            sqlite3_reset(one)
        }
        employee.department = found
        return found
    }
}
