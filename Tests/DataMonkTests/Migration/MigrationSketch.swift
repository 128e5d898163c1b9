import DataMonk
import DataMonkTesting
import Foundation

/// A model in the making, and what a store of it should hold: each edit changes both, by rules of its own.
///
/// An edit leaves alone what an earlier one of the same version has touched: a renaming identifier names the version before.
struct MigrationSketch {
    var entities: [EntityDescription] = []
    var expected = GraphDump()
    var random: SeededGenerator
    /// The entities and properties that were touched since the last version.
    var touched: Set<String> = []
    /// What was done, for messages.
    var log: [String] = []
    /// What the edits since the last version may discard, and what of it the objects have.
    var losses = MigrationLosses()
    private var counter = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for _ in 0..<Int.random(in: 2...3, using: &random) { addEntity(below: nil) }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            addEntity(below: entities.randomElement(using: &random)?.name)
        }
        for _ in 0..<4 { addAttribute() }
        for _ in 0..<5 { addRelationship() }
        touched = []
    }

    func model() throws -> ManagedObjectModel { try ManagedObjectModel(entities: entities) }

    /// A name that sorts anywhere.
    mutating func newName(_ suffix: String) -> String {
        counter += 1
        let first = "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "x"
        return "\(first)\(suffix)\(counter)"
    }

    // MARK: Looking

    func place(_ name: String) -> Int { entities.firstIndex { $0.name == name } ?? 0 }

    func children(_ name: String) -> [String] { entities.filter { $0.superentityName == name }.map(\.name) }

    func family(_ name: String) -> [String] { [name] + children(name).flatMap(family) }

    func ancestors(_ name: String) -> [String] {
        entities[place(name)].superentityName.map { [$0] + ancestors($0) } ?? []
    }

    /// The names of the objects of an entity and those below it.
    func objects(_ entity: String) -> [String] {
        let names = family(entity)
        return expected.objects.keys.filter { object in names.contains { object.hasPrefix("\($0)/") } }.sorted()
    }

    /// The untouched properties that an entity declares.
    func attributes() -> [(entity: String, attribute: AttributeDescription)] {
        entities.flatMap { entity in entity.attributes.map { (entity: entity.name, attribute: $0) } }
            .filter { !touched.contains($0.attribute.name) }
    }

    func relationships() -> [(entity: String, relationship: RelationshipDescription)] {
        entities.flatMap { entity in entity.relationships.map { (entity: entity.name, relationship: $0) } }
            .filter { !touched.contains($0.relationship.name) }
    }

    func partner(of relationship: RelationshipDescription) -> RelationshipDescription? {
        entities[place(relationship.destinationEntityName)].relationships.first { $0.name == relationship.inverseName }
    }

    // MARK: Changing

    /// Replaces a property; nil takes it out, and what the objects have of it.
    mutating func replace(_ name: String, of entity: String, with property: PropertyDescription?) {
        let index = place(entity)
        if property == nil { noteLoss(of: name, entity, objects(entity)) }
        entities[index].properties = entities[index].properties.compactMap { $0.name == name ? property : $0 }
        touched.insert(property?.name ?? name)
        for object in objects(entity) {
            let value = expected.objects[object]?.removeValue(forKey: name)
            if let property { expected.objects[object]?[property.name] = value }
        }
        for index in entities.indices where property?.name != name {
            // Indexes over it go with the old name.
            entities[index].indexes.removeAll { $0.elements.contains { $0.propertyName == name } }
        }
    }

    /// Notes what some objects lose with a property of their entity.
    mutating func noteLoss(of name: String, _ entity: String, _ objects: [String]) {
        let attribute = entities[place(entity)].attributes.first { $0.name == name }
        let nothing = attribute.map { ["null", "\($0.defaultValue)"] } ?? [""]
        let losers = objects.filter { !nothing.contains(expected[$0][name] ?? nothing[0]) }
        losses.note(name, of: entity, isAttribute: attribute != nil, losers: losers)
    }

    mutating func set(_ key: String, of entity: String, to value: String) {
        for object in objects(entity) { expected.objects[object]?[key] = value }
    }

    mutating func addEntity(below superentity: String?) {
        let name = newName("Entity")
        entities.append(
            EntityDescription(
                name, superentityName: superentity, isAbstract: false,
                properties: [.attribute(AttributeDescription(newName("Text"), .string))]))
        touched.insert(name)
    }

    mutating func addAttribute() {
        let index = entities.indices.randomElement(using: &random) ?? 0
        let kinds: [(AttributeType, ManagedValue)] = [
            (.integer16, 5), (.string, "text"), (.double, 1.5), (.boolean, true), (.integer64, 7),
        ]
        let (type, value) = kinds.randomElement(using: &random) ?? kinds[0]
        let isOptional = Bool.random(using: &random)
        let hasDefault = !isOptional || Bool.random(using: &random)
        let attribute = AttributeDescription(
            newName("Value"), type, isOptional: isOptional, defaultValue: hasDefault ? value : .null)
        entities[index].properties.append(.attribute(attribute))
        touched.insert(attribute.name)
        set(attribute.name, of: entities[index].name, to: "\(attribute.defaultValue)")
    }

    mutating func addRelationship() {
        let (from, to) = (entities.randomElement(using: &random), entities.randomElement(using: &random))
        guard let from, let to else { return }
        let (name, back) = (newName("Link"), newName("Back"))
        func toMany() -> Bool { Bool.random(using: &random) }
        let hasInverse = Int.random(in: 0..<4, using: &random) > 0
        let isToMany = toMany()
        let link = RelationshipDescription(
            name, to: to.name, inverse: hasInverse ? back : nil, isToMany: isToMany, isOrdered: isToMany && toMany())
        let isBackToMany = toMany()
        let inverse = RelationshipDescription(
            back, to: from.name, inverse: name, isToMany: isBackToMany, isOrdered: isBackToMany && toMany())
        add(link, to: from.name)
        if hasInverse { add(inverse, to: to.name) }
    }

    private mutating func add(_ relationship: RelationshipDescription, to entity: String) {
        entities[place(entity)].properties.append(.relationship(relationship))
        touched.insert(relationship.name)
        set(relationship.name, of: entity, to: "")
    }
}
