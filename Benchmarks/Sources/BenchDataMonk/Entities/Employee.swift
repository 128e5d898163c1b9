import DataMonk

/// **Confined.** An employee. Written out as `Person` is.
final class Employee: ManagedObject {
    var name: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var title: String? {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    var salary: Double {
        get { property(at: 2) }
        set { setProperty(newValue, at: 2) }
    }
    var department: Department? {
        get { property(at: 3) }
        set { setProperty(newValue, at: 3) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Employee", class: Employee.self, validatesValues: false,
            properties: [
                .property("name", String.self, default: ""), .property("title", String?.self),
                .property("salary", Double.self, default: 0),
                .property("department", Department?.self, inverse: "employees"),
            ])
    }
}
