import DataMonk

/// **Confined.** A text. Written out as `Person` is.
final class Note: ManagedObject {
    var text: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Note", class: Note.self, validatesValues: false, properties: [.property("text", String.self, default: "")])
    }
}
