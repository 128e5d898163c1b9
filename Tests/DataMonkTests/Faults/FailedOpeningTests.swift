import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Transactions and snapshots that a store does not open.
@Suite struct `A store that opens nothing` {
    private let coordinator: PersistentStoreCoordinator
    /// The first of two stores.
    private let store: FaultInjectingStore

    /// **Value.** An error of a store whose transaction met other processes' transactions.
    private struct Contended: ContentionFailure {
        let isContention = true
        let isLockTimeout = true
    }

    init() throws {
        let model = try ManagedObjectModel { EntityDescription("Tag") { AttributeDescription("name", .string) } }
        coordinator = PersistentStoreCoordinator(model: model)
        store = FaultInjectingStore(InMemoryStore(directory: coordinator.directory, index: 0))
        try coordinator.add(store)
        try coordinator.add(InMemoryStore(directory: coordinator.directory, index: 1))
    }

    /// Saves objects in one transaction, each of a context of its own, and returns the errors of those that failed.
    private func saveTogether(_ count: Int) throws -> [String] {
        let done = DispatchGroup()
        let errors = Locked<[String]>([])
        try coordinator.betweenCommits {
            for number in 1...count {
                done.enter()
                Thread.detachNewThread { [coordinator] in
                    do {
                        let context = ManagedObjectContext(coordinator: coordinator)
                        _ = try context.insert("Tag", ["name": .string("\(number)")])
                        try context.save()
                    } catch {
                        errors.withLock { $0.append("\(error)") }
                    }
                    done.leave()
                }
            }
            while coordinator.waitingCommits + errors.withLock(\.count) < count { sched_yield() }
        }
        done.wait()
        return errors.withLock(\.self)
    }

    private var tagCount: Int {
        get throws { try ManagedObjectContext(coordinator: coordinator).count(FetchRequest(entityName: "Tag")) }
    }

    @Test func `saves that are written together do not wait for it one after the other`() throws {
        store.fail(.begin, with: StoreError(.timeout, "Nobody answers."))
        let errors = try saveTogether(3)
        #expect(errors.count == 3 && Set(errors).count == 1, "\(errors)")
        #expect(try tagCount == 0)
        #expect(try saveTogether(3).isEmpty)
        #expect(try tagCount == 3)
    }

    @Test(arguments: [1, 3])
    func `saves are written again if others were in the way of their transaction`(count: Int) throws {
        store.fail(.begin, with: StoreError(.timeout, "Others were in the way.", underlyingError: Contended()))
        #expect(try saveTogether(count).isEmpty)
        #expect(try tagCount == count)
    }

    /// Commits between the two readers of each snapshot that is opened, which then show different states.
    @Sendable private func disturbNextSnapshot() {
        store.disturbRead(store.readCount) { begins in
            if begins { return }
            do {
                let context = ManagedObjectContext(coordinator: coordinator)
                _ = try context.insert("Tag", ["name": "between"])
                try context.save()
            } catch { Issue.record(error) }
            disturbNextSnapshot()
        }
    }

    @Test func `a snapshot is not tried again after the caller's deadline`() throws {
        let context = ManagedObjectContext(coordinator: coordinator)
        let tag = try context.insert("Tag", ["name": "first"])
        try context.save()
        context.endTurn()
        store.readCount = 0
        disturbNextSnapshot()
        context.deadlineOfCaller = { .now }
        #expect(throws: StoreError.self) { try context.existingObject(with: tag.anyObjectID) }
        #expect(store.readCount == 1)
        store.heal()
    }
}
