#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Inputs that have nothing to say, for hours perhaps.
    @Suite struct `Imports of idle inputs` {
        private let tracker = Result { try Tracker() }
        private let folder = Result { try TemporaryFolder() }

        /// Makes a pipe, and returns it with its end for writing, which keeps it open.
        private func pipe() throws -> (url: URL, end: FileHandle) {
            let url = try folder.get().file("pipe")
            try #require(mkfifo(url.path, 0o600) == 0)
            return (url, try FileHandle(forUpdating: url))
        }

        private func options(stopsAtFirstFailure: Bool = false) -> ImportOptions {
            var options = ImportOptions()
            (options.chunkSize, options.stopsAtFirstFailure) = (1, stopsAtFirstFailure)
            return options
        }

        @Test(.timeLimit(.minutes(60))) func `end when a row fails, without waiting for the next one`() async throws {
            let (rows, continuation) = AsyncStream.makeStream(of: ImportRow.self)
            continuation.yield(ImportRow(at: ImportPlace(index: 0), values: ["id": 1]))
            continuation.yield(ImportRow(at: ImportPlace(index: 1), values: ["id": "x"]))
            let stack = try tracker.get().stack
            let error = await #expect(throws: ImportError.self) {
                try await stack.importRows(
                    Tracker.User.self, from: rows, options: options(stopsAtFirstFailure: true))
            }
            #expect(error?.code == .rowFailed && error?.report?.nextIndex == 1)
            withExtendedLifetime(continuation) {}
        }

        @Test(.timeLimit(.minutes(60))) func `of pipes end as well`() async throws {
            let (url, end) = try pipe()
            try end.write(contentsOf: Data("{\"id\": \"x\"}\n".utf8))
            let stack = try tracker.get().stack
            let error = await #expect(throws: ImportError.self) {
                try await stack.importRows(
                    Tracker.User.self, from: JSONLines(.file(url)), options: options(stopsAtFirstFailure: true))
            }
            #expect(error?.code == .rowFailed)
            try end.close()
        }

        @Test(.timeLimit(.minutes(60))) func `of pipes can be cancelled`() async throws {
            let (url, end) = try pipe()
            try end.write(contentsOf: Data("{\"id\": 1}\n".utf8))
            let task = Locked<Task<ImportReport, any Error>?>(nil)
            let (begun, beginning) = AsyncStream<Void>.makeStream()
            var options = options()
            options.progress = { _ in task.withLock { $0?.cancel() } }
            let tracker = try tracker.get()
            task.withLock { [options] task in
                task = Task {
                    for await _ in begun { break }
                    return try await tracker.stack.importRows(
                        Tracker.User.self, from: JSONLines(.file(url)), options: options)
                }
            }
            beginning.finish()
            let running = try #require(task.withLock { $0 })
            await #expect(throws: CancellationError.self) { try await running.value }
            #expect(try await tracker.count(Tracker.User.self) == 1)
            try end.close()
        }

        /// More than there are threads for updates, at most.
        private static let manyPipes = 140

        @Test(.timeLimit(.minutes(60))) func `of many pipes hold up no update`() async throws {
            let tracker = try tracker.get()
            let url = try folder.get().file("pipe")
            try #require(mkfifo(url.path, 0o600) == 0)
            try await withThrowingTaskGroup { group in
                let (begun, beginning) = AsyncStream<Void>.makeStream()
                for _ in 0..<Self.manyPipes {
                    group.addTask {
                        var rows = JSONLines(.file(url)).makeAsyncIterator()
                        beginning.yield()
                        _ = try await rows.next()
                    }
                }
                var count = 0
                for await _ in begun {
                    count += 1
                    if count == Self.manyPipes { break }
                }
                try await tracker.context.update { update in
                    try update.create(Tracker.User.self).id = 1
                    try update.commit()
                }
                // Each has one of the lines.
                let end = try FileHandle(forUpdating: url)
                for _ in 0..<Self.manyPipes {
                    try end.write(contentsOf: Data("{}\n".utf8))
                    try await group.next()
                }
                try end.close()
            }
            #expect(try await tracker.count(Tracker.User.self) == 1)
        }

        @Test func `that throw the error of a cancelled task themselves say how far they came`() async throws {
            let tracker = try tracker.get()
            let rows = [ImportRow]([["id": 1], ["id": 2]])
            let error = await #expect(throws: ImportError.self) {
                try await tracker.stack.importRows(
                    Tracker.User.self, from: rows.stream(endingWith: CancellationError()), options: options())
            }
            #expect(error?.code == .inputFailed && error?.underlyingError is CancellationError)
            #expect(error?.report?.nextIndex == 2)
            let one = options()
            let other = try await tracker.context.update { update -> ImportError? in
                do {
                    _ = try await update.import(
                        Tracker.User.self, from: rows.stream(endingWith: CancellationError()), options: one)
                    return nil
                } catch let error as ImportError {
                    return error
                }
            }
            #expect(other?.code == .inputFailed && other?.report?.nextIndex == 2)
        }
    }
#endif
