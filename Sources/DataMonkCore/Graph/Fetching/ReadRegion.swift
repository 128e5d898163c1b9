/// **Value.** The part of the stores that code has read, as far as a commit can change it: entities, or the slots of
/// entities that its requests have looked at.
///
/// It may be larger than what was read, never smaller. A request depends on which objects there are, on the slots that
/// its condition, order and columns use, and on those of the relationships that they follow; an object that was read
/// depends on all of its slots.
package struct ReadRegion: Sendable {
    private enum Slots: Sendable {
        case only(SlotSet)
        case all
    }

    /// By the index of the entity.
    private var slots: [Int: Slots] = [:]

    package init() {}

    /// Indicates whether nothing was read.
    package var isEmpty: Bool { slots.isEmpty }

    // MARK: Reading

    /// Adds all values of an entity's objects and of its sub-entities'.
    mutating func add(_ entity: Entity) {
        for member in entity.family { slots[member.index] = .all }
    }

    /// Adds what decides about the result of a fetch.
    mutating func add(_ fetch: ResolvedFetch) {
        addExistence(of: fetch.entity)
        if let condition = fetch.condition { add(condition) }
        if let having = fetch.having { add(having) }
        for term in fetch.sortTerms { add(term.expression) }
        for selection in fetch.selections { add(selection.expression) }
        for path in fetch.groups { add(path) }
    }

    /// Adds all values of the entities that have a root with an entity in common: what is read together with an object
    /// may belong to each of them.
    mutating func addHierarchy(of entity: Entity) {
        let root = entity.root
        if case .all? = slots[root.index] { return }
        add(root)
    }

    /// Adds a to-many that was read, with its members.
    mutating func add(_ toMany: Entity.Relationship) {
        addExistence(of: toMany.entity)
        addHierarchy(of: toMany.destination)
    }

    private mutating func addExistence(of entity: Entity) {
        for member in entity.family where slots[member.index] == nil { slots[member.index] = .only(SlotSet()) }
    }

    private mutating func add(_ slot: Int, of entity: Entity) {
        for member in entity.family {
            guard case .only(var known) = slots[member.index] ?? .only(SlotSet()) else { continue }
            known.insert(slot)
            slots[member.index] = .only(known)
        }
    }

    private mutating func add(_ steps: [Entity.Relationship]) {
        for step in steps {
            add(step.slot, of: step.entity)
            addExistence(of: step.destination)
            // The column of a one-to-many lies on the other side.
            if let inverse = step.inverse { add(inverse.slot, of: inverse.entity) }
        }
    }

    private mutating func add(_ attribute: Entity.Attribute, of entity: Entity) {
        // A derived value changes with others, of which an update lists those alone.
        if attribute.isDerived { add(entity) } else { add(attribute.slot, of: entity) }
    }

    private mutating func add(_ path: ResolvedPath) {
        switch path.start {
        case .element(let element): add(element.collection)
        case .object, .member, .variable: break
        }
        addExistence(of: path.entity)
        add(path.steps)
        switch path.terminal {
        case .attribute(let attribute): add(attribute, of: path.steps.last?.destination ?? path.entity)
        case .member(let member): add(member.attribute, of: path.steps.last?.destination ?? path.entity)
        case .aggregate(_, let inner): add(inner)
        case .object, .entityName, .count: break
        }
    }

    private mutating func add(_ expression: ResolvedExpression) {
        switch expression {
        case .constant, .selection: break
        case .path(let path): add(path)
        case .calculation(let calculation): for operand in calculation.operands { add(operand) }
        case .conditional(let condition, let first, let second, _):
            add(condition)
            add(first)
            add(second)
        case .subquery(let subquery):
            add(subquery.collection)
            add(subquery.condition)
            if let value = subquery.value { add(value) }
        }
    }

    private mutating func add(_ condition: ResolvedCondition) {
        switch condition {
        case .constant: break
        case .comparison(let comparison):
            add(comparison.left)
            add(comparison.right)
        case .identity(let identity):
            add(identity.path)
            if case .path(let path) = identity.other { add(path) }
        case .and(let parts), .or(let parts): for part in parts { add(part) }
        case .not(let inner): add(inner)
        }
    }

    // MARK: Commits

    /// Returns `false` if commits cannot have changed what was read.
    ///
    /// - Complexity: Linear in the number of entities whose objects they have changed.
    package func isConcerned(by summary: ChangeSummary) -> Bool {
        summary.isEverything
            || summary.changes.contains { index, change in
                switch (slots[index], change) {
                case (nil, _): false
                case (.only(let known)?, .updated(let changed)): known.intersects(changed)
                case (.all?, _), (.only?, .any): true
                }
            }
    }
}
