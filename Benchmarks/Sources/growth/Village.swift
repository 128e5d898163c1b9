import DataMonk
import Foundation

/// **Confined.** A stack over a file with people: each has a to-many without members, one with a member that a cascade takes
/// along, and a department in common.
final class Village {
    let stack: Stack
    private let folder: URL

    init() throws {
        let model = try ManagedObjectModel {
            EntityDescription(
                "Person",
                properties: [
                    .attribute(AttributeDescription("email", .string)),
                    .attribute(AttributeDescription("note", .string)),
                    .relationship(RelationshipDescription("department", to: "Department", inverse: "people")),
                    .relationship(RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true)),
                    .relationship(
                        RelationshipDescription(
                            "badges", to: "Badge", inverse: "owner", isToMany: true, deleteRule: .cascade)),
                    .relationship(RelationshipDescription("mentor", to: "Person")),
                ], uniquenessConstraints: [["email"]])
            EntityDescription("Department") {
                RelationshipDescription("people", to: "Person", isToMany: true, deleteRule: .cascade)
            }
            EntityDescription("Badge") { RelationshipDescription("owner", to: "Person") }
            EntityDescription("Link") {
                RelationshipDescription("next", to: "Link", inverse: "previous", deleteRule: .cascade)
                RelationshipDescription("previous", to: "Link")
            }
        }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("growth-\(UUID().uuidString)")
        stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: folder.appendingPathComponent("village.sqlite"), synchronous: .normal)
    }

    /// Closes the store and removes its file.
    func remove() throws {
        try stack.close()
        try FileManager.default.removeItem(at: folder)
    }

    func newContext(_ mergePolicy: MergePolicy = .error) -> ManagedObjectContext {
        ManagedObjectContext(coordinator: stack.coordinator, mergePolicy: mergePolicy)
    }

    func insert(_ entityName: String, into context: ManagedObjectContext) throws -> ManagedObject {
        guard let entity = stack.model.entitiesByName[entityName] else { fatalError("no entity \(entityName)") }
        return try context.insert(entity)
    }

    /// Stores `count` people with a badge each, in one department.
    ///
    /// - Parameter sections: The number of different notes.
    func fill(_ count: Int, sections: Int = 0) throws {
        let context = newContext()
        let department = try insert("Department", into: context)
        for number in 0..<count {
            let person = try newPerson(number, in: context)
            if sections > 0 { try person.setValue(.string("\(number % sections)"), forKey: "note") }
            try person.setValue(.object(department.anyObjectID), forKey: "department")
            let badge = try insert("Badge", into: context)
            try badge.setValue(.object(person.anyObjectID), forKey: "owner")
        }
        try context.save()
        context.reset()
    }

    /// Commits new sections and places in a list by note and email for ten of some people, in another context.
    func moveTen(of people: [AnyObjectID], inPass pass: Int) throws {
        let context = newContext()
        for number in 0..<10 {
            let place = (pass * 7_919 + number * people.count / 10) % people.count
            let person = try context.existingObject(with: people[place])
            let note = try person.value(forKey: "note")
            try person.setValue(.string(note == .string("3") ? "7" : "3"), forKey: "note")
            try person.setValue(.string("\(pass)-\(number)@example.com"), forKey: "email")
        }
        try context.save()
    }

    func newPerson(_ number: Int, in context: ManagedObjectContext) throws -> ManagedObject {
        let person = try insert("Person", into: context)
        try person.setValue(.string("\(number)@example.org"), forKey: "email")
        return person
    }

    /// Stores a chain of `count` links; each takes the next one along.
    func fillChain(_ count: Int) throws {
        let context = newContext()
        var previous: ManagedObject?
        for _ in 0..<count {
            let link = try insert("Link", into: context)
            if let previous { try previous.setValue(.object(link.anyObjectID), forKey: "next") }
            previous = link
        }
        try context.save()
        context.reset()
    }
}
