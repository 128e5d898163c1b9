import DataMonk

/// **Confined.** A student. Written out as `Person` is.
final class Student: ManagedObject {
    var name: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var courses: Set<Course> {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Student", class: Student.self, validatesValues: false,
            properties: [
                .property("name", String.self, default: ""),
                .property("courses", Set<Course>.self, inverse: "students"),
            ])
    }
}
