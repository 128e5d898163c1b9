#if os(Linux)
    import DataMonk
    import DataMonkSQLite
    import Foundation
    import Testing

    /// The error of a locked store names who has it locked.
    @Suite struct `Who has a store locked` {
        private let folder: TemporaryFolder
        private let url: URL
        private let stack: Stack

        init() throws {
            folder = try TemporaryFolder()
            url = folder.file("store.sqlite")
            stack = Stack(
                model: try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("text", .string) } })
            try stack.addDatabaseStore(fileURL: url, busyTimeout: .milliseconds(50))
        }

        private func refusal() throws -> StoreError {
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            try context.insert("Note", ["text": "new"])
            return try #require(throws: StoreError.self) { try context.save() }
        }

        /// Runs the `sqlite3` command, and a block while it has a transaction open.
        private func whileOpen(_ sql: String, _ body: (Int32) throws -> Void) throws {
            let process = Process()
            let (input, output) = (Pipe(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["sqlite3", url.path]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data("\(sql);\nSELECT 'ready';\n".utf8))
            var lines = Data()
            while !String(decoding: lines, as: UTF8.self).hasSuffix("ready\n") {
                let part = output.fileHandleForReading.availableData
                try #require(!part.isEmpty)
                lines += part
            }
            try body(process.processIdentifier)
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        @Test func `is told by the number and the program of a writing process`() throws {
            try whileOpen("BEGIN IMMEDIATE") { process in
                let error = try refusal()
                #expect(error.code == .locked)
                #expect(error.message.contains("was locked by sqlite3 (process \(process)) until the deadline"))
            }
            try stack.close()
        }

        @Test func `is told of another connection of the same process`() throws {
            let other = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
            try other.begin(.immediate)
            let error = try refusal()
            #expect(error.message.contains("was locked by another connection of this process until the deadline"))
            try other.rollback()
            try other.close()
            try stack.close()
        }

        @Test func `is told by its readers if the file is needed alone`() throws {
            try stack.close()
            let later = try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("title", .string) } }
            try whileOpen("BEGIN; SELECT count(*) FROM ZNOTE") { process in
                let migrating = Stack(model: later)
                let error = try #require(throws: StoreError.self) {
                    try migrating.addDatabaseStore(
                        fileURL: url, discarding: .laterVersions, busyTimeout: .milliseconds(50))
                }
                #expect(error.code == .locked && error.message.contains("sqlite3 (process \(process))"))
            }
        }
    }
#endif
