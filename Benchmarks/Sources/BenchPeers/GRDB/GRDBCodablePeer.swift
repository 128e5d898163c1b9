import BenchKit
import Foundation
import GRDB

/// **Confined.** GRDB records whose coding the compiler writes.
final class GRDBCodablePeer: GRDBVariant {
    static let name = "grdb-codable"
    let pool: DatabasePool
    let list = RawList()

    struct Person: GRDBPerson, Codable {
        let id: Int64
        let name: String
        var age: Int
        let location: String?
        let salary: Double
        let created: Date
        let friendID: Int64?

        enum CodingKeys: String, CodingKey {
            case id, name, age, location, salary, created
            case friendID = "friend_id"
        }

        static let databaseTableName = "person"
        static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
            .timeIntervalSince1970
        }
        static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
            .timeIntervalSince1970
        }

        init(_ input: PersonInput) {
            id = input.id
            name = input.name
            age = input.age
            location = input.location
            salary = input.salary
            created = Date(timeIntervalSince1970: input.created)
            friendID = input.friendID
        }
    }

    struct Department: Codable, FetchableRecord, TableRecord {
        static let databaseTableName = "department"
        let id: Int64
        let name: String
    }

    struct Employee: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "employee"
        static let department = belongsTo(Department.self, using: ForeignKey(["department_id"]))
        let id: Int64
        let name: String
        let title: String?
        let salary: Double
        let departmentID: Int64

        enum CodingKeys: String, CodingKey {
            case id, name, title, salary
            case departmentID = "department_id"
        }

        func add(to digest: inout Digest) {
            digest.row()
            digest.add(name)
            digest.add(title)
            digest.add(salary)
        }
    }

    struct EmployeeOfDepartment: Codable, FetchableRecord {
        let employee: Employee
        let department: Department
    }

    init(path: String, template: Template, durability: Durability) throws {
        pool = try makePool(path: path, durability: durability)
    }

    func readDepartmentNames() throws -> Digest {
        let rows = try pool.read { database in
            try Employee.including(required: Employee.department).asRequest(of: EmployeeOfDepartment.self)
                .fetchAll(database)
        }
        var digest = Digest()
        for row in rows {
            row.employee.add(to: &digest)
            digest.add(row.department.name)
        }
        return digest
    }

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
