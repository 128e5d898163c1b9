import ArgumentParser
import DataMonkCommands
import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

/// The output of `migrate`, and the status that it ends with.
@Suite struct MigrateCommandTests {
    private let store: InspectedStore
    /// A store of the version to migrate to, which contains its model.
    private let target: InspectedStore
    private let old: ManagedObjectModel
    private let new: ManagedObjectModel

    init() throws {
        (store, target) = (try InspectedStore(), try InspectedStore())
        old = try ManagedObjectModel {
            EntityDescription("Guest") {
                AttributeDescription("name", .string)
                AttributeDescription("rank", .string)
            }
        }
        new = try ManagedObjectModel {
            EntityDescription("Guest") { AttributeDescription("fullName", .string, renamingIdentifier: "name") }
        }
        try Self.write(old, at: store.url) { context in
            let guest = try context.insert(context.entity(named: "Guest"))
            try guest.setValue(.string("Monk"), forKey: "name")
            try guest.setValue(.string("abbot"), forKey: "rank")
        }
        try Self.write(new, at: target.url) { _ in }
    }

    private static func write(
        _ model: ManagedObjectModel, at url: URL, _ body: (ManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.add(SQLiteStore.open(url, configuration: nil, directory: coordinator.directory, index: 0))
        let context = ManagedObjectContext(coordinator: coordinator)
        try body(context)
        try context.save()
        context.endTurn()
        try coordinator.close()
    }

    private func migrate(_ arguments: String..., progress: ProgressBar? = nil) throws -> CommandOutcome {
        try MigrateCommand.parse([store.url.path, "--model", target.url.path] + arguments).outcome(progress: progress)
    }

    private func json(_ outcome: CommandOutcome) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    @Test func `a plan says what would be lost, and changes nothing`() throws {
        let files = try store.files()
        let outcome = try migrate("--plan")
        #expect(outcome.status == .refused)
        #expect(outcome.output.contains("  Rename Guest.name to fullName\n  Remove Guest.rank\n"))
        #expect(outcome.output.contains("Would discard  Guest.rank: It is no longer stored, so 1 value would be lost."))
        let plan = try json(migrate("--plan", "--json", "--discard", "Guest.rank"))
        #expect(plan["isNeeded"] as? Bool == true && plan["isMigrated"] as? Bool == false)
        #expect(plan["isRefused"] as? Bool == false)
        let stages = try #require(plan["stages"] as? [[String: Any]])
        let steps = try #require(stages.first?["steps"] as? [[String: Any]])
        #expect(steps.map { $0["kind"] as? String } == ["renamedProperty", "removedProperty", "copiedObjects"])
        #expect(steps.last?["rows"] as? Int == 1)
        #expect(try store.files() == files)
    }

    @Test func `a plan says which objects would lack a required link`() throws {
        func model(isOptional: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Guest") { RelationshipDescription("friend", to: "Guest", isOptional: isOptional) }
            }
        }
        let (optional, required) = (try InspectedStore(), try InspectedStore())
        try Self.write(model(isOptional: true), at: optional.url) { _ = try $0.insert($0.entity(named: "Guest")) }
        try Self.write(model(isOptional: false), at: required.url) { _ in }
        let arguments = [optional.url.path, "--model", required.url.path, "--discard", "everything"]
        let plan = try MigrateCommand.parse(arguments + ["--plan"]).outcome()
        #expect(plan.status == .refused && plan.error?.contains("do not fit the new version") == true)
        #expect(plan.output.contains("Does not fit  Guest.friend: It is required, but"), "\(plan)")
        // Without a plan, the migration itself finds them.
        let migration = try MigrateCommand.parse(arguments).outcome()
        #expect(migration.status == .refused && migration.error?.contains("Guest.friend: It is required, but") == true)
        let stages = try json(MigrateCommand.parse(arguments + ["--plan", "--json"]).outcome())["stages"]
        let obstacles = (stages as? [[String: Any]])?.first?["obstacles"] as? [[String: Any]]
        #expect(obstacles?.first?["count"] as? Int == 1 && obstacles?.first?["kind"] as? String == "missingLinks")
    }

    @Test func `nothing is discarded without permission`() throws {
        let files = try store.files()
        let backup = store.folder.appending(path: "backup.sqlite")
        let outcome = try migrate("--backup", backup.path)
        #expect(outcome.status == .refused)
        #expect(outcome.error?.contains("would be discarded without permission") == true)
        #expect(try store.files() == files, "There is no backup either.")
    }

