import DataMonk
import Foundation

/// Reads a store through generated classes, changes each of their properties, and reads back in other stacks.
///
/// 1. Everything reads through the classes as by name.
/// 2. Two objects of each entity are created, with all their attributes and what relationships they require.
/// 3. Each property of the first objects of each entity gets another value, and each change is saved. A stack without the
///    classes reads it back; one object at least has what was set, before the next property's change reaches its inverse.
/// 4. Two more stacks, with the classes and without them, read everything that was saved.
struct Check {
    private let url: URL
    private let classes: [String: any GeneratedClass]
    private let context: ManagedObjectContext
    private let stack: Stack
    /// Of a stack of its own, without the classes.
    private let witness: ManagedObjectContext
    private let bare: ManagedObjectModel
    private var values = NewValues()
    private var created: [ManagedObject] = []
    private var properties = 0
    private var changes = 0
    private var refusals = 0

    /// - Parameters:
    ///   - model: The model with the classes.
    ///   - bare: The same model without them.
    init(_ model: ManagedObjectModel, without bare: ManagedObjectModel, classes: [any GeneratedClass], storeAt url: URL)
        throws
    {
        self.url = url
        self.classes = try Dictionary(uniqueKeysWithValues: classes.map { (try $0.entityName(in: model), $0) })
        stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: url)
        context = ManagedObjectContext(coordinator: stack.coordinator)
        self.bare = bare
        let other = Stack(model: bare)
        try other.addDatabaseStore(fileURL: url)
        witness = ManagedObjectContext(coordinator: other.coordinator)
    }

    private var entities: [Entity] { context.coordinator.model.entities.filter { !$0.isAbstract } }

    /// - Returns: Figures for people.
    mutating func run() throws -> String {
        let before = try context.graph()
        try Failure.unlessEqual(context.graph(through: classes), before, "Through the classes")
        try create()
        for entity in entities { try change(entity) }
        let after = try context.graph()
        try Failure.unlessEqual(context.graph(through: classes), after, "Through the classes, after changes")
        try stack.close()
        try reread(after, with: context.coordinator.model, through: classes, "Another stack")
        try reread(after, with: bare, through: nil, "Another stack without the classes")
        let read = before.values.map(\.count).reduce(0, +)
        return
            "\(before.count) objects, \(read) values read; \(changes) changes of \(properties) properties read back, "
            + "\(refusals) refused"
    }

    /// What a store does not keep: transient properties, and derived ones, which no class sets.
    private var unstored: Set<String> {
        Set(entities.flatMap { entity in entity.properties.filter(\.isTransient).map { "\(entity.name).\($0.name)" } })
    }

    private func reread(
        _ expected: Graph, with model: ManagedObjectModel, through classes: [String: any GeneratedClass]?,
        _ subject: String
    ) throws {
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try Failure.unlessEqual(context.graph(through: classes), expected, without: unstored, subject)
        try stack.close()
    }
}

// MARK: Creating

extension Check {
    private mutating func create() throws {
        for entity in entities { for _ in 0..<2 { try fill(context.insert(entity)) } }
        try context.save()
    }

    private mutating func fill(_ object: ManagedObject) throws {
        created.append(object)
        let entity = object.entity
        let `class` = try classes.class(of: entity)
        for name in `class`.settableNames(of: entity) where entity.attribute(named: name) != nil {
            _ = try `class`.setAttribute(named: name, of: object, attempt: 0, from: &values)
        }
        for relationship in entity.relationships where !relationship.isOptional {
            // A new object may have got its partner by the inverse.
            guard try object.contents(named: relationship.name).isEmpty,
                let destination = relationship.destination.family.first(where: { !$0.isAbstract })
            else { continue }
            let partner = try context.insert(destination)
            _ = try `class`.setRelationship(named: relationship.name, of: object, to: [partner])
            try fill(partner)
        }
    }
}

// MARK: Changing

extension Check {
    private mutating func change(_ entity: Entity) throws {
        let own = created.filter { $0.entity == entity }
        let objects = try context.objects(of: entity).filter { !own.contains($0) }.prefix(8) + own
        let `class` = try classes.class(of: entity)
        for name in `class`.settableNames(of: entity) {
            var wanted: [(object: ManagedObject, contents: Contents)] = []
            for object in objects {
                if let contents = try change(name, of: object, through: `class`) { wanted.append((object, contents)) }
            }
            let isTransient = entity.propertiesByName[name]?.isTransient == true
            let kept = isTransient ? wanted.count : try count(wanted, named: name, of: entity)
            if kept == 0 { throw Failure("No change of \(entity.name).\(name) was read back.") }
            properties += 1
            changes += kept
        }
    }

    /// Returns how many objects have what was set, for another stack. A later one may have taken an earlier one's partner.
    private func count(
        _ wanted: [(object: ManagedObject, contents: Contents)], named name: String, of entity: Entity
    ) throws -> Int {
        let stored = try Dictionary(uniqueKeysWithValues: witness.objects(of: entity).map { ($0.objectID.uri, $0) })
        return try wanted.count { try stored[$0.object.objectID.uri]?.contents(named: name) == $0.contents }
    }

    /// Changes a property and saves. Where that is refused, the next of several changes is tried.
    ///
    /// - Returns: What the property holds now; `nil` without a change.
    private mutating func change(
        _ name: String, of object: ManagedObject, through class: any GeneratedClass
    ) throws -> Contents? {
        let former = try object.contents(named: name)
        let links = try object.entity.relationship(named: name).map { try otherLinks($0, of: object) }
        for attempt in 0..<3 {
            let wanted: Contents?
            if let links {
                wanted =
                    attempt < links.count
                    ? try `class`.setRelationship(named: name, of: object, to: links[attempt]) : nil
            } else {
                wanted = try `class`.setAttribute(named: name, of: object, attempt: attempt, from: &values)
            }
            do {
                try context.save()
                return wanted == former ? nil : wanted
            } catch is SaveError {
                refusals += 1
                context.rollback()
            }
        }
        return nil
    }

    /// Returns other objects that a relationship may lead to.
    private func otherLinks(_ relationship: Entity.Relationship, of object: ManagedObject) throws -> [[ManagedObject]] {
        let candidates = try relationship.destination.family.filter { !$0.isAbstract }.flatMap(context.objects)
        guard relationship.isToMany else {
            let present = try object.contents(named: relationship.name)
            return candidates.map { [$0] }.filter { .objects($0.map(\.objectID.uri)) != present }.suffix(3)
        }
        let members = try object.objects(forKey: relationship.name)
        let others = candidates.filter { !members.contains($0) }.suffix(2)
        // An exchange with another order, more, fewer.
        return [others + members.dropFirst().reversed(), others.prefix(1) + members, Array(members.dropFirst())]
    }
}
