import BenchKit
import DataMonk
import Foundation

/// The model of each template, and its files: DataMonk's own.
enum DataMonkTemplate {
    /// How many rows a commit writes: enough for the largest files not to need much memory.
    private static let commitSize: Int64 = 100_000

    static func stack(for template: Template) throws -> Stack {
        switch template {
        case .empty, .full, .indexed, .named: try Stack(Person.self, Department.self, Employee.self)
        case .enrolled: try Stack(Student.self, Course.self)
        case .tree: try Stack(Node.self)
        case .tagged: try Stack(Article.self, Tag.self)
        case .wide: try Stack(Measurement.self)
        case .notes: try Stack(Note.self)
        case .smallPictures, .largePictures: try Stack(Picture.self, Photo.self)
        case .manyEntities: Stack(model: try ManagedObjectModel(entities: staffEntities + furtherEntities))
        }
    }

    static func make(_ template: Template, at path: String, dataset: Dataset) throws {
        let stack = try stack(for: template)
        try stack.addDatabaseStore(fileURL: URL(fileURLWithPath: path), synchronous: .normal)
        let context = try Context(stack: stack)
        switch template {
        case .empty: break
        case .enrolled: try context.beginUpdateAndWait { try enroll(count: dataset.count, $0) }
        case .tree: try context.beginUpdateAndWait { try insertTree(count: dataset.count, $0) }
        case .tagged: try context.beginUpdateAndWait { try insertArticles(count: dataset.count, $0) }
        case .wide: try context.beginUpdateAndWait { try insertWideRows(count: dataset.count, $0) }
        case .notes: try context.beginUpdateAndWait { try insertNotes(count: dataset.count, $0) }
        case .smallPictures: try context.beginUpdateAndWait { try insertPictures(.small, count: dataset.count, $0) }
        case .largePictures: try context.beginUpdateAndWait { try insertPictures(.large, count: dataset.count, $0) }
        case .full, .indexed, .named, .manyEntities:
            try insertPeople(dataset.people, context)
            try insertStaff(count: Int64(dataset.count), context)
        }
        try stack.close()
    }

    private static func insertPeople(_ people: [PersonInput], _ context: Context) throws {
        for start in stride(from: 0, to: people.count, by: Int(commitSize)) {
            try context.beginUpdateAndWait { update in
                for person in people[start..<min(start + Int(commitSize), people.count)] {
                    try update.create(Person.self).take(person)
                }
                try update.commit()
            }
        }
    }

    private static func insertStaff(count: Int64, _ context: Context) throws {
        let departments = try context.beginUpdateAndWait { update in
            let departments = try (1...Int64(Dataset.departmentCount)).map { id in
                let department = try update.create(Department.self)
                department.name = Dataset.departmentName(id: id)
                return department
            }
            try update.commit()
            return departments.map(\.objectID)
        }
        for start in stride(from: 1, through: count, by: Int(commitSize)) {
            try context.beginUpdateAndWait { update in
                let departments = try update.use(departments)
                for id in start...min(start + commitSize - 1, count) {
                    let values = Dataset.employee(id: id)
                    let employee = try update.create(Employee.self)
                    employee.name = values.name
                    employee.title = values.title
                    employee.salary = values.salary
                    employee.department = departments[Int(Dataset.departmentID(ofEmployee: id)) - 1]
                }
                try update.commit()
            }
        }
    }

    private static func enroll(count: Int, _ update: Update) throws {
        let courses = try (1...Int64(Enrollment.courseCount)).map { id in
            let course = try update.create(Course.self)
            course.title = Enrollment.courseTitle(id: id)
            return course
        }
        for id in 1...Int64(Enrollment.studentCount(for: count)) {
            let student = try update.create(Student.self)
            student.name = Enrollment.studentName(id: id)
            for place in 0..<Enrollment.coursesPerStudent {
                student.add(courses[Int(Enrollment.course(place, ofStudent: id)) - 1], to: \.courses)
            }
        }
        try update.commit()
    }
}

// MARK: 200 entities

extension DataMonkTemplate {
    /// Entities without classes, as a model file brings them along.
    private static var furtherEntities: [EntityDescription] {
        Template.furtherEntities.map { name in
            EntityDescription(
                name,
                properties: Template.furtherAttributes.map { .attribute(AttributeDescription($0, .string)) })
        }
    }

    /// What the classes declare.
    private static var staffEntities: [EntityDescription] {
        let person: [AttributeDescription] = [
            AttributeDescription("name", .string, isOptional: false, defaultValue: .string("")),
            AttributeDescription("age", .integer64, isOptional: false, defaultValue: .int(0)),
            AttributeDescription("location", .string),
            AttributeDescription("salary", .double, isOptional: false, defaultValue: .double(0)),
            AttributeDescription(
                "created", .date, isOptional: false, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 0))),
            AttributeDescription("friendID", .integer64, isIndexed: true),
        ]
        let employee: [PropertyDescription] = [
            .attribute(AttributeDescription("name", .string, isOptional: false, defaultValue: .string(""))),
            .attribute(AttributeDescription("title", .string)),
            .attribute(AttributeDescription("salary", .double, isOptional: false, defaultValue: .double(0))),
            .relationship(RelationshipDescription("department", to: "Department", inverse: "employees")),
        ]
        let department: [PropertyDescription] = [
            .attribute(AttributeDescription("name", .string, isOptional: false, defaultValue: .string(""))),
            .relationship(
                RelationshipDescription("employees", to: "Employee", inverse: "department", isToMany: true)),
        ]
        return [
            EntityDescription(
                "Person", managedObjectClass: Person.self, properties: person.map { .attribute($0) }),
            EntityDescription("Employee", managedObjectClass: Employee.self, properties: employee),
            EntityDescription("Department", managedObjectClass: Department.self, properties: department),
        ]
    }
}
