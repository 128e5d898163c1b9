import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

@testable import DataMonk

/// The order in which chunks with the same keys work.
@Suite struct ImportKeysTests {
    private let keys = ImportKeys()
    private let table: ImportTable
    /// The chunks that have taken their keys, in order.
    private let taken = Locked<[String]>([])

    init() throws {
        let model = try ManagedObjectModel { EntityDescription("Item") { AttributeDescription("id", .integer64) } }
        table = ImportTable(root: try #require(model.entitiesByName["Item"]), slots: [0])
    }

    private func wanted(_ numbers: [Int64]) -> ImportKeys.Keys { [table: Set(numbers.map(ImportKey.integer))] }

    /// Takes keys in a task of its own.
    private func take(_ name: String, _ numbers: [Int64]) -> Task<ImportKeys.Claim, any Error> {
        Task { [keys, taken, wanted = wanted(numbers)] in
            let claim = try await keys.take(wanted)
            taken.withLock { $0.append(name) }
            return claim
        }
    }

    /// Returns once a number of chunks have keys or wait for some.
    private func wait(forChunks count: Int) async {
        while keys.chunkCount < count { await Task.yield() }
    }

    @Test func `a chunk waits for the last one with one of its keys`() async throws {
        let first = try await keys.take(wanted([1, 2]))
        let second = take("second", [2, 3])
        await wait(forChunks: 2)
        let third = take("third", [1, 3])
        await wait(forChunks: 3)
        let free = try await keys.take(wanted([4]))
        #expect(taken.withLock { $0 } == [])
        keys.release(first)
        keys.release(try await second.value)
        keys.release(try await third.value)
        keys.release(free)
        #expect(taken.withLock { $0 } == ["second", "third"])
        #expect(keys.chunkCount == 0)
    }

    @Test func `behind one that has given up, a chunk still waits for those before it`() async throws {
        let first = try await keys.take(wanted([1]))
        let second = take("second", [1])
        await wait(forChunks: 2)
        let third = take("third", [1])
        await wait(forChunks: 3)
        second.cancel()
        await #expect(throws: CancellationError.self) { _ = try await second.value }
        #expect(keys.chunkCount == 3 && taken.withLock { $0 } == [])
        keys.release(first)
        keys.release(try await third.value)
        #expect(keys.chunkCount == 0)
    }

    @Test func `thousands that share a key have it one after the other, some of which give up`() async throws {
        let first = try await keys.take(wanted([0]))
        let working = Locked((count: 0, most: 0, all: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...3_000 {
                group.addTask { [keys, wanted = wanted([0, Int64(number)])] in
                    let claim = try await keys.take(wanted)
                    working.withLock { state in
                        state.count += 1
                        state.all += 1
                        state.most = max(state.most, state.count)
                    }
                    await Task.yield()
                    working.withLock { $0.count -= 1 }
                    keys.release(claim)
                }
            }
            let leaving = Task { [keys, wanted = wanted([0])] in _ = try await keys.take(wanted) }
            await wait(forChunks: 3_002)
            leaving.cancel()
            await #expect(throws: CancellationError.self) { try await leaving.value }
            keys.release(first)
            try await group.waitForAll()
        }
        #expect(working.withLock { $0.most } == 1 && working.withLock { $0.all } == 3_000)
        #expect(keys.chunkCount == 0)
    }
}
