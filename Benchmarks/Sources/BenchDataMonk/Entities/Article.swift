import DataMonk

/// **Confined.** An article. Written out as `Person` is.
final class Article: ManagedObject {
    var title: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var tags: Set<Tag> {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Article", class: Article.self, validatesValues: false,
            properties: [
                .property("title", String.self, default: ""),
                .property("tags", Set<Tag>.self, inverse: "articles"),
            ])
    }
}
