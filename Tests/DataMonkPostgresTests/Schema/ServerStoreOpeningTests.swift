#if Postgres
    import DataMonkCore
    import DataMonkSQL
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Stores that are created in a database, or found there.
    @Suite struct ServerStoreOpeningTests {
        private let server: PostgresServer
        private let connection: PostgresConnection
        private let namespace: ServerNamespace
        private let model: ManagedObjectModel

        init() throws {
            server = try PostgresServer.shared.get()
            connection = try server.connect()
            // A schema for each test, with a name that needs quotes.
            namespace = ServerNamespace(name: "Store \"\(UUID().uuidString.prefix(13))\"")
            model = try Self.model()
        }

        private static func model(
            guestRule: DeleteRule = .nullify, changing extra: [PropertyDescription] = []
        ) throws -> ManagedObjectModel {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "Person",
                    properties: [
                        .attribute(AttributeDescription("user", .string)),
                        .attribute(AttributeDescription("ctid", .uuid)),
                        .attribute(AttributeDescription("born", .date)),
                        .attribute(AttributeDescription("wealth", .decimal)),
                        .relationship(
                            RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true)),
                        .relationship(RelationshipDescription("host", to: "Temple", inverse: "guests")),
                    ] + extra, uniquenessConstraints: [["user"]],
                    indexes: [FetchIndexDescription("byAge", on: ["born"])]),
                EntityDescription(
                    "Monk", superentityName: "Person",
                    properties: [
                        .attribute(AttributeDescription("Select", .integer64)),
                        .attribute(AttributeDescription("portrait", .binary, allowsExternalBinaryDataStorage: true)),
                    ], uniquenessConstraints: [["Select"]]),
                EntityDescription(
                    "Temple",
                    properties: [
                        .relationship(
                            RelationshipDescription(
                                "guests", to: "Person", inverse: "host", isToMany: true, isOrdered: true,
                                deleteRule: guestRule))
                    ]),
            ])
        }

        private func opening(_ model: ManagedObjectModel? = nil, _ connection: PostgresConnection? = nil)
            -> ServerStoreOpening
        {
            ServerStoreOpening(
                connection: connection ?? self.connection, model: model ?? self.model, namespace: namespace,
                deadline: farDeadline, report: { Issue.record($0) })
        }

        @Test(arguments: [true, false])
        func `the server ends the transaction of a process that stops while it opens the store`(alone: Bool) throws {
            let found = try opening().inTransaction(alone: alone) {
                try run("SELECT current_setting('idle_in_transaction_session_timeout')").column(of: String.self)
            }
            #expect(found == ["5s"])
        }

        private func run(_ sql: String) throws -> PostgresResult {
            try connection.run(PostgresStatement(sql), until: farDeadline)
        }

        private func count(_ sql: String) throws -> Int64 {
            try run("SELECT count(*) FROM \(sql)").required(row: 0, column: 0)
        }

        /// The tables, indexes and sequences of the namespace.
        private func relations() throws -> [String] {
            let statement = try PostgresStatement(
                """
                SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1
                ORDER BY relname
                """, values: namespace.name)
            return try connection.run(statement, until: farDeadline).column(of: String.self)
        }

        private func failure(_ opening: ServerStoreOpening) -> StoreError? {
            #expect(throws: StoreError.self) { try opening.open() }
        }

        // MARK: Creating and finding

        @Test func `a store is created once, and found again`() throws {
            let created = try opening().open()
            let relations = try relations()
            #expect(Set(created.schema.relationNames).isSubset(of: relations))
            let found = try opening(nil, server.connect()).open()
            #expect(found.identifier == created.identifier && found.metadata == created.metadata)
            #expect(found.schema.names == created.schema.names && found.schema.numbers == created.schema.numbers)
            #expect(try self.relations() == relations)
            #expect(!connection.isInTransaction)
        }

        @Test func `the store carries its model`() throws {
            _ = try opening().open()
            let data: Data = try run("SELECT model FROM \(namespace.qualified("_store"))").required(row: 0, column: 0)
            let stored = try ManagedObjectModel(ModelCache.read(data).contents)
            #expect(stored.entityVersionHashesByName == model.entityVersionHashesByName)
        }

        @Test func `objects and links can be written, and what the schema forbids cannot`() throws {
            let schema = try opening().open().schema
            let (person, monk) = (schema.numbers["Person"] ?? 0, schema.numbers["Monk"] ?? 0)
            let table = namespace.qualified("person")
            func insert(_ values: String) throws {
                _ = try run(
                    "INSERT INTO \(table) (_id, _entity, _version, \"user\", \"select\", host) VALUES (\(values))")
            }
            try insert("1, \(monk), 1, 'a', 7, NULL")
            // Unique among monks alone.
            try insert("2, \(person), 1, 'b', 7, NULL")
            #expect(throws: PostgresFailure.self) { try insert("3, \(monk), 1, 'c', 7, NULL") }
            #expect(throws: PostgresFailure.self) { try insert("4, \(person), 1, 'a', NULL, NULL") }
            // There is no such temple, which is found at the end of the transaction.
            let error = #expect(throws: PostgresFailure.self) { try insert("5, \(person), 1, 'd', NULL, 9") }
            #expect(error?.constraintViolation == .foreignKey && error?.constraintName == "person_host_fkey")
            #expect(try count(table) == 2)
            // In the order of bytes.
            #expect(try count("\(table) WHERE \"user\" > 'Z'") == 2)
            _ = try run("INSERT INTO \(namespace.qualified("person_friends")) VALUES (1, 2), (2, 1)")
        }

        @Test func `ids come in blocks that do not overlap`() throws {
            let schema = try opening().open().schema
            let sequence = namespace.qualified(schema.tables[0].sequenceName).replacing("'", with: "''")
            let next = "SELECT nextval('\(sequence)')"
            #expect(try run(next).required(Int64.self, row: 0, column: 0) == 1)
            #expect(try run(next).required(Int64.self, row: 0, column: 0) == 1 + ServerTable.keyBlockSize)
        }

        @Test func `several processes that find nothing make one store`() throws {
            let group = DispatchGroup()
            let identifiers = Locked<[UUID]>([])
            for _ in 0..<4 {
                // nonisolated(unsafe): this thread leaves the connection to the other one.
                nonisolated(unsafe) let other = try server.connect()
                nonisolated(unsafe) let opening = opening(nil, other)
                group.enter()
                Thread.detachNewThread {
                    #expect(throws: Never.self) {
                        let opened = try opening.open()
                        identifiers.withLock { $0.append(opened.identifier) }
                    }
                    group.leave()
                }
            }
            group.wait()
            let all = identifiers.withLock { $0 }
            #expect(all.count == 4 && Set(all).count == 1)
        }

        // MARK: Refusals

        @Test func `tables that are in the way are named, and nothing is created`() throws {
            _ = try run("CREATE SCHEMA \(ServerName.quoted(namespace.name))")
            _ = try run("CREATE TABLE \(namespace.qualified("temple")) (id int4)")
            let error = failure(opening())
            #expect(error?.code == .fileExists && error?.message.contains("temple") == true)
            #expect(try relations() == ["temple"])
            #expect(!connection.isInTransaction)
        }

        @Test func `a derived attribute, which nobody would compute, is refused, and nothing is created`() throws {
            let derived = AttributeDescription("initial", .string, derivationExpression: "lowercase:(user)")
            let error = failure(opening(try Self.model(changing: [.attribute(derived)])))
            #expect(error?.code == .incompatibleSchema && error?.message.contains("Person.initial") == true)
            #expect(try relations().isEmpty)
        }

        @Test(arguments: [
            "", "pg_store", "pg_", "a\u{0}b", "information_schema", String(repeating: "x", count: 64),
            String(repeating: "ä", count: 32),
        ])
        func `a schema of a name that none can have is refused`(name: String) throws {
            let opening = ServerStoreOpening(
                connection: connection, model: model, namespace: ServerNamespace(name: name), deadline: farDeadline,
                report: { Issue.record($0) })
            let error = failure(opening)
            #expect(error?.code == .openFailed && error?.message.contains("its name") == true)
            let statement = try PostgresStatement(
                "SELECT nspname FROM pg_namespace WHERE nspname = $1", values: String(name.prefix { $0 != "\0" }))
            let found = try connection.run(statement, until: farDeadline)
            #expect(found.rowCount == (name == "information_schema" ? 1 : 0))
        }

        @Test func `the longest name that a schema can have is used as it is`() throws {
            let name = UUID().uuidString + String(repeating: "x", count: 27)
            _ = try ServerStoreOpening(
                connection: connection, model: model, namespace: ServerNamespace(name: name), deadline: farDeadline,
                report: { Issue.record($0) }
            ).open()
            let statement = try PostgresStatement("SELECT 1 FROM pg_namespace WHERE nspname = $1", values: name)
            #expect(try connection.run(statement, until: farDeadline).rowCount == 1)
        }

        @Test func `a user who lacks a right to the schema is told which`() throws {
            let role = "guest_\(UUID().uuidString.prefix(8).lowercased())"
            _ = try run("CREATE ROLE \(role) LOGIN")
            _ = try run("CREATE SCHEMA \(ServerName.quoted(namespace.name))")
            for right in ["USAGE", "CREATE"] {
                _ = try run("GRANT \(right) ON SCHEMA \(ServerName.quoted(namespace.name)) TO \(role)")
                let error = failure(opening(nil, try server.connect(user: role)))
                #expect(error?.code == .noWritePermission && error?.message.contains("USAGE and CREATE") == true)
                _ = try run("REVOKE \(right) ON SCHEMA \(ServerName.quoted(namespace.name)) FROM \(role)")
            }
            #expect(try relations().isEmpty)
        }

        @Test func `a to-one may have the name of a primary key's constraint`() throws {
            let model = try ManagedObjectModel(entities: [
                EntityDescription(
                    "Monk",
                    properties: [
                        .relationship(RelationshipDescription("monkKey", to: "Monk", inverse: "monkPkey")),
                        .relationship(RelationshipDescription("monkPkey", to: "Monk", inverse: "monkKey")),
                    ])
            ])
            _ = try opening(model).open()
            #expect(throws: Never.self) { try opening(model).open() }
        }

        @Test func `a failure in the middle creates nothing`() throws {
            _ = try run("CREATE SCHEMA \(ServerName.quoted(namespace.name))")
            // A type has the name of a table's type.
            _ = try run("CREATE TYPE \(namespace.qualified("temple")) AS ENUM ('a')")
            #expect(failure(opening())?.code == .openFailed)
            #expect(try relations().isEmpty)
            _ = try run("DROP TYPE \(namespace.qualified("temple"))")
            #expect(throws: Never.self) { try opening().open() }
        }

        @Test func `a table of the store's name that is no store's is refused`() throws {
            _ = try run("CREATE SCHEMA \(ServerName.quoted(namespace.name))")
            _ = try run("CREATE TABLE \(namespace.qualified("_store")) (format text)")
            #expect(failure(opening())?.code == .notADatabase)
        }

        @Test func `a later format is refused`() throws {
            _ = try opening().open()
            _ = try run("UPDATE \(namespace.qualified("_store")) SET format = 3")
            #expect(failure(opening())?.code == .incompatibleSchema)
        }

        @Test func `another version of the model is refused, with what differs`() throws {
            _ = try opening().open()
            let other = try Self.model(changing: [.attribute(AttributeDescription("height", .double))])
            let error = failure(opening(other))
            #expect(error?.code == .incompatibleVersionHash && error?.message.contains("Person") == true)
        }

        @Test func `delete rules that permit what the server refuses are refused`() throws {
            _ = try opening().open()
            let error = failure(opening(try Self.model(guestRule: .noAction)))
            #expect(error?.code == .incompatibleSchema && error?.message.contains("person.host") == true)
            _ = try run("ALTER TABLE \(namespace.qualified("person")) DROP CONSTRAINT person_host_fkey")
            #expect(throws: Never.self) { try opening(Self.model(guestRule: .noAction)).open() }
            let missing = failure(opening())
            #expect(missing?.code == .incompatibleSchema && missing?.message.contains("person.host") == true)
            // The remedy is the last sentence.
            let remedy = try #require(missing?.message.split(separator: "check: ").last)
            _ = try run(String(remedy))
            #expect(throws: Never.self) { try opening().open() }
        }

        @Test(arguments: [
            ("person DROP COLUMN born", "person.born"), ("person ALTER born TYPE text", "person.born"),
            ("temple RENAME TO shrine", "temple._id"), ("person_friends DROP COLUMN friends_id", "friends_id"),
            ("person ALTER _version DROP NOT NULL", "person._version"),
            ("person ALTER born SET NOT NULL", "person.born"),
            ("person ALTER \"user\" TYPE text COLLATE \"POSIX\"", "person.user"),
        ])
        func `a table that somebody changed is named`(change: String, name: String) throws {
            _ = try opening().open()
            _ = try run("ALTER TABLE \(ServerName.quoted(namespace.name)).\(change)")
            let error = failure(opening())
            #expect(error?.code == .corrupt && error?.message.contains(name) == true)
        }

        @Test(arguments: [
            ["DROP INDEX $.person_user_unique"],
            ["DROP INDEX $.person_user_unique", "CREATE INDEX person_user_unique ON $.person (\"user\")"],
            ["DROP INDEX $.person_user_unique", "CREATE UNIQUE INDEX ON $.person (\"user\", born)"],
            ["DROP INDEX $.person_user_unique", "CREATE UNIQUE INDEX ON $.person (\"user\") WHERE _version > 1"],
            ["UPDATE pg_index SET indisvalid = false WHERE indexrelid = '$.person_user_unique'::regclass"],
            [
                "DROP INDEX $.person_user_unique",
                "CREATE UNIQUE INDEX ON $.person (\"user\") NULLS NOT DISTINCT",
            ],
            ["DROP INDEX $.person_select_unique", "CREATE UNIQUE INDEX ON $.person (\"select\") WHERE _entity = 77"],
        ])
        func `unique values that the server does not enforce are named`(changes: [String]) throws {
            // Older servers do not have such indexes.
            if changes.last?.contains("NULLS") == true, connection.serverVersion < 150_000 { return }
            _ = try opening().open()
            for change in changes {
                _ = try run(change.replacingOccurrences(of: "$", with: ServerName.quoted(namespace.name)))
            }
            let error = failure(opening())
            #expect(error?.code == .incompatibleSchema && error?.message.contains("person") == true)
            // The remedy is the last sentence. An index of the name that is not valid is dropped first.
            if !changes[0].contains("select") {
                _ = try run("DROP INDEX IF EXISTS \(namespace.qualified("person_user_unique"))")
            }
            let remedy = try #require(error?.message.split(separator: "index: ").last)
            _ = try run(String(remedy))
            #expect(throws: Never.self) { try opening().open() }
        }

        @Test(arguments: [
            ["_log", "number"], ["_log", "process"], ["person_friends", "person_id"],
        ])
        func `keys that the server does not enforce are named`(place: [String]) throws {
            _ = try opening().open()
            let names = try run(
                """
                SELECT conname::text FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1] \
                WHERE conrelid = '\(namespace.qualified(place[0]))'::regclass AND contype IN ('p', 'u') \
                AND attname = '\(place[1])'
                """
            ).column(of: String.self)
            let name = ServerName.quoted(try #require(names.first))
            _ = try run("ALTER TABLE \(namespace.qualified(place[0])) DROP CONSTRAINT \(name)")
            let error = failure(opening())
            #expect(error?.code == .incompatibleSchema && error?.message.contains(place[1]) == true)
            let remedy = try #require(error?.message.split(separator: "index: ").last)
            _ = try run(String(remedy))
            #expect(throws: Never.self) { try opening().open() }
        }

        @Test func `a unique value that no index can have is refused`() throws {
            let picture = EntityDescription("Picture", uniquenessConstraints: [["pixels"]]) {
                AttributeDescription("pixels", .binary, allowsExternalBinaryDataStorage: true)
            }
            // A model in code is refused before.
            let model = try ArchivedModel(contents: ModelContents(entities: [picture])).model().model
            let error = failure(opening(model))
            #expect(error?.code == .incompatibleSchema && error?.message.contains("Picture.pixels") == true)
        }

        @Test func `what others add is left alone`() throws {
            _ = try opening().open()
            _ = try run("ALTER TABLE \(namespace.qualified("person")) ADD note text")
            _ = try run("CREATE TABLE \(namespace.qualified("notes")) (id int4)")
            #expect(throws: Never.self) { try opening().open() }
        }

        @Test func `metadata that cannot be read are damage`() throws {
            _ = try opening().open()
            _ = try run("UPDATE \(namespace.qualified("_store")) SET metadata = 'x'")
            #expect(failure(opening())?.code == .corrupt)
            _ = try run("ALTER TABLE \(namespace.qualified("_store")) ALTER identifier TYPE text")
            #expect(failure(opening())?.code == .corrupt)
        }

        @Test func `a user who may not create is told so, and may read what there is`() throws {
            let role = "reader_\(UUID().uuidString.prefix(8).lowercased())"
            _ = try run("CREATE ROLE \(role) LOGIN")
            let reader = try server.connect(user: role)
            #expect(failure(opening(nil, reader))?.code == .noWritePermission)
            let created = try opening().open()
            #expect(failure(opening(nil, reader))?.code == .noWritePermission)
            _ = try run("GRANT USAGE ON SCHEMA \(ServerName.quoted(namespace.name)) TO \(role)")
            _ = try run("GRANT SELECT ON ALL TABLES IN SCHEMA \(ServerName.quoted(namespace.name)) TO \(role)")
            #expect(try opening(nil, reader).open().identifier == created.identifier)
        }

        @Test func `a user who may create tables in a schema that is there needs no other right`() throws {
            let role = "maker_\(UUID().uuidString.prefix(8).lowercased())"
            _ = try run("CREATE ROLE \(role) LOGIN")
            _ = try run("CREATE SCHEMA \(ServerName.quoted(namespace.name))")
            _ = try run("GRANT USAGE, CREATE ON SCHEMA \(ServerName.quoted(namespace.name)) TO \(role)")
            let created = try opening(nil, server.connect(user: role)).open()
            #expect(try opening().open().identifier == created.identifier)
        }

        @Test func `a server that only reads is told so`() throws {
            _ = try run("SET default_transaction_read_only = on")
            #expect(failure(opening())?.code == .readOnly)
            _ = try run("SET default_transaction_read_only = off")
            let created = try opening().open()
            _ = try run("SET default_transaction_read_only = on")
            #expect(try opening().open().identifier == created.identifier)
        }

        @Test func `settings of the role do not change what is found`() throws {
            _ = try run("SET default_transaction_isolation = 'serializable'")
            _ = try run("SET search_path = nowhere")
            let created = try opening().open()
            #expect(try opening().open().identifier == created.identifier)
        }
    }
#endif
