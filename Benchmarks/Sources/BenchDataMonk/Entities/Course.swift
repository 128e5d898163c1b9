import DataMonk

/// **Confined.** A course. Written out as `Person` is.
final class Course: ManagedObject {
    var title: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var students: Set<Student> {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Course", class: Course.self, validatesValues: false,
            properties: [.property("title", String.self, default: ""), .property("students", Set<Student>.self)])
    }
}
