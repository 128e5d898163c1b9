import DataMonk
import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

/// Triggers of derived attributes that this library does not write: Core Data's for `uppercase:` and the like, and those of
/// derivations of unknown forms.
@Suite struct `Triggers that only Core Data writes` {
    private let folder: TemporaryFolder
    private let reported = Locked<[any Error]>([])
    private var url: URL { folder.file("Notes.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private static func entities(_ derivation: String, extra: String? = nil) -> [EntityDescription] {
        [
            EntityDescription("Note") {
                AttributeDescription("title", .string)
                AttributeDescription("shout", .string, derivationExpression: derivation)
            },
            EntityDescription("Tag") { AttributeDescription("name", .string) },
        ] + (extra.map { [EntityDescription($0, properties: [])] } ?? [])
    }

    private static let uppercase = "uppercase:(title)"

    private static let script = """
        CREATE TRIGGER Z_DA_ZNOTE_Note_shout_SOURCE_INSERT AFTER INSERT ON ZNOTE FOR EACH ROW BEGIN \
        UPDATE ZNOTE SET ZSHOUT = upper(NEW.ZTITLE) || '!' WHERE Z_PK = NEW.Z_PK; \
        SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZNOTE', Z_ENT, Z_PK, 'shout', ZSHOUT) FROM ZNOTE \
        WHERE Z_PK = NEW.Z_PK; END;
        CREATE TRIGGER Z_DA_ZNOTE_Note_shout_SOURCE_UPDATE AFTER UPDATE OF ZTITLE ON ZNOTE FOR EACH ROW BEGIN \
        UPDATE ZNOTE SET ZSHOUT = upper(NEW.ZTITLE) || '!' WHERE Z_PK = NEW.Z_PK; \
        SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZNOTE', Z_ENT, Z_PK, 'shout', ZSHOUT) FROM ZNOTE \
        WHERE Z_PK = NEW.Z_PK; END;
        """

    /// A model as a store holds it, of the hashes of the store that is there.
    private static func stored(_ derivation: String, extra: String? = nil) throws -> ManagedObjectModel {
        let contents = ModelContents(entities: entities(derivation, extra: extra))
        let hashes = try ManagedObjectModel(entities: entities(uppercase, extra: extra)).entityVersionHashesByName
        return try ArchivedModel(contents: contents).model(storedHashes: hashes).model
    }

    private func open(_ model: ManagedObjectModel) throws -> Stack {
        let stack = Stack(model: model)
        stack.onError { [reported] error in reported.withLock { $0.append(error) } }
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
        return stack
    }

    private func makeStore(_ script: String = script) throws {
        try open(ManagedObjectModel(entities: Self.entities(Self.uppercase))).close()
        _ = try StoreCopy.rows(url, script)
    }

    private func triggers() throws -> [[String]] {
        try StoreCopy.rows(url, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
    }

    /// Writes a note twice, and expects that the triggers have kept it.
    private func expectWork(_ model: ManagedObjectModel) throws {
        let before = try triggers()
        let stack = try open(model)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let note = try context.insert("Note", ["title": "monk"])
        try context.save()
        #expect(try note.value(forKey: "shout") == "MONK!")
        try note.setValue("fun", forKey: "title")
        try context.save()
        #expect(try note.value(forKey: "shout") == "FUN!")
        context.endTurn()
        try stack.close()
        #expect(try triggers() == before && before.count == 2)
        #expect(try StoreCopy.rows(url, "SELECT ZTITLE, ZSHOUT FROM ZNOTE") == [["fun", "FUN!"]])
    }

    @Test func `stay, and do their work`() throws {
        try makeStore()
        try expectWork(ManagedObjectModel(entities: Self.entities(Self.uppercase)))
        #expect(reported.withLock { $0.isEmpty })
    }

    @Test(arguments: ["soundex:(title)", "SUBQUERY(title, $t, $t != nil).@count", "nothing.here", "title.a.b.c", ""])
    func `keep an attribute whose derivation nobody knows`(derivation: String) throws {
        try makeStore()
        try expectWork(Self.stored(derivation))
        #expect(reported.withLock { $0.isEmpty })
    }

    @Test func `are missing: the values stay as they are, which is told`() throws {
        try makeStore("")
        _ = try StoreCopy.rows(
            url,
            """
            INSERT INTO ZNOTE(Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSHOUT) VALUES(1, 1, 1, 'monk', 'Monk');
            UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 1
            """)
        let stack = try open(Self.stored("soundex:(title)"))
        let error = try #require(reported.withLock { $0.first } as? StoreError)
        #expect(error.code == .incompatibleSchema && error.message.contains("Note.shout"))
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let note = try #require(try context.fetch(FetchRequest(entityName: "Note")).first)
        try note.setValue("fun", forKey: "title")
        #expect(throws: (any Error).self) { try note.setValue("Fun", forKey: "shout") }
        try context.save()
        #expect(try note.value(forKey: "shout") == "Monk")
        context.endTurn()
        try stack.close()
    }

    @Test func `call a function that nobody knows: their entity is not written, others are`() throws {
        try makeStore(Self.script.replacing("upper(", with: "NSCoreDataShout("))
        let stack = try open(Self.stored("shout:(title)"))
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Tag", ["name": "zen"])
        try context.save()
        try context.insert("Note", ["title": "monk"])
        let error = try #require(throws: StoreError.self) { try context.save() }
        #expect(error.message.contains("NSCoreDataShout"))
        context.rollback()
        #expect(try context.count(FetchRequest(entityName: "Tag")) == 1)
        #expect(try context.count(FetchRequest(entityName: "Note")) == 0)
        context.endTurn()
        try stack.close()
    }

    // MARK: Hostile

    @Test(arguments: [
        ["; END", "; DELETE FROM ZTAG; END"], ["SET ZSHOUT", "SET ZTITLE = 'evil', ZSHOUT"],
        [" WHERE Z_PK = NEW.Z_PK; SELECT", ", ZTITLE = 'evil' WHERE Z_PK = NEW.Z_PK; SELECT"],
        ["SET ZSHOUT = upper(NEW.ZTITLE) || '!'", "SET (ZSHOUT, ZTITLE) = ('a', 'b')"],
        ["UPDATE ZNOTE SET ZSHOUT", "UPDATE ZTAG SET ZNAME"], ["UPDATE ZNOTE", "UPDATE OR REPLACE ZNOTE"],
        ["upper(NEW.ZTITLE)", "RAISE(IGNORE)"], ["upper(NEW.ZTITLE)", "(WITH a AS (SELECT 1) SELECT 1 FROM a)"],
        ["BEGIN UPDATE", "BEGIN /* ' */ DELETE FROM ZTAG; /* ' */ UPDATE"],
        ["BEGIN UPDATE", "BEGIN -- ' \n DELETE FROM ZTAG; -- ' \n UPDATE"],
        ["BEGIN UPDATE", "BEGIN DELETE FROM [ZTAG]; UPDATE"], ["FROM ZNOTE WHERE", "FROM [ZNOTE] WHERE"],
        ["AFTER", "BEFORE"], ["Note_shout", "Note_title"], ["Z_DA_ZNOTE", "Z_ZNOTE"],
        ["BEGIN UPDATE", "BEGIN INSERT INTO ZTAG(Z_PK) VALUES(99); UPDATE"],
    ])
    func `that could write anything else are refused`(edit: [String]) throws {
        let script = Self.script.replacing(edit[0], with: edit[1])
        try #require(script != Self.script)
        try makeStore(script)
        for model in [
            try ManagedObjectModel(entities: Self.entities(Self.uppercase)), try Self.stored("soundex:(title)"),
        ] {
            let error = try #require(throws: StoreError.self) { try open(model) }
            #expect(error.code == .incompatibleSchema)
        }
    }

    // MARK: Migration

    @Test func `come through a migration that leaves what they are about as it is`() throws {
        try makeStore()
        try open(ManagedObjectModel(entities: Self.entities(Self.uppercase, extra: "Zebra"))).close()
        try expectWork(ManagedObjectModel(entities: Self.entities(Self.uppercase, extra: "Zebra")))
    }

    @Test func `that would have to be written anew are reason not to migrate`() throws {
        try makeStore()
        let before = try triggers()
        // Notes get another number.
        let error = try #require(throws: MigrationError.self) {
            try open(ManagedObjectModel(entities: Self.entities(Self.uppercase, extra: "Album")))
        }
        #expect(error.code == .notInferable && error.problems.map(\.propertyName) == ["shout"])
        #expect(try triggers() == before)
    }

    @Test func `of an attribute that goes go with it`() throws {
        try makeStore()
        let plain = try ManagedObjectModel {
            EntityDescription("Note") { AttributeDescription("title", .string) }
        }
        let stack = Stack(model: plain)
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
        try stack.close()
        #expect(try triggers().isEmpty)
    }

    // MARK: Models of which something was left out

    @Test func `no store is made of a model that is not understood, nor migrated to it`() throws {
        let model = try Self.stored("soundex:(title)")
        for add in [{ try $0.addDatabaseStore(fileURL: url) }, { try $0.addInMemoryStore() }]
            as [(Stack) throws -> Void]
        {
            let error = try #require(throws: ModelError.self) { try add(Stack(model: model)) }
            #expect(error.code == .incompleteModel && error.message.contains("Note"))
        }
        try makeStore()
        let other = try Self.stored("soundex:(title)", extra: "Zebra")
        let error = try #require(throws: ModelError.self) { try open(other) }
        #expect(error.code == .incompleteModel)
        try expectWork(model)
    }
}
