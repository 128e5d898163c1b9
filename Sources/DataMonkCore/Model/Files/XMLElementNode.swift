/// **Value.** An element of a model file or a store: its name, attributes, children, and position in the file.
struct XMLElementNode: Sendable {
    let name: String
    let attributes: [String: String]
    var children: [XMLElementNode]
    let line: Int
    let column: Int
    /// The text between the children, in a file that has values there.
    var text = ""

    /// Returns the children with a name, in file order.
    func children(named name: String) -> [XMLElementNode] { children.filter { $0.name == name } }

    /// Returns the children of the first child with a name: the parts of a list such as `uniquenessConstraints`.
    func parts(of list: String) -> [XMLElementNode] { children.first { $0.name == list }?.children ?? [] }
}
