#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// What the system refuses: memory, larger files, more open files. Each limit holds for a whole process, so each test
    /// runs in one of its own.
    @Suite(.serialized) struct `A process that runs short` {
        private static func count(_ name: String, usual: Int) -> Int {
            ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
        }

        @Test func `of memory gets an error from SQLite, and can go on`() async throws {
            let stride = Self.count("DATAMONK_FAULT_STRIDE", usual: 46)
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                [stride = stride as Int] in
                try #require(SQLiteMemory.install())
                for workload in FaultWorkload.all {
                    let trial = try FaultTrial(workload)
                    let tally = trial.runShortOfMemory(first: 500, every: stride)
                    print("Allocations in \(workload.name): \(tally)")
                    trial.record(tally)
                    #expect(tally.thrown > 0)
                }
            }
            Self.printOutput(of: result)
        }

        @Test func `of memory in a migration leaves the store in its place`() async throws {
            await #expect(processExitsWith: .success) {
                try #require(SQLiteMemory.install())
                let stage = try MigrationStage()
                func model(_ age: AttributeType) throws -> ManagedObjectModel {
                    try ManagedObjectModel { EntityDescription("Author") { AttributeDescription("age", age) } }
                }
                let (old, new) = (try model(.integer16), try model(.string))
                try stage.write(old) { try $0.insert("Author", ["age": 7]) }
                let stages = StagedMigration(
                    from: old, [.custom(to: new, mapping: [.transform("Author", [.converted("age")])])])
                let (before, names) = (try stage.bytes, try stage.files)
                var refusals = 0
                for number in Swift.stride(from: 1, through: 1_500, by: 31) {
                    for times in [1, 20] {
                        let stack = Stack(model: new)
                        stack.onError { _ in }
                        SQLiteMemory.fail(atAllocation: number, times: times)
                        do {
                            try stack.addDatabaseStore(fileURL: stage.url, stages: stages, resetOnFailure: true)
                        } catch { refusals += 1 }
                        SQLiteMemory.heal()
                        try stack.close()
                        let found = try stage.files
                        #expect(found == names, "allocation \(number), \(times) times: \(found)")
                        try stage.restore(before)
                    }
                }
                #expect(refusals > 10)
            }
        }

        @Test func `of room in files gets an error, and can go on`() async throws {
            let count = Self.count("DATAMONK_FILE_LIMITS", usual: 6)
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                [count = count as Int] in
                signal(SIGXFSZ, SIG_IGN)
                var thrown = 0
                for number in 0..<count { thrown += try Self.fillFiles(upTo: 90_000 + number * 3_000_000 / count) }
                print("File limits: \(thrown) commits refused")
                #expect(thrown == count)
            }
            Self.printOutput(of: result)
        }

        @Test func `of open files gets an error, and can go on`() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                for workload in [FaultWorkload.save, .opening, .externalFiles, .migration] {
                    let trial = try FaultTrial(workload)
                    var tally = FaultTrial.Tally()
                    for count in 0..<14 { tally += try trial.runShortOfFiles(count) }
                    print("Open files in \(workload.name): \(tally)")
                    trial.record(tally)
                    #expect(tally.thrown > 0)
                }
            }
            Self.printOutput(of: result)
        }

        @Test func `of room on the disk gets an error, and can go on`() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                for workload in [FaultWorkload.save, .batch, .externalFiles, .checkpoint, .migration, .closing] {
                    let trial = try FaultTrial(workload)
                    let (end, lines) = try ForkedProcess { try trial.runShortOfRoom($0) }.wait()
                    for line in lines { print("Room on the disk in \(workload.name): \(line)") }
                    #expect(end == .exit(EXIT_SUCCESS), "\(workload.name): \(lines)")
                }
            }
            Self.printOutput(of: result)
        }

        @Test func `that may not write gets an error, and goes on when it may`() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let folder = try TemporaryFolder()
                let (end, lines) = try ForkedProcess { try Self.openReadOnly(in: folder, $0) }.wait()
                for line in lines { print("Read-only disk: \(line)") }
                #expect(end == .exit(EXIT_SUCCESS), "\(lines)")
            }
            Self.printOutput(of: result)
        }

        /// Opens a store on a file system that may not be written, saves to it, and does so again when it may.
        private static func openReadOnly(in folder: TemporaryFolder, _ send: (String) -> Void) throws {
            do {
                let disk = try SmallFileSystem(over: folder.url, bytes: 8_000_000)
                let url = folder.file("shop.sqlite")
                try Bookcase.fill(url)
                try disk.setReadOnly(true)
                let stack = Stack(model: try Bookcase.model.get())
                stack.onError { _ in }
                try refuse(send, .readOnly) { try stack.addDatabaseStore(fileURL: url) }
                try refuse(send, .readOnly) { try stack.addDatabaseStore(fileURL: folder.file("new.sqlite")) }
                try stack.addDatabaseStore(fileURL: url, readOnly: true)
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                try context.shelves().first?.name = "changed"
                try refuse(send, .readOnly) { try context.save() }
                guard context.hasChanges else { throw FaultRun.Violation(description: "The changes are gone.") }
                context.endTurn()
                try stack.close()
                try disk.setReadOnly(false)
                let other = Stack(model: try Bookcase.model.get())
                try other.addDatabaseStore(fileURL: url)
                let next = ManagedObjectContext(coordinator: other.coordinator)
                try next.shelves().first?.name = "changed"
                try next.save()
                next.endTurn()
                try other.close()
                let contents = try StoreContents(of: url)
                guard contents.damage.isEmpty else { throw FaultRun.Violation(description: "\(contents.damage)") }
            } catch let error as SmallFileSystem.Refusal { send("Skipped: \(error.description)") }
        }

        private static func refuse(
            _ send: (String) -> Void, _ code: StoreError.Code, _ body: () throws -> Void
        ) throws {
            do {
                try body()
            } catch let error as StoreError where error.code == code && error.message.contains("readOnly: true") {
                return send("refused, \(type(of: error)): \(error)")
            }
            throw FaultRun.Violation(description: "It is not refused.")
        }

        /// The figures that a process printed.
        private static func printOutput(of result: ExitTest.Result?) {
            let lines = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
            for line in lines where line.contains(": ") && !line.contains("Test") { print(line) }
        }

        /// Commits long texts until the files are as large as they may become.
        ///
        /// - Returns: how many commits were refused.
        private static func fillFiles(upTo size: Int) throws -> Int {
            let folder = try TemporaryFolder()
            let url = folder.file("shop.sqlite")
            try Bookcase.fill(url)
            let stack = Stack(model: try Bookcase.model.get())
            stack.onError { _ in }
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            var refused = 0
            let limit = try ProcessLimit(.fileSize)
            defer { limit.lift() }
            limit.lower(to: size)
            for round in 0..<8 where refused == 0 {
                for shelf in try context.shelves() {
                    // SQLite writes only those pages of a long text whose contents change.
                    for book in shelf.order { book.title = String(Bookcase.longText.dropFirst(round).prefix(60_000)) }
                }
                do { try context.save() } catch let error as StoreError {
                    #expect([.outOfSpace, .writeFailed].contains(error.code), "\(size): \(error)")
                    #expect(context.hasChanges)
                    refused += 1
                }
            }
            limit.lift()
            try context.save()
            context.endTurn()
            try stack.close()
            #expect(try StoreContents(of: url).damage.isEmpty)
            return refused
        }
    }

    extension FaultTrial {
        /// Runs the workload with each of the first allocations failing.
        func runShortOfMemory(first: Int, every stride: Int) -> Tally {
            var tally = Tally()
            for number in Swift.stride(from: 1, through: first, by: stride) {
                for times in [1, 20] {
                    let failures = SQLiteMemory.failureCount
                    tally += run("allocation \(number), \(times) times") { _ in
                        SQLiteMemory.fail(atAllocation: number, times: times)
                    } repair: {
                        SQLiteMemory.heal()
                    } isReached: { _ in
                        SQLiteMemory.failureCount > failures
                    }
                }
            }
            return tally
        }

        /// Runs the workload while there is room for few more pages on the file system, which is one of this process.
        func runShortOfRoom(_ send: (String) -> Void) throws {
            let folder = try TemporaryFolder()
            do {
                let disk = try SmallFileSystem(over: folder.url, bytes: 24_000_000)
                // New stores lie there.
                setenv("TMPDIR", folder.url.path, 1)
                var tally = Tally()
                for pages in 0..<60 {
                    tally += run("\(pages) pages more") { _ in
                        // Reason for try?: without it, nothing throws, which is counted.
                        try? disk.fill(leaving: pages * 4_096)
                    } repair: {
                        try? disk.empty()  // It is gone after the first time.
                    } isReached: { _ in
                        true
                    }
                }
                send("\(tally)")
                guard tally.problems.isEmpty, tally.thrown > 0 else {
                    throw FaultRun.Violation(description: "\(tally.problems.prefix(10))")
                }
            } catch let error as SmallFileSystem.Refusal { send("Skipped: \(error.description)") }
        }

        /// Runs the workload while only some files may be opened besides those that are open.
        func runShortOfFiles(_ count: Int) throws -> Tally {
            let limit = try ProcessLimit(.openFiles)
            return run("\(count) files more") { _ in
                limit.lower(to: ProcessLimit.nextDescriptor + count)
            } repair: {
                limit.lift()
            } isReached: { _ in
                true
            }
        }
    }

    /// A limit of this process.
    struct ProcessLimit {
        enum Kind { case fileSize, openFiles }

        private let kind: Kind
        private let usual: rlimit

        init(_ kind: Kind) throws {
            self.kind = kind
            var usual = rlimit()
            guard getrlimit(Self.resource(kind), &usual) == 0 else { throw CocoaError(.featureUnsupported) }
            self.usual = usual
        }

        func lower(to value: Int) {
            var limit = usual
            limit.rlim_cur = rlim_t(value)
            setrlimit(Self.resource(kind), &limit)
        }

        func lift() {
            var limit = usual
            setrlimit(Self.resource(kind), &limit)
        }

        /// The number that the next open file gets.
        static var nextDescriptor: Int {
            let file = open("/dev/null", O_RDONLY)
            close(file)
            return Int(file)
        }

        private static func resource(_ kind: Kind) -> Int32 {
            let resource = kind == .fileSize ? RLIMIT_FSIZE : RLIMIT_NOFILE
            #if canImport(Glibc)
                return Int32(resource.rawValue)
            #else
                return resource
            #endif
        }
    }
#endif
