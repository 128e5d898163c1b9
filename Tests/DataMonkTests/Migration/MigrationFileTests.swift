import DataMonk
import DataMonkSQLite
import Foundation
import Testing

/// Files as they are met: with leftovers, with faults of their own, with a history, two in one stack.
@Suite struct `Migrating files that are not like new` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private func model(_ attributes: String..., modifier: String? = nil) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Person", versionHashModifier: modifier) {
                attributes.map { .attribute(AttributeDescription($0, .string)) }
                RelationshipDescription("friend", to: "Person")
            }
        }
    }

    private func execute(_ sql: String) throws {
        let connection = try SQLiteConnection(fileURL: stage.url, options: SQLiteOptions(access: .readWrite))
        try connection.execute(sql)
        try connection.close()
    }

    @Test func `a column that was left over does not come back with a new attribute`() throws {
        try stage.write(try model("name")) { try $0.insert("Person", ["name": "Monk"]) }
        try execute("ALTER TABLE ZPERSON ADD COLUMN ZNICK VARCHAR; UPDATE ZPERSON SET ZNICK = 'old'")
        #expect(try stage.migrate(to: model("name", "nick"))["Person/1"]["nick"] == "null")
    }

    @Test func `a link that led nowhere before is no reason to stop`() throws {
        try stage.write(try model("name")) { try $0.insert("Person", ["name": "Monk"]) }
        try execute("UPDATE ZPERSON SET ZFRIEND = 99")
        let album = EntityDescription("Album", properties: [])
        let next = try ManagedObjectModel(entities: model("name").entities.map(\.description) + [album])
        let stack = Stack(model: next)
        try stack.addDatabaseStore(fileURL: stage.url)
        try stack.close()
        #expect(try stage.text("SELECT ZFRIEND || ZNAME FROM ZPERSON WHERE Z_ENT = 2") == "99Monk")
    }

    @Test func `the history is emptied, and its own entities keep their numbers`() throws {
        try stage.write(try model("name")) { try $0.insert("Person") }
        try execute(
            """
            CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER );
            CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, ZTIMESTAMP TIMESTAMP );
            INSERT INTO ACHANGE VALUES(1, 1); INSERT INTO ATRANSACTION VALUES(1, 0);
            INSERT INTO Z_PRIMARYKEY VALUES(16001, 'CHANGE', 0, 1)
            """)
        _ = try stage.contents(model("name", "nick"))
        #expect(try stage.text("SELECT (SELECT count(*) FROM ACHANGE) + (SELECT count(*) FROM ATRANSACTION)") == "0")
        #expect(try stage.text("SELECT Z_NAME || Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16001") == "CHANGE1")
    }

    @Test(arguments: ["evil", "Z_DA_ZPERSON_Person_name_SOURCE_INSERT"])
    func `triggers of no derived attribute are refused`(name: String) throws {
        try stage.write(try model("name")) { try $0.insert("Person", ["name": "Monk"]) }
        try execute("CREATE TRIGGER \(name) AFTER INSERT ON ZPERSON BEGIN UPDATE ZPERSON SET ZNAME = 'evil'; END")
        let error = try #require(throws: StoreError.self) { try stage.contents(model("name", "nick")) }
        #expect(error.code == .incompatibleSchema && error.message.contains(name))
    }

    @Test func `keys of the application in the metadata stay, and so does the store's identity`() throws {
        try stage.write(try model("name")) { try $0.insert("Person") }
        let connection = try SQLiteConnection(fileURL: stage.url, options: SQLiteOptions(access: .readWrite))
        var metadata = try stage.metadata()
        metadata["io.example.note"] = "kept"
        let list = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        try connection.withStatement("UPDATE Z_METADATA SET Z_PLIST = ?") {
            try $0.bind(list, at: 1)
            try $0.run()
        }
        try connection.close()
        let identity = try stage.text("SELECT Z_UUID FROM Z_METADATA")
        _ = try stage.contents(model("name", "nick"))
        #expect(try stage.metadata()["io.example.note"] as? String == "kept")
        #expect(try stage.text("SELECT Z_UUID FROM Z_METADATA") == identity)
    }

    @Test func `a store whose tables are not what it says is refused, and stays as it is`() throws {
        try stage.write(try model("name")) { try $0.insert("Person") }
        try execute("ALTER TABLE ZPERSON RENAME COLUMN ZNAME TO ZOTHER")
        let bytes = try stage.bytes
        let error = try #require(throws: StoreError.self) { try stage.contents(model("name", "nick")) }
        #expect(error.code == .corrupt && error.message.contains("ZNAME"))
        #expect(try stage.bytes == bytes)
    }

    @Test func `stores of two configurations are migrated each by itself`() throws {
        func model(_ more: EntityDescription...) throws -> ManagedObjectModel {
            let entities =
                [
                    EntityDescription("Note") { AttributeDescription("text", .string) },
                    EntityDescription("Tag") { AttributeDescription("text", .string) },
                ] + more
            return try ManagedObjectModel(
                entities: entities, configurations: ["notes": ["Note"], "tags": ["Tag"] + more.map(\.name)])
        }
        let other = try MigrationStage()
        try stage.write(try model(), configuration: "notes") { try $0.insert("Note", ["text": "n"]) }
        try other.write(try model(), configuration: "tags") { try $0.insert("Tag", ["text": "t"]) }
        let next = try model(EntityDescription("Album") { AttributeDescription("text", .string) })
        // Its entities are as they were: nothing happens to it.
        let bytes = try stage.bytes
        #expect(try stage.contents(next, configuration: "notes").objects == ["Note/1": ["text": "string(\"n\")"]])
        #expect(try stage.bytes == bytes)
        let tags = try other.migrate(to: next, configuration: "tags")
        #expect(tags.objects == ["Tag/1": ["text": "string(\"t\")"]])
    }

    @Test func `several openers of a new version find one migration done`() async throws {
        try stage.write(try model("name")) { try $0.insert("Person", ["name": "Monk"]) }
        let (url, next) = (stage.url, try model("name", "nick", modifier: "2"))
        let stacks = try await withThrowingTaskGroup(of: Stack.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let stack = Stack(model: next)
                    try stack.addDatabaseStore(fileURL: url)
                    return stack
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for stack in stacks {
            #expect(try GraphDump(stack)["Person/1"]["name"] == "string(\"Monk\")")
            try stack.close()
        }
    }

    @Test func `a migrated store takes new objects, links and deletions as any other`() throws {
        try stage.write(try model("name")) { try $0.insert("Person", ["name": "Monk"]) }
        let next = try model("name", "nick", modifier: "2")
        _ = try stage.migrate(to: next)
        try stage.write(next) { context in
            let monk = try #require(try context.fetch(FetchRequest(entityName: "Person")).first)
            let friend = try context.insert("Person", ["nick": "Pigsy"])
            try monk.setValue(.object(friend.anyObjectID), forKey: "friend")
        }
        #expect(try stage.contents(next)["Person/1"]["friend"] == "Person/2")
    }
}
