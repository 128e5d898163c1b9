#if Macros
    import DataMonk
    import Dispatch
    import Foundation

    /// What the crash tests write: each commit of a writer turns its page by three linked objects, and drops an old one.
    enum Ledger {
        static let model = Result { try ManagedObjectModel(classes: [Writer.self]) }
        /// How many entries a writer keeps.
        static let kept = 10

        /// One writer, and the number of its last entry.
        @Entity("LedgerWriter") final class Writer: ManagedObject {
            var number: Int = 0
            var last: Int = 0
            @Relationship(inverse: \Entry.writer) var entries: Set<Entry>
        }

        @Entity("LedgerEntry") final class Entry: ManagedObject {
            var number: Int = 0
            var text: String = ""
            var writer: Writer?
            @Relationship(deleteRule: .cascade, inverse: \Part.entry) var parts: Set<Part>
        }

        @Entity("LedgerPart") final class Part: ManagedObject {
            var side: Int = 0
            var entry: Entry?
        }
    }

    /// One life of the process that is killed.
    struct CrashPlan: Codable, Sendable {
        /// Where the store and the acknowledgements lie.
        var folder: URL
        var writers: Int
        /// Whether a commit waits for the disk, or for the system only.
        var waitsForDisk: Bool
        /// Before which statement the process is killed; nil for none.
        var lastStatement: Int?
        /// After how long the process is killed, wherever it is; nil for never.
        var lifetime: Double?

        var storeURL: URL { folder.appendingPathComponent("ledger.sqlite") }
        var acknowledgementsURL: URL { folder.appendingPathComponent("acknowledged") }
    }

    extension CrashPlan {
        /// Commits, and acknowledges each commit that returned, until the process is killed.
        func run() async throws {
            if let lifetime {
                let end = DispatchTime.now() + lifetime
                DispatchQueue.global().asyncAfter(deadline: end) { Self.killProcess() }  // Any moment is meant.
            }
            let context = try Context(stack: openStack())
            let acknowledgements = try openAcknowledgements()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 1...writers {
                    group.addTask {
                        while true {
                            let number = try await context.update { try commit(writer, $0) }
                            acknowledgements.write(Data("\(writer) \(number)\n".utf8))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        private func openStack() throws -> Stack {
            let statements = Locked(0)
            let last = lastStatement
            let stack = Stack(model: try Ledger.model.get()) { _ in
                let count = statements.withLock { statements in
                    statements += 1
                    return statements
                }
                if count == last { Self.killProcess() }
            }
            try stack.addDatabaseStore(fileURL: storeURL, synchronous: waitsForDisk ? .full : .normal)
            return stack
        }

        private func openAcknowledgements() throws -> FileHandle {
            if !FileManager.default.fileExists(atPath: acknowledgementsURL.path) {
                try Data().write(to: acknowledgementsURL)
            }
            let file = try FileHandle(forWritingTo: acknowledgementsURL)
            try file.seekToEnd()
            return file
        }

        private func commit(_ number: Int, _ update: Update) throws -> Int {
            let writer = try update.fetchOrCreate(Ledger.Writer.self, %"number" == number)
            writer.last += 1
            let entry = try update.create(Ledger.Entry.self)
            entry.number = writer.last
            entry.text = "entry \(writer.last) of \(number)"
            entry.writer = writer
            for side in 0..<2 {
                let part = try update.create(Ledger.Part.self)
                part.side = side
                part.entry = entry
            }
            try update.deleteAll(
                Ledger.Entry.self, %"writer" == writer && %"number" <= writer.last - Ledger.kept)
            try update.commit()
            return writer.last
        }

        /// As the system kills a process: nothing is flushed, no code runs any more.
        static func killProcess() {
            kill(getpid(), SIGKILL)
            // Other threads may go on for an instant; this one does not.
            while true { pause() }
        }
    }
#endif
