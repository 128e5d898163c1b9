import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Commits to two stores of which the second one fails.
@Suite struct `A commit to one of two stores` {
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

    @Test func `tells a save of which nothing is in the stores only of the failure`() throws {
        let coordinator = stack.coordinator
        second.fail(.commit, with: StoreError(.outOfSpace, "The disk is full."))
        let (done, codes) = (DispatchGroup(), Locked<[Bool: StoreError.Code?]>([:]))
        try coordinator.betweenCommits {
            for isInSecond in [false, true] {
                done.enter()
                Thread.detachNewThread {
                    let saved = Result {
                        let context = ManagedObjectContext(coordinator: coordinator)
                        let tag = try context.insert("Tag", ["name": "new"])
                        if isInSecond { try context.assign(tag) }
                        try context.save()
                    }
                    let code: StoreError.Code? =
                        if case .failure(let error) = saved { (error as? StoreError)?.code ?? .saveFailed } else { nil }
                    codes.withLock { $0.updateValue(code, forKey: isInSecond) }
                    done.leave()
                }
            }
            while coordinator.waitingCommits < 2 { sched_yield() }
        }
        done.wait()
        #expect(codes.withLock(\.self) == [false: nil, true: .outOfSpace])
    }
}
