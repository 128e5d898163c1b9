#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Rows there and back through a server.
    @Suite struct ServerRowTests {
        private let connection: PostgresConnection
        private let schema: ServerSchema
        private let plan: ServerRowPlan

        init() throws {
            connection = try PostgresServer.shared.get().connect()
            let model = try ManagedObjectModel(entities: Self.entities)
            let namespace = ServerNamespace(name: "rows_\(UUID().uuidString)")
            schema = try ServerStoreOpening(
                connection: connection, model: model, namespace: namespace, deadline: farDeadline,
                report: { Issue.record($0) }
            ).open().schema
            let entity = try #require(model.entitiesByName["Thing"])
            plan = ServerRowPlan(entity, in: schema)
        }

        private static let types: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid,
            .uri,
            .transformable,
        ]

        private static let entities = [
            EntityDescription(
                "Thing",
                properties: types.enumerated().map { .attribute(AttributeDescription("value\($0)", $1)) } + [
                    .attribute(
                        AttributeDescription(
                            "place", .composite,
                            elements: [AttributeDescription("city", .string), AttributeDescription("height", .double)])),
                    .attribute(AttributeDescription("portrait", .binary, allowsExternalBinaryDataStorage: true)),
                    .relationship(RelationshipDescription("next", to: "Thing")),
                    .relationship(RelationshipDescription("part", to: "Part")),
                    .relationship(RelationshipDescription("all", to: "Part", isToMany: true)),
                    .attribute(AttributeDescription("passing", .string, isTransient: true)),
                ]),
            EntityDescription(
                "SpecialThing", superentityName: "Thing",
                properties: [.attribute(AttributeDescription("extra", .string))]),
            EntityDescription(
                "Part",
                properties: [
                    .attribute(AttributeDescription("name", .string)),
                    .attribute(AttributeDescription("code", .string)),
                    .attribute(AttributeDescription("note", .string)),
                ], uniquenessConstraints: [["code"]], indexes: [FetchIndexDescription("byName", on: ["name", "code"])]),
        ]

        // MARK: Random rows

        /// Returns a value that both sides can represent: dates in microseconds, text without NUL.
        private func randomValue(
            _ type: AttributeType, using generator: inout SeededGenerator
        ) throws -> ManagedValue {
            func text() -> String {
                let scalars = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
                    Unicode.Scalar(UInt32.random(in: 1...0x2fff, using: &generator))
                }
                return String(String.UnicodeScalarView(scalars))
            }
            return switch type {
            case .integer16: .int(Int64(Int16.random(in: .min ... .max, using: &generator)))
            case .integer32: .int(Int64(Int32.random(in: .min ... .max, using: &generator)))
            case .integer64: .int(.random(in: .min ... .max, using: &generator))
            case .double: .double(.random(in: -1e30...1e30, using: &generator))
            case .float: .double(Double(Float.random(in: -1e30...1e30, using: &generator)))
            case .decimal: .decimal(Decimal(Int64.random(in: -99_999_999...99_999_999, using: &generator)) / 100)
            case .boolean: .bool(.random(using: &generator))
            case .date:
                .date(
                    try Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &generator))
                        .roundedForPostgres())
            case .string: .string(text())
            case .uri:
                .url(try #require(URL(string: "https://example.com/\(Int.random(in: 0...99, using: &generator))")))
            case .uuid: .uuid(UUID())
            default: .data(Data((0..<Int.random(in: 0...40, using: &generator)).map { UInt8($0) }))
            }
        }

        private func randomRow(
            _ id: Int64, using generator: inout SeededGenerator, arena: inout RowArena
        ) throws -> (key: ObjectKey, row: Row) {
            let isSpecial = Bool.random(using: &generator)
            let entity = try #require(schema.model.entitiesByName[isSpecial ? "SpecialThing" : "Thing"])
            let layout = EntityLayout(entity)
            let draft = DraftRow(copying: layout.blankRow.pointer, of: layout, base: nil)
            var editor = RowEditor(draft)
            for attribute in entity.attributes where !attribute.isTransient {
                if Int.random(in: 0...3, using: &generator) == 0 { continue }
                guard attribute.type == .composite else {
                    attribute.write(try randomValue(attribute.type, using: &generator), to: &editor)
                    continue
                }
                let city = try randomValue(.string, using: &generator)
                attribute.write(.dictionary(["city": city, "height": .double(3.5)]), to: &editor)
            }
            for (name, destination) in [("next", isSpecial ? "SpecialThing" : "Thing"), ("part", "Part")] {
                let slot = try #require(entity.propertiesByName[name]).slot
                let index = try #require(schema.model.entitiesByName[destination]).index
                let key = ObjectKey(store: 5, entity: index, primaryKey: .random(in: 1...(1 << 45), using: &generator))
                if Bool.random(using: &generator) { editor.setInt64(Int64(bitPattern: key.rawValue), at: slot) }
            }
            let version = Int64.random(in: 1...100, using: &generator)
            return (
                ObjectKey(store: 5, entity: entity.index, primaryKey: id),
                layout.seal(draft, version: version, in: &arena)
            )
        }

        // MARK: Statements

        private var table: String {
            schema.namespace.qualified(schema.tables.first { $0.root.name == "Thing" }?.name ?? "")
        }

        private func insert(_ rows: [(key: ObjectKey, row: Row)]) throws {
            let names = plan.columns.map(\.identifier).joined(separator: ", ")
            let parameters = plan.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            _ = try connection.run(
                PostgresStatement(
                    "INSERT INTO \(table) (\(names)) SELECT * FROM unnest(\(parameters))",
                    try ServerRowEncoder(plan).parameters(rows)), until: farDeadline)
        }

        private func result() throws -> PostgresResult {
            try connection.run(
                PostgresStatement("SELECT \(plan.selectList(alias: "t0")) FROM \(table) t0 ORDER BY _id"),
                until: farDeadline)
        }

        private func read() throws -> [(key: ObjectKey, row: Row)] {
            let result = try result()
            let loader = ServerRowLoader(plan: plan, storeIndex: 5)
            var arena = RowArena()
            return try (0..<result.rowCount).map { row in
                let (key, fields) = try loader.key(of: result, row: row)
                return (key, try loader.pack(result, row: row, fields: fields, into: &arena))
            }
        }

        private func values(_ key: ObjectKey, _ row: Row) -> [ManagedValue] {
            let entity = schema.model.entities[key.entityIndex]
            return entity.properties.map { property in
                switch property {
                case .attribute(let attribute): attribute.value(in: row.pointer)
                case .relationship(let relationship):
                    .int(Int64(bitPattern: RowFormat.word(in: row.pointer, at: relationship.slot)))
                }
            } + [.int(row.version)]
        }

        @Test func `random rows come back as they were`() throws {
            var generator = SeededGenerator(seed: testSeed)
            var arena = RowArena()
            let rows = try (1...500).map { try randomRow($0, using: &generator, arena: &arena) }
            try insert(rows)
            let found = try read()
            #expect(found.map(\.key) == rows.map(\.key))
            for ((key, row), (_, original)) in zip(found, rows) {
                #expect(values(key, row) == values(key, original), "seed \(testSeed), id \(key.primaryKey)")
            }
        }

        @Test func `no rows are written and read`() throws {
            try insert([])
            #expect(try read().isEmpty)
        }

        @Test func `text with NUL is refused, and the column is named`() throws {
            let entity = try #require(schema.model.entitiesByName["SpecialThing"])
            let layout = EntityLayout(entity)
            let draft = DraftRow(copying: layout.blankRow.pointer, of: layout, base: nil)
            var editor = RowEditor(draft)
            let extra = try #require(entity.attribute(named: "extra"))
            extra.write(.string("a\u{0}b"), to: &editor)
            var arena = RowArena()
            let row = layout.seal(draft, version: 1, in: &arena)
            let error = #expect(throws: StoreError.self) {
                try ServerRowEncoder(plan).parameters([(ObjectKey(store: 5, entity: entity.index, primaryKey: 1), row)])
            }
            #expect(error?.code == .writeFailed && error?.message.contains("extra") == true)
        }

        @Test(arguments: [
            ("name", 2_600, 0, true), ("code", 2_601, 0, false), ("name", 1_000, 1_601, false),
            ("note", 100_000, 0, true),
        ])
        func `what does not fit into an index is refused by its name`(
            name: String, count: Int, codeCount: Int, fits: Bool
        ) throws {
            let entity = try #require(schema.model.entitiesByName["Part"])
            let layout = EntityLayout(entity)
            let draft = DraftRow(copying: layout.blankRow.pointer, of: layout, base: nil)
            var editor = RowEditor(draft)
            // Not compressible, which would leave room.
            var generator = SeededGenerator(seed: testSeed)
            func text(_ count: Int) -> ManagedValue {
                .string(
                    String(
                        (0..<count).map { _ in Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &generator)))
                        }))
            }
            entity.attribute(named: "code")?.write(text(codeCount), to: &editor)
            entity.attribute(named: name)?.write(text(count), to: &editor)
            var arena = RowArena()
            let row = layout.seal(draft, version: 1, in: &arena)
            let plan = ServerRowPlan(entity, in: schema)
            let rows = [(key: ObjectKey(store: 5, entity: entity.index, primaryKey: 1), row: row)]
            guard fits else {
                let error = #expect(throws: StoreError.self) { try ServerRowEncoder(plan).parameters(rows) }
                let longest = codeCount > count ? "code" : name
                #expect(error?.code == .writeFailed && error?.message.contains("Part.\(longest)") == true)
                return
            }
            let names = plan.columns.map(\.identifier).joined(separator: ", ")
            let parameters = plan.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            let statement = PostgresStatement(
                "INSERT INTO \(schema.namespace.qualified("part")) (\(names)) SELECT * FROM unnest(\(parameters))",
                try ServerRowEncoder(plan).parameters(rows))
            #expect(throws: Never.self) { try connection.run(statement, until: farDeadline) }
        }

        @Test func `all digits of an object's decimals are read`() throws {
            let number = try #require(schema.numbers["Thing"])
            let texts = ["9223372036854775807", "-9223372036854775808", "1.10", "0.12345678901234568", "1e100", "-0"]
            for text in texts {
                _ = try connection.run(PostgresStatement("DELETE FROM \(table)"), until: farDeadline)
                _ = try connection.run(
                    PostgresStatement(
                        "INSERT INTO \(table) (_id, _entity, _version, value3) VALUES (1, \(number), 1, \(text))"),
                    until: farDeadline)
                let (key, row) = try read()[0]
                let slot = try #require(schema.model.entities[key.entityIndex].attribute(named: "value3")).slot
                #expect(values(key, row)[slot] == .decimal(try #require(Decimal(string: text))))
            }
        }

        @Test(arguments: [
            ("\"_entity\" = 99", "entity number 99"), ("\"_id\" = 0", "the id 0"),
            ("next_entity = 77, next = 1", "number 77"),
            ("next_entity = NULL, next = 1", "NULL"), ("value3 = 'NaN'", "Thing.value3"),
            ("value3 = 'Infinity'", "Thing.value3"),
            ("value3 = 340282366920938463463374607431768211455", "Thing.value3"),
            ("value3 = 0.123456789012345678901234567890123456789", "Thing.value3"), ("value11 = ''", "Thing.value11"),
            ("value3 = 9223372036854775809", "Thing.value3"), ("value3 = 0.123456789012345678", "Thing.value3"),
            ("value8 = 'infinity'", "Thing.value8"), ("part = -1", "the id -1"),
        ])
        func `what others wrote and no object can have is an error`(change: String, words: String) throws {
            let number = try #require(schema.numbers["Thing"])
            _ = try connection.run(
                PostgresStatement("INSERT INTO \(table) (_id, _entity, _version) VALUES (1, \(number), 1)"),
                until: farDeadline)
            _ = try connection.run(PostgresStatement("UPDATE \(table) SET \(change)"), until: farDeadline)
            let error = #expect(throws: StoreError.self) { try read() }
            #expect(error?.code == .corrupt && error?.message.contains(words) == true, "\(String(describing: error))")
        }
    }
#endif
