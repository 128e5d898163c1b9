import DataMonk

/// **Confined.** A node of a tree. Written out as `Person` is.
final class Node: ManagedObject {
    var name: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var parent: Node? {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    var children: Set<Node> {
        get { property(at: 2) }
        set { setProperty(newValue, at: 2) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Node", class: Node.self, validatesValues: false,
            properties: [
                .property("name", String.self, default: ""),
                .property("parent", Node?.self, inverse: "children"),
                .property("children", Set<Node>.self, deleteRule: .cascade),
            ])
    }
}
