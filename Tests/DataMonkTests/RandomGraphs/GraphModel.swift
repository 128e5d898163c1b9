import DataMonk

/// The model of the random graphs: a relationship of every shape, every delete rule, a sub-entity, values that must be
/// unique, and rules that a save checks.
///
/// Its entities have no classes. Objects are told apart by their `number`, which is given once.
enum GraphModel {
    /// The model, once: a model is never freed.
    static let model = Result { try make() }
    /// What its author wrote, in plain words.
    static let schema = Result { GraphSchema(try model.get()) }

    private static func make() throws -> ManagedObjectModel {
        try ManagedObjectModel {
            entity("Guild") {
                RelationshipDescription(
                    "halls", to: "Hall", inverse: "guild", isToMany: true, isOrdered: true, deleteRule: .cascade)
            }
            entity("Hall") {
                AttributeDescription("a", .integer32, isOptional: false, defaultValue: 0)
                RelationshipDescription("guild", to: "Guild")
                RelationshipDescription("members", to: "Member", inverse: "hall", isToMany: true)
                RelationshipDescription("chests", to: "Chest", inverse: "hall", isToMany: true, deleteRule: .deny)
            }
            entity("Member") { memberProperties }
            entity("Master", superentityName: "Member") {
                AttributeDescription("rank", .integer16, isOptional: false, defaultValue: 1)
                RelationshipDescription("apprentices", to: "Member", inverse: "master", isToMany: true)
            }
            entity("Badge") { RelationshipDescription("owner", to: "Member") }
            entity("Tool") { RelationshipDescription("users", to: "Member", isToMany: true) }
            entity("Chest") {
                AttributeDescription("a", .integer32)
                RelationshipDescription("hall", to: "Hall")
            }
            entity("Duty") {
                RelationshipDescription("doers", to: "Member", isToMany: true)
                RelationshipDescription("chief", to: "Member")
            }
            entity("Seal", uniquenessConstraints: [["code"]]) {
                AttributeDescription("code", .string)
                AttributeDescription(
                    "a", .integer32, isOptional: false, defaultValue: 0, maximum: .int(GraphRules.largest))
                RelationshipDescription("keeper", to: "Member", isOptional: false)
            }
        }
    }

    @EntityDescription.PropertiesBuilder private static var memberProperties: [PropertyDescription] {
        AttributeDescription("a", .integer32, isOptional: false, defaultValue: 0)
        AttributeDescription("b", .integer64)
        AttributeDescription("text", .string)
        RelationshipDescription("hall", to: "Hall")
        RelationshipDescription("badge", to: "Badge", inverse: "owner", deleteRule: .cascade)
        RelationshipDescription("friends", to: "Member", inverse: "friends", isToMany: true)
        RelationshipDescription("tools", to: "Tool", inverse: "users", isToMany: true)
        RelationshipDescription("duties", to: "Duty", inverse: "doers", isToMany: true, isOrdered: true)
        RelationshipDescription("mentor", to: "Member")
        RelationshipDescription("master", to: "Master")
        RelationshipDescription("charges", to: "Duty", inverse: "chief", isToMany: true, deleteRule: .noAction)
        RelationshipDescription("seals", to: "Seal", inverse: "keeper", isToMany: true)
    }

    private static func entity(
        _ name: String, superentityName: String? = nil, uniquenessConstraints: [[String]] = [],
        @EntityDescription.PropertiesBuilder _ properties: () -> [PropertyDescription]
    ) -> EntityDescription {
        let number: [PropertyDescription] =
            superentityName == nil
            ? [.attribute(AttributeDescription("number", .integer64, isOptional: false, defaultValue: 0))] : []
        return EntityDescription(
            name, superentityName: superentityName, properties: number + properties(),
            uniquenessConstraints: uniquenessConstraints)
    }
}
