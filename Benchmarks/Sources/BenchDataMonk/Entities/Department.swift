import DataMonk

/// **Confined.** A department. Written out as `Person` is.
final class Department: ManagedObject {
    var name: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var employees: Set<Employee> {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Department", class: Department.self, validatesValues: false,
            properties: [
                .property("name", String.self, default: ""), .property("employees", Set<Employee>.self),
            ])
    }
}
