#if Postgres
    import DataMonkCore
    import Testing

    @testable import DataMonkPostgres

    /// The tables of a model.
    @Suite struct ServerSchemaTests {
        private func schema(_ entities: [EntityDescription]) throws -> ServerSchema {
            try ServerSchema(
                model: ManagedObjectModel(entities: entities), namespace: ServerNamespace(name: "shop"))
        }

        private func attribute(_ name: String, _ type: AttributeType) -> PropertyDescription {
            .attribute(AttributeDescription(name, type))
        }

        private func relationship(
            _ name: String, to entity: String, inverse: String? = nil, isToMany: Bool = false, isOrdered: Bool = false,
            deleteRule: DeleteRule = .nullify
        ) -> PropertyDescription {
            .relationship(
                RelationshipDescription(
                    name, to: entity, inverse: inverse, isToMany: isToMany, isOrdered: isOrdered, deleteRule: deleteRule
                ))
        }

        private func place(_ entity: String, _ property: String, in schema: ServerSchema) throws -> ServerStorage {
            let entity = try #require(schema.model.entitiesByName[entity])
            let slot = try #require(entity.propertiesByName[property]).slot
            return try #require(schema.place(of: entity)).storage[slot]
        }

        @Test func `each type of attribute has its own type`() throws {
            let types: [(AttributeType, String)] = [
                (.integer16, "smallint"), (.integer32, "integer"), (.integer64, "bigint"), (.decimal, "numeric"),
                (.double, "double precision"), (.float, "real"), (.string, "text COLLATE \"C\""), (.boolean, "boolean"),
                (.date, "timestamp with time zone"), (.binary, "bytea"), (.uuid, "uuid"), (.uri, "text COLLATE \"C\""),
            ]
            let schema = try schema([
                EntityDescription("Monk", properties: types.enumerated().map { attribute("a\($0 + 10)", $1.0) })
            ])
            let columns = types.enumerated().map { "\"a\($0 + 10)\" \($1.1)" }.joined(separator: ", ")
            #expect(
                schema.tables[0].createStatements(in: schema.namespace)[0] == """
                    CREATE TABLE "shop"."monk" ("_id" bigint NOT NULL, "_entity" integer NOT NULL, \
                    "_version" bigint NOT NULL, \(columns), CONSTRAINT "monk_key" PRIMARY KEY ("_id"))
                    """)
        }

        @Test func `sub-entities share the table, elements of composites have columns, large values are columns`()
            throws
        {
            let address = AttributeDescription(
                "homeAddress", .composite,
                elements: [AttributeDescription("city", .string), AttributeDescription("zip", .integer32)])
            let portrait = AttributeDescription("portrait", .binary, allowsExternalBinaryDataStorage: true)
            let schema = try schema([
                EntityDescription("Person", properties: [.attribute(address), .attribute(portrait)]),
                EntityDescription("Monk", superentityName: "Person", properties: [attribute("rank", .integer16)]),
            ])
            #expect(schema.tables.count == 1)
            #expect(
                schema.tables[0].columns.map(\.name) == [
                    "_id", "_entity", "_version", "home_address_city", "home_address_zip", "portrait", "rank",
                ])
            guard case .composite(let elements) = try place("Monk", "homeAddress", in: schema),
                case .value(let column) = try place("Monk", "portrait", in: schema)
            else { return #expect(Bool(false)) }
            #expect(elements.map(\.type) == [.text, .int4] && column.type == .bytea)
            let monk = try #require(schema.model.entitiesByName["Monk"].flatMap(schema.place))
            #expect(monk.sharesTable && monk.familyNumbers == [monk.number])
        }

        @Test func `references are checked unless a rule is noAction or there is no inverse`() throws {
            let schema = try schema([
                EntityDescription(
                    "Temple",
                    properties: [
                        relationship("monks", to: "Monk", inverse: "temple", isToMany: true, isOrdered: true),
                        relationship("guests", to: "Monk", inverse: "host", isToMany: true, deleteRule: .noAction),
                    ]),
                EntityDescription(
                    "Monk",
                    properties: [
                        relationship("temple", to: "Temple", inverse: "monks"),
                        relationship("host", to: "Temple", inverse: "guests"), relationship("teacher", to: "Monk"),
                    ]),
            ])
            #expect(schema.foreignKeys.map { "\($0.tableName).\($0.column.name)" } == ["monk.temple"])
            #expect(
                schema.foreignKeys[0].createStatement(in: schema.namespace) == """
                    ALTER TABLE "shop"."monk" ADD FOREIGN KEY ("temple") \
                    REFERENCES "shop"."temple" ("_id") DEFERRABLE INITIALLY DEFERRED
                    """)
            guard case .toMany(let monks) = try place("Temple", "monks", in: schema) else {
                return #expect(Bool(false))
            }
            #expect(monks.tableName == "monk" && monks.owner.name == "temple" && monks.order?.name == "temple_order")
            #expect(
                schema.indexes.map(\.columns) == [["\"host\""], ["\"teacher\""], ["\"temple\"", "\"temple_order\""]])
        }

        @Test func `a to-many without an inverse has a column among its destinations`() throws {
            let schema = try schema([
                EntityDescription("Temple", properties: [relationship("bells", to: "Bell", isToMany: true)]),
                EntityDescription("Bell", properties: [attribute("tone", .string)]),
            ])
            guard case .toMany(let bells) = try place("Temple", "bells", in: schema) else {
                return #expect(Bool(false))
            }
            #expect(bells.tableName == "bell" && bells.owner.name == "temple_bells" && !bells.isStoredByInverse)
            #expect(schema.foreignKeys.isEmpty)
        }

        @Test func `a destination with sub-entities has its entity's number beside its key`() throws {
            let schema = try schema([
                EntityDescription("Person", properties: []),
                EntityDescription("Monk", superentityName: "Person", properties: []),
                EntityDescription("Bell", properties: [relationship("ringer", to: "Person")]),
            ])
            guard case .toOne(let key, let entity?) = try place("Bell", "ringer", in: schema) else {
                return #expect(Bool(false))
            }
            #expect(key.name == "ringer" && entity.name == "ringer_entity" && entity.type == .int4)
        }

        @Test func `many-to-many relationships have a table, which both sides see from their own end`() throws {
            let schema = try schema([
                EntityDescription(
                    "Article", properties: [relationship("tags", to: "Tag", inverse: "articles", isToMany: true)]),
                EntityDescription(
                    "Tag",
                    properties: [
                        relationship("articles", to: "Article", inverse: "tags", isToMany: true, isOrdered: true)
                    ]
                ),
                EntityDescription(
                    "Person", properties: [relationship("friends", to: "Person", inverse: "friends", isToMany: true)]),
            ])
            #expect(
                schema.linkTables.map { $0.createStatement(in: schema.namespace) } == [
                    """
                    CREATE TABLE "shop"."article_tags" ("article_id" bigint NOT NULL, "tag_id" bigint NOT NULL, \
                    "owner_order" bigint, CONSTRAINT "article_tags_key" PRIMARY KEY ("article_id", "tag_id"))
                    """,
                    """
                    CREATE TABLE "shop"."person_friends" ("person_id" bigint NOT NULL, "friends_id" bigint NOT NULL, \
                    CONSTRAINT "person_friends_key" PRIMARY KEY ("person_id", "friends_id"))
                    """,
                ])
            guard case .links(let articles) = try place("Tag", "articles", in: schema) else {
                return #expect(Bool(false))
            }
            #expect(
                articles.owner.name == "tag_id" && articles.element.name == "article_id"
                    && articles.order?.name == "owner_order")
            #expect(schema.foreignKeys.count == 4)
        }

        @Test func `unique values are unique among the objects that have all of them`() throws {
            let schema = try schema([
                EntityDescription(
                    "Person", properties: [attribute("email", .string)], uniquenessConstraints: [["email"]]),
                EntityDescription(
                    "Monk", superentityName: "Person", properties: [attribute("cell", .integer16)],
                    uniquenessConstraints: [["cell", "email"]]),
                EntityDescription(
                    "Abbot", superentityName: "Monk", properties: [], uniquenessConstraints: [["cell", "email"]]),
            ])
            let unique = schema.indexes.filter(\.isUnique)
            let numbers = ["Monk", "Abbot"].compactMap { schema.numbers[$0] }.sorted().map { "\($0)" }
            #expect(
                unique.map { $0.createStatement(in: schema.namespace) } == [
                    "CREATE UNIQUE INDEX \"person_email_unique\" ON \"shop\".\"person\" (\"email\")",
                    """
                    CREATE UNIQUE INDEX "person_cell_email_unique" ON "shop"."person" ("cell", "email") \
                    WHERE "_entity" IN (\(numbers.joined(separator: ", ")))
                    """,
                ])
        }

        @Test func `names and numbers that a store has are kept by a later version of the model`() throws {
            let first = try schema([
                EntityDescription("Monk", properties: [attribute("firstName", .string)]),
                EntityDescription("Temple", properties: []),
            ])
            let model = try ManagedObjectModel(entities: [
                EntityDescription("Abbey", properties: []),
                EntityDescription(
                    "Monk", properties: [attribute("first_name", .string), attribute("firstName", .string)]),
                EntityDescription("Temple", properties: []),
            ])
            // The properties differ in more than case, and have one name in snake case.
            let later = try ServerSchema(
                model: model, namespace: first.namespace, numbers: first.numbers, names: first.names)
            #expect(later.numbers["Monk"] == first.numbers["Monk"] && later.numbers["Abbey"] == 3)
            guard case .value(let old) = try place("Monk", "firstName", in: later),
                case .value(let new) = try place("Monk", "first_name", in: later)
            else { return #expect(Bool(false)) }
            #expect(old.name == "first_name" && new.name == "first_name_2")
        }
    }
#endif
