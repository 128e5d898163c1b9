import DataMonkCore
import DataMonkSQL
import Testing

struct StoreSchemaTests {
    private func schema(
        configuration: String? = nil, configurations: [String: [String]] = [:],
        @ManagedObjectModel.EntitiesBuilder _ entities: () -> [EntityDescription]
    ) throws -> StoreSchema {
        try StoreSchema(
            model: ManagedObjectModel(configurations: configurations, entities: entities), configuration: configuration)
    }

    private func columns(_ schema: StoreSchema, _ table: String) throws -> [String] {
        try #require(schema.tables.first { $0.name == table }).columns.dropFirst(3).map(\.name)
    }

    @Test func `numbers follow names without case, each entity before its own sub-entities`() throws {
        let schema = try schema {
            EntityDescription("NWActivity") {}
            EntityDescription("NetworkAttachment") {}
            EntityDescription("animal") {}
            EntityDescription("Zebra", superentityName: "animal") {}
            EntityDescription("Cat", superentityName: "animal") {}
        }
        #expect(
            schema.primaryKeyRows.map { "\($0.number) \($0.name) \($0.superNumber)" } == [
                "1 animal 0", "2 Cat 1", "3 Zebra 1", "4 NetworkAttachment 0", "5 NWActivity 0",
            ])
        let animal = try #require(schema.model.entitiesByName["animal"])
        #expect(schema.schema(of: animal)?.familyNumbers == 1...3)
        #expect(schema.numbering.entity(numbered: 3)?.name == "Zebra")
        #expect(schema.numbering.entity(numbered: 6) == nil)
        #expect(schema.numbering.entity(numbered: 0) == nil)
        #expect(schema.numbering.entity(numbered: .min) == nil)
    }

    @Test func `names that are equal in lower case are numbered in the order of their bytes`() throws {
        // By chance they would be in this order once in trillions of times.
        let names = (0..<16).map { number in
            (0..<4).map { number >> (3 - $0) & 1 == 0 ? "\u{DF}" : "\u{1E9E}" }.joined()
        }
        let schema = try schema { for name in names.reversed() { EntityDescription(name) {} } }
        #expect(schema.primaryKeyRows.map(\.name) == names)
    }

    @Test func `a file's table is the model's only byte by byte`() throws {
        let schema = try schema { EntityDescription("Note") { AttributeDescription("text", .string) } }
        let statement = "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR )"
        #expect(schema.tables.map(\.createStatement) == [statement])
        #expect(schema.makesTable(named: "ZNOTE", createStatement: statement))
        #expect(!schema.makesTable(named: "ZLABEL", createStatement: statement))
        // The sign for kelvin is equal to the letter as a text, but SQLite's column has another name.
        for (old, new) in [
            ("ZTEXT", "ZWORD"), ("VARCHAR", "VARCHAR DEFAULT 5"), (" )", " ) STRICT"), ("K", "\u{212A}"),
        ] {
            #expect(!schema.makesTable(named: "ZNOTE", createStatement: statement.replacing(old, with: new)))
        }
    }

    @Test(arguments: [
        "DEFAULT 5", "default 5", "--\u{301} '\n DEFAULT 5 --\u{301}'\n", "/*\u{301} ' */ DEFAULT 5 /*\u{301} ' */",
    ])
    func `a file's table with a clause that runs code is refused`(clause: String) throws {
        let schema = try schema { EntityDescription("Note") { AttributeDescription("text", .string) } }
        let statement = "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR"
        #expect(schema.permitsTable(named: "znote", createStatement: "\(statement), ZDEFAULT VARCHAR)"))
        #expect(!schema.permitsTable(named: "znote", createStatement: "\(statement) \(clause))"))
    }

    @Test func `columns are ranked by type, then by entity and name`() throws {
        let schema = try schema {
            EntityDescription("Thing") {
                AttributeDescription("bytes", .binary)
                AttributeDescription("shape", .transformable)
                AttributeDescription("id", .uuid)
                AttributeDescription("link", .uri)
                AttributeDescription("name", .string)
                AttributeDescription("price", .decimal)
                AttributeDescription("when", .date)
                AttributeDescription("area", .double)
                AttributeDescription("zeal", .boolean)
                AttributeDescription("memo", .string, isTransient: true)
                RelationshipDescription("box", to: "Thing")
            }
            EntityDescription("Toy", superentityName: "Thing") { AttributeDescription("age", .integer16) }
        }
        #expect(
            try columns(schema, "ZTHING") == [
                "ZZEAL", "ZBOX", "Z1_BOX", "ZAGE", "ZAREA", "ZWHEN", "ZPRICE", "ZNAME", "ZLINK", "ZID", "ZSHAPE",
                "ZBYTES",
            ])
    }

    @Test func `of columns with one name the later ones are numbered`() throws {
        let schema = try schema {
            EntityDescription("Base") { AttributeDescription("pk", .string) }
            EntityDescription("A", superentityName: "Base") {
                AttributeDescription("account", .string)
                AttributeDescription("_pk", .integer64)
            }
            EntityDescription("B", superentityName: "Base") { AttributeDescription("account", .integer64) }
            EntityDescription("C", superentityName: "Base") { AttributeDescription("account", .string) }
        }
        #expect(try columns(schema, "ZBASE") == ["Z_PK1", "ZACCOUNT", "ZPK", "ZACCOUNT1", "ZACCOUNT2"])
        let c = try #require(schema.model.entitiesByName["C"])
        guard case .value(let column)? = schema.schema(of: c)?.storage(ofPropertyNamed: "account") else {
            Issue.record("account is a value")
            return
        }
        #expect(column.name == "ZACCOUNT2")
    }

    @Test func `a property that is declared again keeps its column`() throws {
        let schema = try schema {
            EntityDescription("Base") { AttributeDescription("name", .string) }
            EntityDescription("Leaf", superentityName: "Base") {
                AttributeDescription("name", .string, isOptional: false)
            }
        }
        #expect(try columns(schema, "ZBASE") == ["ZNAME"])
    }

    @Test func `a composite lies flat, in the order of its elements`() throws {
        let schema = try schema {
            EntityDescription("Person") {
                AttributeDescription(
                    "address", .composite,
                    elements: [AttributeDescription("zip", .string), AttributeDescription("city", .string)])
                AttributeDescription("name", .string)
            }
        }
        #expect(try columns(schema, "ZPERSON") == ["ZZIP", "ZCITY", "ZNAME"])
    }

    @Test func `a to-many without inverse is a column of its destination`() throws {
        let schema = try schema {
            EntityDescription("Box") { RelationshipDescription("things", to: "Thing", isToMany: true, isOrdered: true) }
            EntityDescription("Thing") { AttributeDescription("age", .integer16) }
        }
        #expect(try columns(schema, "ZTHING") == ["ZAGE", "Z1THINGS", "Z_FOK_1THINGS"])
        let index = schema.tables[1].indexes.map(\.createStatement)
        #expect(index == ["CREATE INDEX ZTHING_Z1THINGS_INDEX ON ZTHING (Z1THINGS)"])
        let box = try #require(schema.model.entitiesByName["Box"])
        guard case .toMany(let storage)? = schema.schema(of: box)?.storage(ofPropertyNamed: "things") else {
            Issue.record("things is a to-many")
            return
        }
        #expect(storage.tableName == "ZTHING")
        #expect(storage.column.name == "Z1THINGS")
        #expect(storage.orderColumn?.name == "Z_FOK_1THINGS")
        #expect(!storage.isStoredByInverse)
    }

    @Test func `a configuration has its own numbers and leaves out what leads away`() throws {
        let schema = try schema(configuration: "Local", configurations: ["Local": ["B", "C"]]) {
            EntityDescription("A") {}
            EntityDescription("B") {
                RelationshipDescription("a", to: "A")
                RelationshipDescription("c", to: "C")
            }
            EntityDescription("C") {}
        }
        #expect(schema.primaryKeyRows.map(\.name) == ["B", "C"])
        #expect(try columns(schema, "ZB") == ["ZC"])
        let a = try #require(schema.model.entitiesByName["A"])
        #expect(schema.schema(of: a) == nil)
    }

    @Test func `an unknown configuration is refused`() throws {
        let error = #expect(throws: ModelError.self) {
            try schema(configuration: "Remote", configurations: ["Local": ["A"]]) { EntityDescription("A") {} }
        }
        #expect(error?.code == .unknownConfiguration)
        #expect(error?.message.contains("Local") == true)
    }

    @Test func `the statements create tables, then indexes, then what every store has`() throws {
        let schema = try schema {
            EntityDescription("Person", uniquenessConstraints: [["name", "home"]]) {
                AttributeDescription("name", .string, isIndexed: true)
                RelationshipDescription("home", to: "Place", inverse: "people")
            }
            EntityDescription("Place") { RelationshipDescription("people", to: "Person", isToMany: true) }
        }
        #expect(
            schema.createStatements == [
                """
                CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZHOME INTEGER, ZNAME VARCHAR )
                """,
                "CREATE TABLE ZPLACE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
                "CREATE INDEX ZPERSON_ZHOME_INDEX ON ZPERSON (ZHOME)",
                "CREATE INDEX Z_Person_name ON ZPERSON (ZNAME COLLATE BINARY ASC)",
                """
                CREATE UNIQUE INDEX Z_Person_UNIQUE_name_home ON ZPERSON \
                (ZNAME COLLATE BINARY ASC, ZHOME COLLATE BINARY ASC)
                """,
                "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
                "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
                "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
            ])
    }

    @Test func `a name with strange characters is quoted, others stand bare`() {
        #expect(SQLIdentifier.quotedIfNeeded("ZNAME_1") == "ZNAME_1")
        #expect(SQLIdentifier.quotedIfNeeded("ZGRÖSSE") == "ZGRÖSSE")
        #expect(SQLIdentifier.quotedIfNeeded("Z_Person_by \"name\"") == "\"Z_Person_by \"\"name\"\"\"")
    }
}
