#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    @Suite("Reads with SQL beside each other") struct SQLReadConcurrencyTests {
        private static let endless = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n
            """

        /// Returns the error of a read that has begun and does not end. A machine that is busy may have no thread for it in
        /// time: such a read never begins, and is tried again with a later deadline.
        private func lateError(
            _ stack: Stack, _ body: @escaping @Sendable (SQLDatabase) throws -> Void
        ) async throws -> FetchError {
            var deadline = Duration.milliseconds(200)
            for _ in 0..<200 {
                do {
                    try await stack.read(deadline: deadline, body)
                    throw Unended()
                } catch let error as FetchError {
                    return error
                } catch let error as UpdateError where error.code == .deadlinePassed {
                    // Below the time that readers of a store are waited for, which ends with an error of the store.
                    deadline = min(deadline * 4, .seconds(25))
                }
            }
            throw Unended()
        }

        private struct Unended: Error {}

        @Test func `a statement without end ends with its task`() async throws {
            let library = try await BookCellar()
            let stack = library.stack
            let (begun, continuation) = AsyncStream<Void>.makeStream()
            let task = Task {
                try await stack.read { database in
                    continuation.yield()
                    return try database.value(Self.endless, as: Int.self)
                }
            }
            for await _ in begun { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await stack.read { try $0.value("SELECT count(*) FROM ZBOOK", as: Int.self) } == 3)
        }

        @Test func `a statement without end ends at its deadline, and so does a body of many`() async throws {
            let library = try await BookCellar()
            let error = try await lateError(library.stack) { _ = try $0.value(Self.endless, as: Int.self) }
            #expect(error.code == .deadlinePassed)
            let many = try await lateError(library.stack) { database in
                while !Task.isCancelled { _ = try database.rows("SELECT 1") }
            }
            #expect(many.code == .deadlinePassed)
            #expect(try await library.context.read { try $0.count(BookCellar.Book.self) } == 3)
        }

        @Test func `a read that waits for a connection ends at its deadline`() async throws {
            let library = try await BookCellar()
            let store = library.stack.coordinator.stores[0]
            var readers = [try store.openReader()]
            while !readers[readers.count - 1].isLast { readers.append(try store.openReader()) }
            let error = try await lateError(library.stack) { _ = try $0.rows("SELECT 1").count }
            #expect(error.code == .deadlinePassed)
            for reader in readers { reader.end() }
            #expect(try await library.stack.read(deadline: .seconds(3_600)) { try $0.rows("SELECT 1").count } == 1)
        }

        @Test func `a task that was cancelled before reads nothing`() async throws {
            let library = try await BookCellar()
            let stack = library.stack
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await stack.read { try $0.rows("SELECT 1").count }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }

        @Test func `all statements of a body see one snapshot, and the next body the newest`() async throws {
            let library = try await BookCellar()
            let (stack, context) = (library.stack, library.context)
            let committed = DispatchSemaphore(value: 0)
            let (begun, continuation) = AsyncStream<Void>.makeStream()
            let reading = Task {
                try await stack.read { database in
                    let before = try database.value("SELECT count(*) FROM ZBOOK", as: Int.self)
                    continuation.yield()
                    committed.wait()
                    return [before, try database.value("SELECT count(*) FROM ZBOOK", as: Int.self)]
                }
            }
            for await _ in begun { break }
            try await context.update { update in
                try update.create(BookCellar.Book.self).title = "Meanwhile"
                try update.commit()
            }
            committed.signal()
            #expect(try await reading.value == [3, 3])
            #expect(try await stack.read { try $0.value("SELECT count(*) FROM ZBOOK", as: Int.self) } == 4)
        }

        @Test func `a thousand reads of ten thousand rows beside commits`() async throws {
            let library = try await BookCellar()
            let (stack, context) = (library.stack, library.context)
            try await context.update { update in
                for number in 0..<9_997 { try update.create(BookCellar.Book.self).pages = 1_000 + number }
                try update.commit()
            }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<1_000 {
                    group.addTask {
                        if number.isMultiple(of: 50) {
                            try await context.update { update in
                                // Two books in one commit, of which a snapshot has both or none.
                                for _ in 0..<2 { try update.create(BookCellar.Book.self).pages = 1 }
                                try update.commit()
                            }
                        }
                        return try await stack.read { database in
                            let count = try database.value("SELECT count(*) FROM ZBOOK", as: Int.self) ?? 0
                            let read = number.isMultiple(of: 100) ? 20_000 : 10
                            let pages = try database.rows("SELECT ZPAGES FROM ZBOOK LIMIT ?", read)
                            return pages.count == min(read, count) && count.isMultiple(of: 2)
                        }
                    }
                }
                for try await isWhole in group { #expect(isWhole) }
            }
            #expect(try await stack.read { try $0.value("SELECT count(*) FROM ZBOOK", as: Int.self) } == 10_040)
            try stack.close()
        }
    }
#endif
