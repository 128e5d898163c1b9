/// **Value.** A key path that was followed through the model: which properties it visits and what it ends in.
///
/// 1. `steps` are the relationships that are crossed, in order; the terminal is read at the last one's destination, or at
///    `entity` when there is none.
/// 2. For `.count` and `.aggregate` the last step is a to-many, and the only one.
package struct ResolvedPath: Sendable {
    /// **Value.** What a path ends in.
    package indirect enum Terminal: Sendable {
        /// The object reached.
        case object
        /// An attribute of the object reached.
        case attribute(Entity.Attribute)
        /// The name of the reached object's own entity.
        case entityName
        /// How many objects the steps reach.
        case count
        /// A figure over a value of each object that the steps reach: `.sum`, `.average`, `.minimum`, `.maximum`. The
        /// path starts at those objects and crosses to-ones only.
        case aggregate(FetchRequest.Selection.Function, ResolvedPath)
    }

    /// **Value.** Whose properties a path reads first.
    package indirect enum Start: Sendable, Hashable {
        /// The object that the fetch looks at.
        case object
        /// The object that a subquery looks at, by the number of subqueries around that one.
        case variable(Int)
        /// Each object of the collection that a collection operator stands behind.
        case member
        /// One object of an ordered collection.
        case element(ResolvedElement)
    }

    /// Whose properties the path reads first.
    package let start: Start
    /// The entity of that object.
    package let entity: Entity
    /// The relationships it crosses.
    package let steps: [Entity.Relationship]
    /// What it ends in.
    package let terminal: Terminal
    /// What kind of value it yields.
    package let kind: ValueKind
    /// Whether it yields any number of values rather than one.
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

    /// Fast path for the commonest of all: an attribute of the entity itself.
    init(_ attribute: Entity.Attribute, of entity: Entity, start: Start = .object) {
        self.start = start
        self.entity = entity
        steps = []
        terminal = .attribute(attribute)
        kind = ValueKind(attribute)
        isCollection = false
    }

    /// The attribute at the end, if that is what the path ends in.
    package var attribute: Entity.Attribute? {
        if case .attribute(let attribute) = terminal { attribute } else { nil }
    }
}

extension ResolvedPath: Hashable {
    /// Whether both visit the same properties and end in the same thing.
    package static func == (left: ResolvedPath, right: ResolvedPath) -> Bool {
        guard left.start == right.start, left.entity === right.entity, left.steps == right.steps else { return false }
        switch (left.terminal, right.terminal) {
        case (.object, .object), (.count, .count), (.entityName, .entityName): return true
        case (.attribute(let one), .attribute(let other)): return one == other
        case (.aggregate(let one, let path), .aggregate(let other, let otherPath)):
            return one == other && path == otherPath
        default: return false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(start)
        hasher.combine(entity)
        hasher.combine(steps)
        if case .attribute(let attribute) = terminal { hasher.combine(attribute) }
    }
}

extension ResolvedPath {
    /// The path as names, nil for the object itself.
    package var name: String? {
        var names = steps.map(\.name)
        switch terminal {
        case .object: break
        case .attribute(let attribute): names.append(attribute.keyPath)
        case .entityName: names.append("entity")
        case .count: names.append("@count")
        case .aggregate(let function, let path):
            names.append("@\(function.name)")
            if let inner = path.name { names.append(inner) }
        }
        return names.isEmpty ? nil : names.joined(separator: ".")
    }
}
