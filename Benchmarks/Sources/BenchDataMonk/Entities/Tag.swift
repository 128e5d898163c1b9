import DataMonk

/// **Confined.** A tag of articles. Written out as `Person` is.
final class Tag: ManagedObject {
    var name: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var articles: Set<Article> {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Tag", class: Tag.self, validatesValues: false,
            properties: [
                .property("name", String.self, default: "", options: [.indexed]),
                .property("articles", Set<Article>.self),
            ])
    }
}
