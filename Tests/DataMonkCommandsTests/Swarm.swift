import DataMonkCore

/// The class of an entity whose declaration has notes, conditions and a transformer. The extension is what `generate` writes.
final class Swarm: ManagedObject {
    override nonisolated class var entityDeclaration: EntityDeclaration? { declareEntity(of: Swarm.self) }
    override nonisolated class var keyNames: [AnyKeyPath: String] { collectKeyNames(of: Swarm.self) }
}

nonisolated extension Swarm {
    /// The attribute `name`.
    var name: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }

    /// The attribute `tags`.
    var tags: Transformable? {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }

    /// The relationship `queen`.
    var queen: Swarm? {
        get { property(at: 2) }
        set { setProperty(newValue, at: 2) }
    }

    /// Returns the declaration of the entity, for the class's `entityDeclaration`.
    static func declareEntity(of _: Swarm.Type) -> EntityDeclaration {
        EntityDeclaration(
            "Swarm", class: Swarm.self,
            userInfo: [
                "relatedByAttribute": "name",
                "sourceNote":
                    "The swarms of the old list, which the keeper of the bees wrote down by h"
                    + "and over the years.",
            ],
            properties: [
                .property(
                    "name", String.self, default: "",
                    options: [
                        .validation(
                            .comparison(.init(.keyPath("length"), .lessThanOrEqual, .value(20))),
                            warning: "A name is short."),
                        .validation(
                            .or([
                                .comparison(
                                    .init(.object, .beginsWith, .value(.string("S")), options: [.caseInsensitive])),
                                .not(.comparison(.init(.object, .isIn, .value([.string("a"), .string("b")])))),
                            ]),
                            warning: "A name begins with S."),
                    ],
                    userInfo: ["mappedKeyName": "title"]),
                .attribute(
                    AttributeDescription(
                        "tags",
                        .transformable,
                        valueTransformerName: "TagTransformer",
                        userInfo: ["dateFormat": "none"])),
                .property("queen", Swarm?.self, userInfo: ["relatedByAttribute": "name"]),
            ])
    }

    /// Returns the slot after the last property of the class.
    static func endOfProperties(of _: Swarm.Type) -> Int {
        3
    }

    /// Returns the names of the properties by key path from a subclass, for the class's `keyNames`.
    static func collectKeyNames<Heir: Swarm>(of _: Heir.Type) -> [AnyKeyPath: String] {
        [
            \Heir.name: "name",
            \Heir.tags: "tags",
            \Heir.queen: "queen",
        ]
    }
}
