import BenchKit
import Foundation
import GRDB

/// **Confined.** GRDB records written by hand: decoded by column index, encoded column by column.
final class GRDBRecordPeer: GRDBVariant {
    static let name = "grdb-record"
    let pool: DatabasePool
    let list = RawList()
    var tree: Tree?
    var staff: Staff?

    struct Person: GRDBPerson {
        let id: Int64
        let name: String
        var age: Int
        let location: String?
        let salary: Double
        let created: Date
        var friendID: Int64?

        static let databaseTableName = "person"

        init(_ input: PersonInput) {
            id = input.id
            name = input.name
            age = input.age
            location = input.location
            salary = input.salary
            created = Date(timeIntervalSince1970: input.created)
            friendID = input.friendID
        }

        init(row: Row) {
            id = row[0]
            name = row[1]
            age = row[2]
            location = row[3]
            salary = row[4]
            created = Date(timeIntervalSince1970: row[5])
            friendID = row[6]
        }

        func encode(to container: inout PersistenceContainer) {
            container["id"] = id
            container["name"] = name
            container["age"] = age
            container["location"] = location
            container["salary"] = salary
            container["created"] = created.timeIntervalSince1970
            container["friend_id"] = friendID
        }
    }

    struct Department: FetchableRecord, TableRecord {
        static let databaseTableName = "department"
        let name: String

        init(row: Row) { name = row[1] }
    }

    struct Employee: FetchableRecord, PersistableRecord {
        static let databaseTableName = "employee"
        static let department = belongsTo(Department.self, using: ForeignKey(["department_id"]))
        let id: Int64
        let name: String
        let title: String?
        let salary: Double
        let departmentID: Int64

        init(row: Row) {
            id = row[0]
            name = row[1]
            title = row[2]
            salary = row[3]
            departmentID = row[4]
        }

        func encode(to container: inout PersistenceContainer) {
            container["id"] = id
            container["department_id"] = departmentID
        }

        func add(to digest: inout Digest) {
            digest.row()
            digest.add(name)
            digest.add(title)
            digest.add(salary)
        }
    }

    /// A row of the join.
    struct EmployeeOfDepartment: FetchableRecord {
        let employee: Employee
        let department: String

        init(row: Row) {
            employee = Employee(row: row)
            department = row[5]
        }
    }

    init(path: String, template: Template, durability: Durability) throws {
        pool = try makePool(path: path, durability: durability)
    }

    func reset() throws {
        tree = nil
        staff = nil
    }

    func readDepartmentNames() throws -> Digest {
        let rows = try pool.read { database in
            try EmployeeOfDepartment.fetchAll(
                database,
                sql: """
                    SELECT e.id, e.name, e.title, e.salary, e.department_id, d.name
                    FROM employee e JOIN department d ON d.id = e.department_id
                    """)
        }
        var digest = Digest()
        for row in rows {
            row.employee.add(to: &digest)
            digest.add(row.department)
        }
        return digest
    }

    /// GRDB has no identity map: without prefetching, each employee is one more request.
    func readDepartmentNamesLazily() throws -> Digest {
        try pool.read { database in
            var digest = Digest()
            for employee in try Employee.fetchAll(database) {
                employee.add(to: &digest)
                let department = try employee.request(for: Employee.department).fetchOne(database)
                digest.add(department?.name)
            }
            return digest
        }
    }
}
