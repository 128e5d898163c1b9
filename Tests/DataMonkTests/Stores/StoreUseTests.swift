import DataMonk
import DataMonkTesting
import Foundation
import Synchronization
import Testing

/// From when until when a stack uses a store of an application's own.
@Suite struct `The use of one's own stores` {
    /// Contents in memory, and the number of calls that came while another one was at work.
    private final class Whole: AtomicStore {
        struct State {
            var contents: AtomicContents?
            var isAtWork = false
            var overlaps = 0
            var closings = 0
        }

        let state = Mutex(State())
        var typeName: String { "Whole" }

        func load(model: ManagedObjectModel) throws -> AtomicContents? {
            working { state.withLock { $0.contents } }
        }

        func save(_ contents: AtomicContents, model: ManagedObjectModel) throws {
            working { state.withLock { $0.contents = contents } }
        }

        func close() { state.withLock { $0.closings += 1 } }

        private func working<Result>(_ body: () -> Result) -> Result {
            state.withLock { state in
                if state.isAtWork { state.overlaps += 1 }
                state.isAtWork = true
            }
            defer { state.withLock { $0.isAtWork = false } }
            // Time for others.
            for _ in 0..<20 { _ = (0..<2_000).map { "\($0)" }.count }
            return body()
        }
    }

    @Test func `a store is closed after its last snapshot`() async throws {
        let closing = Locked<Stack?>(nil)
        let store = try await RecordStore.filled().altered(objects: { objects in
            let stack = closing.withLock { stack in
                defer { stack = nil }
                return stack
            }
            // Reason for try?: the test is of what happens to the store.
            try? stack?.coordinator.close()
            return objects
        })
        let stack = try await store.open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        closing.withLock { $0 = stack }
        var request = FetchRequest(entityName: "Person")
        request.relationshipKeyPathsForPrefetching = ["cats"]
        // Reason for try?: the stack is closed meanwhile.
        _ = try? context.fetch(request)
        #expect(store.closings == 1 && store.lateCalls == 0)
        #expect(store.state.withLock { $0.openSnapshots } == 0)
        #expect(throws: StoreError.self) { try context.fetch(request) }
        #expect(store.closings == 1 && store.lateCalls == 0)
    }

    @Test func `a store that cannot be added is closed`() async throws {
        let good = try await RecordStore.filled()
        let other = Stack(
            model: try ManagedObjectModel { EntityDescription("Person") { AttributeDescription("age", .integer16) } })
        let error = await #expect(throws: StoreError.self) { try await other.addStore(.custom(good)) }
        #expect(error?.code == .incompatibleVersionHash)
        #expect(good.closings == 1 && good.lateCalls == 0)
        let (one, twin) = (good.altered(), good.altered())
        let stack = try await one.open()
        let refusal = await #expect(throws: StoreError.self) { try await stack.addStore(.custom(twin)) }
        #expect(refusal?.code == .openFailed)
        #expect(twin.closings == 1 && twin.lateCalls == 0 && one.closings == 0)
        try stack.close()
    }

    @Test func `two stacks do not share an incremental store`() async throws {
        let store = try await RecordStore.filled()
        let stack = try await store.open()
        let error = await #expect(throws: StoreError.self) { _ = try await store.open() }
        #expect(error?.code == .locked)
        let migration = await #expect(throws: StoreError.self) {
            try await stack.migrateStore(.custom(RecordStore.filled()), to: .custom(store))
        }
        #expect(migration?.code == .locked && store.closings == 0)
        try stack.close()
        store.reset()
        try await store.open().close()
    }

    @Test func `two stacks do not share an atomic store`() async throws {
        let store = Whole()
        let model = try RecordStore.model()
        let (stack, other) = (Stack(model: model), Stack(model: model))
        try await stack.addStore(.custom(store))
        let error = await #expect(throws: StoreError.self) { try await other.addStore(.custom(store)) }
        #expect(error?.code == .locked)
        try stack.close()
        try await other.addStore(.custom(store))
        try other.close()
        #expect(store.state.withLock { $0.closings } == 2)
    }

    @Test func `a stack that is dropped gives its store back at once, while others are created`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        let store = RecordStore()
                        _ = try await store.open()
                        try await store.open().close()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `an open atomic store is migrated between its saves`() async throws {
        let store = Whole()
        let stack = Stack(model: try RecordStore.model())
        try await stack.addStore(.custom(store))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<40 {
                    let context = ManagedObjectContext(coordinator: stack.coordinator)
                    try context.insert("Person", ["age": .int(Int64(number))])
                    try context.save()
                    context.endTurn()
                }
            }
            group.addTask {
                for _ in 0..<20 { try await stack.migrateStore(.custom(store), to: .custom(RecordStore())) }
            }
            try await group.waitForAll()
        }
        #expect(store.state.withLock { $0.overlaps } == 0)
        try stack.close()
    }
}
