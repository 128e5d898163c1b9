package import DataMonkCore

/// **Value.** A model with an attribute of every kind and a relationship of every shape, for tests of queries.
///
/// It has Person and its sub-entity Monk, Department and Team. A person has one `friend` and many `friends`, one
/// `department` and many `teams`, and ordered `mentors`. A department has an ordered `queue` and a `parent`.
package enum QueryModel {
    package static func make() throws(ModelError) -> ManagedObjectModel {
        try ManagedObjectModel(entities: [person, monk, department, team])
    }

    private static var person: EntityDescription {
        EntityDescription("Person", indexes: [FetchIndexDescription("byName", on: [.init(.property("name"))])]) {
            AttributeDescription("name", .string)
            AttributeDescription("location", .string, hasTextIndex: true)
            AttributeDescription("age", .integer64)
            AttributeDescription("level", .integer16)
            AttributeDescription("points", .integer64)
            AttributeDescription("height", .double)
            AttributeDescription("score", .float)
            AttributeDescription("salary", .decimal)
            AttributeDescription("isActive", .boolean)
            AttributeDescription("born", .date)
            AttributeDescription("tag", .uuid)
            AttributeDescription("site", .uri)
            AttributeDescription("photo", .binary)
            AttributeDescription("portrait", .binary, allowsExternalBinaryDataStorage: true)
            AttributeDescription("secret", .transformable)
            AttributeDescription("facts", .string, isCodable: true)
            AttributeDescription("mood", .string, isTransient: true)
            RelationshipDescription("friend", to: "Person", inverse: "friends")
            RelationshipDescription("friends", to: "Person", isToMany: true)
            RelationshipDescription("department", to: "Department", inverse: "members")
            RelationshipDescription("teams", to: "Team", inverse: "members", isToMany: true)
            RelationshipDescription("mentors", to: "Person", inverse: "pupils", isToMany: true, isOrdered: true)
            RelationshipDescription("pupils", to: "Person", isToMany: true)
            RelationshipDescription("queuedAt", to: "Department", inverse: "queue")
        }
    }

    private static var monk: EntityDescription {
        EntityDescription("Monk", superentityName: "Person") {
            AttributeDescription("order", .string, hasTextIndex: true)
        }
    }

    private static var department: EntityDescription {
        EntityDescription("Department") {
            AttributeDescription("title", .string, hasTextIndex: true)
            AttributeDescription("budget", .double)
            RelationshipDescription("members", to: "Person", isToMany: true)
            RelationshipDescription("queue", to: "Person", isToMany: true, isOrdered: true)
            RelationshipDescription("parent", to: "Department", inverse: "children")
            RelationshipDescription("children", to: "Department", isToMany: true)
        }
    }

    private static var team: EntityDescription {
        EntityDescription("Team") {
            AttributeDescription("title", .string)
            AttributeDescription("size", .integer32)
            RelationshipDescription("members", to: "Person", isToMany: true)
        }
    }
}
