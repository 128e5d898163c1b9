import DataMonk
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// What stores and models of Core Data's hold that no rule would let one expect. Each test is one such fact, by a model or a
/// store made for it; what the layout of tables allows is in `StoreLayoutTests`.
@Suite struct `What Core Data accepts` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    // MARK: Models

    private func people(
        _ friends: RelationshipDescription, indexes: [FetchIndexDescription] = []
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                "Person",
                properties: [
                    .attribute(AttributeDescription("name", .string)), .relationship(friends),
                    .relationship(RelationshipDescription("friend", to: "Person", inverse: "friends")),
                ], indexes: indexes)
        ])
    }

    private func save(_ model: ManagedObjectModel) throws { try stage.write(model) { try $0.insert("Person") } }

    @Test func `a required to-many without a minimum may be empty, one with a minimum may not`() throws {
        let required = RelationshipDescription("friends", to: "Person", isToMany: true, isOptional: false)
        try save(people(required))
        var counted = required
        counted.minCount = 1
        let error = try #require(throws: SaveError.self) { try `What Core Data accepts`().save(people(counted)) }
        #expect(error.code == .relationshipLacksMinimumCount)
    }

    @Test func `a to-many that becomes required may stay empty in a migration`() throws {
        try save(people(RelationshipDescription("friends", to: "Person", isToMany: true)))
        let required = RelationshipDescription("friends", to: "Person", isToMany: true, isOptional: false)
        #expect(try stage.migrate(to: people(required), discarding: [])["Person/1"]["friends"] == "")
    }

    @Test func `an index over a to-many is none in the file`() throws {
        let index = FetchIndexDescription("byFriends", on: ["friends"])
        let model = try people(RelationshipDescription("friends", to: "Person", isToMany: true), indexes: [index])
        try save(model)
        #expect(try stage.text("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%byFriends%'") == "0")
        #expect(try ManagedObjectModel.load(fromStoreAt: stage.url).entities[0].description.indexes == [index])
    }

    @Test func `an ordered to-one is hashed, and otherwise as any`() throws {
        func model(_ isOrdered: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Person") { RelationshipDescription("friend", to: "Person", isOrdered: isOrdered) }
            }
        }
        #expect(try model(true).versionChecksum != model(false).versionChecksum)
        try stage.write(try model(true)) { context in
            let person = try context.insert("Person")
            try context.insert("Person", ["friend": .object(person.anyObjectID)])
        }
        #expect(try stage.contents(model(true))["Person/2"] == ["friend": "Person/1"])
        #expect(try stage.text("SELECT count(*) FROM pragma_table_info('ZPERSON') WHERE name LIKE '%FOK%'") == "0")
    }

    @Test func `a maximum of -1 is hashed, and no bound`() throws {
        let endless = RelationshipDescription("friends", to: "Person", isToMany: true, maxCount: -1)
        let model = try people(endless)
        #expect(
            try model.versionChecksum
                != people(RelationshipDescription("friends", to: "Person", isToMany: true)).versionChecksum)
        try stage.write(model) { context in
            let people = try (0..<3).map { _ in try context.insert("Person") }
            try people[0].setObjects(people, forKey: "friends")
        }
        #expect(try stage.contents(model)["Person/1"]["friends"] == "Person/1 Person/2 Person/3")
        #expect(try ManagedObjectModel.load(fromStoreAt: stage.url).versionChecksum == model.versionChecksum)
    }

    @Test(arguments: [("NO", 0), ("YES", 0), ("0.0", 0), ("12.7", 12), (" -3 apples", -3), ("", 0)])
    func `a default of an Integer attribute is the number that its text begins with`(text: String, number: Int64) throws
    {
        let folder = try TemporaryFolder()
        let file = folder.file("Shop.xcdatamodel")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let contents = """
            <model><entity name="Conversation"><attribute name="mutedStatus" attributeType="Integer 32" \
            defaultValueString="\(text)"/></entity></model>
            """
        try Data(contents.utf8).write(to: file.appending(path: "contents"))
        let model = try ManagedObjectModel.load(contentsOf: file)
        #expect(model.entities[0].attribute(named: "mutedStatus")?.description.defaultValue == .int(number))
    }

    @Test func `conditions on values go into the store, and are asked by whoever opens it`() throws {
        let conditions = [
            "length >= 3 AND length <= 5", "SELF CONTAINS \"a\"", "SELF MATCHES \"[a-z]+\"",
            "SELF BETWEEN {\"b\", \"y\"}",
        ]
        let predicates = try conditions.map { ValidationPredicate(try Condition(format: $0), warning: $0) }
        let model = try ManagedObjectModel {
            EntityDescription("Person") { AttributeDescription("name", .string, validationPredicates: predicates) }
        }
        try stage.write(model) { try $0.insert("Person", ["name": "bar"]) }
        let stored = try ManagedObjectModel.load(fromStoreAt: stage.url)
        #expect(stored.entities[0].attribute(named: "name")?.description.validationPredicates == predicates)
        for (name, broken) in [("ba", [0]), ("bbbbbb", [0, 1]), ("b4r", [1, 2]), ("zap", [3])] {
            let error = try #require(throws: SaveError.self) {
                try stage.write(stored) { try $0.insert("Person", ["name": .string(name)]) }
            }
            #expect(error.validationProblems.map(\.message) == broken.map { conditions[$0] }, "\(name)")
        }
    }

    // MARK: Indexes

    @Test func `legacy compound indexes are named after their properties, from file and archive alike`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Shop.xcdatamodel")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let contents = """
            <model><entity name="Conversation"><attribute name="isArchived" attributeType="Boolean"/>\
            <attribute name="changed" attributeType="Date"/><compoundIndexes><compoundIndex>\
            <index value="isArchived"/><index value="changed"/></compoundIndex></compoundIndexes></entity></model>
            """
        try Data(contents.utf8).write(to: file.appending(path: "contents"))
        let model = try ManagedObjectModel.load(contentsOf: file)
        try stage.write(model) { _ in }
        let name = "Z_Conversation_isArchived_changed"
        let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name = '\(name)'"
        #expect(try stage.text(count) == "1")
        let other = try MigrationStage()
        try other.write(ManagedObjectModel.load(fromStoreAt: stage.url)) { _ in }
        #expect(try other.text(count) == "1")
    }

    @Test func `a mark on an attribute whose values are unique makes no second index`() throws {
        let name = AttributeDescription("name", .string, isIndexed: true)
        let age = AttributeDescription("age", .integer16, isIndexed: true)
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                "Cocktail", properties: [.attribute(name), .attribute(age)], uniquenessConstraints: [["name"]])
        ])
        try stage.write(model) { _ in }
        let names = "SELECT group_concat(name, ' ') FROM sqlite_schema WHERE name LIKE 'Z\\_Cocktail%' ESCAPE '\\'"
        #expect(try stage.text(names) == "Z_Cocktail_age Z_Cocktail_UNIQUE_name")
    }

    @Test func `a default that Xcode has left to a derived attribute says nothing`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Shop.xcdatamodel")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let contents = """
            <model><entity name="Person"><attribute name="count" optional="YES" attributeType="Integer 64" \
            defaultValueString="0" derived="YES" derivationExpression="friends.@count"/>\
            <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends"/>\
            </entity></model>
            """
        try Data(contents.utf8).write(to: file.appending(path: "contents"))
        #expect(try ManagedObjectModel.load(contentsOf: file).entities[0].attribute(named: "count")?.isDerived == true)
    }

    // MARK: Stores

    private func groups() throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Group") {
                RelationshipDescription("members", to: "User", inverse: "groups", isToMany: true, isOrdered: true)
            }
            EntityDescription("User") {
                RelationshipDescription("groups", to: "Group", inverse: "members", isToMany: true)
            }
        }
    }

    @Test func `a join table's column may have another number than the rule says`() throws {
        try stage.write(try groups()) { context in
            let users = [try context.insert("User"), try context.insert("User")]
            try context.insert("Group").setObjects([users[1], users[0]], forKey: "members")
        }
        let before = try stage.contents(groups())
        #expect(before["Group/1"] == ["members": "User/2 User/1"])
        _ = try StoreCopy.rows(
            stage.url,
            """
            ALTER TABLE Z_1MEMBERS RENAME COLUMN Z_2MEMBERS TO Z_2MEMBERS1;
            ALTER TABLE Z_1MEMBERS RENAME COLUMN Z_FOK_2MEMBERS TO Z_FOK_2MEMBERS1
            """)
        #expect(try stage.contents(groups()) == before)
        try stage.write(try groups()) { context in
            let group = try #require(try context.fetch(FetchRequest(entityName: "Group")).first)
            try group.setObjects([try context.insert("User")] + group.objects(forKey: "members"), forKey: "members")
        }
        let edited = try stage.contents(groups())
        #expect(edited["Group/1"] == ["members": "User/3 User/2 User/1"] && edited["User/3"] == ["groups": "Group/1"])
        let bundle = try Stack(model: groups())
        try bundle.addDatabaseStore(fileURL: stage.url, readOnly: true)
        #expect(try GraphDump(bundle) == edited)
        try bundle.close()
        // A migration reads from them too, and writes the columns of a new store.
        let wider = try ManagedObjectModel(
            entities: groups().entities.map(\.description) + [EntityDescription("Author", properties: [])])
        #expect(try stage.migrate(to: wider, discarding: [])["Group/1"] == ["members": "User/3 User/2 User/1"])
    }

    @Test func `a store that has a history keeps it, asked for or not`() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Person") { AttributeDescription("name", .string) }
        }
        let first = Stack(model: model)
        try first.addDatabaseStore(fileURL: stage.url, synchronous: .normal, tracksHistory: true)
        let context = ManagedObjectContext(coordinator: first.coordinator)
        try context.insert("Person")
        try context.save()
        let token = try first.currentHistoryToken()
        try first.close()
        try stage.write(model) { try $0.insert("Person", ["name": "written without asking"]) }
        let follower = Stack(model: model)
        try follower.addDatabaseStore(fileURL: stage.url, synchronous: .normal, tracksHistory: true)
        #expect(try follower.history(after: token).flatMap(\.changes).count == 1)
        try follower.close()
        // A damaged one is told, and does not keep the store from being opened.
        _ = try StoreCopy.rows(stage.url, "ALTER TABLE ACHANGE DROP COLUMN ZCHANGETYPE")
        let stack = Stack(model: model)
        let reported = Locked<[any Error]>([])
        stack.onError { error in reported.withLock { $0.append(error) } }
        try stack.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
        try stack.close()
        #expect(reported.withLock { $0.compactMap { ($0 as? StoreError)?.code } } == [.corrupt])
    }

    @Test(arguments: ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"])
    func `a part of a history is told, and not written on`(table: String) throws {
        let model = try ManagedObjectModel {
            EntityDescription("Person") { AttributeDescription("name", .string) }
        }
        let first = Stack(model: model)
        try first.addDatabaseStore(fileURL: stage.url, synchronous: .normal, tracksHistory: true)
        try first.close()
        _ = try StoreCopy.rows(stage.url, "DROP TABLE \(table)")
        let stack = Stack(model: model)
        let reported = Locked<[any Error]>([])
        stack.onError { error in reported.withLock { $0.append(error) } }
        try stack.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
        try stack.close()
        #expect(reported.withLock { $0.compactMap { ($0 as? StoreError)?.code } } == [.corrupt])
        let error = try #require(throws: StoreError.self) {
            try Stack(model: model).addDatabaseStore(fileURL: stage.url, tracksHistory: true)
        }
        #expect(error.code == .corrupt)
    }

    @Test func `tombstones of the first frameworks stand in the order of the model`() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Event") {
                AttributeDescription("uuid", .string, preservesValueInHistoryOnDeletion: true)
                AttributeDescription("shouldSync", .boolean, preservesValueInHistoryOnDeletion: true)
            }
        }
        try stage.write(model) { try $0.insert("Event", ["uuid": "a", "shouldSync": true]) }
        _ = try StoreCopy.rows(
            stage.url,
            """
            CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
            ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0, ZTOMBSTONE1 );
            CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT, \
            ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR );
            INSERT INTO ATRANSACTION VALUES(1, 16002, NULL, 1000, NULL, NULL, NULL, NULL);
            INSERT INTO ACHANGE VALUES(1, 16001, NULL, 2, 1, 9, 1, NULL, 'b', 0);
            INSERT INTO Z_PRIMARYKEY VALUES(16001, 'CHANGE', 0, 1), (16002, 'TRANSACTION', 0, 1)
            """)
        // Of the model in the store the order is that of its archive.
        let stack = Stack(model: try ManagedObjectModel.load(fromStoreAt: stage.url))
        try stack.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        context.delete(try #require(try context.fetch(FetchRequest(entityName: "Event")).first))
        try context.save()
        let tombstones = try stack.history().flatMap(\.changes).map(\.tombstone)
        #expect(tombstones == [["uuid": "b", "shouldSync": false], ["uuid": "a", "shouldSync": true]])
        context.endTurn()
        try stack.close()
        #expect(
            try StoreCopy.rows(stage.url, "SELECT ZTOMBSTONE0, ZTOMBSTONE1 FROM ACHANGE") == [["b", "0"], ["a", "1"]])
    }
}
