import DataMonkCore

/// **Value.** A drawing of a model: entities as boxes with their attributes, inheritance and relationships as lines.
struct ModelGraph {
    /// **Value.** A line between two entities.
    struct Edge {
        /// The kinds of ends of relationships.
        enum End { case one, many }

        var from: Int
        var to: Int
        /// The names of the relationship and its inverse.
        var label: String
        /// The number of objects at the beginning: that of the inverse.
        var start: End
        /// The number of objects at the end.
        var end: End
    }

    /// **Value.** The form of a drawing.
    enum Form: String, CaseIterable {
        case mermaid, dot, svg
    }

    let entities: [Entity]
    let edges: [Edge]

    init(_ model: ManagedObjectModel) {
        entities = model.entities
        edges = model.entities.flatMap { entity in
            entity.relationships.filter { $0.entity === entity }.compactMap(Self.edge)
        }
    }

    /// Returns the line of a relationship, or `nil` for the second one of a pair.
    private static func edge(_ relationship: Entity.Relationship) -> Edge? {
        let inverse = relationship.inverse
        if let inverse, inverse !== relationship {
            let sides = [relationship, inverse].map { "\($0.entity.name).\($0.name)" }
            guard String.precedesInBytes(sides[0], sides[1]) else { return nil }
        }
        let names = inverse.map { $0 === relationship ? [relationship.name] : [relationship.name, $0.name] }
        return Edge(
            from: relationship.entity.index, to: relationship.destination.index,
            label: (names ?? [relationship.name]).joined(separator: " / "),
            start: inverse?.isToMany ?? true ? .many : .one, end: relationship.isToMany ? .many : .one)
    }

    func text(in form: Form) -> String {
        switch form {
        case .mermaid: mermaid
        case .dot: dot
        case .svg: ModelDrawing(self).svg
        }
    }

    /// Returns the attributes that an entity declares, as `name: Type`.
    static func attributes(of entity: Entity) -> [(name: String, type: String)] {
        entity.description.attributes.map { ($0.name, $0.type.title + ($0.isOptional ? "?" : "")) }
    }

    private var mermaid: String {
        var lines = ["classDiagram"]
        for entity in entities {
            lines.append("    class \(entity.name) {")
            if entity.isAbstract { lines.append("        <<abstract>>") }
            lines += Self.attributes(of: entity).map { name, type in
                // A question mark would end the type.
                "        \(name) \(type.replacing(" ", with: "").replacing("?", with: " optional"))"
            }
            lines.append("    }")
        }
        for entity in entities {
            if let superentity = entity.superentity { lines.append("    \(superentity.name) <|-- \(entity.name)") }
        }
        for edge in edges {
            let (start, end) = (edge.start == .many ? "*" : "0..1", edge.end == .many ? "*" : "0..1")
            lines.append(
                "    \(entities[edge.from].name) \"\(start)\" -- \"\(end)\" \(entities[edge.to].name) : \(edge.label)")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private var dot: String {
        var lines = ["digraph model {", "    node [shape=record]"]
        for entity in entities {
            let attributes = Self.attributes(of: entity).map { "\($0): \($1)\\l" }.joined()
            let title = entity.name + (entity.isAbstract ? " (abstract)" : "")
            lines.append("    \"\(entity.name)\" [label=\"{\(title)|\(attributes)}\"]")
        }
        for entity in entities {
            guard let superentity = entity.superentity else { continue }
            lines.append("    \"\(entity.name)\" -> \"\(superentity.name)\" [arrowhead=empty]")
        }
        for edge in edges {
            let (tail, head) = (edge.start == .many ? "crow" : "tee", edge.end == .many ? "crow" : "tee")
            lines.append(
                "    \"\(entities[edge.from].name)\" -> \"\(entities[edge.to].name)\" "
                    + "[label=\"\(edge.label)\", dir=both, arrowtail=\(tail), arrowhead=\(head)]")
        }
        lines.append("}")
        return lines.map { $0 + "\n" }.joined()
    }
}
