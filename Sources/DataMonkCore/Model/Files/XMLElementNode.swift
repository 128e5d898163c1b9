/// **Value.** An element of a model file: its name, its attributes, its children, and where it stands in the file.
struct XMLElementNode: Sendable {
    let name: String
    let attributes: [String: String]
    var children: [XMLElementNode]
    let line: Int
    let column: Int

    /// The children of a name, in file order.
    func children(named name: String) -> [XMLElementNode] { children.filter { $0.name == name } }

    /// The children of the first child of a name: the parts of a list such as `uniquenessConstraints`.
    func parts(of list: String) -> [XMLElementNode] { children.first { $0.name == list }?.children ?? [] }
}
