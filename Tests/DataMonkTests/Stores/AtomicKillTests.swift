import DataMonk
import DataMonkTesting
import Foundation
import Testing

#if Macros
    /// Processes that are killed while they save a file as a whole.
    @Suite struct `A killed save of a whole file` {
        @Test(arguments: AtomicKind.allCases)
        func `leaves the old file or the new one`(kind: AtomicKind) async throws {
            await #expect(processExitsWith: .success) { [isXML = (kind == .xml) as Bool] in
                let kind = isXML ? AtomicKind.xml : .binary
                let folder = try TemporaryFolder()
                let url = folder.file("Notes.store")
                let first = Stack(model: try AtomicKind.model())
                try first.addStoreAndWait(kind.description(url))
                try AtomicKind.add("old", to: first)
                let disk = try FaultyDisk(folder: folder.url)
                try first.close()
                let calls = try disk.calls {
                    let stack = Stack(model: try AtomicKind.model())
                    try stack.addStoreAndWait(kind.description(url))
                    try AtomicKind.add("old", to: stack)
                    try stack.close()
                }
                var count = 2
                for plan in FaultPlan.each(.kill, of: calls) + FaultPlan.each(.killHalfway, of: calls) {
                    let process = try ForkedProcess { _ in
                        let stack = Stack(model: try AtomicKind.model())
                        disk.fail(plan)
                        try stack.addStoreAndWait(kind.description(url))
                        try AtomicKind.add("new", to: stack)
                    }
                    #expect(process.wait().end == .signal(SIGKILL))
                    let stack = Stack(model: try AtomicKind.model())
                    try stack.addStoreAndWait(kind.description(url))
                    let found = try AtomicKind.texts(stack).count
                    #expect(found == count || found == count + 1)
                    // What the killed process has left is removed by the next save.
                    try AtomicKind.add("next", to: stack)
                    try stack.close()
                    count = found + 1
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Notes.store"])
                }
            }
        }
    }
#endif