    @Test func `a folder with both versions permits no loss`() throws {
        let folder = store.folder.appending(path: "Village.xcdatamodeld")
        for (name, attributes) in [("1", ["name", "rank"]), ("2", ["name"])] {
            let version = folder.appending(path: "Village \(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            let list = attributes.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
            try Data(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Guest">\(list.joined())</entity></model>
                """.utf8
            ).write(to: version.appending(path: "contents"))
        }
        let current = ["_XCCurrentVersionName": "Village 2.xcdatamodel"]
        try PropertyListSerialization.data(fromPropertyList: current, format: .xml, options: 0)
            .write(to: folder.appending(path: ".xccurrentversion"))
        let outcome = try MigrateCommand.parse([store.url.path, "--model", folder.path]).outcome()
        #expect(outcome.status == .refused, "\(outcome)")
        let permitted = try MigrateCommand.parse([
            store.url.path, "--model", folder.path, "--discard", "Guest.rank",
        ]).outcome()
        #expect(permitted.status == .success, "\(permitted)")
    }

    @Test func `migrates after a backup, with its progress`() throws {
        let backup = store.folder.appending(path: "backup.sqlite")
        let shown = Locked<[String]>([])
        let outcome = try migrate(
            "--discard", "everything", "--backup", backup.path,
            progress: ProgressBar { text in shown.withLock { $0.append(text) } })
        #expect(outcome.status == .success && outcome.error == nil, "\(outcome)")
        #expect(outcome.output.contains("Migrated store.sqlite.\n"))
        #expect(try store.rows("SELECT ZFULLNAME FROM ZGUEST").first?["ZFULLNAME"] as? String == "Monk")
        #expect(shown.withLock { $0.contains { $0.contains("100 %") } && $0.last == "\r\u{1B}[K" })
        let kept = try InspectCommand.parse([backup.path, "--entity", "Guest"]).outcome(width: nil)
        #expect(kept.output.contains("abbot"))
        let again = try migrate()
        #expect(again.status == .success && again.output.contains("Nothing is to be done."))
    }

    @Test func `a failure after the migration does not hide that the store is migrated`() throws {
        let sealed = try ManagedObjectModel {
            EntityDescription("Guest") {
                AttributeDescription("name", .string)
                AttributeDescription("rank", .string)
                AttributeDescription("seal", .binary, allowsExternalBinaryDataStorage: true)
            }
        }
        let other = try InspectedStore()
        try Self.write(sealed, at: other.url) { _ in }
        // A file in place of the folder for large values.
        try Data().write(to: store.folder.appending(path: ".store_SUPPORT"))
        let outcome = try MigrateCommand.parse([store.url.path, "--model", other.url.path, "--json"]).outcome()
        #expect(outcome.status != .success && outcome.error != nil)
        #expect(try json(outcome)["isMigrated"] as? Bool == true)
    }

    @Test func `a store that a newer program migrated is refused, unless it is named`() throws {
        #expect(try migrate("--discard", "Guest.rank").status == .success)
        let former = try InspectedStore()
        try Self.write(old, at: former.url) { _ in }
        let back = [store.url.path, "--model", former.url.path]
        let refused = try MigrateCommand.parse(back).outcome()
        #expect(refused.status == .refused && refused.error?.contains("newer program") == true)
        let outcome = try MigrateCommand.parse(back + ["--discard", "later-versions"]).outcome()
        #expect(outcome.status == .success, "\(outcome)")
    }

    @Test func `errors have a status each`() throws {
        let nowhere = store.folder.appending(path: "none.sqlite").path
        let missing = try MigrateCommand.parse([nowhere, "--model", target.url.path]).outcome()
        #expect([.noInput, .data].contains(missing.status), "\(missing)")
        #expect(!FileManager.default.fileExists(atPath: nowhere))
        #expect(throws: (any Error).self) {
            try MigrateCommand.parse([nowhere, "--model", nowhere, "--plan", "--backup", nowhere])
        }
        let taken = try migrate("--discard", "everything", "--backup", target.url.path)
        #expect(taken.status == .cannotWrite)
        #expect(try store.rows("SELECT ZRANK FROM ZGUEST").count == 1, "It is not migrated without its backup.")
    }

    @Test func `a server that cannot be reached is told without its address`() throws {
        let address = "postgresql://abbot:secret@127.0.0.1:1/shop"
        let outcome = try MigrateCommand.parse([address, "--model", target.url.path, "--plan"]).outcome()
        #expect(outcome.status == .noInput || outcome.status == .data)
        let error = try #require(outcome.error)
        #expect(!error.contains("secret") && !error.contains("abbot") && !error.contains("shop"))
        #expect(throws: (any Error).self) {
            try MigrateCommand.parse([address, "--model", target.url.path, "--backup", "copy"])
        }
    }

    @Test func `an address in place of a file is refused without repeating it`() throws {
        let address = "postgresql://abbot:secret@127.0.0.1:1/shop"
        let attempts: [() throws -> any ParsableCommand] = [
            { try InspectCommand.parse([address]) }, { try InspectCommand.parse(["a", "--model", address]) },
            { try DoctorCommand.parse([address]) }, { try BackupCommand.parse([address, "copy"]) },
            { try ImportCommand.parse([address, "a.json", "--entity", "Guest"]) },
            { try ExportCommand.parse([address, "a.json", "--entity", "Guest"]) },
            { try MigrateCommand.parse(["a", "--model", address]) }, { try GenerateCommand.parse([address]) },
            { try ModelCommand.Print.parse([address]) }, { try ModelCommand.Difference.parse(["a", address]) },
        ]
        for attempt in attempts {
            let thrown = #expect(throws: (any Error).self) { try attempt() }
            let error = try #require(thrown)
            #expect(DataMonkCommand.exitCode(for: error) == .validationFailure)
            let message = DataMonkCommand.fullMessage(for: error, columns: 200)
            #expect(message.contains("Only migrate works on servers") && !message.contains("secret"), "\(message)")
        }
    }
}
