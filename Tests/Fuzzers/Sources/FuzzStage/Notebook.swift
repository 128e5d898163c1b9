public import DataMonk
public import Foundation

/// **Value.** A model with every type of attribute and every kind of relationship, and its stores.
public enum Notebook {
    /// The model.
    public static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Note") {
                AttributeDescription("text", .string)
                AttributeDescription("count", .integer64)
                AttributeDescription("rank", .integer16, isOptional: false, defaultValue: .int(0))
                AttributeDescription("share", .double)
                AttributeDescription("price", .decimal)
                AttributeDescription("day", .date)
                AttributeDescription("isDone", .boolean)
                AttributeDescription("code", .uuid)
                AttributeDescription("link", .uri)
                AttributeDescription("image", .binary, allowsExternalBinaryDataStorage: true)
                AttributeDescription("tags", .transformable)
                AttributeDescription("total", .integer64, derivationExpression: "children.@count")
                RelationshipDescription("parent", to: "Note", inverse: "children")
                RelationshipDescription(
                    "children", to: "Note", inverse: "parent", isToMany: true, deleteRule: .cascade)
                RelationshipDescription("labels", to: "Label", inverse: "notes", isToMany: true, isOrdered: true)
            }
            EntityDescription("LongNote", superentityName: "Note") { AttributeDescription("more", .string) }
            EntityDescription("Label") {
                AttributeDescription("name", .string)
                RelationshipDescription("notes", to: "Note", inverse: "labels", isToMany: true)
            }
        }
    }

    /// Fills a stack with a few objects.
    public static func fill(_ stack: Stack) throws {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        var notes: [ManagedObject] = []
        for (place, text) in [nil, "", "Monk", "monk é", "a%_*?"].enumerated() {
            let note = try context.insert(try entity(place == 4 ? "LongNote" : "Note", of: stack))
            try note.setValue(text.map { .string($0) } ?? .null, forKey: "text")
            try note.setValue(.int(Int64(place) - 1), forKey: "count")
            try note.setValue(.double(Double(place) / 4), forKey: "share")
            try note.setValue(.decimal(Decimal(place) / 10), forKey: "price")
            try note.setValue(.date(Date(timeIntervalSinceReferenceDate: 1_000 * Double(place))), forKey: "day")
            try note.setValue(.bool(place == 1), forKey: "isDone")
            try note.setValue(.data(Data([1, 2, 3])), forKey: "image")
            try note.setValue(.data(try Transformable(["a", 1, ["b": 2.5]]).data), forKey: "tags")
            if let last = notes.last { try note.setValue(.object(last.anyObjectID), forKey: "parent") }
            notes.append(note)
        }
        let label = try context.insert(try entity("Label", of: stack))
        try label.setValue("red", forKey: "name")
        try label.setObjects(Array(notes.prefix(3)), forKey: "notes")
        try context.save()
    }

    /// Returns the entity of a name.
    public static func entity(_ name: String, of stack: Stack) throws -> Entity {
        guard let entity = stack.model.entitiesByName[name] else {
            throw FuzzFailure(message: "The model has no \(name).")
        }
        return entity
    }
}

/// **Value.** A reason to stop: the library did something wrong.
public struct FuzzFailure: Error {
    /// The reason.
    public let message: String

    /// Creates a reason.
    public init(message: String) { self.message = message }
}
