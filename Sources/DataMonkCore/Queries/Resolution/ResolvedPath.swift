/// **Value.** A key path resolved against the model: the properties it visits and the value it ends in.
///
/// 1. `steps` are the crossed relationships in order. The terminal is read at the destination of the last one, or at
///    `entity` if there is none.
/// 2. For `.count` and `.aggregate`, the last step is a to-many, and the only one.
package struct ResolvedPath: Sendable {
    /// **Value.** The value at the end of a path.
    package indirect enum Terminal: Sendable {
        /// The object at the end.
        case object
        /// An attribute of the object at the end.
        case attribute(Entity.Attribute)
        /// A value in the JSON of a codable attribute of the object at the end.
        case member(ResolvedMember)
        /// The name of the entity of the object at the end.
        case entityName
        /// The number of objects that the steps reach.
        case count
        /// An aggregate of one value of each object that the steps reach: `.sum`, `.average`, `.minimum`, `.maximum`. The
        /// inner path starts at those objects and crosses only to-ones.
        case aggregate(FetchRequest.Selection.Function, ResolvedPath)
    }

    /// **Value.** The object at which a path starts.
    package indirect enum Start: Sendable, Hashable {
        /// The fetched object.
        case object
        /// The object of a subquery, identified by the number of subqueries that enclose it.
        case variable(Int)
        /// Each object of the collection to which a collection operator applies.
        case member
        /// One object of an ordered collection.
        case element(ResolvedElement)
    }

    /// The object at which the path starts.
    package let start: Start
    /// The entity of that object.
    package let entity: Entity
    /// The relationships that the path crosses.
    package let steps: [Entity.Relationship]
    /// The value at the end.
    package let terminal: Terminal
    package let kind: ValueKind
    /// A Boolean value indicating whether the path yields any number of values rather than one.
    package let isCollection: Bool

    package init(entity: Entity, steps: [Entity.Relationship], terminal: Terminal, start: Start = .object) {
        self.start = start
        self.entity = entity
        self.steps = steps
        self.terminal = terminal
        switch terminal {
        case .object:
            kind = .object(steps.last?.destination ?? entity)
            isCollection = steps.contains(where: \.isToMany)
        case .attribute(let attribute):
            kind = ValueKind(attribute)
            isCollection = steps.contains(where: \.isToMany)
        case .member(let member):
            kind = member.kind
            isCollection = member.form == .elements || steps.contains(where: \.isToMany)
        case .entityName:
            kind = .string
            isCollection = steps.contains(where: \.isToMany)
        case .count:
            kind = .integer
            isCollection = false
        case .aggregate(let function, let path):
            kind = function.collectionKind(of: path.kind)
            isCollection = false
        }
    }

    /// Creates a path for the most common case, an attribute of the entity itself, without further work.
    init(_ attribute: Entity.Attribute, of entity: Entity, start: Start = .object) {
        self.start = start
        self.entity = entity
        steps = []
        terminal = .attribute(attribute)
        kind = ValueKind(attribute)
        isCollection = false
    }

    /// The attribute at the end, or `nil` if the path ends in something else.
    package var attribute: Entity.Attribute? {
        if case .attribute(let attribute) = terminal { attribute } else { nil }
    }

    /// The attribute that the value at the end is read from, whole or in part, or `nil` if the path ends in something else.
    package var holder: Entity.Attribute? { attribute ?? member?.attribute }
}

extension ResolvedPath: Hashable {
    /// Returns `true` if both paths visit the same properties and end in the same value.
    package static func == (left: ResolvedPath, right: ResolvedPath) -> Bool {
        guard left.start == right.start, left.entity === right.entity, left.steps == right.steps else { return false }
        switch (left.terminal, right.terminal) {
        case (.object, .object), (.count, .count), (.entityName, .entityName): return true
        case (.attribute(let one), .attribute(let other)): return one == other
        case (.member(let one), .member(let other)): return one == other
        case (.aggregate(let one, let path), .aggregate(let other, let otherPath)):
            return one == other && path == otherPath
        default: return false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(start)
        hasher.combine(entity)
        hasher.combine(steps)
        if let attribute = holder { hasher.combine(attribute) }
    }
}

extension ResolvedPath {
    /// The path as names, or `nil` for the object itself.
    package var name: String? {
        var names = steps.map(\.name)
        switch terminal {
        case .object: break
        case .attribute(let attribute):
            names.append(attribute.isCodable ? "\(attribute.keyPath).@json" : attribute.keyPath)
        case .member(let member): names.append(member.name)
        case .entityName: names.append("entity")
        case .count: names.append("@count")
        case .aggregate(let function, let path):
            names.append("@\(function.name)")
            if let inner = path.name { names.append(inner) }
        }
        return names.isEmpty ? nil : names.joined(separator: ".")
    }
}
