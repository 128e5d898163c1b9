import ArgumentParser
import DataMonkCommands
import DataMonkCore
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// The output of `doctor` and `backup`, and the status that they end with.
@Suite struct DoctorCommandTests {
    private let store: InspectedStore

    init() throws {
        store = try InspectedStore()
        let model = try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                AttributeDescription("age", .integer16)
                RelationshipDescription("boss", to: "Person", inverse: "staff")
                RelationshipDescription("staff", to: "Person", isToMany: true)
            }
        }
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.add(
            SQLiteStore.open(store.url, configuration: nil, directory: coordinator.directory, index: 0))
        let context = ManagedObjectContext(coordinator: coordinator)
        for number in 0..<3 {
            let person = try context.insert(context.entity(named: "Person"))
            try person.setValue(.string("Person \(number)"), forKey: "name")
        }
        try context.save()
        context.endTurn()
        try coordinator.close()
    }

    private func change(_ sql: String) throws {
        let connection = try SQLiteConnection(fileURL: store.url, options: SQLiteOptions(access: .readWrite))
        try connection.execute(sql)
        try connection.close()
    }

    private func json(_ outcome: CommandOutcome) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    @Test func `a sound store has status 0, and stays as it is`() throws {
        let files = try store.files()
        let outcome = try store.doctor()
        #expect(outcome.status == .success && outcome.error == nil)
        #expect(outcome.output.contains("Objects    3 of 1 entity\nFindings   0\n"))
        #expect(try store.files() == files)
        #expect(try json(store.doctor("--json"))["isSound"] as? Bool == true)
    }

    @Test(arguments: [0o640, 0o444]) func `a store behind a link is read, and keeps its mode`(mode: Int) throws {
        let manager = FileManager.default
        let link = store.folder.appending(path: "link.sqlite")
        try manager.createSymbolicLink(at: link, withDestinationURL: store.url)
        try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: store.url.path)
        let files = try store.files()
        #expect(try DoctorCommand.parse([link.path]).outcome(width: nil).status == .success)
        let inspected = try InspectCommand.parse([link.path]).outcome(width: nil)
        #expect(inspected.status == .success && inspected.output.contains("Person"))
        let target = store.folder.appending(path: "copy.sqlite")
        #expect(try BackupCommand.parse([link.path, target.path]).outcome().status == .success)
        try manager.removeItem(at: target)
        #expect(try store.files() == files)
        #expect(
            try manager.attributesOfItem(atPath: store.url.path)[.posixPermissions] as? NSNumber == mode as NSNumber)
        #expect(try manager.destinationOfSymbolicLink(atPath: link.path) == store.url.path)
    }

    @Test func `a finding has status 1, and names rows and remedy`() throws {
        try change("UPDATE ZPERSON SET ZBOSS = 99 WHERE Z_PK > 1")
        let outcome = try store.doctor()
        #expect(outcome.status == .findings)
        #expect(
            outcome.output.hasSuffix(
                """

                danglingReference  Person.boss
                  In 2 rows of ZPERSON, boss leads to no object of Person. A repair clears the reference.
                  Keys: 2, 3

                """), "\(outcome.output)")
        let report = try json(store.doctor("--json"))
        let finding = try #require((report["findings"] as? [[String: Any]])?.first)
        #expect(finding["kind"] as? String == "danglingReference" && finding["remedy"] as? String == "repair")
        #expect((finding["rows"] as? [[String: Any]])?.map { $0["primaryKey"] as? Int } == [2, 3])
    }

    @Test func `what cannot be read has status 2`() throws {
        try FileManager.default.removeItem(at: store.url)
        #expect(try store.doctor().status == .unreadable)
        try Data(repeating: 7, count: 5_000).write(to: store.url)
        let outcome = try store.doctor()
        #expect(outcome.status == .unreadable && outcome.output == "")
        #expect(outcome.error?.contains("is not a database") == true)
        #expect(DoctorCommand.configuration.discussion.contains("2 if the store or the model cannot be read"))
    }

    @Test func `a repair says what it did`() throws {
        try change("UPDATE ZPERSON SET ZBOSS = 99 WHERE Z_PK > 1")
        let files = try store.files()
        let target = store.folder.appending(path: "repaired.sqlite").path
        let outcome = try store.doctor("--repair", target)
        #expect(outcome.status == .success)
        #expect(
            outcome.output.contains("danglingReference Person.boss: The repair clears the reference. Rows changed: 2."))
        #expect(try DoctorCommand.parse([target]).outcome(width: nil).status == .success)
        for (name, bytes) in files { #expect(try store.files()[name] == bytes) }
        // A file that is there is not replaced.
        let again = try store.doctor("--repair", target)
        #expect(again.status == .cannotWrite && again.error?.contains("repaired.sqlite") == true)
    }

    @Test func `a repair that would lose something writes nothing, a salvage counts it`() throws {
        try change("UPDATE ZPERSON SET ZAGE = 'old' WHERE Z_PK = 2")
        let target = store.folder.appending(path: "new.sqlite").path
        let refused = try store.doctor("--repair", target)
        #expect(refused.status == .findings && refused.output.contains("No copy was made"))
        #expect(!FileManager.default.fileExists(atPath: target))
        let salvaged = try store.doctor("--salvage", target, "--json")
        #expect(salvaged.status == .findings)
        let salvage = try #require(try json(salvaged)["salvage"] as? [String: Any])
        let counts = try #require((salvage["counts"] as? [String: [String: Int]])?["Person"])
        #expect(counts["savedObjects"] == 3 && counts["lostValues"] == 1 && counts["lostObjects"] == 0)
        #expect(try DoctorCommand.parse([target]).outcome(width: nil).status == .success)
    }

    @Test func `a repair and a salvage at once are refused`() {
        #expect(throws: (any Error).self) { try DoctorCommand.parse(["a", "--repair", "b", "--salvage", "c"]) }
    }

    @Test func `a backup copies what is in the log, and replaces nothing`() throws {
        let connection = try SQLiteConnection(fileURL: store.url, options: SQLiteOptions(access: .readWrite))
        try connection.execute("UPDATE ZPERSON SET ZNAME = 'in the log' WHERE Z_PK = 1")
        let target = store.folder.appending(path: "backup.sqlite").path
        let outcome = try BackupCommand.parse([store.url.path, target]).outcome()
        #expect(outcome.status == .success && outcome.output.hasPrefix("Copied "))
        try connection.close()
        let copy = try SQLiteConnection(fileURL: URL(filePath: target), options: SQLiteOptions(access: .readOnly))
        #expect(try copy.text("SELECT ZNAME FROM ZPERSON WHERE Z_PK = 1") == "in the log")
        try copy.close()
        #expect(try BackupCommand.parse([store.url.path, target]).outcome().status == .cannotWrite)
        #expect(try BackupCommand.parse([target + "x", target + "y"]).outcome().status == .noInput)
    }

    @Test func `a backup of a store that the disk does not read has the status of a file that cannot be read`() throws {
        let disk = try FaultyDisk(folder: store.folder)
        // All pages but the first one.
        disk.fail(
            FaultPlan(
                .inputOutputError, on: [.read], ofFile: store.url.lastPathComponent, inBytes: 4_096..<10_000_000,
                times: .max))
        let target = store.folder.appending(path: "backup.sqlite").path
        let outcome = try BackupCommand.parse([store.url.path, target]).outcome()
        #expect(disk.heal() > 0 && outcome.status == .noInput, "\(outcome)")
    }
}
