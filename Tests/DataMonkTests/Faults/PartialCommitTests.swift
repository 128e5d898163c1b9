import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Commits to several stores of which the second one fails.
@Suite struct `A commit to one of several stores` {
    private let folder: TemporaryFolder
    private let stack: Stack
    private let second: FaultInjectingStore

    init() throws {
        folder = try TemporaryFolder()
        stack = Stack(
            model: try ManagedObjectModel { EntityDescription("Tag") { AttributeDescription("name", .string) } })
        try stack.addDatabaseStore(fileURL: folder.file("first.sqlite"))
        second = FaultInjectingStore(InMemoryStore(directory: stack.coordinator.directory, index: 1))
        try stack.coordinator.add(second)
    }

    /// Saves a tag into each of some stores, all in one transaction of each. Returns the codes of the errors, in this order.
    private func codesOfSaves(into urls: [URL?]) throws -> [StoreError.Code?] {
        let coordinator = stack.coordinator
        let (done, codes) = (DispatchGroup(), Locked([StoreError.Code?](repeating: nil, count: urls.count)))
        let ended = Locked(0)
        try coordinator.betweenCommits {
            for (index, url) in urls.enumerated() {
                done.enter()
                Thread.detachNewThread {
                    let saved = Result {
                        let context = ManagedObjectContext(coordinator: coordinator)
                        let tag = try context.insert("Tag", ["name": "new"])
                        try context.assign(tag, toStoreAt: url)
                        try context.save()
                    }
                    if case .failure(let error) = saved {
                        codes.withLock { $0[index] = (error as? StoreError)?.code ?? .sqlite }
                    }
                    ended.withLock { $0 += 1 }
                    done.leave()
                }
                while coordinator.waitingCommits + ended.withLock(\.self) <= index { sched_yield() }
            }
        }
        done.wait()
        return codes.withLock(\.self)
    }

    private func tagCount() throws -> Int {
        try ManagedObjectContext(coordinator: stack.coordinator).count(FetchRequest(entityName: "Tag"))
    }

    @Test func `tells a save of which nothing is in the stores only of the failure`() throws {
        second.fail(.commit, with: StoreError(.outOfSpace, "The disk is full."))
        #expect(try codesOfSaves(into: [folder.file("first.sqlite"), nil]) == [nil, .outOfSpace])
    }

    @Test func `tells a save that was rolled back so, though the outcome of another one is unknown`() throws {
        let third = folder.file("third.sqlite")
        try stack.addDatabaseStore(fileURL: third)
        second.fail(.answer)
        #expect(try codesOfSaves(into: [nil, third]) == [.outcomeUnknown, .saveFailed])
        // The one of unknown outcome is there.
        #expect(try tagCount() == 1)
        #expect(try codesOfSaves(into: [third]) == [nil])
        #expect(try tagCount() == 2)
    }

    /// Returns the error of a save that others were in the way of.
    private func conflict() throws -> SaveError {
        let contexts = (0..<2).map { _ in ManagedObjectContext(coordinator: stack.coordinator) }
        _ = try contexts[0].insert("Tag", ["name": "new"])
        try contexts[0].save()
        for context in contexts {
            try context.fetch(FetchRequest(entityName: "Tag"))[0].setValue("changed", forKey: "name")
        }
        try contexts[0].save()
        return try #require(#expect(throws: SaveError.self) { try contexts[1].save() })
    }

    @Test(arguments: [(FaultInjectingStore.Place.commit, StoreError.Code.savedInPart), (.answer, .outcomeUnknown)])
    func `ends an update that might be there twice, though the body goes on`(
        place: FaultInjectingStore.Place, code: StoreError.Code
    ) async throws {
        let (conflict, runs, second) = (try conflict(), Locked(0), second)
        let error = await #expect(throws: SaveError.self) {
            try await Context(stack: stack).update(retrying: 5) { update in
                runs.withLock { $0 += 1 }
                _ = try update.create(entityName: "Tag")
                let tag = try update.create(entityName: "Tag")
                try tag.managedObjectContext?.assign(tag)
                second.fail(place)
                let error = #expect(throws: StoreError.self) { try update.commit() }
                #expect(error?.code == code)
                update.rollback()
                throw conflict
            }
        }
        #expect(error?.code == .mergeConflict && runs.withLock(\.self) == 1)
    }

    @Test func `is told of a chunk of an import as well, which must not simply be repeated`() async throws {
        let stack = Stack(model: stack.model)
        let store = FaultInjectingStore(InMemoryStore(directory: stack.coordinator.directory, index: 0))
        try stack.coordinator.add(store)
        store.fail(.answer)
        let error = await #expect(throws: ImportError.self) {
            try await stack.importRows(entityName: "Tag", from: JSONLines(.text(#"{"name":"a"}"#)))
        }
        #expect(error?.code == .outcomeUnknown && error?.report?.nextIndex == 0, "\(error as Any)")
        #expect((error?.underlyingError as? StoreError)?.code == .outcomeUnknown)
        #expect(try ManagedObjectContext(coordinator: stack.coordinator).count(FetchRequest(entityName: "Tag")) == 1)
    }
}
