import DataMonk
import Testing

/// What becomes of errors of calls that cannot throw.
@Suite struct `The error handler` {
    private struct Problem: Error {}

    /// A function that is kept behind a lock was once wrapped anew by each access: after some ten thousand calls no stack was
    /// deep enough for the next.
    @Test func `the last of many errors reaches it like the first`() throws {
        let model = try ManagedObjectModel(entities: [EntityDescription("Note", properties: [])])
        let coordinator = PersistentStoreCoordinator(model: model)
        let count = Locked(0)
        coordinator.setErrorHandler { _ in count.withLock { $0 += 1 } }
        for _ in 0..<200_000 { coordinator.report(Problem()) }
        #expect(count.withLock { $0 } == 200_000)
    }

    /// It is rung once for each commit that finds everything before it taken over.
    @Test func `a context that takes over each commit is woken for each`() throws {
        let stack = try Stack(Person.self)
        try stack.addInMemoryStore()
        let coordinator = stack.coordinator
        let following = ManagedObjectContext(coordinator: coordinator)
        let rung = Locked(0)
        following.setBell { rung.withLock { $0 += 1 } }
        let writing = ManagedObjectContext(coordinator: coordinator)
        let monk = try writing.insert(Person.self)
        for age in 1...200 {
            monk.age = age
            try writing.save()
            following.mergeCommits()
        }
        #expect(rung.withLock { $0 } == 200)
    }
}
