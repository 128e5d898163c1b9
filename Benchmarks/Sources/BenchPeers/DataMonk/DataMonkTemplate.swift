import BenchKit
import DataMonk
import Foundation

/// Makes the templates of Core Data's schema: DataMonk's own files.
enum DataMonkTemplate {
    static func make(_ template: Template, at path: String, dataset: Dataset) throws {
        let stack = try Stack(Person.self, Department.self, Employee.self)
        try stack.addDatabaseStore(fileURL: URL(fileURLWithPath: path), synchronous: .normal)
        if template != .empty {
            try Context(stack: stack).beginUpdateAndWait { update in
                try insertPeople(dataset.people, update)
                try insertStaff(count: dataset.count, update)
                try update.commit()
            }
        }
        try stack.close()
    }

    private static func insertPeople(_ people: [PersonInput], _ update: Update) throws {
        for person in people { try update.create(Person.self).take(person) }
    }

    private static func insertStaff(count: Int, _ update: Update) throws {
        let departments = try (1...Int64(Dataset.departmentCount)).map { id in
            let department = try update.create(Department.self)
            department.name = Dataset.departmentName(id: id)
            return department
        }
        for id in 1...Int64(count) {
            let values = Dataset.employee(id: id)
            let employee = try update.create(Employee.self)
            employee.name = values.name
            employee.title = values.title
            employee.salary = values.salary
            employee.department = departments[Int(Dataset.departmentID(ofEmployee: id)) - 1]
        }
    }
}
