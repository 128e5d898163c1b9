import DataMonkCore

/// **Value.** The model of the stores' contract: every attribute type, and relationships of every shape.
///
/// Its entities have no classes: the contract accesses objects by name, as stores do.
enum ContractModel {
    static func make() throws -> ManagedObjectModel {
        try ManagedObjectModel {
            values
            people
            teams
            articles
            animals
            uniques
            oddities
        }
    }

    private static var values: [EntityDescription] {
        [
            EntityDescription("Values") {
                AttributeDescription("label", .string)
                AttributeDescription("aBool", .boolean)
                AttributeDescription("aData", .binary)
                AttributeDescription("aDate", .date)
                AttributeDescription("aDecimal", .decimal)
                AttributeDescription("aDouble", .double)
                AttributeDescription("aFloat", .float)
                AttributeDescription("aLong", .integer64)
                AttributeDescription("aShort", .integer16)
                AttributeDescription("aString", .string)
                AttributeDescription("aURL", .uri)
                AttributeDescription("aUUID", .uuid)
                AttributeDescription("anInt", .integer32)
                AttributeDescription("aMemory", .string, isTransient: true)
            }
        ]
    }

    /// One-to-many, one-to-one and many-to-many on one entity.
    private static var people: [EntityDescription] {
        [
            EntityDescription("Person") {
                AttributeDescription("age", .integer32, isOptional: false, defaultValue: 0)
                AttributeDescription("name", .string, isOptional: false, defaultValue: "")
                RelationshipDescription("children", to: "Person", inverse: "parent", isToMany: true)
                RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true)
                RelationshipDescription("idol", to: "Person")
                RelationshipDescription("parent", to: "Person")
                RelationshipDescription("spouse", to: "Person", inverse: "spouse")
            }
        ]
    }

    private static var teams: [EntityDescription] {
        [
            EntityDescription("Team") {
                AttributeDescription("name", .string)
                RelationshipDescription("players", to: "Player", inverse: "team", isToMany: true, isOrdered: true)
                RelationshipDescription("visitors", to: "Player", isToMany: true)
            },
            EntityDescription("Player") {
                AttributeDescription("name", .string)
                RelationshipDescription("team", to: "Team")
            },
        ]
    }

    private static var articles: [EntityDescription] {
        [
            EntityDescription("Article") {
                AttributeDescription("name", .string)
                RelationshipDescription("authors", to: "Author", inverse: "articles", isToMany: true, isOrdered: true)
                RelationshipDescription("tags", to: "Tag", inverse: "articles", isToMany: true)
            },
            EntityDescription("Author") {
                AttributeDescription("name", .string)
                RelationshipDescription("articles", to: "Article", isToMany: true)
            },
            EntityDescription("Tag") {
                AttributeDescription("name", .string)
                RelationshipDescription("articles", to: "Article", isToMany: true)
            },
        ]
    }

    private static var animals: [EntityDescription] {
        [
            EntityDescription("Animal", isAbstract: true) {
                AttributeDescription("name", .string)
                RelationshipDescription("enemy", to: "Animal", inverse: "enemies")
                RelationshipDescription("enemies", to: "Animal", isToMany: true)
            },
            EntityDescription("Dog", superentityName: "Animal") { AttributeDescription("barks", .integer32) },
            EntityDescription("Cat", superentityName: "Animal") { AttributeDescription("lives", .integer32) },
            EntityDescription("Kitten", superentityName: "Cat") { AttributeDescription("weeks", .integer32) },
        ]
    }

    /// The number of attributes of the wide entity: more than two words of a bit set can represent.
    static let width = 150

    /// Entities at the limits of a schema.
    private static var oddities: [EntityDescription] {
        [
            EntityDescription("Empty", properties: []),
            EntityDescription(
                "Wide",
                properties: (0..<width).map { number in
                    .attribute(AttributeDescription("a\(number)", number.isMultiple(of: 2) ? .string : .integer64))
                }),
            EntityDescription("Select", uniquenessConstraints: [["from"]]) {
                AttributeDescription("from", .string, isIndexed: true)
                AttributeDescription("order", .integer32)
                RelationshipDescription("group", to: "Select", inverse: "values", isToMany: true)
                RelationshipDescription("values", to: "Select", isToMany: true)
            },
            EntityDescription("Place") {
                AttributeDescription("name", .string)
                RelationshipDescription("visits", to: "Visit", inverse: "place", isToMany: true, isOrdered: true)
                RelationshipDescription("elements", to: "Visit", inverse: "element", isToMany: true, isOrdered: true)
            },
            EntityDescription("Visit") {
                AttributeDescription("name", .string)
                AttributeDescription("c0", .integer32)
                AttributeDescription("c1", .integer32)
                AttributeDescription("c2", .integer32)
                AttributeDescription("changes", .integer32)
                AttributeDescription("target", .integer32)
                RelationshipDescription("place", to: "Place")
                RelationshipDescription("element", to: "Place")
            },
        ]
    }

    private static var uniques: [EntityDescription] {
        [
            EntityDescription("Account", uniquenessConstraints: [["email"], ["first", "last"]]) {
                AttributeDescription("email", .string)
                AttributeDescription("first", .string)
                AttributeDescription("last", .string)
            },
            EntityDescription("Seat", uniquenessConstraints: [["letter", "block"], ["number", "row"]]) {
                AttributeDescription("name", .string)
                AttributeDescription("letter", .string)
                AttributeDescription("block", .string)
                AttributeDescription("number", .integer32)
                RelationshipDescription("row", to: "Row", inverse: "seats")
            },
            EntityDescription("Row") {
                AttributeDescription("name", .string)
                RelationshipDescription("seats", to: "Seat", isToMany: true)
            },
        ]
    }
}
