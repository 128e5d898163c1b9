import BenchKit
import GRDB

/// Sorting and grouping.
extension GRDBRecordPeer {
    /// **Value.** All employees, and the names of their departments by key.
    struct Staff {
        let employees: [Employee]
        let departments: [Int64: String]
    }

    func fetchStaff() throws {
        staff = try pool.read { database in
            let names = try Row.fetchAll(database, sql: "SELECT id, name FROM department").map { row in
                (row[0] as Int64, row[1] as String)
            }
            return Staff(
                employees: try Employee.fetchAll(database), departments: Dictionary(uniqueKeysWithValues: names))
        }
    }

    func sortStaff() throws -> Digest {
        guard let staff else { throw BenchError("no employees") }
        let sorted = staff.employees.sorted { left, right in
            if left.departmentID == right.departmentID { return left.salary > right.salary }
            return (staff.departments[left.departmentID] ?? "") < (staff.departments[right.departmentID] ?? "")
        }
        var digest = Digest()
        for (place, employee) in sorted.enumerated() { digest.add(place: place, salary: employee.salary) }
        return digest
    }

    /// SQLite has no median.
    func readMedianSalaries() throws -> Digest {
        let groups = try pool.read { database in
            var groups: [String?: [Double]] = [:]
            let rows = try Row.fetchCursor(database, sql: "SELECT location, salary FROM person")
            while let row = try rows.next() { groups[row[0], default: []].append(row[1]) }
            return groups
        }
        var digest = Digest()
        for salaries in groups.values {
            let sorted = salaries.sorted()
            let middle = sorted.count / 2
            digest.row()
            digest.addMean(sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2)
        }
        return digest
    }

    func readSalariesOfDepartments() throws -> Digest {
        try pool.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT d.name, sum(e.salary), avg(e.salary)
                    FROM employee e JOIN department d ON d.id = e.department_id GROUP BY d.name
                    """)
            var digest = Digest()
            while let row = try rows.next() {
                digest.row()
                digest.addMean(row[1])
                digest.addMean(row[2])
            }
            return digest
        }
    }
}
