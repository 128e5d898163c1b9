import DataMonk
import DataMonkTesting

extension MigrationSketch {
    /// Makes the next version.
    mutating func edit() {
        (touched, log) = ([], [])
        losses = MigrationLosses(entities: entities.map(\.name))
        for _ in 0..<Int.random(in: 1...5, using: &random) { editOnce() }
    }

    private mutating func editOnce() {
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: addAttribute()
        case 2: removeAttribute()
        case 3: renameAttribute()
        case 4: addEntity(below: nil)
        case 5: addEntity(below: entities.randomElement(using: &random)?.name)
        case 6: removeEntity()
        case 7: renameEntity()
        case 8: addRelationship()
        case 9: removeRelationship()
        case 10: renameRelationship()
        case 11: widenRelationship()
        case 12: changeOrder()
        case 13: changeModifier()
        case 14: changeOptionality()
        case 15: addSuperentity()
        case 16: moveAttribute()
        case 17, 18: moveRelationship()
        default: changeIndexes()
        }
    }

    // MARK: Attributes

    private mutating func removeAttribute() {
        guard let (entity, attribute) = attributes().randomElement(using: &random) else { return }
        log.append("remove \(entity).\(attribute.name)")
        replace(attribute.name, of: entity, with: nil)
    }

    private mutating func renameAttribute() {
        guard case (let entity, var attribute)? = attributes().randomElement(using: &random) else { return }
        let old = attribute.name
        attribute.name = newName("Renamed")
        attribute.renamingIdentifier = old
        log.append("rename \(entity).\(old)")
        replace(old, of: entity, with: .attribute(attribute))
    }

    private mutating func changeOptionality() {
        guard
            case (let entity, var attribute)? = attributes().filter({ !$0.attribute.defaultValue.isNull })
                .randomElement(using: &random)
        else { return }
        attribute.isOptional.toggle()
        log.append("optional \(entity).\(attribute.name) \(attribute.isOptional)")
        replace(attribute.name, of: entity, with: .attribute(attribute))
        for object in objects(entity) where !attribute.isOptional && expected[object][attribute.name] == "null" {
            expected.objects[object]?[attribute.name] = "\(attribute.defaultValue)"
        }
    }

    /// To the superentity, or to one of the sub-entities.
    private mutating func moveAttribute() {
        guard let (entity, attribute) = attributes().randomElement(using: &random) else { return }
        let targets = children(entity) + (entities[place(entity)].superentityName.map { [$0] } ?? [])
        guard let target = targets.randomElement(using: &random) else { return }
        log.append("move \(entity).\(attribute.name) to \(target)")
        let values = expected
        let staying = Set(objects(target))
        let before = losses
        replace(attribute.name, of: entity, with: nil)
        losses = before
        losses.note(
            attribute.name, of: entity, isAttribute: true,
            losers: objects(entity).filter { object in
                let value = values[object][attribute.name] ?? "null"
                return !staying.contains(object) && value != "null" && value != "\(attribute.defaultValue)"
            })
        entities[place(target)].properties.append(.attribute(attribute))
        for object in objects(target) {
            expected.objects[object]?[attribute.name] =
                values[object][attribute.name] ?? "\(attribute.defaultValue)"
        }
    }

    private mutating func changeIndexes() {
        guard let (entity, attribute) = attributes().randomElement(using: &random) else { return }
        log.append("index \(entity).\(attribute.name)")
        entities[place(entity)].indexes = [FetchIndexDescription(newName("by"), on: [.init(.property(attribute.name))])]
        changeModifier(of: entity)
    }

    // MARK: Entities

    private mutating func changeModifier() {
        if let entity = entities.randomElement(using: &random)?.name { changeModifier(of: entity) }
    }

    private mutating func changeModifier(of entity: String) {
        log.append("modifier \(entity)")
        entities[place(entity)].versionHashModifier = newName("")
    }

    private mutating func renameEntity() {
        guard let old = entities.map(\.name).filter({ !touched.contains($0) }).randomElement(using: &random) else {
            return
        }
        let new = newName("Renamed")
        log.append("rename \(old) \(new)")
        touched.insert(new)
        for index in entities.indices {
            if entities[index].superentityName == old { entities[index].superentityName = new }
            entities[index].properties = entities[index].properties.map { property in
                guard case .relationship(var relationship) = property, relationship.destinationEntityName == old else {
                    return property
                }
                relationship.destinationEntityName = new
                return .relationship(relationship)
            }
        }
        entities[place(old)].renamingIdentifier = old
        entities[place(old)].name = new
        renameObjects(old, new)
        losses.rename(old, new)
    }

    private mutating func renameObjects(_ old: String, _ new: String) {
        var objects: [String: [String: String]] = [:]
        for (name, values) in expected.objects {
            let renamed = name.hasPrefix("\(old)/") ? name.replacing("\(old)/", with: "\(new)/") : name
            objects[renamed] = values.mapValues { $0.replacing("\(old)/", with: "\(new)/") }
        }
        expected.objects = objects
        sortUnordered()
    }

    /// Links without an order stand by name.
    private mutating func sortUnordered() {
        for entity in entities {
            for relationship in entity.relationships where relationship.isToMany && !relationship.isOrdered {
                for object in objects(entity.name) {
                    let names = expected[object][relationship.name]?.split(separator: " ").sorted() ?? []
                    expected.objects[object]?[relationship.name] = names.joined(separator: " ")
                }
            }
        }
    }

    private mutating func removeEntity() {
        guard entities.count > 2,
            let name = entities.map(\.name).filter({ children($0).isEmpty }).randomElement(using: &random)
        else { return }
        log.append("remove \(name)")
        for entity in entities {
            for relationship in entity.relationships
            where relationship.destinationEntityName == name || entity.name == name {
                let partner = partner(of: relationship)
                replace(relationship.name, of: entity.name, with: nil)
                if let partner { replace(partner.name, of: relationship.destinationEntityName, with: nil) }
            }
        }
        losses.noteEntity(name, objects: expected.objects.keys.filter { $0.hasPrefix("\(name)/") })
        expected.objects = expected.objects.filter { !$0.key.hasPrefix("\(name)/") }.mapValues { values in
            values.mapValues { value in
                value.contains("\(name)/")
                    ? value.split(separator: " ").filter { !$0.hasPrefix("\(name)/") }.joined(separator: " ") : value
            }
        }
        entities.remove(at: place(name))
    }

    private mutating func addSuperentity() {
        let roots = entities.filter { $0.superentityName == nil }.map(\.name)
        guard let root = roots.randomElement(using: &random) else { return }
        let name = newName("Super")
        log.append("superentity \(name) of \(root)")
        entities.append(EntityDescription(name, isAbstract: true, properties: []))
        entities[place(root)].superentityName = name
        touched.insert(name)
    }

    // MARK: Relationships

    private mutating func removeRelationship() {
        guard let (entity, relationship) = relationships().randomElement(using: &random) else { return }
        guard var partner = partner(of: relationship) else {
            return replace(relationship.name, of: entity, with: nil)
        }
        if touched.contains(partner.name) { return }
        log.append("remove \(entity).\(relationship.name)")
        // The other side may stay where its links have room without it.
        let hasRoom = !partner.isToMany || !relationship.isToMany
        let stays = partner.name != relationship.name && hasRoom && Bool.random(using: &random)
        let before = losses
        replace(relationship.name, of: entity, with: nil)
        if stays { losses = before }
        partner.inverseName = nil
        if partner.name != relationship.name {
            replace(
                partner.name, of: relationship.destinationEntityName, with: stays ? .relationship(partner) : nil)
        }
    }

    private mutating func renameRelationship() {
        guard case (let entity, var relationship)? = relationships().randomElement(using: &random) else { return }
        let old = relationship.name
        let partner = partner(of: relationship)
        relationship.name = newName("Renamed")
        relationship.renamingIdentifier = old
        log.append("rename \(entity).\(old)")
        replace(old, of: entity, with: .relationship(relationship))
        if var partner {
            partner.inverseName = relationship.name
            replace(partner.name, of: relationship.destinationEntityName, with: .relationship(partner))
        }
    }

    private mutating func widenRelationship() {
        let candidates = relationships().filter { !$0.relationship.isToMany && $0.relationship.inverseName != nil }
        guard case (let entity, var relationship)? = candidates.randomElement(using: &random) else { return }
        log.append("widen \(entity).\(relationship.name)")
        relationship.maxCount = 0
        replace(relationship.name, of: entity, with: .relationship(relationship))
    }

    private mutating func changeOrder() {
        let candidates = relationships().filter(\.relationship.isToMany)
        guard case (let entity, var relationship)? = candidates.randomElement(using: &random) else { return }
        relationship.isOrdered.toggle()
        log.append("order \(entity).\(relationship.name) \(relationship.isOrdered)")
        replace(relationship.name, of: entity, with: .relationship(relationship))
        for object in objects(entity) {
            let names = expected[object][relationship.name]?.split(separator: " ") ?? []
            func key(_ name: Substring) -> Int { Int(name.split(separator: "/").last ?? "") ?? 0 }
            let sorted = relationship.isOrdered ? names.sorted { key($0) < key($1) } : names.sorted()
            expected.objects[object]?[relationship.name] = sorted.joined(separator: " ")
        }
    }
}
