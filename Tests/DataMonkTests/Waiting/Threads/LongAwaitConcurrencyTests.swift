#if Macros && !os(Windows)
    import DataMonk
    import Foundation
    import Testing

    /// Updates that await something for longer than the deadline of calls that block.
    @Suite struct `Concurrency of long awaits` {
        @Test(.timeLimit(.minutes(60)))
        func `a long await fails nobody behind it, and is reported once`() async throws {
            let folder = try TemporaryFolder()
            let path = folder.file("log").path
            await #expect(processExitsWith: .success) { [path = path as String] in
                let log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
                try #require(log >= 0 && dup2(log, STDERR_FILENO) >= 0)
                func reports() throws -> Int {
                    try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "done nothing").count - 1
                }
                let stack = Stack(model: try Office.model.get())
                try stack.addInMemoryStore()
                let context = try Context(stack: stack, updateOrder: .serial, deadline: .milliseconds(20))
                let (isIn, mayEnd) = (Meeting(), Meeting())
                let holder = context.beginUpdate { _ in
                    isIn.open()
                    await mayEnd.wait()
                }
                await isIn.wait()
                let behind = (0..<3).map { _ in Task { try await context.update { _ in } } }
                let handle = context.beginUpdate { _ in }
                let awaiting = Task { try await handle.value }
                while try reports() == 0 { await Task.yield() }
                // One with a deadline of its own still has it; the others look several times meanwhile.
                for _ in 0..<5 {
                    await #expect(throws: UpdateError.self) {
                        try await context.update(deadline: .milliseconds(50)) { _ in }
                    }
                }
                mayEnd.open()
                try await holder.value
                for task in behind { try await task.value }
                try await awaiting.value
                #expect(try reports() == 1)
            }
        }
    }
#endif
