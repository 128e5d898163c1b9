#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// The snippets on backups, examinations and repairs.
    @Suite struct MaintenanceTests {
        @Test func `the article's snippets run`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let url = folder.appending(path: "Village.sqlite")
            let stack = try Stack(Person.self)
            try stack.addDatabaseStore(fileURL: url)
            try await Self.backUp(stack, folder.appending(path: "Backup.sqlite"))
            try Self.emptyLog(stack)
            try Self.examine(url)
            try Self.repair(url, folder.appending(path: "Repaired.sqlite"))
            try Self.salvage(url, folder.appending(path: "New.sqlite"))
            let uri = try #require(URL(string: "x-coredata://\(UUID())/Person/p1"))
            #expect(try await Self.migrate(stack, url, to: folder.appending(path: "Moved.sqlite"), uri) == nil)
            try await Self.goBack(stack, to: folder.appending(path: "Backup.sqlite"), at: url)
            try stack.close()
            try FileManager.default.removeItem(at: folder)
        }

        private static func backUp(_ stack: Stack, _ url: URL) async throws {
            let backup = try await stack.backUp(to: url) { progress in
                print(Int(progress.fractionCompleted * 100), "%")
            }
            print(backup.byteCount, backup.missingFiles)
        }

        private static func migrate(_ stack: Stack, _ url: URL, to newURL: URL, _ uri: URL) async throws -> URL? {
            let migration = try await stack.migrateStore(.database(fileURL: url), to: .database(fileURL: newURL))
            try await stack.removeStore(at: url)
            try await stack.addStore(.database(fileURL: newURL))
            let new = migration.uri(for: uri)
            return new
        }

        private static func goBack(_ stack: Stack, to backupURL: URL, at url: URL) async throws {
            try await stack.closeStores()
            try await Stack.replaceStore(.database(fileURL: url), with: .database(fileURL: backupURL))
        }

        private static func emptyLog(_ stack: Stack) throws {
            if stack.logByteCount > 100_000_000 { try stack.checkpoint() }
        }

        private static func examine(_ url: URL) throws {
            let examination = try Stack.examine(storeAt: url)
            for finding in examination.findings {
                print(finding.kind.rawValue, finding.entityName ?? "", finding.rows.map(\.primaryKey), finding.message)
            }
            #expect(examination.isSound)
        }

        private static func repair(_ url: URL, _ repairedURL: URL) throws {
            let repair = try Stack.repair(storeAt: url, to: repairedURL)
            for action in repair.actions { print(action.finding.kind.rawValue, action.message, action.changedRows) }
        }

        private static func salvage(_ url: URL, _ newURL: URL) throws {
            let salvage = try Stack.salvage(storeAt: url, to: newURL)
            for (name, count) in salvage.counts where !count.isWhole {
                print(name, count.savedObjects, count.lostObjects, count.lostValues, count.lostLinks)
            }
            #expect(salvage.isWhole)
        }
    }
#endif
