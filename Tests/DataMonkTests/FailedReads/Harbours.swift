#if Macros
    import DataMonk
    import Foundation

    /// Entities with a relationship of every shape, every delete rule, counts, a derived attribute and a value in a file of
    /// its own: for write paths whose reads fail.
    enum Harbours {
        /// The model, once: a model is never freed.
        static let model = Result {
            try ManagedObjectModel(classes: [Harbour.self, Ship.self, Flag.self, Sailor.self, Skill.self, Tax.self])
        }

        @Entity final class Harbour: ManagedObject {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Ship.harbour) var ships: [Ship]
            @Relationship(deleteRule: .deny, inverse: \Tax.harbour) var taxes: Set<Tax>
            @Attribute(.derived("ships.@count")) private(set) var shipCount: Int = 0
        }

        @Entity final class Ship: ManagedObject {
            var name: String = ""
            var load: Int = 0
            var harbour: Harbour?
            @Relationship(deleteRule: .cascade, inverse: \Flag.ship) var flag: Flag?
            @Relationship(minimumModelCount: 1, maximumModelCount: 3, inverse: \Sailor.ship) var crew: Set<Sailor>
        }

        @Entity final class Flag: ManagedObject {
            var name: String = ""
            var ship: Ship?
        }

        @Entity final class Sailor: ManagedObject {
            var name: String = ""
            var age: Int = 0
            var note: String?
            @Attribute(.externalStorage) var photo: Data?
            var ship: Ship?
            @Relationship(inverse: \Skill.sailors) var skills: Set<Skill>
            @Relationship(inverse: "friends") var friends: Set<Sailor>
        }

        @Entity final class Skill: ManagedObject {
            var name: String = ""
            var sailors: Set<Sailor>
        }

        @Entity final class Tax: ManagedObject {
            var name: String = ""
            var harbour: Harbour?
        }

        /// Two harbours, three ships with flags and crews, and what the crews can do.
        static func fill(_ context: ManagedObjectContext) throws {
            func make<Object: ManagedObject>(_ type: Object.Type, _ name: String) throws -> Object {
                let object = try context.insert(type)
                try object.setValue(.string(name), forKey: "name")
                return object
            }
            let (bergen, oslo) = (try make(Harbour.self, "Bergen"), try make(Harbour.self, "Oslo"))
            let (knots, maps) = (try make(Skill.self, "knots"), try make(Skill.self, "maps"))
            var sailors: [Sailor] = []
            for (index, name) in ["Anna", "Bent", "Cato"].enumerated() {
                let ship = try make(Ship.self, name)
                ship.load = index * 10
                ship.harbour = index < 2 ? bergen : oslo
                if index < 2 { ship.flag = try make(Flag.self, "flag of \(name)") }
                for number in 0...1 {
                    let sailor = try make(Sailor.self, "\(name) \(number)")
                    sailor.age = 20 + index
                    // A file of its own in a store in a file; notes of several pages there.
                    if number == 0, index != 1 { sailor.photo = Data(count: (110 << 10) + index) }
                    if number == 1 { sailor.note = String(repeating: "\(index)", count: 10_000) }
                    sailor.ship = ship
                    sailor.skills = number == 0 ? [knots] : [knots, maps]
                    sailors.append(sailor)
                }
            }
            sailors[0].friends = [sailors[1], sailors[2]]
            _ = try make(Tax.self, "anchor")
        }

        /// Everything that a context sees, as text.
        static func dump(_ context: ManagedObjectContext) throws -> [String] {
            var lines: [String] = []
            for entity in context.coordinator.model.entities {
                for object in try context.fetch(FetchRequest(entityName: entity.name)) {
                    lines.append(try line(object))
                }
            }
            return lines.sorted()
        }

        private static func line(_ object: ManagedObject) throws -> String {
            var parts: [String] = []
            for attribute in object.entity.attributes {
                let value = try object.value(forKey: attribute.name)
                parts.append("\(attribute.name)=\(value)")
            }
            for relationship in object.entity.relationships {
                let ids = try object.objectIDs(forRelationshipNamed: relationship.name)
                var names = try ids.map { id in
                    let name = try object.managedObjectContext?.existingObject(with: id).value(forKey: "name")
                    return "\(name ?? .null)"
                }
                if !relationship.isOrdered { names.sort() }
                parts.append("\(relationship.name)=\(names)")
            }
            return "\(object.entity.name): " + parts.sorted().joined(separator: ", ")
        }
    }
#endif
